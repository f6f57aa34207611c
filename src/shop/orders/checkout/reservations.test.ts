/** Limits of reservations without a payment: duration, amount and frequency. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { cents } from '#src/shop/money.ts';
import { billing, openOrderShop, WINDOW_MINUTES } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { RESERVATION_LIMITS } from './reservation-limits.ts';
import { createStaffActor } from '../../../../tests/support/staff-actor.ts';

const NETWORK = '203.0.113.7';
const SHORT_MINUTES = RESERVATION_LIMITS.shortSeconds / 60;
const openLimited = (changed: Partial<typeof RESERVATION_LIMITS> = {}): Promise<OrderShop> =>
  openOrderShop({ ...RESERVATION_LIMITS, ...changed });

async function createConfirmedBuyer(shop: OrderShop, quantity = 1): Promise<string> {
  const buyer = await shop.createBuyer(quantity);
  await sql`update users set email_confirmed_at = now() where id = ${buyer}`.execute(shop.db);
  return buyer;
}
const computeMinutesLeft = (shop: OrderShop, expiresAt: Date): number =>
  (expiresAt.getTime() - shop.now.getTime()) / 60_000;
const readReason = (result: { readonly ok: boolean; readonly reason?: string }): string => result.reason ?? 'made';

test('[OPS-26] an account without a confirmed address reserves at most 5 units', async () => {
  const shop = await openLimited();
  await shop.setStock(100);
  const buyer = await shop.createBuyer(6);
  const refused = await shop.checkout(buyer, null, NETWORK);
  assert.ok(!refused.ok && refused.reason === 'reserve-limit');
  assert.match(refused.words ?? '', /at most 5 units of 3 items/);
  assert.deepEqual(await shop.readStock(), { available: 100, held: 0 });
  assert.equal(await shop.countCartUnits(buyer), 6, 'the cart is unchanged');
  await sql`update users set email_confirmed_at = now() where id = ${buyer}`.execute(shop.db);
  assert.ok((await shop.checkout(buyer, null, NETWORK)).ok);
});

test('[OPS-26] products without limited stock are not capped', async () => {
  const shop = await openLimited();
  assert.ok((await shop.checkout(await shop.createBuyer(99), null, NETWORK)).ok);
});

test('[OPS-26] 20 parallel accounts of a network stay within its limit', async () => {
  const shop = await openLimited({ network: { units: 12, variants: 24 } });
  await shop.setStock(1000);
  const buyers = await Promise.all(Array.from({ length: 20 }, () => shop.createBuyer(5)));
  const results = await Promise.all(buyers.map((buyer) => shop.checkout(buyer, null, NETWORK)));
  assert.equal(results.filter(({ ok }) => ok).length, 2);
  assert.deepEqual(new Set(results.map(readReason)), new Set(['made', 'reserve-limit']));
  assert.deepEqual(await shop.readStock(), { available: 990, held: 10 });
  assert.ok(
    (await shop.checkout(await shop.createBuyer(5), null, '198.51.100.9')).ok,
    'another network is not affected',
  );
});

test('[OPS-26] a paid order no longer counts toward the cap of its network', async () => {
  const shop = await openLimited({ network: { units: 5, variants: 24 } });
  await shop.setStock(1000);
  const first = await shop.checkout(await shop.createBuyer(5), null, NETWORK);
  assert.ok(first.ok);
  const second = await shop.createBuyer(5);
  assert.equal(readReason(await shop.checkout(second, null, NETWORK)), 'reserve-limit');
  await shop.setChainState(first.order.id, [{ amount: first.order.payment.amount_btc, firstSeen: shop.now }]);
  assert.ok((await shop.checkout(second, null, NETWORK)).ok);
});

test('[OPS-26] requotes count like orders: rejects the eleventh quote of a day', async () => {
  const shop = await openLimited();
  await shop.setStock(1);
  const buyer = await shop.createBuyer();
  const placed = await shop.checkout(buyer, null, NETWORK);
  assert.ok(placed.ok);
  const reasons: string[] = [];
  for (let count = 0; count < 14; count += 1) {
    shop.advanceMinutes(SHORT_MINUTES);
    await shop.orderStatus.expireDue(shop.now);
    const requoted = await shop.orderStatus.requote(buyer, placed.order.id, NETWORK);
    reasons.push(readReason(requoted));
    if (!requoted.ok) assert.ok((requoted.retryAfterSeconds ?? 0) > 0);
  }
  assert.deepEqual(reasons.indexOf('too-often'), 9);
  assert.deepEqual(await shop.readStock(), { available: 1, held: 0 });
  shop.advanceMinutes(24 * 60);
  assert.ok((await shop.orderStatus.requote(buyer, placed.order.id, NETWORK)).ok);
});

test('[OPS-26] 20 parallel requotes and checkouts of a network stay within its quotes', async () => {
  const shop = await openLimited({ networkQuotesPerDay: 30 });
  const buyers = await Promise.all(Array.from({ length: 20 }, () => shop.createBuyer()));
  const placed = await Promise.all(buyers.map((buyer) => shop.checkout(buyer, null, NETWORK)));
  assert.ok(placed.every(({ ok }) => ok));
  shop.advanceMinutes(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  const again = await Promise.all(
    placed.map((placedOrder, index) =>
      placedOrder.ok
        ? shop.orderStatus.requote(buyers[index] ?? '', placedOrder.order.id, NETWORK)
        : assert.fail('was not made'),
    ),
  );
  assert.equal(again.filter(({ ok }) => ok).length, 10);
  assert.deepEqual(new Set(again.map(readReason)), new Set(['made', 'too-often']));
});

test('[OPS-26] a rejected quote is not counted', async () => {
  const shop = await openLimited({ networkQuotesPerDay: 1 });
  assert.ok((await shop.checkout(await shop.createBuyer(), null, NETWORK)).ok);
  const buyer = await shop.createBuyer();
  assert.equal(readReason(await shop.checkout(buyer, null, NETWORK)), 'too-often');
  const { rows } = await sql`select from quote_counts where counted = ${`user:${buyer}`}`.execute(shop.db);
  assert.equal(rows.length, 0);
});

test('[OPS-26] reserves the last unit for 15 minutes', async () => {
  const shop = await openLimited();
  await shop.setStock(1);
  const buyer = await shop.createBuyer();
  const placed = await shop.checkout(buyer, null, NETWORK);
  assert.ok(placed.ok);
  assert.equal(placed.order.is_briefly_reserved, true);
  assert.equal(computeMinutesLeft(shop, placed.order.expires_at), SHORT_MINUTES);
  assert.deepEqual(
    (await shop.getShownOrder(buyer, placed.order.id)).expires_at,
    placed.order.expires_at.toISOString(),
  );
  shop.advanceMinutes(SHORT_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  const shown = await shop.getShownOrder(buyer, placed.order.id);
  assert.deepEqual([shown.payment_status, shown.is_briefly_reserved], ['expired', false]);
  assert.ok((await shop.checkout(await shop.createBuyer(), null, NETWORK)).ok);
});

test('[OPS-26] reserves plentiful stock for the whole window', async () => {
  const shop = await openLimited();
  await shop.setStock(100);
  const placed = await shop.checkout(await shop.createBuyer(5), null, NETWORK);
  assert.ok(placed.ok);
  assert.equal(placed.order.is_briefly_reserved, false);
  assert.equal(computeMinutesLeft(shop, placed.order.expires_at), WINDOW_MINUTES);
});

test('[OPS-26] unpaid orders of many accounts make a product scarce', async () => {
  const shop = await openLimited();
  await shop.setStock(20);
  const brief: boolean[] = [];
  for (let count = 0; count < 4; count += 1) {
    const placed = await shop.checkout(await shop.createBuyer(5), null, NETWORK);
    brief.push(placed.ok && placed.order.is_briefly_reserved);
  }
  assert.deepEqual(brief, [false, false, true, true]);
});

test('[OPS-26] a payment of half keeps scarce items for the window', async () => {
  const shop = await openLimited();
  await shop.setStock(1);
  const buyer = await shop.createBuyer();
  const placed = await shop.checkout(buyer, null, NETWORK);
  assert.ok(placed.ok);
  const { id, payment, created_at: createdAt } = placed.order;
  await shop.setChainState(id, [{ amount: 294n, firstSeen: shop.now }]);
  assert.equal((await shop.getShownOrder(buyer, id)).is_briefly_reserved, true, 'dust changes nothing');
  shop.advanceMinutes(5);
  await shop.setChainState(id, [{ amount: payment.amount_btc / 2n, firstSeen: shop.now }]);
  const shown = await shop.getShownOrder(buyer, id);
  assert.equal(shown.is_briefly_reserved, false);
  assert.equal(Date.parse(shown.expires_at) - createdAt.getTime(), WINDOW_MINUTES * 60_000);
  assert.ok((await shop.listEvents(id)).includes('window_extended'));
  shop.advanceMinutes(SHORT_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  assert.equal((await shop.getShownOrder(buyer, id)).payment_status, 'pending');
  await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 1 }]);
  assert.equal((await shop.getShownOrder(buyer, id)).payment_status, 'paid');
});

test('[OPS-26] a payment after a short reservation reserves again or waits', async () => {
  for (const isSoldMeanwhile of [false, true]) {
    const shop = await openLimited();
    await shop.setStock(1);
    const buyer = await shop.createBuyer();
    const placed = await shop.checkout(buyer, null, NETWORK);
    assert.ok(placed.ok);
    shop.advanceMinutes(SHORT_MINUTES);
    await shop.orderStatus.expireDue(shop.now);
    if (isSoldMeanwhile) assert.ok((await shop.checkout(await shop.createBuyer(), null, NETWORK)).ok);
    await shop.setChainState(placed.order.id, [
      { amount: placed.order.payment.amount_btc, firstSeen: shop.now, height: shop.tip - 1 },
    ]);
    const { payment_status: status } = await shop.getShownOrder(buyer, placed.order.id);
    assert.equal(status, isSoldMeanwhile ? 'expired' : 'paid');
    const events = await shop.listEvents(placed.order.id);
    assert.equal(events.includes('late_sold_out'), isSoldMeanwhile);
    const { available, held } = await shop.readStock();
    assert.equal(available + held, isSoldMeanwhile ? 1 : 0);
  }
});

test('[OPS-26] a requote of scarce items is short unless mostly paid', async () => {
  const shop = await openLimited();
  await shop.setStock(1);
  const buyer = await createConfirmedBuyer(shop);
  const placed = await shop.checkout(buyer, null, NETWORK);
  assert.ok(placed.ok);
  const { id, payment } = placed.order;
  shop.advanceMinutes(SHORT_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  const brief = await shop.orderStatus.requote(buyer, id, NETWORK);
  assert.ok(brief.ok && brief.order.is_briefly_reserved);
  assert.equal(computeMinutesLeft(shop, brief.order.expires_at), SHORT_MINUTES);
  await shop.setChainState(id, [{ amount: (payment.amount_btc * 3n) / 4n, firstSeen: shop.now, height: shop.tip - 1 }]);
  shop.advanceMinutes(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  assert.equal((await shop.getShownOrder(buyer, id)).payment_status, 'expired');
  const whole = await shop.orderStatus.requote(buyer, id, NETWORK);
  assert.ok(whole.ok && !whole.order.is_briefly_reserved);
  assert.equal(computeMinutesLeft(shop, whole.order.expires_at), WINDOW_MINUTES);
});

test('[OPS-26] 20 parallel buyers of 10 scarce units never oversell', async () => {
  const shop = await openLimited({ network: { units: 1000, variants: 24 } });
  await shop.setStock(10);
  const buyers = await Promise.all(Array.from({ length: 20 }, () => shop.createBuyer()));
  const results = await Promise.all(buyers.map((buyer) => shop.checkout(buyer, null, NETWORK)));
  assert.equal(results.filter(({ ok }) => ok).length, 10);
  assert.deepEqual(await shop.readStock(), { available: 0, held: 10 });
  const refused = results.find(({ ok }) => !ok);
  assert.deepEqual(refused, {
    ok: false,
    reason: 'sold-out',
    words: 'iPhone 17 is sold out. Remove it from your cart to continue',
  });
});

test('[OPS-26] staff release a reservation once, unless a payment was seen', async () => {
  const shop = await openLimited();
  await shop.setStock(10);
  const staffReason = { by: createStaffActor(await shop.createBuyer(0)), reason: 'Never pays' };
  const buyer = await shop.createBuyer(2);
  const placed = await shop.checkout(buyer, null, NETWORK);
  assert.ok(placed.ok);
  const { id, payment } = placed.order;
  await shop.setChainState(id, [{ amount: 1000n, firstSeen: shop.now }]);
  assert.equal(readReason(await shop.orderStatus.releaseStock(id, staffReason)), 'payment-seen');
  await shop.setChainState(id, [{ amount: 1000n, firstSeen: shop.now, isLive: false }]);
  shop.advanceMinutes(1);
  const released = await Promise.all(Array.from({ length: 20 }, () => shop.orderStatus.releaseStock(id, staffReason)));
  assert.equal(released.filter(({ ok }) => ok).length, 1);
  assert.deepEqual(await shop.readStock(), { available: 10, held: 0 });
  assert.equal((await shop.getShownOrder(buyer, id)).payment_status, 'expired');
  const events = (await shop.listEvents(id)).slice(-2);
  assert.deepEqual(events, ['reservation_released', 'expired']);
  assert.ok((await shop.orderStatus.requote(buyer, id, NETWORK)).ok, 'the buyer can requote');
  await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 1 }]);
  assert.equal((await shop.getShownOrder(buyer, id)).payment_status, 'paid');
});

test('[PAY-10] a payment of uncertain arrival extends a short window', async () => {
  const shop = await openLimited();
  await shop.setStock(1);
  const buyer = await shop.createBuyer();
  const placed = await shop.checkout(buyer, null, NETWORK);
  assert.ok(placed.ok);
  const { id, payment } = placed.order;
  const [begun, minute] = [shop.now.getTime(), 60_000];
  // The shop was down until long after the full window.
  shop.advanceMinutes(WINDOW_MINUTES + 60);
  const arrivedAfter = new Date(begun + (SHORT_MINUTES - 5) * minute);
  await shop.setChainState(id, [
    { amount: payment.amount_btc, arrivedAfter, firstSeen: shop.now, height: shop.tip - 1 },
  ]);
  await shop.orderStatus.expireDue(shop.now);
  assert.equal((await shop.getShownOrder(buyer, id)).payment_status, 'paid');
});

test('[OPS-13] [OPS-26] orders of staff have limits of their own, and keep their window', async () => {
  const shop = await openLimited();
  await shop.setStock(500);
  await shop.setStock(500, shop.otherProductId);
  const by = createStaffActor(await shop.createBuyer(0));
  const create = async (userId: string, quantity: number) => {
    const lines = [shop.productId, shop.otherProductId].map((id) => ({ product_id: id, quantity }));
    const expectedTotalCents = cents((99_900n + 1_999n) * BigInt(quantity));
    const order = { by, billing, lines, promoCode: null, expectedTotalCents, window: '24h' as const };
    return shop.orders.createManual({ ...order, idempotencyKey: null, request: '', findBuyer: async () => userId });
  };
  // More than an unconfirmed account may reserve, of items that are scarce then.
  for (const buyer of [await shop.createBuyer(0), await shop.createBuyer(0)]) {
    const created = await create(buyer, 99);
    assert.ok(created.ok);
    const order = await shop.orders.find(buyer, created.id);
    assert.equal(order && order.expires_at.getTime() - order.created_at.getTime(), 86_400_000);
  }
  const third = await create(await shop.createBuyer(0), 99);
  assert.ok(!third.ok);
  assert.equal(third.reason, 'reserve-limit');
  // A buyer's own order is not counted with them.
  assert.ok((await shop.checkout(await shop.createBuyer(1), null, NETWORK)).ok);
});
