import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { KyselyPlugin } from 'kysely';
import { testKey } from '../../../tests/support/devchain.ts';
import { openOrderRefunds, SURPLUS } from '../../../tests/support/order-refunds.ts';
import type { OrderRefunds } from '../../../tests/support/order-refunds.ts';
import { WINDOW_MINUTES } from '../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../tests/support/order-shop.ts';
import { createStaffActor } from '../../../tests/support/staff-actor.ts';

let refunding: OrderRefunds;
let shop: OrderShop;
let staff: string;
before(async () => {
  refunding = await openOrderRefunds();
  ({ shop, staff } = refunding);
});

const createOverpaidOrder = (address: string) => refunding.createPaidOrder(address, SURPLUS);
const confirmAddress: OrderRefunds['confirmAddress'] = (...of) => refunding.confirmAddress(...of);
const createRefund: OrderRefunds['createRefund'] = (...of) => refunding.createRefund(...of);
const setChainState: OrderRefunds['setChainState'] = (...said) => refunding.setChainState(...said);
const readStates: OrderRefunds['readStates'] = (id) => refunding.readStates(id);

test('[PAY-13] outputs move between refunds when one leaves or returns', async () => {
  const { address } = testKey();
  const [a, b] = [await createOverpaidOrder(address), await createOverpaidOrder(address)];
  await createRefund(a.id);
  await createRefund(b.id);
  const readBothStates = async () => [...(await readStates(a.id)), ...(await readStates(b.id))];
  await setChainState(address, [{ byte: 0x11 }, { byte: 0x22 }]);
  assert.deepEqual(await readBothStates(), ['sent 11', 'sent 22']);
  await setChainState(address, [{ byte: 0x11, isLive: false }, { byte: 0x22 }]);
  assert.deepEqual(await readBothStates(), ['sent 22', 'made']);
  await setChainState(address, [{ byte: 0x11, height: shop.tip - 5 }, { byte: 0x22 }]);
  assert.deepEqual(await readBothStates(), ['confirmed 11', 'sent 22']);
  await setChainState(address, []);
  assert.deepEqual(await readBothStates(), ['made', 'made']);
  assert.deepEqual((await shop.listEvents(a.id)).slice(-6), [
    'refund_made',
    'refund_sent',
    'refund_sent',
    'refund_confirmed',
    'refund_left',
    'overpaid',
  ]);
});

test('[PAY-09] a refunded surplus is not refundable, a further one is', async () => {
  const { address } = testKey();
  const order = await createOverpaidOrder(address);
  const readState = async () => (await shop.getShownOrder(order.user, order.id)).payment.state;
  await createRefund(order.id);
  assert.equal(await readState(), 'overpaid');
  await setChainState(address, [{ byte: 0x31, height: shop.tip - 5 }]);
  assert.equal(await readState(), 'paid');
  const firstSeen = shop.now;
  await shop.setChainState(order.id, [{ amount: order.due + 2n * SURPLUS, height: shop.tip - 5, firstSeen }]);
  assert.equal(await readState(), 'overpaid');
  shop.advanceMinutes(1);
  await createRefund(order.id);
  await setChainState(address, [{ byte: 0x31, isLive: false }]);
  assert.deepEqual(await readStates(order.id), ['made', 'made']);
  const refused = await shop.refunds.make(createStaffActor(staff), order.id, {
    covers: 'whole',
    feePaidBy: 'shop',
    from: 'any-wallet',
  });
  assert.deepEqual(refused, { ok: false, reason: 'refund-open' });
  await setChainState(address, [
    { byte: 0x31, height: shop.tip - 5 },
    { byte: 0x32, height: shop.tip - 5 },
  ]);
  assert.deepEqual(await readStates(order.id), ['confirmed 31', 'confirmed 32']);
  assert.equal(await readState(), 'paid');
});

test('[PAY-13] [PAY-11] an order with an open refund is not requoted, cancelled or accepted', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.createExpiredOrder(user);
  const order = { user, id, due: payment.amount_btc };
  shop.advanceMinutes(1);
  const rate = shop.centsPerBtc ?? 0n;
  shop.centsPerBtc = rate / 2n;
  await shop.setChainState(id, [{ amount: order.due, height: shop.tip - 5, firstSeen: shop.now }]);
  const { address } = testKey();
  await confirmAddress(order, address);
  const refund = await createRefund(id, 'whole');
  shop.centsPerBtc = rate;
  await shop.orderStatus.reconcileLate();
  await shop.db.transaction().execute((tx) => shop.orderStatus.reconcile(tx, [id]));
  assert.deepEqual(await shop.orderStatus.requote(user, id), { ok: false, reason: 'refunding' });
  assert.deepEqual(await shop.orderStatus.cancel(user, id), { ok: false, reason: 'refunding' });
  const shown = await shop.getShownOrder(user, id);
  assert.deepEqual([shown.payment_status, shown.payment.state], ['expired', 'refunding']);
  assert.ok((await shop.refunds.withdraw(createStaffActor(staff), refund)).ok);
  await shop.orderStatus.reconcileLate();
  assert.equal(
    (await shop.getShownOrder(user, id)).payment_status,
    'paid',
    'after the withdrawal the late payment fits the rate again',
  );
});

test('[PAY-13] open orders, reorganized payments and dust are not refunded', async () => {
  const { address } = testKey();
  const asked = { covers: 'whole', feePaidBy: 'shop', from: 'any-wallet' } as const;
  const user = await shop.createBuyer();
  const { id } = await shop.placeOrder(user);
  await confirmAddress({ user, id, due: 0n }, address);
  await shop.setChainState(id, [{ amount: 200n, height: shop.tip - 5, firstSeen: shop.now }]);
  assert.deepEqual(await shop.refunds.make(createStaffActor(staff), id, asked), { ok: false, reason: 'order-open' });
  shop.advanceMinutes(WINDOW_MINUTES + 1);
  await shop.orderStatus.expireDue(shop.now);
  assert.deepEqual(await shop.refunds.make(createStaffActor(staff), id, asked), { ok: false, reason: 'dust' });
  const paid = await createOverpaidOrder(address);
  await shop.setChainState(paid.id, []);
  assert.deepEqual(await shop.refunds.make(createStaffActor(staff), paid.id, asked), {
    ok: false,
    reason: 'reorged-out',
  });
  assert.deepEqual(await shop.refunds.make(createStaffActor(staff), user, asked), { ok: false, reason: 'not-found' });
});

test('[OPS-03] one of concurrent withdraw, record and match decides the refund', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { address } = testKey();
    const { id } = await createOverpaidOrder(address);
    const ids = (
      await Promise.all(
        Array.from({ length: 4 }, () =>
          shop.refunds.make(createStaffActor(staff), id, { covers: 'surplus', feePaidBy: 'shop', from: 'any-wallet' }),
        ),
      )
    ).flatMap((result) => (result.ok ? [result.refund.id] : []));
    assert.equal(ids.length, 1);
    const refund = ids[0] ?? '';
    await Promise.all([
      shop.refunds.withdraw(createStaffActor(staff), refund),
      shop.refunds.record(createStaffActor(staff), refund, 'ab'.repeat(32)),
      setChainState(address, [{ byte: 0x41 + round, height: shop.tip - 5 }]),
    ]);
    await setChainState(address, [{ byte: 0x41 + round, height: shop.tip - 5 }]);
    const [readState] = await readStates(id);
    assert.match(readState ?? '', /^confirmed (?:ab|4.)$/, 'its money was sent');
  }
});

test('[PAY-13] a large surplus needs the confirmations of its amount', async () => {
  const { address } = testKey();
  const user = await shop.createBuyer(0);
  await shop.fillCart(user, 1, shop.otherProductId);
  const { id, payment } = await shop.placeOrder(user);
  assert.equal(payment.required_confirmations, 1);
  const order = { user, id, due: payment.amount_btc };
  const paid = { amount: order.due + 100_000_000n, height: shop.tip, firstSeen: shop.now };
  await shop.setChainState(id, [paid]);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
  await confirmAddress(order, address);
  shop.advanceMinutes(1);
  const asked = { covers: 'surplus', feePaidBy: 'shop', from: 'any-wallet' } as const;
  assert.deepEqual(await shop.refunds.make(createStaffActor(staff), id, asked), {
    ok: false,
    reason: 'nothing-to-refund',
  });
  await shop.setChainState(id, [{ ...paid, height: shop.tip - 1 }]);
  await createRefund(id);
});

/** Runs an action after a matching statement has returned this many times. */
function createInterruption(pattern: RegExp, times: number, work: () => Promise<void>): KyselyPlugin {
  const asked = new WeakSet<object>();
  let answered = 0;
  return {
    transformQuery: ({ node, queryId }) => {
      if (node.kind === 'RawNode' && pattern.test(node.sqlFragments.join(' '))) asked.add(queryId);
      return node;
    },
    transformResult: async ({ queryId, result }) => {
      if (asked.has(queryId) && (answered += 1) === times) await work();
      return result;
    },
  };
}

test('[PAY-13] a refund that comes and goes during a sync changes nothing', async () => {
  const { address } = testKey();
  const [a, b] = [await createOverpaidOrder(address), await createOverpaidOrder(address)];
  await createRefund(a.id);
  let other = '';
  const comes = createInterruption(
    /select id from orders where id in/,
    1,
    async () => void (other = await createRefund(b.id, 'whole')),
  );
  const goes = createInterruption(
    /where refund\.order_id =/,
    2,
    async () => void (await shop.refunds.withdraw(createStaffActor(staff), other)),
  );
  await shop.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`select id from refund_scripts where address = ${address}`.execute(tx);
    const script = rows[0]?.id ?? assert.fail('the script is not watched');
    await sql`insert into payment_outputs (txid, vout, refund_script_id, amount_sats, is_coinbase, is_live, first_seen, raw_tx)
      values (${Buffer.alloc(32, 0x61)}, 0, ${script}, ${SURPLUS}, false, true, ${shop.now}, '')`.execute(tx);
    const slow = tx.withPlugin(comes).withPlugin(goes);
    await shop.orderStatus.reconcile(tx, await shop.refunds.matching.matchWithLedger(slow, [script]));
  });
  await shop.refunds.withdraw(createStaffActor(staff), other);
  assert.deepEqual([await readStates(a.id), await readStates(b.id)], [['sent 61'], ['withdrawn']]);
  assert.equal((await shop.getShownOrder(b.user, b.id)).payment.state, 'overpaid');
  await shop.db.transaction().execute((tx) => shop.orderStatus.reconcile(tx, [b.id]));
  assert.equal((await shop.getShownOrder(b.user, b.id)).payment.state, 'overpaid');
});
