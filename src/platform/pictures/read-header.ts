/**
 * Reads format and size of a picture, without decoding it. What it cannot read is refused, so that no
 * decoder gets it.
 */

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif';

export interface PictureHeader {
  readonly format: PictureFormat;
  /** As stored: the orientation is not applied. */
  readonly width: number;
  readonly height: number;
}

/** Formats by their magic bytes; the names are Latin-1 text at an offset. */
const MAGIC: readonly (readonly [PictureFormat, offset: number, bytes: string])[] = [
  ['jpeg', 0, '\u00ff\u00d8\u00ff'],
  ['png', 0, '\u0089PNG\r\n\u001a\n'],
  ['webp', 8, 'WEBP'],
  ['avif', 4, 'ftyp'],
  ['gif', 0, 'GIF87a'],
  ['gif', 0, 'GIF89a'],
];

/** An animation that no product picture needs; the pictures after the first one are not used. */
const MAX_FRAMES = 1_000;
/** The size of an AVIF is in its first bytes. A picture has about twenty boxes, a grid some more. */
const MAX_AVIF_BYTES = 1024 * 1024;
const MAX_BOXES = 500;
const MAX_BRANDS = 100;
/** A JPEG has about ten segments before its first frame, or some dozens with a large profile. */
const MAX_SEGMENTS = 1_000;
const MAX_FILL_BYTES = 1_000;

/** The format by the first twelve bytes; null if it is none that is supported. */
export function readPictureFormat(bytes: Buffer): PictureFormat | null {
  const [format] = MAGIC.find(([, at, magic]) => readLatin1(bytes, at, magic.length) === magic) ?? [];
  return format ?? null;
}

/**
 * Null if the bytes are no JPEG, PNG, WebP, AVIF or GIF, or if their header is damaged. Reads all of
 * a GIF: call it in a process that may be busy.
 */
export function readPictureHeader(bytes: Buffer): PictureHeader | null {
  const format = readPictureFormat(bytes);
  if (format === null) return null;
  try {
    const size = READERS[format](bytes);
    return size === null || size.width < 1 || size.height < 1 ? null : { format, ...size };
  } catch (error) {
    // The header ends early.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

type Size = Omit<PictureHeader, 'format'>;

const READERS: Readonly<Record<PictureFormat, (bytes: Buffer) => Size | null>> = {
  jpeg: readJpegSize,
  png: readPngSize,
  webp: readWebpSize,
  avif: readAvifSize,
  gif: readGifSize,
};

const readLatin1 = (bytes: Buffer, at: number, length: number): string => bytes.toString('latin1', at, at + length);

/** The first start of frame (ITU-T T.81, table B.1): markers C0 to CF except tables and arithmetic conditions. */
function readJpegSize(bytes: Buffer): Size | null {
  let fillBytes = 0;
  for (let [at, segments] = [2, 0]; segments < MAX_SEGMENTS; segments += 1, at += 2 + bytes.readUInt16BE(at + 2)) {
    for (; bytes.readUInt8(at + 1) === 0xff && fillBytes < MAX_FILL_BYTES; fillBytes += 1) at += 1;
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff || marker === 0xd9 || marker === 0xda) return null;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return null;
}

function readPngSize(bytes: Buffer): Size | null {
  if (readLatin1(bytes, 12, 4) !== 'IHDR') return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readWebpSize(bytes: Buffer): Size | null {
  if (readLatin1(bytes, 0, 4) !== 'RIFF') return null;
  const kind = readLatin1(bytes, 12, 4);
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8L') {
    const packed = bytes.readUInt32LE(21);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== 'VP8 ') return null;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

/** Reads boxes (ISO/IEC 14496-12, 4.2), but not more than a picture has. */
class BoxReader {
  #boxesLeft = MAX_BOXES;

  /** The contents of the boxes of a kind, one level deep. */
  list(bytes: Buffer, kind: string): Buffer[] {
    const found: Buffer[] = [];
    for (let at = 0; at + 8 <= bytes.length && this.#boxesLeft > 0; this.#boxesLeft -= 1) {
      const length = bytes.readUInt32BE(at);
      // 0: up to the end. 1: a length of 64 bits, which no header needs.
      const end = length === 0 ? bytes.length : at + length;
      if (end < at + 8) break;
      if (readLatin1(bytes, at + 4, 4) === kind) found.push(bytes.subarray(at + 8, end));
      at = end;
    }
    return found;
  }
}

/** The largest `ispe` property (ISO/IEC 23008-12, 6.5.3): a grid also has those of its tiles. */
function readAvifSize(bytes: Buffer): Size | null {
  const first = bytes.subarray(0, MAX_AVIF_BYTES);
  const boxes = new BoxReader();
  const [brands] = boxes.list(first, 'ftyp');
  if (!/^(?:.{4})*?avi[fs]/s.test(brands?.toString('latin1', 0, MAX_BRANDS * 4) ?? '')) return null;
  const [meta] = boxes.list(first, 'meta');
  // A full box: version and flags come first.
  const properties = boxes.list(meta?.subarray(4) ?? Buffer.alloc(0), 'iprp').flatMap((box) => boxes.list(box, 'ipco'));
  const sizes = properties
    .flatMap((box) => boxes.list(box, 'ispe'))
    .map((box) => ({ width: box.readUInt32BE(4), height: box.readUInt32BE(8) }));
  if (sizes.length === 0) return null;
  return {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  };
}

/** The largest of screen and frames; null if a block is damaged or the animation is too long. */
function readGifSize(bytes: Buffer): Size | null {
  let [width, height, frames] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8), 0];
  for (let at = 13 + getColourTableBytes(bytes.readUInt8(10)); at < bytes.length;) {
    const block = bytes.readUInt8(at);
    if (block === 0x3b) break;
    if (block === 0x2c) {
      frames += 1;
      width = Math.max(width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5));
      height = Math.max(height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7));
      at = skipSubBlocks(bytes, at + 11 + getColourTableBytes(bytes.readUInt8(at + 9)));
    } else if (block === 0x21) at = skipSubBlocks(bytes, at + 2);
    else return null;
    if (frames > MAX_FRAMES) return null;
  }
  return frames === 0 ? null : { width, height };
}

const getColourTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

function skipSubBlocks(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes.readUInt8(at) !== 0) at += bytes.readUInt8(at) + 1;
  return at + 1;
}
