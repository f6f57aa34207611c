import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

/** As `src/ui/styles` names it. */
const TYPEFACE = '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2';
const DIRECTORY = 'node_modules/.cache/typeface';

/** The characters of `src/ui/styles/typeface.css`: ASCII, Latin 1, the letters œ and ı, and marks. */
const CHARACTERS = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2010, 0x2044],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
]
  .flatMap(([first = 0, last = 0]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
  .map((code) => String.fromCodePoint(code))
  .join('');
/** Those of normal and strong texts. */
const OPTIONS = { targetFormat: 'woff2', variationAxes: { wght: { min: 400, max: 600 } } } as const;

/**
 * Reduces the typeface, which every page preloads, to the characters and weights of the shop: less than two thirds of its
 * bytes.
 *
 * @returns an alias for Vite, from the file of the package to the reduced one
 */
export async function aliasTypeface(): Promise<Readonly<Record<string, string>>> {
  const whole = readFileSync(fileURLToPath(import.meta.resolve(TYPEFACE)));
  const key = createHash('sha256')
    .update(whole)
    .update(JSON.stringify([CHARACTERS, OPTIONS]))
    .digest('hex');
  const file = path.resolve(DIRECTORY, key.slice(0, 12), path.basename(TYPEFACE));
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true });
    // Renamed, since several builds may do this at once.
    const written = `${file}.${process.pid}`;
    writeFileSync(written, await subsetFont(whole, CHARACTERS, OPTIONS));
    renameSync(written, file);
  }
  return { [TYPEFACE]: file };
}
