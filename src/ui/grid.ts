import { createElement } from 'react';
import type { BoxProps, BoxTag, Space } from './box.ts';
import { classNames } from './class-names.ts';
import styles from './layout.module.css';
import type { Surface } from './stack.ts';

interface GridLayout {
  /** Widest window, in pixels, in which the columns are `--narrow-columns`, or one column without these. */
  readonly foldsAt: 767 | 991;
  /** Default: 16. */
  readonly gap?: Space;
  /** Default: as between the columns. */
  readonly rowGap?: 0 | 4 | 8 | 12 | 16 | 24;
  /** Default: `stretch`. */
  readonly align?: 'start' | 'center' | 'end';
  readonly surface?: Surface | undefined;
}

/** Children in columns, whose widths are the property `--columns` of its class. */
export function Grid<Tag extends BoxTag = 'div'>(props: BoxProps<Tag, GridLayout>) {
  const { as = 'div', foldsAt, gap = 16, rowGap, align, surface, className, ...rest } = props;
  return createElement<object>(as, {
    ...rest,
    className: classNames(styles.grid, className),
    'data-folds-at': foldsAt,
    'data-gap': gap,
    'data-row-gap': rowGap,
    'data-align': align,
    'data-surface': surface,
  });
}
