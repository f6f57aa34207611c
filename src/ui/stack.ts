import { createElement } from 'react';
import type { BoxProps, BoxTag, Space } from './box.ts';
import { classNames } from './class-names.ts';
import styles from './layout.module.css';

/** A box with padding: a hairline around it, or a soft background. Small: for an item of a list. */
export type Surface = 'outlined' | 'soft' | 'outlined-small' | 'soft-small';

interface StackLayout {
  /** Default: 16. */
  readonly gap?: Space;
  /** Width of the children: that of the stack (default), or their own. */
  readonly align?: 'stretch' | 'start';
  readonly surface?: Surface | undefined;
}

/** Children below each other. */
export function Stack<Tag extends BoxTag = 'div'>(props: BoxProps<Tag, StackLayout>) {
  const { as = 'div', gap = 16, align, surface, className, ...rest } = props;
  return createElement<object>(as, {
    ...rest,
    className: classNames(styles.stack, className),
    'data-gap': gap,
    'data-align': align,
    'data-surface': surface,
  });
}
