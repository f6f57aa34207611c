import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import { openOrderShop } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { computeOnHand } from './plan-stock-change.ts';
import type { StockChange } from './plan-stock-change.ts';
import { StockAdjustments } from './service.ts';
import type { StockChangeResult } from './service.ts';
import { createStaffActor } from '../../../../tests/support/staff-actor.ts';

let shop: OrderShop;
let adjustments: StockAdjustments;
let staff: string;
beforeEach(async () => {
  shop = await openOrderShop();
  adjustments = createAdjustments(true);
  staff = await shop.createBuyer(0);
});

const createAdjustments = (isTrackedByDefault: boolean): StockAdjustments =>
  new StockAdjustments({
    clock: { now: () => shop.now },
    isTrackedByDefault,
    lockOpenOrders: (tx, variantIds) => shop.orders.lockOpenOrdersWith(tx, variantIds),
  });
const change = (wanted: StockChange, note: string | null = null): Promise<StockChangeResult> =>
  adjustments.change(shop.db, shop.productId, {
    change: wanted,
    reason: wanted.kind === 'set' ? 'counted' : 'received',
    note,
    by: createStaffActor(staff),
  });
const setOnHand = (quantity: number, seen: number | null): StockChange => ({
  kind: 'set',
  of: 'on_hand',
  quantity,
  seen,
});

interface Levels {
  readonly available: number | null;
  readonly reserved: number;
  readonly committed: number;
}
async function readLevels(): Promise<Levels> {
  const levels = (await adjustments.readLevels(shop.db, [shop.productId])).get(shop.productId);
  assert.ok(levels);
  const { available, reserved, committed } = levels;
  return { available, reserved, committed };
}
async function pay(userId: string, orderId: string): Promise<void> {
  const { payment } = await shop.getShownOrder(userId, orderId);
  const amount = BigInt(Math.round(payment.amount_btc * 1e8));
  await shop.setChainState(orderId, [{ amount, firstSeen: shop.now, height: shop.tip - 5 }]);
}
const ship = (orderId: string) => shop.fulfilment.record(orderId, { to: 'shipped', trackingReference: null });
async function listHistory(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', reason, coalesce(available_before::text, '-'), coalesce(available_after::text, '-'),
      coalesce(on_hand_before::text, '-'), coalesce(on_hand_after::text, '-'), note) as line
    from stock_history where variant_id = ${shop.productId} order by id
  `.execute(shop.db);
  return rows.map(({ line }) => line);
}

test('[OPS-10] on hand is available, reserved and committed units together', async () => {
  assert.ok((await change(setOnHand(10, null))).ok);
  const [reserving, paying] = [await shop.createBuyer(2), await shop.createBuyer(3)];
  await shop.placeOrder(reserving);
  const { id } = await shop.placeOrder(paying);
  assert.deepEqual(await readLevels(), { available: 5, reserved: 5, committed: 0 });
  await pay(paying, id);
  assert.deepEqual(await readLevels(), { available: 5, reserved: 2, committed: 3 });
  await ship(id);
  assert.deepEqual(await readLevels(), { available: 5, reserved: 2, committed: 0 });
});

test('[OPS-10] a count finds less than orders promise, and nothing more is sold', async () => {
  await change(setOnHand(6, null));
  const buyer = await shop.createBuyer(4);
  await shop.placeOrder(buyer);
  const counted = await change(setOnHand(1, 6));
  assert.deepEqual(counted, { ok: true, levels: { available: -3, reserved: 4, committed: 0 } });
  const late = await shop.checkout(await shop.createBuyer(1));
  assert.ok(!late.ok && late.reason === 'sold-out');
  assert.ok((await change({ kind: 'adjust', by: 4 })).ok);
  assert.ok((await shop.checkout(await shop.createBuyer(1))).ok);
  assert.equal((await shop.readStock()).available, 0);
});

test('[OPS-10] a count that orders overtook is refused with the present numbers', async () => {
  await change({ kind: 'set', of: 'available', quantity: 5, seen: null });
  await shop.placeOrder(await shop.createBuyer(2));
  const stale = await change({ kind: 'set', of: 'available', quantity: 9, seen: 5 });
  const levels = { available: 3, reserved: 2, committed: 0 };
  assert.deepEqual(stale, { ok: false, reason: 'outdated', levels });
  assert.deepEqual(await readLevels(), levels);
  // An order moves units within what is on hand.
  assert.ok((await change(setOnHand(8, 5))).ok);
});

test('[OPS-10] the history says who changed what and why', async () => {
  await change(setOnHand(4, null), 'first count');
  await change({ kind: 'adjust', by: 6 });
  const buyer = await shop.createBuyer(2);
  const { id } = await shop.placeOrder(buyer);
  await pay(buyer, id);
  await change({ kind: 'adjust', by: -100 });
  await change({ kind: 'stop-tracking' });
  assert.deepEqual(await listHistory(), [
    'counted - 4 - 4 first count',
    'received 4 10 4 10',
    'sold 10 8 - -',
    'received 8 - 10 -',
  ]);
});

test('[OPS-10] open orders of an untracked variant are reserved when tracking starts', async () => {
  const buyer = await shop.createBuyer(2);
  const { id } = await shop.placeOrder(buyer);
  const other = await shop.createBuyer(1);
  const paid = await shop.placeOrder(other);
  await pay(other, paid.id);
  assert.deepEqual(await change(setOnHand(5, null)), { ok: true, levels: { available: 2, reserved: 2, committed: 1 } });
  await pay(buyer, id);
  assert.deepEqual(await readLevels(), { available: 2, reserved: 0, committed: 3 });
});

test('[OPS-10] two members of staff start tracking once', async () => {
  const started = await Promise.all([change(setOnHand(5, null)), change(setOnHand(7, null))]);
  assert.equal(started.filter(({ ok }) => ok).length, 1);
  assert.equal((await listHistory()).length, 1);
});

test('[OPS-10] a new variant is tracked with none on hand, in live mode only', async () => {
  await transact(shop.db, (tx) => createAdjustments(false).addVariants(tx, [shop.productId]));
  assert.equal((await readLevels()).available, null);
  await transact(shop.db, (tx) => adjustments.addVariants(tx, [shop.productId]));
  assert.equal((await readLevels()).available, 0);
  await change(setOnHand(3, 0));
  await transact(shop.db, (tx) => adjustments.addVariants(tx, [shop.productId]));
  assert.equal((await readLevels()).available, 3);
});

const restate = (before: number | null, after: number | null): Promise<void> =>
  transact(shop.db, (tx) =>
    adjustments.restate(tx, [{ variantId: shop.productId, isNew: false, before, after }], {
      reason: 'counted',
      note: 'Import',
      by: { kind: 'command', name: 'stock' },
    }),
  );

test('[OPS-12] restating an untracked variant reserves what open orders contain', async () => {
  await shop.placeOrder(await shop.createBuyer(2));
  await restate(null, 5);
  assert.deepEqual(await readLevels(), { available: 5, reserved: 2, committed: 0 });
  await restate(5, null);
  assert.equal((await readLevels()).available, null);
  assert.deepEqual(await listHistory(), ['counted - 5 - 7 Import', 'counted 5 - 7 - Import']);
});

test('[OPS-12] restated stock keeps the units that were sold meanwhile', async () => {
  await change(setOnHand(10, null));
  await shop.placeOrder(await shop.createBuyer(3));
  await restate(10, 8);
  assert.deepEqual(await readLevels(), { available: 5, reserved: 3, committed: 0 });
  await restate(10, 0);
  assert.equal((await readLevels()).available, 0);
  const { rows } = await sql`select variant_id from stock_changes where variant_id = ${shop.productId}`.execute(
    shop.db,
  );
  assert.ok(rows.length > 0, 'processes learn that it is sold out');
});

test('[OPS-10] 64 buyers and random adjustments leave every unit accounted for', async () => {
  const BUYERS = 64;
  const START = 30;
  const steps = fc.sample(fc.integer({ min: -8, max: 12 }), { numRuns: 40, seed: 20_260_301 }).filter((by) => by !== 0);
  await change(setOnHand(START, null));
  const buyers = await Promise.all(Array.from({ length: BUYERS }, () => shop.createBuyer(1)));
  let adjusted = 0;
  let added = 0;
  let shipped = 0;
  const adjust = async (by: number): Promise<void> => {
    // Every fourth is a count, based on numbers that an order may have changed.
    const seen = by % 4 === 0 ? computeOnHand(await readLevels()) : null;
    const wanted: StockChange = seen === null ? { kind: 'adjust', by } : setOnHand(Math.max(0, seen + by), seen);
    const result = await change(wanted);
    if (!result.ok) return assert.ok(['below-zero', 'outdated'].includes(result.reason));
    const delta = seen === null ? by : Math.max(0, seen + by) - seen;
    adjusted += delta;
    added += Math.max(0, delta);
  };
  const buy = async (buyer: string, index: number): Promise<number> => {
    const result = await shop.checkout(buyer);
    if (!result.ok) {
      assert.equal(result.reason, 'sold-out');
      return 0;
    }
    if (index % 4 === 1) await shop.orderStatus.cancel(buyer, result.order.id);
    if (index % 4 === 2 || index % 4 === 3) await pay(buyer, result.order.id);
    if (index % 4 === 3) {
      assert.ok((await ship(result.order.id)).ok);
      shipped += 1;
    }
    return 1;
  };
  const adjusting = (async () => {
    for (const by of steps) await adjust(by);
  })();
  const bought = await Promise.all(buyers.map(buy));
  await adjusting;
  const levels = await readLevels();
  assert.equal(computeOnHand(levels), START + adjusted - shipped, 'on hand');
  const { rows } = await sql<{ reserved: number; committed: number }>`
    select count(*) filter (where payment_status = 'pending')::integer as reserved,
      count(*) filter (where payment_status = 'paid' and fulfilment_status = 'unfulfilled')::integer as committed
    from orders
  `.execute(shop.db);
  assert.deepEqual(rows, [{ reserved: levels.reserved, committed: levels.committed }]);
  const sold = bought.reduce((sum, one) => sum + one, 0);
  assert.ok(sold <= START + added + BUYERS / 4, `${sold} sold of at most ${START + added} and what was cancelled`);
});

test('[OPS-10] 64 buyers never order more than additions leave', async () => {
  await change(setOnHand(5, null));
  const buyers = await Promise.all(Array.from({ length: 64 }, () => shop.createBuyer(1)));
  const adding = Promise.all(Array.from({ length: 10 }, () => change({ kind: 'adjust', by: 1 })));
  const results = await Promise.all(buyers.map((buyer) => shop.checkout(buyer)));
  assert.ok((await adding).every(({ ok }) => ok));
  const ordered = results.filter(({ ok }) => ok).length;
  assert.deepEqual(await readLevels(), { available: 15 - ordered, reserved: ordered, committed: 0 });
  assert.ok(ordered >= 5 && ordered <= 15, String(ordered));
});
