import { renderBox } from './box.ts';
import type { BoxProps, BoxTag, Space } from './box.ts';
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

/** Children beside each other, which wrap; by default a `div`. */
export const Row = <Tag extends BoxTag = 'div'>(props: BoxProps<Tag, RowLayout>) =>
  renderBox(styles.row, { as: 'div', gap: 12 }, props);
