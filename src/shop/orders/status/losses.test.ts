/** Double-spent payments: events, requotes, cancelling, losses, and payments that return. */
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { openOrderShop, WINDOW_MINUTES } from '../../../../tests/support/order-shop.ts';
import type { OrderShop, Output } from '../../../../tests/support/order-shop.ts';
import type { OrderChangeResult } from './order-change-result.ts';
import { createStaffActor } from '../../../../tests/support/staff-actor.ts';

const by = createStaffActor(uuidv7());
const staffReason = { by, reason: 'Its coins were spent otherwise' };

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});
beforeEach(async () => {
  await shop.setStock(1000);
  await shop.setStock(1000, shop.otherProductId);
});

interface Paid {
  readonly user: string;
  readonly id: string;
  readonly due: bigint;
  /** Two outputs of half the amount. */
  readonly outputs: readonly [Output, Output];
}

const DEEP = (): number => shop.tip - 5;

async function createPaidOrder(quantity = 1): Promise<Paid> {
  const user = await shop.createBuyer(quantity);
  const { id, payment } = await shop.placeOrder(user);
  const due = payment.amount_btc;
  const half = { amount: due / 2n, firstSeen: shop.now, height: DEEP() };
  const outputs = [half, { ...half, amount: due - due / 2n }] as const;
  await shop.setChainState(id, outputs);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
  return { user, id, due, outputs };
}

/** A payment that left; its conflict has this many confirmations. */
const createSpentOutput = (output: Output, confirmations: number): Output => ({
  ...output,
  height: null,
  isLive: false,
  conflictHeight: shop.tip - confirmations + 1,
});

/** Orders of this shop require two confirmations. */
const lose = ({ id, outputs }: Paid, confirmations = 2): Promise<void> =>
  shop.setChainState(
    id,
    outputs.map((output) => createSpentOutput(output, confirmations)),
  );
const loseHalf = ({ id, outputs: [first, second] }: Paid): Promise<void> =>
  shop.setChainState(id, [first, createSpentOutput(second, 2)]);

async function readStatus({ user, id }: Pick<Paid, 'user' | 'id'>) {
  const { payment_status: status, payment } = await shop.getShownOrder(user, id);
  return [status, payment.state, payment.loss];
}
const readOutcome = (changed: OrderChangeResult): string =>
  changed.ok ? changed.order.payment_status : changed.reason;
const closeAsLoss = async ({ id }: Pick<Paid, 'id'>): Promise<string> =>
  readOutcome(await shop.paymentDecisions.closeAsLoss(id, staffReason));
const requote = async ({ user, id }: Paid): Promise<string> => readOutcome(await shop.orderStatus.requote(user, id));
const cancel = async ({ user, id }: Paid): Promise<string> => readOutcome(await shop.orderStatus.cancel(user, id));
const ship = async ({ id }: Paid): Promise<string> =>
  readOutcome(await shop.fulfilment.record(id, { to: 'shipped', trackingReference: null }));
const readStock = async () => ({ ...(await shop.readStock()), sold: await shop.readSoldUnits() });

// ---- double-spent

test('[PAY-14] records a double spend at the required confirmations', async () => {
  const order = await createPaidOrder();
  await lose(order, 1);
  assert.deepEqual(await readStatus(order), ['user_paid', 'reorged_out', null]);
  assert.deepEqual([await requote(order), await cancel(order)], ['not-expired', 'not-cancellable']);
  const { payment } = await shop.getShownOrder(order.user, order.id);
  assert.equal(payment.bip21, null, 'not payable while the payment may return');
  await lose(order);
  await lose(order, 3);
  assert.deepEqual(await readStatus(order), ['user_paid', 'reorged_out', 'double_spent']);
  const events = await shop.listEvents(order.id);
  assert.deepEqual(events.slice(-2), ['reorged_out', 'double_spent']);
  const shown = await shop.getShownOrder(order.user, order.id);
  assert.equal(shown.payment.bip21, null, 'needs a requote first');
  assert.ok(await shop.quotes.findNext(order.id));
});

test('[PAY-14] undoing the conflict undoes the loss', async () => {
  const order = await createPaidOrder();
  await lose(order);
  await lose(order, 1);
  assert.deepEqual(await readStatus(order), ['user_paid', 'reorged_out', null]);
  assert.equal((await shop.listEvents(order.id)).at(-1), 'double_spend_undone');
  assert.equal(await requote(order), 'not-expired');
  await shop.setChainState(order.id, order.outputs);
  assert.deepEqual(await readStatus(order), ['paid', 'paid', null]);
});

test('[PAY-14] a double-spent order is paid by a requote and sold once', async () => {
  const start = await readStock();
  const order = await createPaidOrder(2);
  await lose(order);
  shop.advanceMinutes(24 * 60);
  shop.centsPerBtc = 10_000_000n;
  assert.deepEqual(await readStock(), { available: start.available - 2, held: start.held, sold: start.sold + 2 });
  assert.equal(await requote(order), 'pending');
  assert.deepEqual(await readStock(), { available: start.available - 2, held: start.held + 2, sold: start.sold });
  const { payment, expires_at } = await shop.getShownOrder(order.user, order.id);
  assert.equal(new Date(expires_at).getTime(), shop.now.getTime() + WINDOW_MINUTES * 60_000);
  assert.deepEqual([payment.state, payment.loss], ['dropped', 'double_spent']);
  assert.ok(payment.bip21?.includes(String(payment.amount_btc)), 'the full amount at the present rate');
  assert.notEqual(BigInt(Math.round(payment.amount_btc * 1e8)), order.due);
  shop.advanceMinutes(5);
  const again = { amount: BigInt(Math.round(payment.amount_btc * 1e8)), firstSeen: shop.now, height: DEEP() };
  await shop.setChainState(order.id, [...order.outputs.map((output) => createSpentOutput(output, 4)), again]);
  assert.deepEqual(await readStatus(order), ['paid', 'paid', null]);
  assert.deepEqual(await readStock(), { available: start.available - 2, held: start.held, sold: start.sold + 2 });
  assert.equal((await shop.listEvents(order.id)).at(-1), 'paid_anew');
  assert.equal(await ship(order), 'paid');
  shop.centsPerBtc = 11_100_000n;
});

test('[PAY-14] a requoted double-spent order expires and is restocked', async () => {
  const start = await readStock();
  const order = await createPaidOrder();
  await lose(order);
  assert.equal(await requote(order), 'pending');
  shop.advanceMinutes(WINDOW_MINUTES + 1);
  await shop.orderStatus.expireDue(shop.now);
  assert.deepEqual(await readStatus(order), ['expired', 'expired', null]);
  assert.deepEqual(await readStock(), start);
});

test('[PAY-14] the buyer cancels a double-spent order; stock and cart return', async () => {
  const start = await readStock();
  const order = await createPaidOrder(3);
  await lose(order);
  assert.equal(await cancel(order), 'cancelled');
  assert.deepEqual(await readStock(), start);
  assert.equal(await shop.countCartUnits(order.user), 3);
  assert.deepEqual((await readStatus(order)).slice(0, 1), ['cancelled']);
  assert.equal(await cancel(order), 'cancelled', 'done');
  assert.equal(await shop.countCartUnits(order.user), 3);
});

test('[PAY-14] one of many parallel requotes of a double-spent order succeeds', async () => {
  const start = await readStock();
  const order = await createPaidOrder();
  await lose(order);
  const results = await Promise.all(Array.from({ length: 6 }, () => requote(order)));
  assert.deepEqual(results.toSorted(), [...Array.from({ length: 5 }, () => 'not-expired'), 'pending']);
  assert.deepEqual(await readStock(), { ...start, available: start.available - 1, held: start.held + 1 });
});

test('[PAY-14] rejects the requote while another order is open', async () => {
  const order = await createPaidOrder();
  await lose(order);
  await shop.fillCart(order.user);
  const other = await shop.placeOrder(order.user);
  const start = await readStock();
  assert.equal(await requote(order), 'order-open');
  assert.deepEqual(await readStock(), start);
  assert.ok(other.id);
});

// ---- a half

test('[PAY-14] staff accept the part left after a double spend', async () => {
  const order = await createPaidOrder();
  await loseHalf(order);
  assert.deepEqual(await readStatus(order), ['user_paid', 'reorged_out', 'part_double_spent']);
  assert.equal(readOutcome(await shop.paymentDecisions.acceptAsPaid(order.id, staffReason)), 'paid');
  assert.deepEqual(await readStatus(order), ['paid', 'paid', null]);
  assert.deepEqual((await shop.listEvents(order.id)).slice(-2), ['part_double_spent', 'settled']);
  assert.equal(await ship(order), 'paid');
});

test('[PAY-14] the buyer requotes and pays the half that was double-spent', async () => {
  const order = await createPaidOrder();
  await loseHalf(order);
  assert.equal(await cancel(order), 'payment-live', 'a part was received');
  shop.advanceMinutes(24 * 60);
  assert.equal(await requote(order), 'pending');
  const { payment } = await shop.getShownOrder(order.user, order.id);
  assert.deepEqual([payment.state, payment.loss], ['underpaid', 'part_double_spent']);
  assert.ok(payment.bip21?.includes(`amount=0.00${Number(order.outputs[1].amount)}`), payment.bip21 ?? 'no amount');
});

test('[PAY-14] half of a paid order double-spent: staff cancel and refund the part', async () => {
  const start = await readStock();
  const order = await createPaidOrder();
  await loseHalf(order);
  assert.equal(readOutcome(await shop.paymentDecisions.cancelByStaff(order.id, staffReason)), 'cancelled');
  assert.deepEqual(await readStock(), start);
  assert.deepEqual((await readStatus(order)).slice(0, 1), ['cancelled']);
});

// ---- shipped, unpaid

test('[PAY-14] closes only a shipped unpaid order as a loss, once', async () => {
  const order = await createPaidOrder();
  assert.equal(await closeAsLoss(order), 'already-paid');
  assert.equal(await ship(order), 'paid');
  await shop.setChainState(
    order.id,
    order.outputs.map((output) => ({ ...output, height: null })),
  );
  assert.equal(await closeAsLoss(order), 'payment-live');
  await lose(order);
  const start = await readStock();
  assert.equal(readOutcome(await shop.paymentDecisions.cancelByStaff(order.id, staffReason)), 'shipped');
  assert.equal(await cancel(order), 'not-cancellable');
  await Promise.all([closeAsLoss(order), closeAsLoss(order)]);
  assert.equal(await closeAsLoss(order), 'user_paid');
  assert.deepEqual(await readStatus(order), ['user_paid', 'reorged_out', 'closed']);
  assert.deepEqual(await readStock(), start, 'shipped items are not restocked');
  const { rows } = await sql<{ details: object }>`select details from order_events
    where order_id = ${order.id} and kind = 'closed_as_loss'`.execute(shop.db);
  assert.equal(rows.length, 1);
  assert.deepEqual(
    ['by', 'reason', 'of', 'lost_sats'].map((key): unknown => Reflect.get(rows[0]?.details ?? {}, key)),
    [by.userId, staffReason.reason, 'payment', String(order.due)],
  );
  const unsent = await createPaidOrder();
  await lose(unsent);
  assert.equal(await closeAsLoss(unsent), 'not-shipped');
  assert.equal(await closeAsLoss({ id: uuidv7() }), 'not-found');
});

test('[PAY-14] a payment that returns reverses the closed loss', async () => {
  const order = await createPaidOrder();
  assert.equal(await ship(order), 'paid');
  await lose(order);
  await closeAsLoss(order);
  await shop.setChainState(order.id, order.outputs);
  assert.deepEqual(await readStatus(order), ['paid', 'paid', null]);
  assert.deepEqual((await shop.listEvents(order.id)).slice(-2), ['paid_again', 'loss_reversed']);
});

test('[PAY-14] a shipped order is paid again without taking stock', async () => {
  // Releases the reservations of other tests.
  shop.advanceMinutes(WINDOW_MINUTES + 1);
  await shop.orderStatus.expireDue(shop.now);
  const order = await createPaidOrder();
  assert.equal(await ship(order), 'paid');
  await lose(order);
  const start = await readStock();
  assert.equal(await requote(order), 'pending');
  assert.equal(await cancel(order), 'not-cancellable', 'it was sent');
  shop.advanceMinutes(WINDOW_MINUTES + 1);
  await shop.orderStatus.expireDue(shop.now);
  assert.deepEqual(await readStock(), start);
  assert.equal(await requote(order), 'pending');
  const { payment } = await shop.getShownOrder(order.user, order.id);
  const again = { amount: BigInt(Math.round(payment.amount_btc * 1e8)), firstSeen: shop.now, height: DEEP() };
  await shop.setChainState(order.id, [again]);
  assert.deepEqual(await readStatus(order), ['paid', 'paid', null]);
  assert.deepEqual(await readStock(), start);
});
