import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './notice.module.css';

interface NoticeProps {
  readonly id?: string;
  readonly role?: 'alert';
  readonly className?: string | undefined;
  readonly children: ReactNode;
  readonly tone?: 'neutral' | 'good' | 'bad';
  /** It appears while the page is open, and is announced. What is urgent has `role="alert"` instead. */
  readonly isStatus?: boolean;
  /** Beside the text, or below it where there is no room. */
  readonly actions?: ReactNode;
}

/** A message in a box. */
export function Notice({ tone = 'neutral', isStatus = false, actions, className, children, ...rest }: NoticeProps) {
  const Tag = isStatus ? 'output' : 'div';
  return (
    <Tag {...rest} className={classNames(styles.notice, className)} data-tone={tone}>
      <div>{children}</div>
      {actions}
    </Tag>
  );
}
