/** Refunds: PSBT created by the shop, signed by the merchant's wallet, detected on the chain. */
import assert from 'node:assert/strict';
import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { NodeOrder } from '../node-order.ts';
import type { NodeShop } from '../node-shop.ts';
import { textAt } from '../read-json.ts';
import { NodeRefunds } from '../node-refunds.ts';
import type { Scenario } from './scenario.ts';

const SURPLUS = sats(12_345n);
const SMALL = sats(10_000n);

/** Adds a coin to the wallet that can pay a fee. */
async function addCoin(nodeShop: NodeShop): Promise<void> {
  await nodeShop.pay(await nodeShop.placeOrder({ slug: 'mac-mini-m4' }));
  await nodeShop.mine(2);
}

/** A cancelled order with a payment to refund. */
async function createCancelledPaidOrder(
  nodeShop: NodeShop,
): Promise<{ order: NodeOrder; due: Sats; desk: NodeRefunds }> {
  const order = await nodeShop.placeOrder();
  const due = await order.missing();
  assert.equal((await order.call('POST', '/cancel')).status, 200);
  await order.waitForState('awaiting', 'cancelled');
  await nodeShop.pay(order, due);
  await nodeShop.mine(1);
  await order.waitForState('late', 'cancelled', { needs: 'cancelled-paid' });
  return { order, due, desk: await NodeRefunds.open(nodeShop, order) };
}

export const refunds: readonly Scenario[] = [
  {
    title: '[PAY-13] [OPS-03] refunds a surplus: signed by the wallet, broadcast by the shop',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      const paid = sats((await order.missing()) + SURPLUS);
      await nodeShop.pay(order, paid);
      await nodeShop.mine(1);
      await order.waitForState('overpaid', 'paid', { needs: 'surplus' });
      const desk = await NodeRefunds.open(nodeShop, order);
      await order.waitForState('overpaid', 'paid', { needs: 'surplus-ready' });
      const refund = await desk.make('surplus');
      assert.deepEqual([refund.amount, refund.debit], [SURPLUS, SURPLUS]);
      await order.waitForState('overpaid', 'paid', { needs: 'refund-to-send' });
      await desk.broadcast(refund);
      await order.waitForState('overpaid', 'paid', { needs: 'refund-sent', spent: paid });
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid', { needs: null, spent: paid, returned: SURPLUS });
      await desk.hasArrived(refund);
    },
  },
  {
    title: '[PAY-13] [OPS-03] detects a whole refund, less the fee, sent by the wallet',
    async run(nodeShop) {
      const { order, due, desk } = await createCancelledPaidOrder(nodeShop);
      const refund = await desk.make('whole', { feePaidBy: 'buyer' });
      assert.ok(refund.debit === due && refund.amount < due);
      await order.waitForState('refunding', 'cancelled', { needs: 'refund-to-send' });
      await desk.sendFromWallet(refund);
      await order.waitForState('refunding', 'cancelled', { needs: 'refund-sent', spent: due });
      await nodeShop.mine(1);
      await order.waitForState('refunded', 'refunded', { needs: null, spent: due });
      await desk.hasArrived(refund);
    },
  },
  {
    title: '[PAY-13] [OPS-03] detects a fee bump of a whole refund',
    async run(nodeShop) {
      await addCoin(nodeShop);
      const { order, due, desk } = await createCancelledPaidOrder(nodeShop);
      const refund = await desk.make('whole');
      await desk.broadcast(refund);
      await order.waitForState('refunding', 'cancelled', { needs: 'refund-sent', spent: due });
      const first = String((await desk.readRefund(refund)).txid);
      const bumped = textAt(await nodeShop.merchant.call('bumpfee', first), 'txid');
      assert.notEqual(bumped, first);
      await order.waitForState('refunding', 'cancelled', { needs: 'refund-sent', spent: due });
      assert.deepEqual(await desk.readRefund(refund), { state: 'sent', txid: bumped });
      await nodeShop.mine(1);
      await order.waitForState('refunded', 'refunded', { needs: null, spent: due });
      assert.deepEqual(await desk.readRefund(refund), { state: 'confirmed', txid: bumped });
      await desk.hasArrived(refund);
    },
  },
  {
    title: '[PAY-12] [OPS-03] a confirmed refund is reorganised and confirmed again',
    async run(nodeShop) {
      const { order, due, desk } = await createCancelledPaidOrder(nodeShop);
      const refund = await desk.make('whole', { feePaidBy: 'buyer' });
      await desk.sendFromWallet(refund);
      await nodeShop.mine(1);
      await order.waitForState('refunded', 'refunded', { needs: null, spent: due, via: ['refunding'] });
      await nodeShop.reorganise(1);
      await order.waitForState('refunding', 'cancelled', { needs: 'refund-sent', spent: due });
      await nodeShop.mine(1);
      await order.waitForState('refunded', 'refunded', { needs: null, spent: due });
      await desk.hasArrived(refund);
    },
  },
  {
    title: '[PAY-13] [OPS-03] refunds from any wallet, also a payment after the refund',
    async run(nodeShop) {
      const { order, due, desk } = await createCancelledPaidOrder(nodeShop);
      const refund = await desk.make('whole', { from: 'any-wallet' });
      assert.equal(refund.signed, null);
      await order.waitForState('refunding', 'cancelled', { needs: 'refund-to-send' });
      await nodeShop.pay({ address: refund.address, missing: async () => due });
      await order.waitForState('refunding', 'cancelled', { needs: 'refund-sent' });
      await nodeShop.mine(1);
      await order.waitForState('refunded', 'refunded', { needs: null });
      await nodeShop.pay(order, SMALL);
      await nodeShop.mine(1);
      await order.waitForState('refunded', 'refunded', { needs: 'paid-after-refund' });
      const second = await desk.make('whole', { from: 'any-wallet' });
      assert.equal(second.debit, SMALL);
      await order.waitForState('refunding', 'cancelled', { needs: 'refund-to-send' });
      await nodeShop.pay({ address: second.address, missing: async () => SMALL });
      await nodeShop.mine(1);
      await order.waitForState('refunded', 'refunded', { needs: null });
    },
  },
  {
    title: '[PAY-13] [OPS-03] detects a withdrawn refund that is sent nevertheless',
    async run(nodeShop) {
      const { order, due, desk } = await createCancelledPaidOrder(nodeShop);
      const refund = await desk.make('whole', { feePaidBy: 'buyer' });
      await order.waitForState('refunding', 'cancelled', { needs: 'refund-to-send' });
      await desk.withdraw(refund);
      await order.waitForState('late', 'cancelled', { needs: 'cancelled-paid' });
      await desk.sendFromWallet(refund);
      await order.waitForState('refunding', 'cancelled', { needs: 'refund-sent', spent: due });
      await nodeShop.mine(1);
      await order.waitForState('refunded', 'refunded', { needs: null, spent: due });
      await desk.hasArrived(refund);
    },
  },
  {
    title: '[PAY-13] [OPS-03] a double-spent refund is open again',
    async run(nodeShop) {
      const { order, due, desk } = await createCancelledPaidOrder(nodeShop);
      const refund = await desk.make('whole', { feePaidBy: 'buyer' });
      const txid = await desk.sendFromWallet(refund);
      await order.waitForState('refunding', 'cancelled', { needs: 'refund-sent', spent: due });
      await nodeShop.spendElsewhere(txid);
      await order.waitForState('refunding', 'cancelled', { needs: 'refund-to-send', spent: due });
      assert.deepEqual(await desk.readRefund(refund), { state: 'made', txid: null });
      await nodeShop.mine(1);
      await nodeShop.pay({ address: refund.address, missing: async () => sats(refund.amount) });
      await order.waitForState('refunding', 'cancelled', { needs: 'refund-sent', spent: due });
      await nodeShop.mine(1);
      await order.waitForState('refunded', 'refunded', { needs: null, spent: due });
      await desk.hasArrived(refund);
    },
  },
];
