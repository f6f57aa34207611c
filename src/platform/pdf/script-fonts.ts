/** Fonts for scripts that the main font of documents lacks. Only the glyphs of a document are embedded. */
import { readFile } from 'node:fs/promises';
import subsetFont from 'subset-font';

/** A region whose shapes of Chinese characters are preferred. */
type HanStyle = 'jp' | 'kr' | 'sc' | 'tc';

const HAN_PACKAGES: Readonly<Record<HanStyle, string>> = {
  jp: import.meta.resolve('@fontsource-variable/noto-sans-jp/unicode.json'),
  kr: import.meta.resolve('@fontsource-variable/noto-sans-kr/unicode.json'),
  sc: import.meta.resolve('@fontsource-variable/noto-sans-sc/unicode.json'),
  tc: import.meta.resolve('@fontsource-variable/noto-sans-tc/unicode.json'),
};

const OTHER_PACKAGES: readonly string[] = [
  // Before Noto Sans Arabic, whose letters share glyphs without dots: copied text would lose its letters.
  import.meta.resolve('@fontsource-variable/vazirmatn/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-arabic/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-hebrew/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-thai/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-armenian/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-georgian/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-bengali/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-gujarati/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-gurmukhi/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-kannada/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-khmer/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-malayalam/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-oriya/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-sinhala/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-tamil/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-telugu/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-thaana/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-lao/unicode.json'),
  import.meta.resolve('@fontsource-variable/noto-sans-ethiopic/unicode.json'),
];
/** The package has a file for each weight. */
const MYANMAR_PACKAGE = import.meta.resolve('@fontsource/noto-sans-myanmar/unicode.json');
const EMOJI_PACKAGE = import.meta.resolve('@fontsource-variable/noto-emoji/unicode.json');

/** A file of a package: some of its characters. */
interface FontFile {
  /** URL of a weight from 100 to 900. */
  readonly getUrl: (weight: number) => string;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function parseRanges(text: string): [number, number][] {
  return text.split(',').map((range) => {
    const [first = '', last = first] = range.replace(/^U\+/i, '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
}

/** Parts that have no script of their own; their ranges name characters that the files lack. */
const SHARED_PARTS = new Set(['cyrillic', 'greek', 'latin', 'latin-ext', 'math', 'symbols', 'vietnamese']);

/** Files of a package by its table, such as `{"[0]": "U+25ee8,…", "latin": "U+0000-00FF,…"}`. */
async function readFontFiles(table: string): Promise<FontFile[]> {
  const parsed: unknown = JSON.parse(await readFile(new URL(table), 'utf8'));
  if (!isRecord(parsed)) throw new Error(`not a table of characters: ${table}`);
  const name = /([^/]+)\/unicode\.json$/.exec(table)?.[1] ?? '';
  const isVariable = table.includes('/@fontsource-variable/');
  return Object.entries(parsed)
    .filter(([part]) => !SHARED_PARTS.has(part))
    .map(([part, ranges]) => ({
      getUrl: (weight: number) => {
        const file = `${name}-${part.replaceAll(/[[\]]/g, '')}-${isVariable ? 'wght' : weight}-normal.woff2`;
        return new URL(`./files/${file}`, table).href;
      },
      ranges: parseRanges(String(ranges)),
    }));
}

const hasCode = ({ ranges }: FontFile, code: number): boolean =>
  ranges.some(([first, last]) => code >= first && code <= last);

const IGNORABLE = /^\p{Default_Ignorable_Code_Point}$/u;

const listCodes = (cluster: string): number[] =>
  Array.from(cluster)
    .filter((character) => !IGNORABLE.test(character))
    .map((character) => character.codePointAt(0) ?? 0);

/** The shapes by the script of the text, otherwise by the country (ISO 3166-1), otherwise simplified Chinese. */
export function chooseHanStyle(text: string, country: string | undefined): HanStyle {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'jp';
  if (/\p{Script=Hangul}/u.test(text)) return 'kr';
  if (/\p{Script=Bopomofo}/u.test(text)) return 'tc';
  switch (country) {
    case 'JP':
      return 'jp';
    case 'KR':
      return 'kr';
    case 'HK':
    case 'MO':
    case 'TW':
      return 'tc';
    default:
      return 'sc';
  }
}

/** A font file whose table of positions has a name that no reader knows, with a checksum of its own. */
export function hidePositions(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  const tableCount = copy.readUInt16BE(4);
  for (let at = 12; at < 12 + tableCount * 16; at += 16) {
    const tag = copy.toString('latin1', at, at + 4);
    if (tag === 'GPOS') copy.write('none', at, 'latin1');
    // pdfkit takes fonts of one name and checksum for the same.
    const adjustment = copy.readUInt32BE(at + 8) + 8;
    if (tag === 'head') copy.writeUInt32BE((copy.readUInt32BE(adjustment) ^ 1) >>> 0, adjustment);
  }
  return copy;
}

/** Finds font files for clusters of characters, and reduces them. Keeps the tables of packages in memory. */
export class ScriptFonts {
  readonly #files = new Map<string, Promise<FontFile[]>>();

  #read(table: string): Promise<FontFile[]> {
    const files = this.#files.get(table) ?? readFontFiles(table);
    this.#files.set(table, files);
    return files;
  }

  /**
   * URLs of files that list all characters of a cluster, best first. A file may lack what it lists.
   * @param weight 100 to 900
   */
  async find(cluster: string, style: HanStyle, weight: number): Promise<string[]> {
    const codes = listCodes(cluster);
    const { jp, kr, sc, tc } = HAN_PACKAGES;
    const tables = [...OTHER_PACKAGES, MYANMAR_PACKAGE, HAN_PACKAGES[style], sc, tc, jp, kr, EMOJI_PACKAGE];
    const found = new Set<string>();
    for (const table of tables) {
      const files = await this.#read(table);
      const file = files.find((one) => codes.every((code) => hasCode(one, code)));
      if (file) found.add(file.getUrl(weight));
    }
    return [...found];
  }

  /** @param weight 100 to 900 */
  async subset(url: string, characters: string, weight: number): Promise<Buffer> {
    return subsetFont(await readFile(new URL(url)), characters, {
      targetFormat: 'sfnt',
      ...(url.includes('-wght-') && { variationAxes: { wght: weight } }),
    });
  }
}
