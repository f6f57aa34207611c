import { createElement } from 'react';
import type { BoxProps, BoxTag, Space } from './box.ts';
import { classNames } from './class-names.ts';
import styles from './layout.module.css';

interface RowLayout {
  /** Default: 12. */
  readonly gap?: Space;
  /** Between the lines of a row that wraps; default: as between its children. */
  readonly rowGap?: 0 | 4 | 8 | 12 | 16 | 24;
  /** Default: `center`. */
  readonly align?: 'start' | 'center' | 'end' | 'baseline';
  /** Default: `start`. */
  readonly justify?: 'start' | 'between' | 'end';
}

/** Children beside each other, which wrap. */
export function Row<Tag extends BoxTag = 'div'>(props: BoxProps<Tag, RowLayout>) {
  const { as = 'div', gap = 12, rowGap, align, justify, className, ...rest } = props;
  return createElement<object>(as, {
    ...rest,
    className: classNames(styles.row, className),
    'data-gap': gap,
    'data-row-gap': rowGap,
    'data-align': align,
    'data-justify': justify,
  });
}
