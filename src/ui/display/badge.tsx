import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type BadgeTone = 'neutral' | 'good' | 'waiting' | 'bad';

/** A state in one or two words. Its text says it all; the tone only adds a colour. */
export const Badge = ({ tone = 'neutral', children }: { readonly tone?: BadgeTone; readonly children: ReactNode }) => (
  <span className={styles.badge} data-tone={tone}>
    {children}
  </span>
);
