import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate, version } from 'uuid';
import { Catalogue } from '#src/shop/catalogue/service.ts';
import './support/own-process.ts';
import { seedCatalogue } from '../db/seed/catalogue.ts';
import { seedManyProducts } from '../db/seed/many-products.ts';
import { createTestDatabase } from './support/database.ts';

const { db } = await createTestDatabase();
const now = new Date('2026-01-02T03:04:05Z');
const open = () => Catalogue.open(db, { getCurrent: () => null, getState: () => 'none' });

test('adds the same generated products each time', async () => {
  await seedCatalogue(db, now);
  const before = (await open()).snapshot.products;
  const steps: number[] = [];
  await seedManyProducts(db, 300, (count) => steps.push(count));
  assert.deepEqual(steps, [300]);
  const catalogue = await open();
  const { products } = catalogue.snapshot;
  assert.equal(products.length, before.length + 300);
  assert.deepEqual(
    products.slice(0, before.length).map(({ id }) => id),
    before.map(({ id }) => id),
  );
  const added = products.slice(before.length);
  assert.ok(added.every(({ id }) => validate(id) && version(id) === 7));
  assert.ok(new Set(added.map(({ category }) => category.slug)).size > 5);
  assert.ok(new Set(added.map(({ brand }) => brand.name)).size > 10);
  assert.ok(added.filter(({ offered }) => offered.length > 0).length > 250);
  // All of them satisfy the contract.
  const listed = await catalogue.list({ limit: 500 });
  assert.ok(listed.ok && listed.products.length === products.length);

  await seedManyProducts(db, 320, () => {});
  const again = (await open()).snapshot.products;
  assert.equal(again.length, products.length + 20);
  assert.deepEqual(again.slice(0, products.length), products);
});
