/** Swatch of each known colour, by name in lower case. */
const SWATCHES: Readonly<Record<string, string>> = {
  black: '#2b2b2d',
  'black titanium': '#3c3c3d',
  blue: '#8fb4d9',
  carbide: '#45474a',
  'cloud white': '#f4f3ef',
  'cosmic orange': '#e8702e',
  'deep blue': '#32415f',
  'deep brown': '#4a372d',
  'desert titanium': '#c3a78f',
  gold: '#e6cfae',
  'gold titanium': '#dcc3a0',
  green: '#a9c9a4',
  'jet black': '#1c1c1e',
  lavender: '#d5cbe6',
  'light gold': '#ecdfc8',
  'matte black': '#303032',
  midnight: '#2a323d',
  'mist blue': '#a5b8d6',
  'natural titanium': '#b8b2a7',
  navy: '#2c3a57',
  orange: '#f2a46f',
  'pale gray': '#d6d7d9',
  pink: '#f0bccb',
  purple: '#b9aedb',
  red: '#c8102e',
  rose: '#dfaea9',
  'rose gold': '#e5bfb2',
  sage: '#aeb89a',
  sandstone: '#d5c5b0',
  silver: '#dfe0e2',
  'sky blue': '#bfd5e6',
  'slate titanium': '#5d5a58',
  'space black': '#353537',
  'space gray': '#6e6e73',
  starlight: '#ece4d8',
  teal: '#9fc4c2',
  ultramarine: '#8190d8',
  white: '#fafafa',
  'white titanium': '#e9e6e0',
  yellow: '#f3dd85',
};

/** Swatch of a colour name as `#rrggbb`; undefined if unknown. */
export function findSwatch(value: string): string | undefined {
  const name = value.trim().toLowerCase();
  return Object.hasOwn(SWATCHES, name) ? SWATCHES[name] : undefined;
}
