/** Arriving payments: full, partial, excess, dust, in one transaction or several. */
import assert from 'node:assert/strict';
import { sats } from '#src/shop/money.ts';
import type { Scenario } from './scenario.ts';

const SMALL = sats(10_000n);
/** The smallest output to a P2WPKH address that nodes relay. */
const DUST_LIMIT = sats(294n);

export const arriving: readonly Scenario[] = [
  {
    title: '[PAY-09] seen, confirmed, paid',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      await order.waitForState('awaiting', 'pending');
      await nodeShop.pay(order);
      await order.waitForState('seen', 'pending', { unasked: true });
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid', { unasked: true });
    },
  },
  {
    title: '[PAY-04] the buyer’s report changes the status, never the payment',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      await order.waitForState('awaiting', 'pending');
      await nodeShop.api('PUT', '/orders/paid', order.buyer.token, { order_id: order.id });
      await order.waitForState('awaiting', 'user_paid');
      await nodeShop.mine(1);
      await order.waitForState('awaiting', 'user_paid');
      await nodeShop.pay(order);
      await order.waitForState('seen', 'user_paid');
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] paid in three transactions',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      await nodeShop.pay(order, SMALL);
      await order.waitForState('underpaid', 'pending');
      await nodeShop.mine(1);
      await nodeShop.pay(order, SMALL);
      await order.waitForState('underpaid', 'pending');
      await nodeShop.pay(order);
      await order.waitForState('seen', 'pending');
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] overpaid in one transaction',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      await nodeShop.pay(order, sats((await order.missing()) + 12_345n));
      await order.waitForState('seen', 'pending');
      await nodeShop.mine(1);
      await order.waitForState('overpaid', 'paid');
    },
  },
  {
    title: '[PAY-09] paid again after it was paid: a surplus once confirmed',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      await nodeShop.pay(order);
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
      await nodeShop.pay(order, SMALL);
      await order.waitForState('paid', 'paid');
      await nodeShop.mine(1);
      await order.waitForState('overpaid', 'paid');
      await nodeShop.mine(6);
      await nodeShop.pay(order, SMALL);
      await nodeShop.mine(1);
      await order.waitForState('overpaid', 'paid');
    },
  },
  {
    title: '[PAY-09] two orders in one transaction',
    async run(nodeShop) {
      const [left, right] = [await nodeShop.placeOrder(), await nodeShop.placeOrder()];
      await nodeShop.payAll({ [left.address]: await left.missing(), [right.address]: await right.missing() });
      for (const order of [left, right]) await order.waitForState('seen', 'pending');
      await nodeShop.mine(1);
      for (const order of [left, right]) await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] a replacement pays two of three orders',
    async run(nodeShop) {
      const [first, second, third] = [
        await nodeShop.placeOrder(),
        await nodeShop.placeOrder(),
        await nodeShop.placeOrder(),
      ];
      const due = await first.missing();
      const txid = await nodeShop.payAll({ [first.address]: due, [second.address]: due, [third.address]: due });
      for (const order of [first, second, third]) await order.waitForState('seen', 'pending');
      await nodeShop.doubleSpend(txid, { [first.address]: due, [third.address]: due });
      for (const order of [first, third]) await order.waitForState('seen', 'pending');
      await second.waitForState('replaced', 'pending');
      await nodeShop.mine(1);
      for (const order of [first, third]) await order.waitForState('paid', 'paid');
      await second.waitForState('replaced', 'pending');
      await nodeShop.pay(second);
      await second.waitForState('seen', 'pending');
      await nodeShop.mine(1);
      await second.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] the amount decides the required confirmations: 1, 2, 3, 6',
    async run(nodeShop) {
      const orders = [
        { required: 1, order: await nodeShop.placeOrder() },
        { required: 2, order: await nodeShop.placeOrder({ slug: 'mac-mini-m4' }) },
        { required: 3, order: await nodeShop.placeOrder({ slug: 'macbook-pro-16-m4-pro', quantity: 3 }) },
        { required: 6, order: await nodeShop.placeOrder({ slug: 'macbook-pro-16-m4-pro', quantity: 11 }) },
      ];
      for (const { order, required } of orders) {
        assert.equal((await order.readOrder()).required, required);
        await nodeShop.pay(order);
      }
      for (const { order } of orders) await order.waitForState('seen', 'pending');
      for (let block = 1; block <= 6; block += 1) {
        await nodeShop.mine(1);
        for (const { order, required } of orders) {
          if (block > required) continue;
          if (block === required) await order.waitForState('paid', 'paid');
          else {
            await order.waitForState('confirming', 'pending');
            assert.equal((await order.readOrder()).confirmations, block);
          }
        }
      }
    },
  },
  {
    title: '[PAY-09] dust is refused by the network and counted when mined',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      const signDustPayment = async (amount: bigint): Promise<string> => {
        const coin = await nodeShop.wallet.findCoin(sats(amount));
        const rest = sats(coin.amount - amount - 50_000n);
        return nodeShop.wallet.signTransaction([coin], {
          [order.address]: sats(amount),
          [await nodeShop.wallet.createAddress()]: rest,
        });
      };
      await assert.rejects(nodeShop.send(await signDustPayment(DUST_LIMIT - 1n)), /dust/);
      await order.waitForState('awaiting', 'pending');
      await nodeShop.send(await signDustPayment(DUST_LIMIT));
      await order.waitForState('underpaid', 'pending');
      await nodeShop.mine(1);
      await nodeShop.mineOnly(await signDustPayment(1n));
      await order.waitForState('underpaid', 'pending');
      assert.equal((await order.readOrder()).received, DUST_LIMIT + 1n);
      await nodeShop.pay(order);
      await order.waitForState('seen', 'pending');
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
      await nodeShop.mineOnly(await signDustPayment(1n));
      await order.waitForState('overpaid', 'paid');
    },
  },
  {
    title: '[PAY-09] a payment without a fee is first seen in a block',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      const due = await order.missing();
      const coin = await nodeShop.wallet.findCoin(due);
      const outputs = { [order.address]: due, [await nodeShop.wallet.createAddress()]: sats(coin.amount - due) };
      const raw = await nodeShop.wallet.signTransaction([coin], outputs);
      await assert.rejects(nodeShop.send(raw), /fee not met/);
      await order.waitForState('awaiting', 'pending');
      await nodeShop.mineOnly(raw);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] a payment during shop downtime is first seen in a block',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      const amount = sats((await order.missing()) + 1n);
      await nodeShop.kill();
      await nodeShop.call('sendtoaddress', order.address, Number(amount) / 1e8);
      await nodeShop.call('generatetoaddress', 3, await nodeShop.wallet.createAddress());
      await nodeShop.restart();
      await order.waitForState('overpaid', 'paid');
    },
  },
  {
    title: '[PAY-09] a coinbase output counts once mature, until its block is reorganised',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      await nodeShop.mine(1, order.address);
      await order.waitForState('awaiting', 'pending', { needs: 'immature' });
      await nodeShop.reorganise(1);
      await order.waitForState('awaiting', 'pending', { needs: null });
      await nodeShop.mine(1, order.address);
      await nodeShop.mine(98);
      await order.waitForState('awaiting', 'pending', { needs: 'immature' });
      await nodeShop.mine(2);
      await order.waitForState('overpaid', 'paid');
      await nodeShop.reorganise(101);
      await order.waitForState('reorged_out', 'user_paid');
      await nodeShop.pay(order);
      await order.waitForState('reorged_out', 'user_paid');
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
];
