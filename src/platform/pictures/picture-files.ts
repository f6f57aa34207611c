/** The files of an uploaded picture: their names, and how they pass from the converting process. */
import { z } from 'zod';

/** Width of the file that has no width in its name. */
export const MAIN_WIDTH = 1024;
/** Widths of the AVIF files. */
export const WIDTHS = [320, 640, MAIN_WIDTH, 2048] as const;
/** The largest file, and the one that earlier releases stored instead. */
const [LARGEST, FORMER_LARGEST] = ['-2048.avif', '-1600.avif'];
/** Width of the JPEG, which link previews of other sites use. */
export const PREVIEW_WIDTH = 640;

/** Ends of the file names, after the hash. */
export const SUFFIXES: readonly string[] = [
  ...WIDTHS.map((width) => (width === MAIN_WIDTH ? '.avif' : `-${width}.avif`)),
  '.jpg',
];

/** Sides of the square PNG files of an icon: of browser tabs, `apple-touch-icon` and the web app manifest. */
export const ICON_SIDES = [16, 32, 180, 192, 512] as const;
/** Phones show no transparent `apple-touch-icon`: it is on white. */
export const TOUCH_ICON_SIDE = 180;
const ICON_SUFFIXES: readonly string[] = ICON_SIDES.map((side) => `-icon-${side}.png`);

/** Width of the small file of a private picture. */
export const SMALL_WIDTH = 320;
/** Width of its large file. */
export const PRIVATE_WIDTH = 1600;
/** Ends of the file names of a private picture: large, small. */
const PRIVATE_SUFFIXES: readonly string[] = ['.jpg', `-${SMALL_WIDTH}.jpg`];
/** End of the name of a private document. */
const DOCUMENT_SUFFIX = '.pdf';

/**
 * Names of private files begin with this, so that no public URL can name them: those of public ones are 40 digits.
 */
const PRIVATE_NAME = /^private-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:(?:-320)?\.jpg|\.pdf)$/;

/** Name of a private picture. @param id a UUID */
export const formatPrivateName = (id: string, size: 'large' | 'small'): string =>
  `private-${id}${PRIVATE_SUFFIXES[size === 'large' ? 0 : 1]}`;
/** Name of a private document, such as a label. @param id a UUID */
export const formatDocumentName = (id: string): string => `private-${id}${DOCUMENT_SUFFIX}`;
/** All names that the private file with this id can have. */
export const listPrivateNames = (id: string): readonly string[] =>
  [...PRIVATE_SUFFIXES, DOCUMENT_SUFFIX].map((suffix) => `private-${id}${suffix}`);
/** The id in the name of a private file; null for other names. */
export const readPrivateId = (name: string): string | null => PRIVATE_NAME.exec(name)?.[1] ?? null;

const NAME = /^([0-9a-f]{40})((?:-320|-640|-1600|-2048)?\.avif|\.jpg|-icon-(?:16|32|180|192|512)\.png)$/;

/** End of the name of a file that is being written. */
export const TEMPORARY_SUFFIX = '.part';

/** The hash in a file name. Null if it is not the name of a picture. */
export const readHash = (name: string): string | null => NAME.exec(name)?.[1] ?? null;

export const listNames = (hash: string): readonly string[] => SUFFIXES.map((suffix) => `${hash}${suffix}`);
/** The names that any release may have stored. */
export const listAllNames = (hash: string): readonly string[] => [
  ...listNames(hash),
  ...listIconNames(hash),
  `${hash}${FORMER_LARGEST}`,
];
/**
 * The largest file under the name that the other releases use. A picture has one of the two; pages ask for the new name,
 * texts that earlier releases stored for the former one. Null for other files.
 */
export function findOtherLargest(name: string): string | null {
  if (name.endsWith(LARGEST)) return name.slice(0, -LARGEST.length) + FORMER_LARGEST;
  return name.endsWith(FORMER_LARGEST) ? name.slice(0, -FORMER_LARGEST.length) + LARGEST : null;
}
export const listIconNames = (hash: string): readonly string[] => ICON_SUFFIXES.map((suffix) => `${hash}${suffix}`);

export interface ConvertedPicture {
  /** Size of the main file, or of the largest icon. */
  readonly width: number;
  readonly height: number;
  /** One file a suffix, in the order of `SUFFIXES`, `ICON_SUFFIXES` or `PRIVATE_SUFFIXES`. */
  readonly files: readonly Buffer[];
}

/** What a picture is converted to: its widths, icons, or the JPEGs of a private picture. */
export type Conversion = 'picture' | 'icons' | 'private';

const FILE_COUNTS: Readonly<Record<Conversion, number>> = {
  picture: SUFFIXES.length,
  icons: ICON_SUFFIXES.length,
  private: PRIVATE_SUFFIXES.length,
};

/** Exit code of the converting process for a picture that may not be decoded. */
export const REFUSED = 3;

const refusedPicture = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('unsupported') }),
  z.object({ reason: z.literal('too-many-pixels'), width: z.int(), height: z.int() }),
]);
export type RefusedPicture = z.output<typeof refusedPicture>;

/** Null if the bytes are not a refusal. */
export function decodeRefusal(bytes: Buffer): RefusedPicture | null {
  try {
    return refusedPicture.parse(JSON.parse(bytes.toString()));
  } catch {
    return null;
  }
}

/** The result of a conversion as bytes: width, height and file lengths (32 bit), then the files. */
export function encodeConverted({ width, height, files }: ConvertedPicture): Buffer {
  const numbers = [width, height, ...files.map(({ length }) => length)];
  const head = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) head.writeUInt32BE(number, index * 4);
  return Buffer.concat([head, ...files]);
}

/** Null if the bytes are not a whole result. */
export function decodeConverted(bytes: Buffer, conversion: Conversion = 'picture'): ConvertedPicture | null {
  const headLength = (2 + FILE_COUNTS[conversion]) * 4;
  if (bytes.length < headLength) return null;
  const [width = 0, height = 0, ...lengths] = Array.from({ length: headLength / 4 }, (_, at) =>
    bytes.readUInt32BE(at * 4),
  );
  let at = headLength;
  const files = lengths.map((length) => bytes.subarray(at, (at += length)));
  return at === bytes.length && lengths.every((length) => length > 0) ? { width, height, files } : null;
}
