import { createElement } from 'react';
import type { BoxProps, BoxTag, Space } from './box.ts';
import { classNames } from './class-names.ts';
import styles from './layout.module.css';

interface ColumnsLayout {
  /** Least width of a column in rem; default: 12. */
  readonly width?: 9 | 12 | 14 | 18 | 20;
  /** Default: 16. */
  readonly gap?: Space;
  /** Default: as between the columns. */
  readonly rowGap?: 0 | 4 | 8 | 12 | 16 | 24;
  /** Default: `start`. */
  readonly align?: 'start' | 'end';
}

/** Children in as many equal columns as there is room for. */
export function Columns<Tag extends BoxTag = 'div'>(props: BoxProps<Tag, ColumnsLayout>) {
  const { as = 'div', width = 12, gap = 16, rowGap, align, className, ...rest } = props;
  return createElement<object>(as, {
    ...rest,
    className: classNames(styles.columns, className),
    'data-width': width,
    'data-gap': gap,
    'data-row-gap': rowGap,
    'data-align': align,
  });
}
