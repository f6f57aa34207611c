import { renderBox } from './box.ts';
import type { BoxProps, BoxTag, Space, Surface } from './box.ts';
import styles from './layout.module.css';

interface StackLayout {
  /** Default: 16. */
  readonly gap?: Space;
  /** Width of the children: that of the stack (default), or their own. */
  readonly align?: 'stretch' | 'start';
  readonly surface?: Surface | undefined;
}

/** Children below each other; by default a `div`. */
export const Stack = <Tag extends BoxTag = 'div'>(props: BoxProps<Tag, StackLayout>) =>
  renderBox(styles.stack, { as: 'div', gap: 16 }, props);
