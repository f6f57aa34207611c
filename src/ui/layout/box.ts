import { createElement } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';

/** Steps of the spacing scale in `styles/tokens.css`, in pixels. */
export type Space = 0 | 4 | 8 | 12 | 16 | 24 | 32 | 48 | 64 | 96;

/** A box with padding: a hairline around it, or a soft background. Small: for an item of a list. */
export type Surface = 'outlined' | 'soft' | 'outlined-small' | 'soft-small';

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

/** Properties of a layout that is the element `as`. */
export type BoxProps<Tag extends BoxTag, Layout> = Layout &
  Omit<ComponentProps<Tag>, keyof Layout> & { readonly as?: Tag; readonly className?: string | undefined };

/** Of layouts: the style sheet reads them as attributes, since the policy of pages forbids `style`. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  gap: 'data-gap',
  rowGap: 'data-row-gap',
  align: 'data-align',
  justify: 'data-justify',
  surface: 'data-surface',
  width: 'data-width',
  foldsAt: 'data-folds-at',
  isFramed: 'data-framed',
};

/** Renders an element with the class of a layout and its properties as attributes. */
export function renderBox(
  layout: string | undefined,
  defaults: { readonly as: BoxTag; readonly gap: Space },
  props: object,
): ReactNode {
  const { as, className, ...rest }: { readonly as: BoxTag; readonly className?: string } = { ...defaults, ...props };
  const attributes = Object.entries<unknown>(rest).map(([name, value]): [string, unknown] => [
    ATTRIBUTES[name] ?? name,
    value,
  ]);
  const whole: object = { ...Object.fromEntries<unknown>(attributes), className: classNames(layout, className) };
  return createElement(as, whole);
}
