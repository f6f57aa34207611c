/** Edits that are committed after a checkout has read the catalogue, and before its own commit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import { openOrderShop } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { waitUntil } from '../../../../tests/support/wait-until.ts';
import type { CheckoutResult } from '../service.ts';

/** Checks out, and edits the product while the checkout waits for a lock on the stock. */
async function editDuringCheckout(shop: OrderShop, change: Parameters<typeof sql.raw>[0]): Promise<CheckoutResult> {
  await shop.setStock(10);
  const buyer = await shop.createBuyer();
  let checkout: Promise<CheckoutResult> | undefined;
  await shop.db.transaction().execute(async (tx) => {
    await sql`select from variant_stock for update`.execute(tx);
    checkout = shop.checkout(buyer);
    await waitUntil(async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(shop.db);
      return rows.length > 0;
    });
    await shop.db.transaction().execute(async (edit) => {
      const revision = await incrementRevision(edit, 'catalogue');
      await sql`update products set ${sql.raw(change)}, revision = ${revision} where id = ${shop.productId}`.execute(
        edit,
      );
    });
  });
  return checkout ?? assert.fail('no checkout');
}

test('[OPS-08] a checkout takes a lower price that is stored meanwhile', async () => {
  const shop = await openOrderShop();
  const result = await editDuringCheckout(shop, 'base_price_cents = 79900');
  assert.ok(result.ok);
  assert.equal(result.order.total_usd_after, 79_900n);
  assert.deepEqual(await shop.readStock(), { available: 9, held: 1 });
});

test('[OPS-08] a checkout is refused when the price rises meanwhile', async () => {
  const shop = await openOrderShop();
  const result = await editDuringCheckout(shop, 'base_price_cents = 109900');
  assert.equal(!result.ok && result.reason, 'repriced');
  assert.deepEqual(await shop.readStock(), { available: 10, held: 0 });
});

test('[OPS-02] a product that is withdrawn during a checkout is not sold', async () => {
  const shop = await openOrderShop();
  const result = await editDuringCheckout(shop, 'is_published = false');
  assert.equal(!result.ok && result.reason, 'withdrawn');
  assert.equal(await shop.countRows('orders'), 0);
});
