/** Lost payments: replaced, dropped or reorganised. */
import assert from 'node:assert/strict';
import { sats } from '#src/shop/money.ts';
import type { Scenario } from './scenario.ts';

const FEE = 20_000n;

export const leaving: readonly Scenario[] = [
  {
    title: '[PAY-09] replaced by a double-spend',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      const txid = await nodeShop.pay(order);
      await order.waitForState('seen', 'pending');
      await nodeShop.doubleSpend(txid);
      await order.waitForState('replaced', 'pending');
      await nodeShop.mine(1);
      await order.waitForState('replaced', 'pending');
      await nodeShop.pay(order);
      await order.waitForState('seen', 'pending');
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] a fee bump stays seen and counts once',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      const txid = await nodeShop.pay(order);
      await order.waitForState('seen', 'pending');
      await nodeShop.doubleSpend(txid, { [order.address]: (await order.readOrder()).due });
      await order.waitForState('seen', 'pending');
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] a replaced parent removes its child payment',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      const due = await order.missing();
      const coin = await nodeShop.wallet.findCoin(due);
      const funds = sats(coin.amount - FEE);
      const parent = await nodeShop.send(
        await nodeShop.wallet.signTransaction([coin], { [await nodeShop.wallet.createAddress()]: funds }),
      );
      const rest = sats(funds - due - FEE);
      const outputs = { [order.address]: due, [await nodeShop.wallet.createAddress()]: rest };
      await nodeShop.send(await nodeShop.wallet.signTransaction([{ txid: parent, vout: 0 }], outputs));
      await order.waitForState('seen', 'pending');
      await nodeShop.doubleSpend(parent);
      await order.waitForState('replaced', 'pending');
      await nodeShop.mine(1);
      await order.waitForState('replaced', 'pending');
      await nodeShop.pay(order);
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] dropped from the mempool and sent again',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      const raw = await nodeShop.wallet.readRaw(await nodeShop.pay(order));
      await order.waitForState('seen', 'pending');
      await nodeShop.haltNode();
      await nodeShop.node.resume('-persistmempool=0', '-walletbroadcast=0');
      await order.waitForState('dropped', 'pending');
      await nodeShop.call('sendrawtransaction', raw);
      await order.waitForState('seen', 'pending');
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
      await nodeShop.haltNode();
      await nodeShop.node.resume();
    },
  },
  {
    title: '[PAY-09] reorganised before it was paid',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder({ slug: 'mac-mini-m4' });
      await nodeShop.pay(order);
      await order.waitForState('seen', 'pending');
      await nodeShop.mine(1);
      await order.waitForState('confirming', 'pending');
      await nodeShop.reorganise(1);
      await order.waitForState('seen', 'pending');
      await nodeShop.mine(2);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-12] a paid order is reorganised and paid again on the new branch',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      const txid = await nodeShop.pay(order);
      await nodeShop.mine(2);
      await order.waitForState('paid', 'paid');
      await nodeShop.reorganise(2);
      await order.waitForState('reorged_out', 'user_paid');
      assert.ok((await nodeShop.wallet.readRaw(txid)).length > 0, 'it is in the mempool again');
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
      const events = await order.listEvents();
      for (const expected of ['paid', 'reorged_out', 'paid_again']) {
        assert.equal(events.filter((kind) => kind === expected).length, 1, `${expected} in ${events.join(', ')}`);
      }
    },
  },
  {
    title: '[PAY-12] a paid order is reorganised and double-spent on the new branch',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      const txid = await nodeShop.pay(order);
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
      await nodeShop.reorganise(1);
      await order.waitForState('reorged_out', 'user_paid');
      await nodeShop.doubleSpend(txid);
      await nodeShop.mine(1);
      await order.waitForState('reorged_out', 'user_paid');
      assert.equal((await order.readOrder()).received, 0n);
      await nodeShop.pay(order);
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
];
