import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openOrderShop } from '../../../../tests/support/order-shop.ts';
import { findPictureUses } from './service.ts';

const path = (name: string): string => `/images/uploads/${name}.avif`;

test('[OPS-02] finds products by their pictures and those of values', async () => {
  const { db, productId, otherProductId } = await openOrderShop();
  await sql`update products set images = ${[path('a'), path('b')]}, main_image = ${path('a')}, name = 'One', slug = 'one'
    where id = ${productId}`.execute(db);
  await sql`update products set main_image = ${path('b')}, name = 'Two', slug = 'two', is_published = false
    where id = ${otherProductId}`.execute(db);
  const { rows } = await sql`update product_values set images = ${[path('c')]} where product_id = ${productId}
    returning value_id`.execute(db);
  const uses = await findPictureUses(db, ['a', 'b', 'c', 'd'].map(path));
  const one = { kind: 'product', name: 'One', url: '/catalog/product/one' };
  assert.deepEqual(uses.get(path('a')), [one]);
  assert.deepEqual(uses.get(path('b')), [one, { kind: 'product', name: 'Two', url: null }]);
  assert.deepEqual(uses.get(path('c')), rows.length > 0 ? [one] : undefined);
  assert.equal(uses.get(path('d')), undefined);
  assert.equal((await findPictureUses(db, [])).size, 0);
});
