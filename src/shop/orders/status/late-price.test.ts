/** Late payments that cover the amount due at the present rate. */
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { openOrderShop, WINDOW_MINUTES } from '../../../../tests/support/order-shop.ts';
import type { OrderShop, Output } from '../../../../tests/support/order-shop.ts';

const RATE = 11_100_000n;
/** The same dollars cost a quarter more. */
const LESS = (RATE * 4n) / 5n;
/** The same dollars cost a tenth less. */
const MORE = (RATE * 10n) / 9n;

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});
beforeEach(async () => {
  shop.centsPerBtc = RATE;
  await shop.setStock(1000);
});

async function createExpiredOrder(outputs: (due: bigint) => readonly Output[] = () => []) {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  const early = outputs(payment.amount_btc);
  await shop.setChainState(id, early);
  shop.advanceMinutes(WINDOW_MINUTES + 1);
  await shop.orderStatus.expireDue(shop.now);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'expired');
  return { user, id, due: payment.amount_btc, early };
}
const createFinalOutput = (amount: bigint): Output => ({ amount, firstSeen: shop.now, height: shop.tip - 1 });
const toSats = (btc: number): bigint => BigInt(Math.round(btc * 1e8));

test('[PAY-10] accepts 1.3 times the amount if it covers the present price', async () => {
  const { user, id, due } = await createExpiredOrder();
  shop.centsPerBtc = LESS;
  await shop.setChainState(id, [createFinalOutput((due * 13n) / 10n)]);
  const { payment_status, payment } = await shop.getShownOrder(user, id);
  assert.deepEqual([payment_status, payment.state], ['paid', 'overpaid']);
  // The order costs its present price; only the rest is a surplus.
  assert.equal(toSats(payment.amount_btc), (due * 5n) / 4n);
  const events = await shop.listEvents(id);
  assert.deepEqual(events.slice(-4), ['requoted', 'late_accepted', 'paid', 'overpaid']);
  assert.ok(!events.includes('late_waits'));
});

test('[PAY-10] accepts a late payment once a top-up covers the present price', async () => {
  const { user, id, due } = await createExpiredOrder();
  shop.centsPerBtc = LESS;
  const first = createFinalOutput(due);
  await shop.setChainState(id, [first]);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'late');
  const next = await shop.quotes.findNext(id);
  assert.ok(next !== null);
  assert.equal(next.missingSats, due / 4n);
  await shop.setChainState(id, [first, createFinalOutput(next.missingSats - 1000n)]);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'expired');
  await shop.setChainState(id, [first, createFinalOutput(next.missingSats)]);
  const { payment_status, payment } = await shop.getShownOrder(user, id);
  assert.deepEqual([payment_status, payment.state], ['paid', 'paid']);
});

test('[PAY-10] accepts a late payment once the rate is close enough', async () => {
  const { user, id, due } = await createExpiredOrder();
  shop.centsPerBtc = RATE / 2n;
  await shop.setChainState(id, [createFinalOutput((due * 13n) / 10n)]);
  await shop.orderStatus.reconcileLate();
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'expired');
  shop.centsPerBtc = LESS;
  await shop.orderStatus.reconcileLate();
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
});

test('[PAY-10] accepts a lower amount after the bitcoin price rose', async () => {
  const { user, id, due } = await createExpiredOrder();
  await shop.setChainState(id, [createFinalOutput((due * 95n) / 100n)]);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'underpaid');
  shop.centsPerBtc = MORE;
  await shop.orderStatus.reconcileLate();
  const { payment_status, payment } = await shop.getShownOrder(user, id);
  assert.deepEqual([payment_status, payment.state], ['paid', 'overpaid']);
});

test('[PAY-10] a timely part keeps its value', async () => {
  const { user, id, due, early } = await createExpiredOrder((all) => [createFinalOutput(all / 2n)]);
  shop.centsPerBtc = LESS;
  // The other half of the dollars costs a quarter more.
  await shop.setChainState(id, [...early, createFinalOutput((due / 2n / 4n) * 5n + 100n)]);
  const { payment_status, payment } = await shop.getShownOrder(user, id);
  assert.equal(payment_status, 'paid');
  assert.ok(toSats(payment.amount_btc) < (due * 5n) / 4n);
});

test('[PAY-10] a late payment waits while its items are sold out', async () => {
  const { user, id, due } = await createExpiredOrder();
  await shop.setStock(0);
  shop.centsPerBtc = LESS;
  await shop.setChainState(id, [createFinalOutput((due * 13n) / 10n)]);
  const { payment_status, payment } = await shop.getShownOrder(user, id);
  assert.deepEqual([payment_status, payment.state], ['expired', 'late']);
  assert.equal(toSats(payment.amount_btc), due, 'it is not requoted');
  const events = await shop.listEvents(id);
  assert.deepEqual([events.includes('late_sold_out'), events.includes('requoted')], [true, false]);
});
