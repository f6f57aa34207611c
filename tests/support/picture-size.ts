/** Reads width and height from the header of a picture, without decoding it. */
import assert from 'node:assert/strict';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * AVIF: the `ispe` properties (ISO/IEC 23008-12, 6.5.3), one for the colours and one for the
 * alpha channel.
 */
function readAvifSize(bytes: Buffer): PictureSize {
  const sizes: PictureSize[] = [];
  for (let at = bytes.indexOf('ispe'); at !== -1; at = bytes.indexOf('ispe', at + 4)) {
    sizes.push({ width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) });
  }
  const [size] = sizes;
  assert.ok(size, 'the AVIF has no size');
  for (const other of sizes) assert.deepEqual(other, size);
  return size;
}

/** JPEG: the start of frame, baseline or progressive. */
function readJpegSize(bytes: Buffer): PictureSize {
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    if (marker === 0xffc0 || marker === 0xffc2) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
  }
  return assert.fail('the JPEG has no size');
}

/** @param name ends in `.avif` or `.jpg` */
export const readPictureSize = (name: string, bytes: Buffer): PictureSize =>
  name.endsWith('.jpg') ? readJpegSize(bytes) : readAvifSize(bytes);
