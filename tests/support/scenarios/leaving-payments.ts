/** Lost payments: replaced, dropped or reorganised. */
import assert from 'node:assert/strict';
import { sats } from '#src/shop/money.ts';
import type { Scenario } from './scenario.ts';

const FEE = 20_000n;

export const leaving: readonly Scenario[] = [
  {
    title: '[PAY-09] replaced by a double-spend',
    async run(world) {
      const order = await world.placeOrder();
      const txid = await world.pay(order);
      await order.waitForState('seen', 'pending');
      await world.doubleSpend(txid);
      await order.waitForState('replaced', 'pending');
      await world.mine(1);
      await order.waitForState('replaced', 'pending');
      await world.pay(order);
      await order.waitForState('seen', 'pending');
      await world.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] a fee bump stays seen and counts once',
    async run(world) {
      const order = await world.placeOrder();
      const txid = await world.pay(order);
      await order.waitForState('seen', 'pending');
      await world.doubleSpend(txid, { [order.address]: (await order.see()).due });
      await order.waitForState('seen', 'pending');
      await world.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] a replaced parent removes its child payment',
    async run(world) {
      const order = await world.placeOrder();
      const due = await order.missing();
      const coin = await world.wallet.findCoin(due);
      const funds = sats(coin.amount - FEE);
      const parent = await world.send(
        await world.wallet.signTransaction([coin], { [await world.wallet.address()]: funds }),
      );
      const rest = sats(funds - due - FEE);
      const outputs = { [order.address]: due, [await world.wallet.address()]: rest };
      await world.send(await world.wallet.signTransaction([{ txid: parent, vout: 0 }], outputs));
      await order.waitForState('seen', 'pending');
      await world.doubleSpend(parent);
      await order.waitForState('replaced', 'pending');
      await world.mine(1);
      await order.waitForState('replaced', 'pending');
      await world.pay(order);
      await world.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] dropped from the mempool and sent again',
    async run(world) {
      const order = await world.placeOrder();
      const raw = await world.wallet.readRaw(await world.pay(order));
      await order.waitForState('seen', 'pending');
      await world.haltNode();
      await world.node.resume('-persistmempool=0', '-walletbroadcast=0');
      await order.waitForState('dropped', 'pending');
      await world.call('sendrawtransaction', raw);
      await order.waitForState('seen', 'pending');
      await world.mine(1);
      await order.waitForState('paid', 'paid');
      await world.haltNode();
      await world.node.resume();
    },
  },
  {
    title: '[PAY-09] reorganised before it was paid',
    async run(world) {
      const order = await world.placeOrder({ slug: 'mac-mini-m4' });
      await world.pay(order);
      await order.waitForState('seen', 'pending');
      await world.mine(1);
      await order.waitForState('confirming', 'pending');
      await world.reorganise(1);
      await order.waitForState('seen', 'pending');
      await world.mine(2);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-12] a paid order is reorganised and paid again on the new branch',
    async run(world) {
      const order = await world.placeOrder();
      const txid = await world.pay(order);
      await world.mine(2);
      await order.waitForState('paid', 'paid');
      await world.reorganise(2);
      await order.waitForState('reorged_out', 'user_paid');
      assert.ok((await world.wallet.readRaw(txid)).length > 0, 'it is in the mempool again');
      await world.mine(1);
      await order.waitForState('paid', 'paid');
      const events = await order.listEvents();
      for (const expected of ['paid', 'reorged_out', 'paid_again']) {
        assert.equal(events.filter((kind) => kind === expected).length, 1, `${expected} in ${events.join(', ')}`);
      }
    },
  },
  {
    title: '[PAY-12] a paid order is reorganised and double-spent on the new branch',
    async run(world) {
      const order = await world.placeOrder();
      const txid = await world.pay(order);
      await world.mine(1);
      await order.waitForState('paid', 'paid');
      await world.reorganise(1);
      await order.waitForState('reorged_out', 'user_paid');
      await world.doubleSpend(txid);
      await world.mine(1);
      await order.waitForState('reorged_out', 'user_paid');
      assert.equal((await order.see()).received, 0n);
      await world.pay(order);
      await world.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
];
