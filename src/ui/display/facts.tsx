import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './facts.module.css';

interface FactsProps extends ComponentProps<'dl'> {
  /**
   * Below each other (default), in columns, in lines with each label beside its value, or as sums: labels at the start
   * of a line and amounts at its end.
   */
  readonly layout?: 'stacked' | 'columns' | 'beside' | 'sums';
}

/** A list of `Fact`s. */
export const Facts = ({ layout = 'stacked', className, ...rest }: FactsProps) => (
  <dl {...rest} className={classNames(styles.facts, styles[layout], className)} />
);

interface FactProps extends ComponentProps<'dd'> {
  readonly label: ReactNode;
  /** The total of sums. */
  readonly isTotal?: boolean;
}

/** A label with its value. */
export const Fact = ({ label, isTotal = false, ...rest }: FactProps) => (
  <div data-total={isTotal || undefined}>
    <dt>{label}</dt>
    <dd {...rest} />
  </div>
);
