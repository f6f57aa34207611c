import { renderBox } from './box.ts';
import type { BoxProps, BoxTag } from './box.ts';
import styles from './layout.module.css';

interface LinesLayout {
  /** Between a child and the lines; default: 12. */
  readonly gap?: 8 | 12 | 16;
  /** Whether there is a line above the first child and below the last one too. */
  readonly isFramed?: true;
}

/** Children below each other with hairlines between them; by default a `ul`. */
export const Lines = <Tag extends BoxTag = 'ul'>(props: BoxProps<Tag, LinesLayout>) =>
  renderBox(styles.lines, { as: 'ul', gap: 12 }, props);
