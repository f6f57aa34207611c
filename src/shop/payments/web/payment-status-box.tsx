import type { ReactNode } from 'react';
import styles from './payment-status-box.module.css';
import { StatusIcon } from './status-icon.tsx';

type Tone = 'waiting' | 'moving' | 'good' | 'attention';

interface PaymentStatusBoxProps {
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
  /** Confirmations; null unless they are counted. */
  readonly progress: { readonly have: number; readonly need: number } | null;
  readonly children?: ReactNode;
}

/** Prevents a line break between an amount and its unit. */
const preventBreaks = (text: string): string => text.replaceAll(/(\d) BTC/g, '$1\u{a0}BTC');

const ICONS = { waiting: 'clock', moving: 'refresh', good: 'check', attention: 'alert' } as const;

/** Status of a payment; announced by screen readers when it changes. */
export function PaymentStatusBox({ tone, title, text, progress, children }: PaymentStatusBoxProps) {
  return (
    <div className={styles.status} data-tone={tone}>
      <span className={styles.icon}>
        <StatusIcon name={ICONS[tone]} size={22} />
      </span>
      <output className={styles.content}>
        <strong className={styles.title}>{preventBreaks(title)}</strong>
        <span className={styles.text}>{preventBreaks(text)}</span>
        {children}
      </output>
      {progress !== null && (
        <progress className={styles.progress} max={progress.need} value={progress.have} aria-label="Confirmations" />
      )}
    </div>
  );
}
