import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { openOrderShop } from '../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../tests/support/order-shop.ts';
import type { Db } from '#src/platform/database/database.ts';
import { StockAdjustments } from './adjustments/service.ts';
import { Inventory } from './service.ts';
import { StockWatch } from './stock-watch.service.ts';

const inventory = new Inventory();
let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});

const adjustments = new StockAdjustments({
  clock: { now: () => shop.now },
  isTrackedByDefault: false,
  lockOpenOrders: async () => [],
});
/** @param available null: not tracked */
async function setAvailable(db: Db, variantId: string, available: number | null): Promise<void> {
  const change =
    available === null
      ? ({ kind: 'stop-tracking' } as const)
      : ({ kind: 'set', of: 'available', quantity: available, seen: undefined } as const);
  const by = { kind: 'command', name: 'stock' } as const;
  assert.ok((await adjustments.change(db, variantId, { change, reason: 'correction', by })).ok);
}

const openWatch = async (): Promise<StockWatch> => {
  const watch = new StockWatch(shop.db, { now: () => shop.now });
  await watch.check();
  return watch;
};

/** Whether one check notices a change. */
async function notices(watch: StockWatch, work: () => Promise<unknown>): Promise<boolean> {
  const { version } = watch;
  await work();
  await watch.check();
  return watch.version !== version;
}

test('[OPS-08] notices what is sold out and what can be ordered again', async () => {
  const watch = await openWatch();
  const lines = (quantity: number) => [{ variantId: shop.productId, quantity }];
  const first = (await shop.placeOrder(await shop.createBuyer())).id;
  const second = (await shop.placeOrder(await shop.createBuyer())).id;
  assert.equal(await notices(watch, () => shop.setStock(3)), false, 'written without the inventory');
  assert.equal(await notices(watch, () => setAvailable(shop.db, shop.productId, 0)), true);
  assert.equal(await notices(watch, () => setAvailable(shop.db, shop.productId, 3)), true);
  assert.equal(await notices(watch, () => setAvailable(shop.db, shop.productId, 4)), false);
  await setAvailable(shop.db, shop.productId, 3);
  assert.equal(await notices(watch, () => inventory.reserveUncapped(shop.db, first, lines(2))), false);
  assert.equal(await notices(watch, () => inventory.reserveUncapped(shop.db, second, lines(1))), true);
  assert.equal(await notices(watch, () => inventory.release(shop.db, [first])), true);
  assert.equal(await notices(watch, () => inventory.release(shop.db, [second])), false);
  assert.equal(await notices(watch, () => setAvailable(shop.db, shop.productId, null)), true);
  assert.equal(await notices(watch, async () => {}), false);
});

test('[OPS-08] notices a change that commits after later ones', async () => {
  const { id } = await shop.placeOrder(await shop.createBuyer());
  await setAvailable(shop.db, shop.productId, 1);
  const watch = await openWatch();
  const late = await shop.db.startTransaction().execute();
  // A sale: changes of staff wait for each other until they commit.
  await inventory.reserveUncapped(late, id, [{ variantId: shop.productId, quantity: 1 }]);
  assert.equal(await notices(watch, () => setAvailable(shop.db, shop.otherProductId, 1)), true);
  assert.equal(await notices(watch, async () => {}), false);
  assert.equal(await notices(watch, () => late.commit().execute()), true);
  assert.equal(await notices(watch, async () => {}), false);
});

test('[OPS-08] deletes changes after a day', async () => {
  const watch = await openWatch();
  await setAvailable(shop.db, shop.productId, 0);
  await sql`update stock_changes set changed_at = ${new Date(shop.now.getTime() - 25 * 3_600_000)}`.execute(shop.db);
  await setAvailable(shop.db, shop.otherProductId, 0);
  await watch.deleteOld();
  const { rows } = await sql`select variant_id from stock_changes`.execute(shop.db);
  assert.deepEqual(rows, [{ variant_id: shop.otherProductId }]);
});

test('[OPS-10] names the changed variants, again after a failure', async () => {
  const named: (readonly string[])[] = [];
  let isFailing = true;
  const watch = new StockWatch(shop.db, { now: () => shop.now }, async (variantIds) => {
    if (isFailing) throw new Error('the catalogue could not be read');
    named.push(variantIds.toSorted());
  });
  await watch.check();
  const { version } = watch;
  await setAvailable(shop.db, shop.productId, 5);
  await setAvailable(shop.db, shop.productId, 0);
  await setAvailable(shop.db, shop.otherProductId, 5);
  await setAvailable(shop.db, shop.otherProductId, 0);
  await assert.rejects(watch.check());
  assert.equal(watch.version, version);
  isFailing = false;
  await watch.check();
  await watch.check();
  assert.deepEqual(named, [[shop.productId, shop.otherProductId].toSorted()]);
});
