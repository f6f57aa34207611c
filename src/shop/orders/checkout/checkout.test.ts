import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { cents } from '#src/shop/money.ts';
import { openOrderShop, billing, WINDOW_MINUTES, toWire } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});

test('[API-06] [API-11] [PAY-06] places an order with snapshots and empties the cart', async () => {
  const user = await shop.createBuyer(3);
  const order = toWire(await shop.placeOrder(user));
  assert.match(order.number, /^CM-\d+$/);
  assert.equal(order.payment_status, 'pending');
  assert.equal(order.fulfilment_status, 'unfulfilled');
  assert.equal(order.total_price_usd, 2997);
  assert.equal(order.total_usd_after, 2997);
  assert.equal(order.total_price_btc, 0.027);
  assert.equal(order.total_btc_after, 0.027);
  assert.deepEqual(order.billing, billing);
  assert.equal(Date.parse(order.expires_at) - Date.parse(order.created_at), WINDOW_MINUTES * 60_000);
  assert.deepEqual(order.order_items, [
    {
      product_id: shop.productId,
      product: { name: 'iPhone 17', slug: 'iphone-17', main_image: '/i.avif' },
      quantity: 3,
      price_usd: 999,
      price_btc: 0.009,
      total_usd: 2997,
      total_btc: 0.027,
      isFree: false,
      sku: 'A1',
      property_values: [],
    },
  ]);
  assert.deepEqual(order.payment, {
    address: order.payment.address,
    amount_btc: 0.027,
    received_btc: 0,
    confirmed_btc: 0,
    returned_btc: 0,
    confirmations: 0,
    required_confirmations: 2,
    state: 'awaiting',
    seen_in_time: false,
    short_btc: 0,
    day_fee_rate: null,
    loss: null,
    bip21: `bitcoin:${order.payment.address}?amount=0.02700000&label=${encodeURIComponent(`Crypto Market ${order.number}`)}`,
    chain: 'down',
    transactions: [],
  });
  assert.equal(await shop.countCartLines(user), 0);
  assert.deepEqual(await shop.listEvents(order.id), ['created']);
  assert.deepEqual(toWire(await shop.orders.findCurrent(user)), order);
  assert.equal(await shop.orders.findOpenAddress(user), order.payment.address);
});

test('[API-06] 20 parallel checkouts of one cart make one order', async () => {
  const user = await shop.createBuyer();
  const results = await Promise.all(Array.from({ length: 20 }, () => shop.checkout(user)));
  assert.equal(results.filter(({ ok }) => ok).length, 1);
  assert.equal(results.filter((result) => !result.ok && result.reason === 'order-open').length, 19);
  assert.equal(await shop.countRows('orders', user), 1);

  await shop.fillCart(user);
  assert.deepEqual(await shop.checkout(user), { ok: false, reason: 'order-open' });
  assert.equal(await shop.countCartLines(user), 1);
});

test('[API-06] 20 parallel checkouts with one key get identical responses', async () => {
  const user = await shop.createBuyer();
  const results = await Promise.all(Array.from({ length: 20 }, () => shop.checkout(user, 'once')));
  const texts = new Set(results.map((result) => JSON.stringify(toWire(result.ok ? result.order : null))));
  assert.equal(texts.size, 1);
  assert.equal(await shop.countRows('orders', user), 1);
  const other = await shop.orders.checkout({
    userId: user,
    billing: { ...billing, city: 'Leeds' },
    idempotencyKey: 'once',
  });
  assert.deepEqual(other, { ok: false, reason: 'key-reused' });

  const another = await shop.createBuyer();
  const theirs = await shop.checkout(another, 'once');
  assert.ok(theirs.ok && !texts.has(JSON.stringify(toWire(theirs.order))), 'a key is its user’s own');
});

test('[API-06] rejects an invalid key; a failed checkout stores none', async () => {
  const user = await shop.createBuyer(0);
  for (const key of ['', 'k'.repeat(256), 'ключ'])
    assert.deepEqual(await shop.checkout(user, key), { ok: false, reason: 'bad-key' });
  assert.deepEqual(await shop.checkout(user, 'k'.repeat(255)), { ok: false, reason: 'empty-cart' });
  assert.equal(await shop.countRows('idempotency_keys', user), 0);
  await shop.fillCart(user);
  assert.ok((await shop.checkout(user, 'k'.repeat(255))).ok);
});

test('[BILL-02] [PAY-06] rejects an invalid checkout with a reason and stores nothing', async () => {
  const user = await shop.createBuyer();
  const issued = await shop.countRows('order_addresses');
  const elsewhere = await shop.orders.checkout({
    userId: user,
    billing: { ...billing, country: 'JP' },
    idempotencyKey: null,
  });
  assert.deepEqual(elsewhere, { ok: false, reason: 'country-not-in-region' });
  const rate = shop.centsPerBtc;
  shop.centsPerBtc = null;
  assert.deepEqual(await shop.checkout(user), { ok: false, reason: 'no-rate' });
  shop.centsPerBtc = 10n ** 14n;
  assert.deepEqual(await shop.checkout(user), { ok: false, reason: 'below-dust' });
  shop.centsPerBtc = rate;
  assert.deepEqual(await shop.checkout(await shop.createBuyer(0)), { ok: false, reason: 'empty-cart' });
  assert.equal(await shop.countRows('orders', user), 0);
  assert.equal(await shop.countRows('order_addresses'), issued);
  assert.equal(await shop.countCartLines(user), 1);
});

test('[PAY-07] 10 parallel buyers get 10 addresses', async () => {
  const users = await Promise.all(Array.from({ length: 10 }, () => shop.createBuyer()));
  const placedOrders = await Promise.all(users.map((user) => shop.placeOrder(user)));
  assert.equal(new Set(placedOrders.map(({ payment }) => payment.address)).size, 10);
});

test('[API-00] [API-06] another user’s order looks like a missing one', async () => {
  const [alice, bob] = [await shop.createBuyer(), await shop.createBuyer(0)];
  const { id } = await shop.placeOrder(alice);
  for (const orderId of [id, uuidv7()]) {
    assert.equal(await shop.orders.find(bob, orderId), null);
    assert.equal(await shop.orders.markUserPaid(bob, orderId), null);
    assert.equal(await shop.orders.checkPayment(bob, orderId), null);
  }
  assert.deepEqual(await shop.orders.listHistory(bob), []);
  assert.equal(await shop.orders.findCurrent(bob), null);
  assert.equal(await shop.orders.findOpenAddress(bob), null);
  assert.equal((await shop.getShownOrder(alice, id)).payment_status, 'pending');
});

test('[PAY-04] no statement of a buyer marks an order as paid', async () => {
  const user = await shop.createBuyer();
  const { id } = await shop.placeOrder(user);
  const calls = fc.array(fc.constantFrom('said', 'check', 'open', 'expire'), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(calls, async (sequence) => {
      for (const call of sequence) {
        if (call === 'said') assert.equal(toWire(await shop.orders.markUserPaid(user, id)).payment_status, 'user_paid');
        if (call === 'check') assert.equal((await shop.orders.checkPayment(user, id))?.isPaid, false);
        if (call === 'open') assert.notEqual(toWire(await shop.orders.findCurrent(user)).payment_status, 'paid');
        if (call === 'expire') await shop.orderStatus.expireDue(shop.now);
      }
    }),
    { numRuns: 15 },
  );
  assert.deepEqual(
    (await shop.listEvents(id)).filter((kind) => kind !== 'created'),
    ['user_paid'],
    'records the report once',
  );
});

test('[API-06] falls back to the newest recently paid or expired order', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 1 }]);
  assert.equal(toWire(await shop.orders.findCurrent(user)).id, id);
  await shop.fillCart(user);
  assert.equal(await shop.orders.findCurrent(user), null, 'the cart comes first');
  const next = await shop.placeOrder(user);
  shop.advanceMinutes(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  assert.equal(toWire(await shop.orders.findCurrent(user)).id, next.id);
  shop.advanceMinutes(7 * 24 * 60);
  assert.equal(toWire(await shop.orders.findCurrent(user)).id, next.id);
  shop.advanceMinutes(1);
  assert.equal(await shop.orders.findCurrent(user), null);
  assert.deepEqual(
    (await shop.orders.listHistory(user)).map((order) => order.id),
    [next.id, id],
  );
  assert.deepEqual(await shop.orders.listIds(user), [id, next.id]);

  const payer = await shop.createBuyer();
  const paid = await shop.placeOrder(payer);
  await shop.setChainState(paid.id, [{ amount: paid.payment.amount_btc, firstSeen: shop.now, height: shop.tip - 1 }]);
  shop.advanceMinutes(24 * 60);
  assert.equal(toWire(await shop.orders.findCurrent(payer)).id, paid.id);
  shop.advanceMinutes(1);
  assert.equal(await shop.orders.findCurrent(payer), null);
});

test('[OPS-02] [OPS-08] takes prices and variants from the database, not from memory', async () => {
  const stale = await openOrderShop();
  const [cheap, other, gone] = [await stale.createBuyer(), await stale.createBuyer(), await stale.createBuyer()];
  const checkout = (userId: string, total: bigint) =>
    stale.orders.checkout({ userId, billing, idempotencyKey: null, expectedTotalCents: cents(total) });
  // The catalogue in memory is not reloaded.
  await sql`update products set base_price_cents = 89900 where id = ${stale.productId}`.execute(stale.db);
  const asked = await checkout(cheap, 99_900n);
  assert.deepEqual(asked, {
    ok: false,
    reason: 'repriced',
    words: 'The total is now $899.00 instead of $999.00. Check your cart and order again',
  });
  const placed = await checkout(cheap, 89_900n);
  assert.ok(placed.ok);
  assert.equal(toWire(placed.order).total_usd_after, 899);
  await sql`update product_variants set own_price_cents = 79900 where product_id = ${stale.productId}`.execute(
    stale.db,
  );
  const own = await checkout(other, 79_900n);
  assert.ok(own.ok);
  assert.equal(toWire(own.order).total_price_btc, 0.007199);
  await sql`update product_variants set is_published = false where product_id = ${stale.productId}`.execute(stale.db);
  assert.equal((await checkout(gone, 79_900n)).ok, false);
  await sql`update product_variants set is_published = true where product_id = ${stale.productId}`.execute(stale.db);
  await sql`update products set is_published = false where id = ${stale.productId}`.execute(stale.db);
  const withdrawn = await checkout(gone, 79_900n);
  assert.equal(!withdrawn.ok && withdrawn.words, 'iPhone 17 is no longer available. Remove it to continue');
});
