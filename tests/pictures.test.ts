/** The pictures in the repository: their sizes in pixels and in bytes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { imagesOf, seedProducts } from '../db/seed/catalogue.ts';
import { pictureSize } from './support/picture-size.ts';
import { keysAt, numberAt, textAt } from './support/read-json.ts';

const folder = join(import.meta.dirname, '../public/images');
const pictures = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.(?:avif|jpg)$/.test(name));

/** Pixels and most bytes by the end of the name. */
const PRODUCT_SIZES: readonly (readonly [end: string, pixels: number, bytes: number])[] = [
  ['-320.avif', 320, 10_000],
  ['-640.avif', 640, 30_000],
  ['.avif', 1024, 60_000],
  ['.jpg', 640, 60_000],
];

test('[API-12] product pictures have the width in their name and bounded size', () => {
  const own = pictures.filter((name) => name.startsWith('products/'));
  assert.ok(own.length > 800, `${own.length}`);
  for (const name of own) {
    const [, pixels, bytes] = PRODUCT_SIZES.find(([end]) => name.endsWith(end)) ?? assert.fail(name);
    const file = readFileSync(join(folder, name));
    assert.deepEqual(pictureSize(name, file), { width: pixels, height: pixels }, name);
    assert.ok(file.length <= bytes, `${name}: ${file.length} bytes`);
  }
});

const rendered: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../art/rendered.json'), 'utf8'));
const RENDERED_AT = 1024;
const nameOf = (image: string): string => image.replace('/images/products/', '').replace('.avif', '');
/** Products whose first pictures used to be enlarged from a smaller render. */
const ONCE_ENLARGED = /^(?:iphone-(?:17|16|16-pro|16e)|ipad-.*)$/;

test('[API-12] renders pictures of first colours at full size', () => {
  const products = seedProducts().filter(({ product }) => ONCE_ENLARGED.test(product.slug));
  assert.equal(products.length, 10);
  const recorded = new Set(keysAt(rendered));
  for (const name of products.flatMap(({ product }) => imagesOf(product).map(nameOf))) {
    assert.ok(recorded.has(name), `${name} was not rendered again`);
  }
  for (const name of recorded) {
    assert.equal(numberAt(rendered, name, 'pixels'), RENDERED_AT, name);
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, `products/${name}.avif`)))
      .digest('hex');
    assert.equal(hash.slice(0, 16), textAt(rendered, name, 'sha256'), `${name} is another file than was rendered`);
  }
});

const SITE_SIZES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  'hero-640.avif': [640, 640],
  'hero.avif': [1024, 1024],
  'hero-1600.avif': [1600, 1600],
  'og.jpg': [1200, 630],
};

test('hero and link preview have the announced dimensions', () => {
  for (const [name, [width, height]] of Object.entries(SITE_SIZES)) {
    assert.deepEqual(pictureSize(name, readFileSync(join(folder, name))), { width, height }, name);
  }
});
