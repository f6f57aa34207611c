/**
 * Reads the text of a PDF as pdfkit writes it: compressed streams, and fonts whose glyphs have a
 * table of characters. Not a reader of any PDF.
 */
import { inflateSync } from 'node:zlib';

interface PdfObject {
  readonly dictionary: string;
  /** Empty without a stream. */
  readonly stream: string;
}

type Characters = ReadonlyMap<string, string>;

function readObjects(pdf: Buffer): ReadonlyMap<string, PdfObject> {
  const raw = pdf.toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const start of raw.matchAll(/(?<=^|\n)(\d+) 0 obj\n/g)) {
    const from = start.index + start[0].length;
    const [end, stream] = [raw.indexOf('\nendobj', from), raw.indexOf('\nstream\n', from)];
    const hasStream = stream !== -1 && stream < end;
    const dictionary = raw.slice(from, hasStream ? stream : end);
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1]);
    const first = stream + '\nstream\n'.length;
    const bytes = hasStream ? pdf.subarray(first, first + length) : Buffer.alloc(0);
    const isCompressed = dictionary.includes('/FlateDecode');
    objects.set(start[1] ?? '', { dictionary, stream: (isCompressed ? inflateSync(bytes) : bytes).toString('latin1') });
  }
  return objects;
}

const decodeUtf16 = (hex: string): string => Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le');

/** Characters of each glyph, by its number in hexadecimal. */
function readCharacters(table: string): Characters {
  const characters = new Map<string, string>();
  for (const [, first = '', list = ''] of table.matchAll(/<(\w{4})> <\w{4}> \[([^\]]*)\]/g)) {
    for (const [index, [, hex = '']] of [...list.matchAll(/<([^>]*)>/g)].entries()) {
      const glyph = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0');
      characters.set(glyph, decodeUtf16(hex));
    }
  }
  return characters;
}

/** The text of all pages: a line for each line of a paragraph or cell, in reading order. */
export function readPdfText(pdf: Buffer): readonly string[] {
  const objects = readObjects(pdf);
  const find = (id: string | undefined): PdfObject => objects.get(id ?? '') ?? { dictionary: '', stream: '' };
  const fonts = new Map<string, Characters>();
  for (const { dictionary } of objects.values()) {
    for (const [, name = '', id] of dictionary.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = /\/ToUnicode (\d+) 0 R/.exec(find(id).dictionary)?.[1];
      fonts.set(name, readCharacters(find(table).stream));
    }
  }
  const pages = [...objects.values()].filter(({ dictionary }) => /\/Type \/Page\b(?!s)/.test(dictionary));
  return pages.flatMap(({ dictionary }) => {
    let font: Characters = new Map();
    const { stream } = find(/\/Contents (\d+) 0 R/.exec(dictionary)?.[1]);
    return [...stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*)\] TJ/g)].flatMap(([, name, shown]) => {
      if (name !== undefined) font = fonts.get(name) ?? new Map();
      if (shown === undefined) return [];
      const glyphs = [...shown.matchAll(/<(\w*)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
      return glyphs.map((glyph) => font.get(glyph) ?? '\uFFFD').join('');
    });
  });
}
