import { renderBox } from './box.ts';
import type { BoxProps, BoxTag, Space, Surface } from './box.ts';
import styles from './layout.module.css';

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

/** Children in columns, whose widths are the property `--columns` of its class; by default a `div`. */
export const Grid = <Tag extends BoxTag = 'div'>(props: BoxProps<Tag, GridLayout>) =>
  renderBox(styles.grid, { as: 'div', gap: 16 }, props);
