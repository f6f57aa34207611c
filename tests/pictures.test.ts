/** Pixel sizes and file sizes of the pictures in the repository. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findTurningPicture } from '#src/shop/content/turning.ts';
import { listImages, seedProducts } from '../db/seed/catalogue.ts';
import { readPictureSize } from './support/picture-size.ts';
import { keysAt, numberAt, textAt } from './support/read-json.ts';

const folder = join(import.meta.dirname, '../public/images');
const pictures = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.(?:avif|jpg)$/.test(name));

/** Pixels and maximum bytes by the end of the name. */
const PRODUCT_SIZES: readonly (readonly [end: string, pixels: number, bytes: number])[] = [
  ['-320.avif', 320, 10_000],
  ['-640.avif', 640, 30_000],
  ['.avif', 1024, 60_000],
  ['.jpg', 640, 60_000],
];

test('[API-12] has product pictures of the named size within byte limits', () => {
  const productPictures = pictures.filter((name) => name.startsWith('products/'));
  assert.ok(productPictures.length > 800, `${productPictures.length}`);
  for (const name of productPictures) {
    const [, pixels, bytes] = PRODUCT_SIZES.find(([end]) => name.endsWith(end)) ?? assert.fail(name);
    const file = readFileSync(join(folder, name));
    assert.deepEqual(readPictureSize(name, file), { width: pixels, height: pixels }, name);
    assert.ok(file.length <= bytes, `${name}: ${file.length} bytes`);
  }
});

const rendered: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../art/rendered.json'), 'utf8'));
const RENDERED_AT = 1024;
const formatName = (image: string): string => image.replace('/images/products/', '').replace('.avif', '');
/** Products whose pictures were once enlarged from smaller renders. */
const ONCE_ENLARGED = /^(?:iphone-(?:17|16|16-pro|16e)|ipad-.*)$/;

test('[API-12] has pictures of first colours rendered at full size', () => {
  const products = seedProducts().filter(({ product }) => ONCE_ENLARGED.test(product.slug));
  assert.equal(products.length, 10);
  const recorded = new Set(keysAt(rendered));
  for (const name of products.flatMap(({ product }) => listImages(product).map(formatName))) {
    assert.ok(recorded.has(name), `${name} was not rendered at full size`);
  }
  for (const name of recorded) {
    assert.equal(numberAt(rendered, name, 'pixels'), RENDERED_AT, name);
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, `products/${name}.avif`)))
      .digest('hex');
    assert.equal(hash.slice(0, 16), textAt(rendered, name, 'sha256'), `${name} differs from the render`);
  }
});

const SITE_SIZES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  'hero-640.avif': [640, 640],
  'hero.avif': [1024, 1024],
  'hero-1600.avif': [1600, 1600],
  'og.jpg': [1200, 630],
};

test('has hero and preview pictures of the declared size', () => {
  for (const [name, [width, height]] of Object.entries(SITE_SIZES)) {
    assert.deepEqual(readPictureSize(name, readFileSync(join(folder, name))), { width, height }, name);
  }
});

test('[HOME-11] has frames of the turning phone, in the proportions of its region', () => {
  const turning = findTurningPicture('/images/hero.avif') ?? assert.fail('the hero does not turn');
  const names = turning.frames.map((url) => url.replace('/api/images/', ''));
  assert.deepEqual(pictures.filter((name) => name.startsWith('hero-turn/')).toSorted(), names);
  const files = names.map((name) => readFileSync(join(folder, name)));
  const { width, height } = turning.region;
  for (const [index, file] of files.entries()) {
    assert.deepEqual(readPictureSize(names[index] ?? '', file), { width: width * 12, height: height * 12 });
    assert.ok(file.length <= 30_000, `${names[index]}: ${file.length} bytes`);
  }
  assert.ok(files.reduce((sum, file) => sum + file.length, 0) <= 600_000);
});
