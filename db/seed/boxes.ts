/** What comes with the devices of the demo shop, as their maker lists it. Power adapters differ between countries. */
const COMMON = ['USB-C charge cable, 1 m', 'Documentation'];

/** By the slug of the category. */
const CONTENTS: Readonly<Record<string, readonly string[]>> = {
  iphone: COMMON,
  ipad: COMMON,
  'ipad-pro': COMMON,
  macbook: ['USB-C to MagSafe 3 cable, 2 m', 'Documentation'],
  'apple-watch': ['Band', 'Magnetic fast charging cable, 1 m', 'Documentation'],
};

/** One thing a line; empty for products of other categories. */
export function listContents(category: string, name: string): string {
  const contents = CONTENTS[category];
  return contents === undefined ? '' : [name, ...contents].join('\n');
}
