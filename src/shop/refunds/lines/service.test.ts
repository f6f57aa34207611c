/** Refunds of units: each once, with their stock, next to shipments and other refunds. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { testKey } from '../../../../tests/support/devchain.ts';
import { openOrderRefunds } from '../../../../tests/support/order-refunds.ts';
import type { OrderRefunds, Refunded } from '../../../../tests/support/order-refunds.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { createStaffActor } from '../../../../tests/support/staff-actor.ts';
import { cents } from '#src/shop/money.ts';
import { listOrdersForTasks } from '#src/shop/admin/tasks/store.ts';
import type { MakeResult } from '../service.ts';

let refunding: OrderRefunds;
let shop: OrderShop;
beforeEach(async () => {
  refunding = await openOrderRefunds();
  ({ shop } = refunding);
});

const by = () => createStaffActor(refunding.staff);
const ship = (id: string, units: number | null = null) =>
  shop.fulfilment.record(id, {
    to: 'shipped',
    trackingReference: null,
    units: units === null ? null : [{ position: 0, quantity: units }],
  });
const readStock = async () => [(await shop.readStock()).available, await shop.readSoldUnits()];
const readStatus = async ({ user, id }: Refunded): Promise<string> => {
  const { fulfilment_status: fulfilment, payment, payment_status: status } = await shop.getShownOrder(user, id);
  return `${status} ${payment.state} ${fulfilment}`;
};

interface Choice {
  readonly isShipped?: boolean;
  readonly restocks?: boolean;
}

/** Refunds units of the only line. */
const refund = (
  id: string,
  quantity: number,
  { isShipped = false, restocks = true }: Choice = {},
): Promise<MakeResult> =>
  shop.refunds.make(by(), id, {
    covers: 'lines',
    lines: { units: [{ position: 0, quantity, isShipped }], shipping: false, reason: 'Sent back', restocks },
    feePaidBy: 'shop',
    from: 'any-wallet',
  });

async function make(id: string, quantity: number, choice: Choice = {}): Promise<string> {
  const made = await refund(id, quantity, choice);
  assert.ok(made.ok, made.ok ? '' : made.reason);
  return made.refund.id;
}
const record = async (id: string, byte: string): Promise<void> =>
  assert.ok((await shop.refunds.record(by(), id, byte.repeat(32))).ok);
const undo = async (id: string): Promise<void> => {
  assert.ok((await shop.refunds.manual.undoRecord(by(), id, 'Not sent')).ok);
  assert.ok((await shop.refunds.withdraw(by(), id)).ok);
};
const sumRefunds = async (id: string): Promise<bigint> => {
  const found = (await shop.refunds.readForOrder(id)) ?? assert.fail();
  return found.refunds.reduce((sum, one) => (one.state === 'withdrawn' ? sum : sum + one.debit_btc), 0n);
};

test('[PAY-13] [OPS-13] refunded units are not shipped and go on sale again once', async () => {
  await shop.setStock(5);
  const order = await refunding.createPaidOrder(testKey().address, 700n, 3);
  const one = await make(order.id, 1);
  assert.deepEqual(await readStock(), [2, 3], 'made: it may still be withdrawn');
  assert.equal(await sumRefunds(order.id), order.due / 3n);
  assert.deepEqual(await ship(order.id, 3), { ok: false, reason: 'too-many-units' });
  await record(one, 'a1');
  assert.deepEqual(await readStock(), [3, 2]);
  assert.equal(await readStatus(order), 'paid overpaid unfulfilled');
  const { refundable } = (await shop.refunds.readForOrder(order.id)) ?? assert.fail();
  assert.equal(refundable.surplus_btc, 700n, 'the surplus is what it was');
  assert.ok((await ship(order.id)).ok);
  assert.equal(await readStatus(order), 'paid overpaid shipped');
  const { rows } = await sql<{ quantity: number }>`select quantity from shipment_lines`.execute(shop.db);
  assert.deepEqual(rows, [{ quantity: 2 }]);

  // A shipped unit came back; another one stays with the buyer.
  await record(await make(order.id, 1, { isShipped: true }), 'a2');
  await record(await make(order.id, 1, { isShipped: true, restocks: false }), 'a3');
  assert.deepEqual(await readStock(), [4, 1]);
  assert.equal(await sumRefunds(order.id), order.due);
  assert.equal(await readStatus(order), 'refunded refunded shipped');
  assert.deepEqual(await refund(order.id, 1, { isShipped: true }), { ok: false, reason: 'too-many-units' });
  assert.equal((await shop.listEvents(order.id)).filter((kind) => kind === 'units_returned').length, 2);
});

test('[PAY-13] a withdrawn refund gives its units back to the order', async () => {
  await shop.setStock(2);
  const order = await refunding.createPaidOrder(testKey().address, 0n, 2);
  assert.ok((await ship(order.id, 1)).ok);
  const rest = await make(order.id, 1);
  assert.equal(await readStatus(order), 'paid paid shipped', 'nothing is left to ship');
  await record(rest, 'b1');
  assert.deepEqual(await readStock(), [1, 1]);
  await undo(rest);
  assert.equal(await readStatus(order), 'paid paid partly_shipped');
  assert.deepEqual(await readStock(), [0, 2]);
  assert.ok((await ship(order.id)).ok);

  // All units: like a refund of the whole, with the same way back.
  await shop.setStock(1);
  const whole = await refunding.createPaidOrder(testKey().address);
  const all = await make(whole.id, 1);
  assert.equal(await readStatus(whole), 'paid refunding unfulfilled');
  await record(all, 'b2');
  assert.equal(await readStatus(whole), 'refunded refunded unfulfilled');
  assert.deepEqual(await readStock(), [1, 2]);
  await undo(all);
  assert.equal(await readStatus(whole), 'paid paid unfulfilled');
  assert.deepEqual(await readStock(), [0, 3]);
  assert.ok((await ship(whole.id)).ok);
});

test('[PAY-13] a withdrawn refund whose units were sold takes stock that is short', async () => {
  await shop.setStock(2);
  const order = await refunding.createPaidOrder(testKey().address, 0n, 2);
  const one = await make(order.id, 1);
  await record(one, 'c1');
  await shop.placeOrder(await shop.createBuyer());
  await undo(one);
  assert.deepEqual(await readStock(), [-1, 2], 'orders promise more than there is');
  assert.ok((await shop.listEvents(order.id)).includes('units_gone'));
});

test('[PAY-13] parallel refunds and shipments take each unit once', async () => {
  const { address } = testKey();
  for (let round = 0; round < 4; round += 1) {
    await shop.setStock(2);
    const order = await refunding.createPaidOrder(address, 0n, 2);
    const whole = { covers: 'whole', feePaidBy: 'shop', from: 'any-wallet' } as const;
    const results = await Promise.all([
      refund(order.id, 2),
      refund(order.id, 1),
      shop.refunds.make(by(), order.id, whole),
      ship(order.id, 1),
      ship(order.id, 2),
    ]);
    const refunds = results.slice(0, 3).filter(({ ok }) => ok);
    assert.ok(refunds.length <= 1);
    assert.ok((await sumRefunds(order.id)) <= order.due);
    const { rows } = await sql<{ isOver: boolean }>`
      select shipped_quantity + refunded_unshipped_quantity > quantity as "isOver" from order_lines
      where order_id = ${order.id}
    `.execute(shop.db);
    assert.deepEqual(rows, [{ isOver: false }]);
  }
});

test('[PAY-13] a refund of the whole takes what refunds of lines left', async () => {
  await shop.setStock(3);
  const order = await refunding.createPaidOrder(testKey().address, 0n, 3);
  await record(await make(order.id, 1, { restocks: false }), 'd1');
  assert.deepEqual(await readStock(), [0, 3], 'a damaged unit is not for sale');
  await record(await refunding.createRefund(order.id, 'whole'), 'd2');
  assert.equal(await sumRefunds(order.id), order.due);
  assert.equal(await readStatus(order), 'refunded refunded unfulfilled');
  assert.deepEqual(await readStock(), [2, 1]);
});

test('[PAY-14] a lost payment is reported while units are refunded', async () => {
  const { address } = testKey();
  const order = await refunding.createPaidOrder(address, 0n, 2);
  await make(order.id, 1);
  await refunding.setChainState(address, [{ byte: 0x41, height: shop.tip - 5 }], order.due / 2n);
  const readLoss = async () => {
    const { payment } = await shop.getShownOrder(order.user, order.id);
    return payment.loss;
  };
  assert.equal(await readLoss(), null);
  const seen = { amount: order.due, firstSeen: shop.now };
  await shop.setChainState(order.id, [{ ...seen, height: null, isLive: false, conflictHeight: shop.tip - 5 }]);
  assert.equal(await readLoss(), 'double_spent');
  await shop.setChainState(order.id, [{ ...seen, height: shop.tip - 5 }]);
  assert.equal(await readLoss(), null);
  assert.ok((await shop.listEvents(order.id)).includes('paid_again'));
});

test('[PAY-13] a withdrawn refund that was sent takes its units if they are left', async () => {
  const { address } = testKey();
  await shop.setStock(2);
  const order = await refunding.createPaidOrder(address, 0n, 2);
  const first = await make(order.id, 1);
  assert.ok((await shop.refunds.withdraw(by(), first)).ok);
  await refunding.setChainState(address, [{ byte: 0x51, height: shop.tip - 5 }], order.due / 2n);
  assert.deepEqual(await ship(order.id, 2), { ok: false, reason: 'too-many-units' });
  assert.deepEqual(await readStock(), [1, 1]);

  // Its unit was refunded again and both were sent: the excess is shown.
  await shop.setStock(2);
  const again = await refunding.createPaidOrder(testKey().address, 0n, 2);
  const withdrawn = await make(again.id, 2);
  assert.ok((await shop.refunds.withdraw(by(), withdrawn)).ok);
  await record(await make(again.id, 1), 'e1');
  await sql`update refunds set state = 'sent', txid = ${Buffer.alloc(32, 0x61)}, vout = 0 where id = ${withdrawn}`.execute(
    shop.db,
  );
  await shop.db.transaction().execute((tx) => shop.refunds.matching.updateOrder(tx, again.id));
  const { paid_twice_btc: excess } = (await shop.refunds.readForOrder(again.id)) ?? assert.fail();
  assert.equal(excess, again.due);
});

test('[RET-07] the shop keeps what it deducted, also from a refund of the whole', async () => {
  await shop.setStock(2);
  const order = await refunding.createPaidOrder(testKey().address, 0n, 2);
  assert.ok((await ship(order.id)).ok);
  const made = await shop.refunds.make(by(), order.id, {
    covers: 'lines',
    lines: {
      units: [{ position: 0, quantity: 1, isShipped: true }],
      deductions: [{ position: 0, cents: cents(9900n) }],
      shipping: false,
      reason: 'Scratched',
      restocks: false,
    },
    feePaidBy: 'shop',
    from: 'any-wallet',
  });
  assert.ok(made.ok, made.ok ? '' : made.reason);
  assert.equal(made.refund.value_usd, 90_000n);
  await record(made.refund.id, 'f1');
  const { lines } = (await shop.refunds.readForOrder(order.id)) ?? assert.fail();
  assert.deepEqual([lines.left_usd, lines.deducted_usd], [99_900n, 9900n], 'the other unit costs what it did');
  await record(await refunding.createRefund(order.id, 'whole'), 'f2');
  const after = (await shop.refunds.readForOrder(order.id)) ?? assert.fail();
  assert.deepEqual(
    after.refunds.map((one) => one.value_usd),
    [90_000n, 99_900n],
  );
  const kept = order.due - (await sumRefunds(order.id));
  assert.equal(kept, order.due - (order.due * (199_800n - 9900n)) / 199_800n);
  assert.equal(after.refundable.surplus_btc, 0n, 'what was deducted is no surplus');
  const [task] = await listOrdersForTasks(shop.db, [order.id]);
  assert.equal(task?.refundedSats, order.due, 'what was deducted needs no refund');
});
