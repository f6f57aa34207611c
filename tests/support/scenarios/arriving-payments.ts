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
    async run(world) {
      const order = await world.placeOrder();
      await order.waitForState('awaiting', 'pending');
      await world.pay(order);
      await order.waitForState('seen', 'pending', { unasked: true });
      await world.mine(1);
      await order.waitForState('paid', 'paid', { unasked: true });
    },
  },
  {
    title: '[PAY-04] the buyer’s report changes the status, never the payment',
    async run(world) {
      const order = await world.placeOrder();
      await order.waitForState('awaiting', 'pending');
      await world.api('PUT', '/orders/paid', order.buyer.token, { order_id: order.id });
      await order.waitForState('awaiting', 'user_paid');
      await world.mine(1);
      await order.waitForState('awaiting', 'user_paid');
      await world.pay(order);
      await order.waitForState('seen', 'user_paid');
      await world.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] paid in three transactions',
    async run(world) {
      const order = await world.placeOrder();
      await world.pay(order, SMALL);
      await order.waitForState('underpaid', 'pending');
      await world.mine(1);
      await world.pay(order, SMALL);
      await order.waitForState('underpaid', 'pending');
      await world.pay(order);
      await order.waitForState('seen', 'pending');
      await world.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] overpaid in one transaction',
    async run(world) {
      const order = await world.placeOrder();
      await world.pay(order, sats((await order.missing()) + 12_345n));
      await order.waitForState('seen', 'pending');
      await world.mine(1);
      await order.waitForState('overpaid', 'paid');
    },
  },
  {
    title: '[PAY-09] paid again after it was paid: a surplus once confirmed',
    async run(world) {
      const order = await world.placeOrder();
      await world.pay(order);
      await world.mine(1);
      await order.waitForState('paid', 'paid');
      await world.pay(order, SMALL);
      await order.waitForState('paid', 'paid');
      await world.mine(1);
      await order.waitForState('overpaid', 'paid');
      await world.mine(6);
      await world.pay(order, SMALL);
      await world.mine(1);
      await order.waitForState('overpaid', 'paid');
    },
  },
  {
    title: '[PAY-09] two orders in one transaction',
    async run(world) {
      const [left, right] = [await world.placeOrder(), await world.placeOrder()];
      await world.payAll({ [left.address]: await left.missing(), [right.address]: await right.missing() });
      for (const order of [left, right]) await order.waitForState('seen', 'pending');
      await world.mine(1);
      for (const order of [left, right]) await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] a replacement pays two of three orders',
    async run(world) {
      const [first, second, third] = [await world.placeOrder(), await world.placeOrder(), await world.placeOrder()];
      const due = await first.missing();
      const txid = await world.payAll({ [first.address]: due, [second.address]: due, [third.address]: due });
      for (const order of [first, second, third]) await order.waitForState('seen', 'pending');
      await world.doubleSpend(txid, { [first.address]: due, [third.address]: due });
      for (const order of [first, third]) await order.waitForState('seen', 'pending');
      await second.waitForState('replaced', 'pending');
      await world.mine(1);
      for (const order of [first, third]) await order.waitForState('paid', 'paid');
      await second.waitForState('replaced', 'pending');
      await world.pay(second);
      await second.waitForState('seen', 'pending');
      await world.mine(1);
      await second.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] the amount decides the required confirmations: 1, 2, 3, 6',
    async run(world) {
      const orders = [
        { required: 1, order: await world.placeOrder() },
        { required: 2, order: await world.placeOrder({ slug: 'mac-mini-m4' }) },
        { required: 3, order: await world.placeOrder({ slug: 'macbook-pro-16-m4-pro', quantity: 3 }) },
        { required: 6, order: await world.placeOrder({ slug: 'macbook-pro-16-m4-pro', quantity: 11 }) },
      ];
      for (const { order, required } of orders) {
        assert.equal((await order.see()).required, required);
        await world.pay(order);
      }
      for (const { order } of orders) await order.waitForState('seen', 'pending');
      for (let block = 1; block <= 6; block += 1) {
        await world.mine(1);
        for (const { order, required } of orders) {
          if (block > required) continue;
          if (block === required) await order.waitForState('paid', 'paid');
          else {
            await order.waitForState('confirming', 'pending');
            assert.equal((await order.see()).confirmations, block);
          }
        }
      }
    },
  },
  {
    title: '[PAY-09] dust is refused by the network and counted when mined',
    async run(world) {
      const order = await world.placeOrder();
      const signDustPayment = async (amount: bigint): Promise<string> => {
        const coin = await world.wallet.findCoin(sats(amount));
        const rest = sats(coin.amount - amount - 50_000n);
        return world.wallet.signTransaction([coin], {
          [order.address]: sats(amount),
          [await world.wallet.address()]: rest,
        });
      };
      await assert.rejects(world.send(await signDustPayment(DUST_LIMIT - 1n)), /dust/);
      await order.waitForState('awaiting', 'pending');
      await world.send(await signDustPayment(DUST_LIMIT));
      await order.waitForState('underpaid', 'pending');
      await world.mine(1);
      await world.mineOnly(await signDustPayment(1n));
      await order.waitForState('underpaid', 'pending');
      assert.equal((await order.see()).received, DUST_LIMIT + 1n);
      await world.pay(order);
      await order.waitForState('seen', 'pending');
      await world.mine(1);
      await order.waitForState('paid', 'paid');
      await world.mineOnly(await signDustPayment(1n));
      await order.waitForState('overpaid', 'paid');
    },
  },
  {
    title: '[PAY-09] a payment without a fee is first seen in a block',
    async run(world) {
      const order = await world.placeOrder();
      const due = await order.missing();
      const coin = await world.wallet.findCoin(due);
      const outputs = { [order.address]: due, [await world.wallet.address()]: sats(coin.amount - due) };
      const raw = await world.wallet.signTransaction([coin], outputs);
      await assert.rejects(world.send(raw), /fee not met/);
      await order.waitForState('awaiting', 'pending');
      await world.mineOnly(raw);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] a payment during shop downtime is first seen in a block',
    async run(world) {
      const order = await world.placeOrder();
      const amount = sats((await order.missing()) + 1n);
      await world.kill();
      await world.call('sendtoaddress', order.address, Number(amount) / 1e8);
      await world.call('generatetoaddress', 3, await world.wallet.address());
      await world.restart();
      await order.waitForState('overpaid', 'paid');
    },
  },
  {
    title: '[PAY-09] a coinbase output counts once mature, until its block is reorganised',
    async run(world) {
      const order = await world.placeOrder();
      await world.mine(1, order.address);
      await order.waitForState('awaiting', 'pending', { needs: 'immature' });
      await world.reorganise(1);
      await order.waitForState('awaiting', 'pending', { needs: null });
      await world.mine(1, order.address);
      await world.mine(98);
      await order.waitForState('awaiting', 'pending', { needs: 'immature' });
      await world.mine(2);
      await order.waitForState('overpaid', 'paid');
      await world.reorganise(101);
      await order.waitForState('reorged_out', 'user_paid');
      await world.pay(order);
      await order.waitForState('reorged_out', 'user_paid');
      await world.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
];
