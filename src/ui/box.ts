import type { ComponentProps } from 'react';

/** Steps of the spacing scale in `styles/tokens.css`, in pixels. */
export type Space = 0 | 4 | 8 | 12 | 16 | 24 | 32 | 48 | 64 | 96;

/** Elements that a layout can be. */
export type BoxTag =
  | 'article'
  | 'div'
  | 'fieldset'
  | 'figcaption'
  | 'figure'
  | 'footer'
  | 'form'
  | 'header'
  | 'li'
  | 'nav'
  | 'ol'
  | 'output'
  | 'p'
  | 'pre'
  | 'section'
  | 'span'
  | 'ul';

/** Properties of a layout that is the element `as`, by default a `div`. */
export type BoxProps<Tag extends BoxTag, Layout> = Layout &
  Omit<ComponentProps<Tag>, keyof Layout> & { readonly as?: Tag; readonly className?: string | undefined };
