/** Pictures for tests of uploads: valid ones, and files that attack the shop or its decoders. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { PictureFormat } from '#src/platform/pictures/read-header.ts';

/** A picture of noise, so that each seed gives another file. */
export function makePicture(
  format: PictureFormat | 'tiff',
  { width = 60, height = 40, seed = 0 }: { width?: number; height?: number; seed?: number } = {},
): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  let state = seed + 1;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    pixels[at] = state % 251;
  }
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  // Noise takes seconds at the default effort.
  return (format === 'avif' ? picture.avif({ effort: 0 }) : picture.toFormat(format)).toBuffer();
}

function makeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG whose header claims a size that its data need not have. */
export function makePng(width: number, height: number, data: Buffer, extra: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    makeChunk('IHDR', header),
    ...extra,
    makeChunk('IDAT', deflateSync(data)),
    makeChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A GIF with this many frames of one pixel. */
export function makeGif(frames: number): Buffer {
  const header = Buffer.from(
    'GIF89a\u0001\u0000\u0001\u0000\u0080\u0000\u0000\u0000\u0000\u0000\u00ff\u00ff\u00ff',
    'latin1',
  );
  const frame = Buffer.from(
    '\u002c\u0000\u0000\u0000\u0000\u0001\u0000\u0001\u0000\u0000\u0002\u0002D\u0001\u0000',
    'latin1',
  );
  return Buffer.concat([header, ...Array.from({ length: frames }, () => frame), Buffer.from(';')]);
}

const SCRIPT = '<script>alert(document.domain)</script>';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${SCRIPT}</svg>`;

/** A JPEG that claims 50,000 pixels a side. */
function enlargeJpeg(jpeg: Buffer): Buffer {
  const bytes = Buffer.from(jpeg);
  const frame = [0xc0, 0xc2].map((marker) => bytes.indexOf(Buffer.from([0xff, marker]))).find((at) => at > 0) ?? 0;
  bytes.writeUInt16BE(50_000, frame + 5);
  bytes.writeUInt16BE(50_000, frame + 7);
  return bytes;
}

const cut = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length * 0.6));

/** Files that the shop must refuse, with the code of the refusal. */
export async function makeHostileFiles(): Promise<readonly (readonly [name: string, code: string, bytes: Buffer])[]> {
  const [png, jpeg, webp, avif, gif] = await Promise.all(
    (['png', 'jpeg', 'webp', 'avif', 'gif'] as const).map((format) => makePicture(format, { width: 200, height: 200 })),
  );
  if (!png || !jpeg || !webp || !avif || !gif) throw new Error('no pictures');
  const bomb = Buffer.alloc(30_000_000);
  return [
    ['SVG with a script', 'unsupported-picture', Buffer.from(SVG)],
    ['SVG behind a declaration', 'unsupported-picture', Buffer.from(`<?xml version="1.0"?>\n${SVG}`)],
    ['page', 'unsupported-picture', Buffer.from(`<!doctype html>${SCRIPT}`)],
    ['archive bomb', 'unsupported-picture', Buffer.concat([Buffer.from('PK\u0003\u0004'), deflateSync(bomb)])],
    ['PDF', 'unsupported-picture', Buffer.from(`%PDF-1.7\n${SCRIPT}`)],
    ['TIFF', 'unsupported-picture', await makePicture('tiff')],
    ['text', 'unsupported-picture', Buffer.from('hello')],
    ['one byte', 'unsupported-picture', Buffer.from([0xff])],
    ['magic bytes of a PNG only', 'unsupported-picture', png.subarray(0, 8)],
    ['magic bytes of a JPEG only', 'unsupported-picture', jpeg.subarray(0, 4)],
    ['magic bytes of a GIF only', 'unsupported-picture', gif.subarray(0, 12)],
    ['magic bytes of an AVIF only', 'unsupported-picture', avif.subarray(0, 40)],
    ['PNG of 50,000 × 50,000 pixels', 'too-many-pixels', makePng(50_000, 50_000, Buffer.alloc(1_000))],
    ['PNG of 4,294,967,295 pixels a side', 'too-many-pixels', makePng(4_294_967_295, 4_294_967_295, Buffer.alloc(9))],
    ['JPEG of 50,000 × 50,000 pixels', 'too-many-pixels', enlargeJpeg(jpeg)],
    ['PNG of 12,001 × 1 pixels', 'too-many-pixels', makePng(12_001, 1, Buffer.alloc(36_004))],
    ['PNG of 41 megapixels', 'too-many-pixels', makePng(6_400, 6_407, Buffer.alloc(1_000))],
    ['GIF of 10,000 frames', 'unsupported-picture', makeGif(10_000)],
    ['PNG without its data', 'damaged-picture', makePng(6_000, 6_000, Buffer.alloc(1_000))],
    ['truncated PNG', 'damaged-picture', cut(png)],
    ['truncated JPEG', 'damaged-picture', cut(jpeg)],
    ['truncated WebP', 'damaged-picture', cut(webp)],
    ['truncated AVIF', 'damaged-picture', cut(avif)],
    ['truncated GIF', 'unsupported-picture', cut(gif)],
    ['SVG behind the magic bytes of a PNG', 'damaged-picture', Buffer.concat([png.subarray(0, 33), Buffer.from(SVG)])],
  ];
}

/** Valid pictures that are something else as well. */
export async function makePolyglots(): Promise<readonly (readonly [name: string, bytes: Buffer])[]> {
  const [png, jpeg] = await Promise.all([makePicture('png', { seed: 7 }), makePicture('jpeg', { seed: 8 })]);
  const comment = Buffer.from(SCRIPT);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(comment.length + 2);
  const commented = Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xfe]), length, comment, jpeg.subarray(2)]);
  const rows = Buffer.alloc(40 * (60 * 3 + 1));
  return [
    ['PNG followed by an archive', Buffer.concat([png, Buffer.from('PK\u0003\u0004'), Buffer.from(SCRIPT)])],
    ['JPEG followed by a page', Buffer.concat([jpeg, Buffer.from(`<!doctype html>${SCRIPT}`)])],
    ['JPEG with a script in its comment', commented],
    ['PNG with text', makePng(60, 40, rows, [makeChunk('tEXt', Buffer.from(`Comment\u0000${SCRIPT}`))])],
    ['PNG with more data than pixels', makePng(60, 40, Buffer.concat([rows, Buffer.alloc(30_000_000)]))],
    [
      'JPEG with a place',
      await sharp(jpeg)
        .withExif({ IFD0: { Copyright: SCRIPT } })
        .jpeg()
        .toBuffer(),
    ],
  ];
}

/** Part of every text that polyglots hide. */
export const HIDDEN_TEXT = 'alert(document';

function makeBox(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(kind, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** Files whose headers take long to read. Each is as long as an upload may be. */
export function makeSlowHeaders(length: number): readonly (readonly [name: string, bytes: Buffer])[] {
  const brand = makeBox('ftyp', Buffer.from('avif\u0000\u0000\u0000\u0000avif', 'latin1'));
  const empty = makeBox('free', Buffer.alloc(0));
  const fill = (start: Buffer, unit: Buffer): Buffer =>
    Buffer.concat([start, Buffer.alloc(length - start.length, unit)]);
  const [jpeg, gif] = [Buffer.from([0xff, 0xd8, 0xff]), makeGif(1).subarray(0, -1)];
  return [
    ['AVIF of empty boxes', fill(brand, empty)],
    [
      'AVIF with empty boxes of properties',
      Buffer.concat([brand, makeBox('meta', fill(Buffer.alloc(4), empty).subarray(100))]),
    ],
    ['AVIF of brands', makeBox('ftyp', Buffer.alloc(length - 8, 'mif1'))],
    ['JPEG of empty segments', fill(jpeg, Buffer.from([0xe0, 0x00, 0x02, 0xff]))],
    ['JPEG of fill bytes', fill(jpeg, Buffer.from([0xff]))],
    ['GIF of short blocks', fill(gif, Buffer.from([0x21, 0xfe, 0x01, 0x20, 0x00]))],
  ];
}
