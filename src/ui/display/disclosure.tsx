import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './disclosure.module.css';

interface DisclosureProps extends ComponentProps<'details'> {
  /** The line that opens and closes it. A plain text is strong. */
  readonly summary: ReactNode;
}

/** Content below a line, which opens and closes it. */
export const Disclosure = ({ summary, className, children, ...rest }: DisclosureProps) => (
  <details {...rest} className={classNames(styles.disclosure, className)}>
    <summary>{typeof summary === 'string' ? <span className="strong">{summary}</span> : summary}</summary>
    {children}
  </details>
);
