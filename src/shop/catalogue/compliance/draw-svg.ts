import type { EnergyClass } from './energy-label.ts';

/** Colours of the classes on a screen, after the shares of cyan, magenta, yellow and black of Annex III. */
export const CLASS_COLOURS: Readonly<Record<EnergyClass, string>> = {
  A: '#009640',
  B: '#52ae32',
  C: '#c8d400',
  D: '#ffed00',
  E: '#fbba00',
  F: '#ec6608',
  G: '#e30613',
};
export const BLACK = '#000000';
export const WHITE = '#ffffff';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text of an element or attribute, without what XML does not allow. */
const escapeText = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- control characters are what is removed
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll(/[&<>"]/g, (found) => ENTITIES[found] ?? '');

type Attributes = Readonly<Record<string, string | number>>;

/** @param children elements, or escaped text */
export function drawElement(name: string, attributes: Attributes, children = ''): string {
  const drawn = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(String(value))}"`);
  return `<${name}${drawn.join('')}>${children}</${name}>`;
}

interface TextPlace {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** The text is made narrower if it may be wider. */
  readonly maxWidth?: number;
}

/** No glyph of the fonts of labels is wider than this part of its size, save in scripts of full width. */
const WIDEST = 0.7;

export function drawText(
  content: string,
  { x, y, size, anchor = 'start', maxWidth }: TextPlace,
  more: Attributes = {},
): string {
  const fitted = maxWidth !== undefined && content.length * size * WIDEST > maxWidth;
  const attributes = {
    x,
    y,
    'font-size': size,
    'text-anchor': anchor,
    ...(fitted && { textLength: maxWidth, lengthAdjust: 'spacingAndGlyphs' }),
    ...more,
  };
  return drawElement('text', attributes, escapeText(content));
}

export const drawPath = (d: string, attributes: Attributes): string => drawElement('path', { d, ...attributes });

/** @param description read by assistive technology */
export function drawDocument(
  {
    width,
    height,
    title,
    description = '',
  }: {
    readonly width: number;
    readonly height: number;
    readonly title: string;
    readonly description?: string;
  },
  content: string,
): string {
  const named = drawElement('title', {}, escapeText(title)) + drawElement('desc', {}, escapeText(description));
  return drawElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'font-family': 'Verdana, DejaVu Sans, sans-serif',
    },
    named + content,
  );
}
