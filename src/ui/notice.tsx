import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './notice.module.css';

interface NoticeProps extends ComponentProps<'div'> {
  readonly tone?: 'neutral' | 'good' | 'bad';
  /** Beside the text, or below it where there is no room. */
  readonly actions?: ReactNode;
}

/**
 * A message in a box. It says something new while the page is open with `role="alert"`, or less urgently with
 * `role="status"`.
 */
export const Notice = ({ tone = 'neutral', actions, className, children, ...rest }: NoticeProps) => (
  <div {...rest} className={classNames(styles.notice, className)} data-tone={tone}>
    <div>{children}</div>
    {actions}
  </div>
);
