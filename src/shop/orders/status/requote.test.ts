import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { openOrderShop, WINDOW_MINUTES, toWire } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { textAt } from '../../../../tests/support/read-json.ts';
import type { Order } from '../contract.ts';

const RATE = 11_100_000n;
let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});

async function requoteOrder(userId: string, id: string): Promise<Order> {
  const result = await shop.orderStatus.requote(userId, id);
  return result.ok ? toWire(result.order) : assert.fail(result.reason);
}
async function readRefusal(userId: string, id: string): Promise<string> {
  const result = await shop.orderStatus.requote(userId, id);
  return result.ok ? assert.fail('quoted again') : result.reason;
}
async function runAtRate<T>(rate: bigint | null, work: () => Promise<T>): Promise<T> {
  shop.centsPerBtc = rate;
  try {
    return await work();
  } finally {
    shop.centsPerBtc = RATE;
  }
}

test('[PAY-11] keeps id, address and dollars; renews bitcoin amounts and window', async () => {
  const user = await shop.createBuyer(2);
  const placed = toWire(await shop.placeOrder(user));
  shop.advanceMinutes(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  const former = await shop.getShownOrder(user, placed.id);
  assert.equal(former.payment.bip21, null, 'the old amount is no longer payable');
  const after = await runAtRate(22_200_000n, () => requoteOrder(user, former.id));
  assert.deepEqual(after, {
    ...former,
    payment_status: 'pending',
    order_items: former.order_items.map((item) => ({ ...item, price_btc: 0.0045, total_btc: 0.009 })),
    total_price_btc: 0.009,
    total_btc_after: 0.009,
    net_btc: 0.009,
    expires_at: new Date(shop.now.getTime() + WINDOW_MINUTES * 60_000).toISOString(),
    payment: {
      ...former.payment,
      amount_btc: 0.009,
      state: 'awaiting',
      bip21: placed.payment.bip21?.replace('0.01800000', '0.00900000') ?? null,
    },
  });
  assert.equal(await shop.orders.findOpenAddress(user), former.payment.address);
  const { rows } = await sql<{ details: unknown }>`select details from order_events
    where order_id = ${former.id} and kind = 'requoted'`.execute(shop.db);
  const details = rows[0]?.details;
  const readDetail = (...keys: string[]): string => textAt(details, ...keys);
  assert.deepEqual(
    [readDetail('rate_cents_per_btc'), readDetail('before', 'rate_cents_per_btc')],
    ['22200000', '11100000'],
  );
  assert.deepEqual(
    [readDetail('rate_evidence', 'rule'), readDetail('before', 'rate_evidence', 'rule')],
    ['test', 'test'],
  );
  assert.equal(await readRefusal(user, former.id), 'not-expired');

  const due = BigInt(Math.round(after.payment.amount_btc * 1e8));
  await shop.setChainState(former.id, [{ amount: due, firstSeen: shop.now, height: shop.tip - 1 }]);
  assert.equal((await shop.getShownOrder(user, former.id)).payment_status, 'paid');
  assert.equal(await readRefusal(user, former.id), 'not-expired');
});

test('[PAY-11] requotes the unpaid share; late payments count at the new rate', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  const due = payment.amount_btc;
  const inTime = { amount: due / 2n, firstSeen: shop.now };
  await shop.setChainState(id, [inTime]);
  shop.advanceMinutes(WINDOW_MINUTES + 1);
  await shop.orderStatus.expireDue(shop.now);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'underpaid');
  const late = { amount: due / 4n, firstSeen: shop.now };
  await shop.setChainState(id, [inTime, late]);
  const after = await runAtRate(RATE / 2n, () => requoteOrder(user, id));
  // Half was paid; the other half now costs as much as the whole did.
  assert.equal(after.payment.amount_btc, Number(due + due / 2n) / 1e8);
  assert.deepEqual([after.payment.state, after.payment_status], ['underpaid', 'pending']);
  assert.equal(after.payment.received_btc, Number(inTime.amount + late.amount) / 1e8);
  const rest = { amount: due + due / 2n - inTime.amount - late.amount, firstSeen: shop.now, height: shop.tip - 1 };
  await shop.setChainState(id, [{ ...inTime, height: shop.tip - 1 }, { ...late, height: shop.tip - 1 }, rest]);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'paid');
});

test('[PAY-11] a lost credit voids the quote and its rate', async () => {
  await shop.setStock(1);
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  await shop.setChainState(id, [{ amount: payment.amount_btc - 2000n, firstSeen: shop.now }]);
  shop.advanceMinutes(WINDOW_MINUTES + 1);
  await shop.orderStatus.expireDue(shop.now);
  await runAtRate(RATE / 2n, async () => {
    const after = await requoteOrder(user, id);
    const due = BigInt(Math.round(after.payment.amount_btc * 1e8));
    assert.equal(due, payment.amount_btc + 2000n);
    const instead = { amount: due, firstSeen: shop.now };
    await shop.setChainState(id, [instead]);
    assert.equal((await shop.getShownOrder(user, id)).payment_status, 'expired');
    assert.deepEqual(await shop.readStock(), { available: 1, held: 0 });
    await shop.setChainState(id, [{ ...instead, height: shop.tip - 1 }]);
    await shop.orderStatus.reconcileLate();
    const shown = await shop.getShownOrder(user, id);
    assert.deepEqual([shown.payment_status, shown.payment.state], ['expired', 'late']);
    assert.ok((await shop.listEvents(id)).includes('quote_void'));
    assert.equal((await requoteOrder(user, id)).payment.amount_btc, 0.018);
  });
  await shop.setStock(1000);
});

test('[PAY-11] 409 while an order is open or sold out; 503 without rate', async () => {
  const user = await shop.createBuyer();
  const { id } = await shop.createExpiredOrder(user);
  assert.equal(await runAtRate(null, () => readRefusal(user, id)), 'no-rate');
  for (let round = 0; round < 10; round += 1) {
    await shop.fillCart(user);
    const [quoted, placed] = await Promise.all([shop.orderStatus.requote(user, id), shop.checkout(user)]);
    assert.notEqual(quoted.ok, placed.ok, `round ${round}`);
    if (!quoted.ok) assert.equal(quoted.reason, 'order-open');
    if (!placed.ok) assert.equal(placed.reason, 'order-open');
    if (quoted.ok) {
      shop.advanceMinutes(WINDOW_MINUTES);
      await shop.orderStatus.expireDue(shop.now);
    } else if (placed.ok) assert.ok((await shop.orderStatus.cancel(user, placed.order.id)).ok);
    shop.advanceMinutes(24 * 60);
  }
  await shop.setStock(0);
  const former = await shop.getShownOrder(user, id);
  const result = await runAtRate(RATE * 2n, () => shop.orderStatus.requote(user, id));
  assert.deepEqual(result, { ok: false, reason: 'sold-out', words: 'iPhone 17 is sold out' });
  assert.deepEqual(await shop.getShownOrder(user, id), former, 'the order is unchanged');
  await shop.setStock(1);
  await requoteOrder(user, id);
  assert.deepEqual(await shop.readStock(), { available: 0, held: 1 });
  await shop.setStock(1000);
});

test('[PAY-11] ten parallel requotes requote once, and the order expires again', async () => {
  const user = await shop.createBuyer();
  const { id } = await shop.createExpiredOrder(user);
  const results = await Promise.all(Array.from({ length: 10 }, () => shop.orderStatus.requote(user, id)));
  assert.equal(results.filter(({ ok }) => ok).length, 1);
  const { available } = await shop.readStock();
  shop.advanceMinutes(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'expired');
  assert.equal((await shop.readStock()).available, available + 1);
  assert.deepEqual(await shop.listEvents(id), ['created', 'expired', 'requoted', 'expired']);
});

test('[PAY-11] [PAY-12] a requote accepts a blocked late payment immediately', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.createExpiredOrder(user);
  shop.advanceMinutes(1);
  // Half of the quoted rate doubles the amount, so the payment waits for staff.
  shop.centsPerBtc = RATE / 2n;
  const late = { amount: payment.amount_btc * 2n, firstSeen: shop.now, height: shop.tip - 3 };
  await shop.setChainState(id, [{ ...late, amount: payment.amount_btc }]);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'expired');
  // The payment covers the present price, but the items are sold out.
  await shop.setStock(0);
  await shop.setChainState(id, [late]);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'expired');
  await shop.setStock(1000);
  const after = await requoteOrder(user, id);
  shop.centsPerBtc = RATE;
  assert.deepEqual([after.payment_status, after.payment.state], ['paid', 'paid']);
  await shop.setChainState(id, []);
  const shown = await shop.getShownOrder(user, id);
  assert.deepEqual([shown.payment_status, shown.payment.state], ['user_paid', 'reorged_out']);
  const events = await shop.listEvents(id);
  assert.deepEqual(events.slice(-3), ['requoted', 'paid', 'reorged_out']);
});
