import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { makeGif, makePicture, makePng, makeSlowHeaders } from '../../../tests/support/hostile-pictures.ts';
import { measureCpu } from '../../../tests/support/measure-cpu.ts';
import { decodeConverted, encodeConverted, listAllNames, readHash, SUFFIXES } from './picture-files.ts';
import { readPictureHeader } from './read-header.ts';

const FORMATS = ['jpeg', 'png', 'webp', 'avif', 'gif'] as const;

test('[OPS-02] reads format and size of each format', async () => {
  for (const format of FORMATS) {
    for (const [width, height] of [
      [1, 1],
      [17, 300],
      [641, 480],
    ] as const) {
      const header = readPictureHeader(await makePicture(format, { width, height }));
      assert.deepEqual(header, { format, width, height });
    }
  }
});

test('[OPS-02] reads lossless, extended and progressive variants', async () => {
  const png = sharp(await makePicture('png', { width: 33, height: 21 }));
  const variants = [
    await png.clone().webp({ lossless: true }).toBuffer(),
    await png.clone().ensureAlpha(0.5).webp().toBuffer(),
    await png
      .clone()
      .jpeg({ progressive: true })
      .withExif({ IFD0: { Copyright: 'x'.repeat(500) } })
      .toBuffer(),
    await png.clone().ensureAlpha(0.5).avif({ bitdepth: 8 }).toBuffer(),
    await png.clone().png({ progressive: true, palette: true }).toBuffer(),
  ];
  for (const bytes of variants) {
    const { width, height } = readPictureHeader(bytes) ?? assert.fail('not read');
    assert.deepEqual([width, height], [33, 21]);
  }
});

test('[OPS-02] reads every picture of the demo shop', () => {
  const folder = 'public/images';
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(avif|jpg)$/.test(name));
  assert.ok(names.length > 800);
  for (const name of names) assert.ok(readPictureHeader(readFileSync(`${folder}/${name}`)), name);
});

test('[OPS-02] refuses animations of more than 1,000 frames', () => {
  assert.deepEqual(readPictureHeader(makeGif(1_000)), { format: 'gif', width: 1, height: 1 });
  assert.equal(readPictureHeader(makeGif(1_001)), null);
  assert.equal(readPictureHeader(makeGif(0)), null);
});

test('[OPS-32] reads a bounded part of a header', () => {
  for (const [name, bytes] of makeSlowHeaders(20 * 1024 * 1024)) {
    const ms = measureCpu(() => assert.equal(readPictureHeader(bytes), null, name));
    // A GIF is read as a whole.
    if (!name.startsWith('GIF')) assert.ok(ms < 1_000, `${name}: ${ms} ms`);
  }
});

test('[OPS-02] never throws, whatever the bytes', async () => {
  const pictures = await Promise.all(FORMATS.map((format) => makePicture(format)));
  const changed = fc
    .tuple(
      fc.constantFrom(...pictures, makePng(5, 5, Buffer.alloc(80))),
      fc.array(fc.tuple(fc.nat(200), fc.nat(255))),
      fc.nat(2_000),
    )
    .map(([picture, changes, length]) => {
      const bytes = Buffer.from(picture.subarray(0, length));
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      return bytes;
    });
  fc.assert(
    fc.property(
      fc.oneof(
        changed,
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      ),
      (bytes) => {
        const header = readPictureHeader(bytes);
        assert.ok(header === null || (header.width > 0 && header.height > 0));
      },
    ),
    { numRuns: 3_000 },
  );
});

test('[OPS-02] a conversion result survives encoding, a part of it is refused', () => {
  const files = SUFFIXES.map((suffix) => Buffer.from(suffix));
  const encoded = encodeConverted({ width: 10, height: 20, files });
  assert.deepEqual(decodeConverted(encoded), { width: 10, height: 20, files });
  for (let length = 0; length < encoded.length; length += 1) {
    assert.equal(decodeConverted(encoded.subarray(0, length)), null, `${length}`);
  }
});

test('[OPS-02] file names are a hash and a known suffix', () => {
  const hash = '0a'.repeat(20);
  for (const name of listAllNames(hash)) assert.equal(readHash(name), hash);
  for (const name of [`${hash}.png`, `../${hash}.avif`, `${hash}-320.jpg`, `x${hash}.avif`, `${hash}.avif\n`]) {
    assert.equal(readHash(name), null, name);
  }
});
