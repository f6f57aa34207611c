import { createElement } from 'react';
import type { BoxProps, BoxTag } from './box.ts';
import { classNames } from './class-names.ts';
import styles from './layout.module.css';

interface LinesLayout {
  /** Between a child and the lines; default: 12. */
  readonly gap?: 8 | 12 | 16;
  /** Whether there is a line above the first child and below the last one too. */
  readonly isFramed?: boolean;
}

/** Children below each other with hairlines between them; by default a `ul`. */
export function Lines<Tag extends BoxTag = 'ul'>(props: BoxProps<Tag, LinesLayout>) {
  const { as = 'ul', gap = 12, isFramed = false, className, ...rest } = props;
  return createElement<object>(as, {
    ...rest,
    className: classNames(styles.lines, className),
    'data-gap': gap,
    'data-framed': isFramed || undefined,
  });
}
