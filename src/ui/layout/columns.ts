import { renderBox } from './box.ts';
import type { BoxProps, BoxTag, Space } from './box.ts';
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

/** Children in as many equal columns as there is room for; by default a `div`. */
export const Columns = <Tag extends BoxTag = 'div'>(props: BoxProps<Tag, ColumnsLayout>) =>
  renderBox(styles.columns, { as: 'div', gap: 16 }, props);
