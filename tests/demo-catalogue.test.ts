import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFixedRate } from '#src/platform/rates/rate-source.ts';
import { chooseValues } from '#src/shop/catalogue/products/choose-values.ts';
import { Catalogue } from '#src/shop/catalogue/service.ts';
import { parseGigabytes } from '#src/shop/catalogue/filters/sort-capacities.ts';
import { computeUnitPriceCents } from '#src/shop/catalogue/products/unit-price.ts';
import './support/own-process.ts';
import { openContent } from './support/open-content.ts';
import { createTestDatabase } from './support/database.ts';
import { listColorImages, listImages, seedCatalogue, seedProducts } from '../db/seed/catalogue.ts';
import { listChapters } from '../db/seed/chapters.ts';
import { seedFaq } from '../db/seed/faq.ts';

const now = new Date('2026-01-02T03:04:05Z');
const publicFolder = join(import.meta.dirname, '../public');

const { db } = await createTestDatabase();
await seedCatalogue(db, now);
const catalogue = await Catalogue.open(
  db,
  createFixedRate(11_100_000n, () => now),
);
const { products, categories, brands } = catalogue.snapshot;

test('[HOME-03] holds at least 36 products in the home page categories', () => {
  assert.ok(products.length >= 36);
  assert.ok(categories.length >= 5);
  for (const family of ['iphone', 'macbook', 'ipad']) {
    const ofFamily = products.filter(({ category }) => category.name.toLowerCase().includes(family));
    assert.ok(ofFamily.length >= 4, family);
  }
  for (const category of categories) assert.ok(products.some((product) => product.category.id === category.id));
});

test('[HOME-01] shows an iPhone for $999 or 0.009 BTC first', async () => {
  const list = await catalogue.list({ limit: 4 });
  assert.ok(list.ok);
  assert.ok(
    list.products.some(
      ({ name, base_price_in_usd, base_price_in_btc }) =>
        name.startsWith('iPhone') && base_price_in_usd === 999 && base_price_in_btc === 0.009,
    ),
  );
});

test('[PROD-03] starts every product at its base price', () => {
  for (const product of products) {
    const choice = chooseValues(product.offered);
    assert.ok(choice.ok);
    assert.equal(computeUnitPriceCents(product.basePriceCents, choice.values), product.basePriceCents, product.slug);
  }
});

test('[PROD-05] three flagships have chapters of figures that their other texts name', () => {
  const chaptered = seedProducts().flatMap(({ product }) => {
    const chapters = listChapters(product.slug, listImages(product));
    return chapters.length === 0 ? [] : [{ product, chapters }];
  });
  assert.deepEqual(
    chaptered.map(({ product }) => product.slug),
    ['iphone-17-pro', 'macbook-pro-14-m5', 'ipad-pro-13-m5'],
  );
  for (const { product, chapters } of chaptered) {
    const named = [...product.about, ...Object.values(product.specifications)].join('\n');
    for (const { picture, figure, title, sentence } of chapters) {
      assert.ok(picture !== null && figure.length <= 24 && title.length <= 60 && sentence.length <= 240, figure);
      for (const [number] of `${figure} ${title} ${sentence}`.matchAll(/\d[\d.,]*\d|\d/g)) {
        assert.ok(named.includes(number), `${product.slug}: ${number}`);
      }
    }
    assert.equal(new Set(chapters.map(({ picture }) => picture)).size, chapters.length);
  }
});

test('[PROD-02] flagships have the same pictures in every color, six or more', () => {
  for (const slug of ['iphone-17-pro', 'macbook-pro-14-m5', 'ipad-pro-13-m5']) {
    const product = products.find((one) => one.slug === slug) ?? assert.fail(slug);
    const ofColors = [product.images, ...Object.values(product.valueImages)];
    const colors = product.offered.find(({ name }) => name === 'Color')?.values ?? [];
    assert.equal(ofColors.length, colors.length, slug);
    const [views = [], ...others] = ofColors.map((paths) => paths.map((path) => path.split('/').at(-1)));
    assert.ok(views.length >= 6, slug);
    for (const other of others) assert.deepEqual(other, views);
    const alts = ofColors.flat().map((path) => product.pictureAlts[path] ?? assert.fail(path));
    assert.equal(new Set(alts).size, alts.length, slug);
  }
});

test('[CAT-05] offers capacities in GB and TB in ascending size', () => {
  const written = new Set<string>();
  for (const product of products) {
    const capacities = product.offered.find(({ name }) => name === 'Memory Capacity')?.values ?? [];
    const sizes = capacities.map(({ value }) => parseGigabytes(value) ?? Number.NaN);
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => a - b),
    );
    for (const { value } of capacities) written.add(value.slice(-2));
  }
  assert.deepEqual(written, new Set(['GB', 'TB']));
});

test('[API-02] has several brands, each with products', () => {
  assert.ok(brands.length > 3);
  for (const brand of brands)
    assert.ok(
      products.some((product) => product.brand.id === brand.id),
      brand.name,
    );
});

test('[API-12] has all texts and only existing values', () => {
  const seeded = new Map(seedProducts().map(({ product }) => [product.slug, product]));
  assert.equal(new Set(products.map(({ article }) => article)).size, products.length);
  for (const product of products) {
    assert.ok(product.subDescription.length > 10 && product.subDescription.length <= 60, product.slug);
    assert.ok(product.description.split('\n\n').length >= 2, product.slug);
    const keys = Object.keys(product.specifications);
    assert.ok(keys.length >= 8 && keys.length <= 14, `${product.slug}: ${keys.length}`);
    assert.deepEqual(keys, Object.keys(seeded.get(product.slug)?.specifications ?? {}));
    const offered = Object.fromEntries(
      product.offered.map(({ name, values }) => [name, new Set(values.map(({ value }) => value))]),
    );
    const sketched = Object.entries(seeded.get(product.slug)?.offers ?? {}).map(([name, values]) => [
      name,
      new Set(values),
    ]);
    assert.deepEqual(offered, Object.fromEntries(sketched), product.slug);
  }
});

/**
 * Maximum bytes by the end of the picture's name. A card loads the smallest, or the next one on
 * dense screens.
 */
const MOST_BYTES = { '': 60_000, '-320': 10_000, '-640': 30_000 };

test('[API-12] has every picture in every width within its byte limit', () => {
  for (const { product } of seedProducts()) {
    for (const image of [...listImages(product), ...Object.values(listColorImages(product)).flat()]) {
      for (const [width, most] of Object.entries(MOST_BYTES)) {
        const file = join(publicFolder, image.replace('.avif', `${width}.avif`));
        assert.ok(existsSync(file), file);
        assert.ok(statSync(file).size <= most, `${file}: ${statSync(file).size} bytes`);
      }
    }
    // Shown by mails, feeds and previews of links.
    for (const [first = ''] of [listImages(product), ...Object.values(listColorImages(product))]) {
      assert.ok(existsSync(join(publicFolder, first.replace('.avif', '.jpg'))), first);
    }
  }
  const folder = join(publicFolder, 'images/products');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.avif'));
  const bytes = files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  assert.ok(bytes < 14_000_000, `${bytes} bytes`);
});

test('[API-13] assigns ascending ids in display order', () => {
  const ids = products.map(({ id }) => id);
  assert.deepEqual(ids, ids.toSorted());
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('seeds idempotently, also with two shops at once', async () => {
  await seedCatalogue(db, now);
  await catalogue.reload();
  assert.deepEqual(
    catalogue.snapshot.products.map(({ id }) => id),
    products.map(({ id }) => id),
  );
  const { db: empty } = await createTestDatabase();
  await Promise.all([seedCatalogue(empty, now), seedCatalogue(empty, now), seedFaq(empty), seedFaq(empty)]);
  const second = await Catalogue.open(
    empty,
    createFixedRate(11_100_000n, () => now),
  );
  assert.equal(second.snapshot.products.length, products.length);
  assert.ok((await openContent(empty)).content.listFaq().length >= 8);
});
