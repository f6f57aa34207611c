/** Payments that leave again: replaced, dropped, or with their block. */
import assert from 'node:assert/strict';
import { sats } from '#src/shop/money.ts';
import type { Outcome } from './outcome.ts';

const FEE = 20_000n;

export const leaving: readonly Outcome[] = [
  {
    title: '[PAY-09] replaced by a double spend, whatever the payment says of itself',
    async run(world) {
      const order = await world.order();
      const txid = await world.pay(order);
      await order.shows('seen', 'pending');
      await world.doubleSpend(txid);
      await order.shows('replaced', 'pending');
      await world.mine(1);
      await order.shows('replaced', 'pending');
      await world.pay(order);
      await order.shows('seen', 'pending');
      await world.mine(1);
      await order.shows('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] a higher fee for the same payment: seen all the while, counted once',
    async run(world) {
      const order = await world.order();
      const txid = await world.pay(order);
      await order.shows('seen', 'pending');
      await world.doubleSpend(txid, { [order.address]: (await order.see()).due });
      await order.shows('seen', 'pending');
      await world.mine(1);
      await order.shows('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] the payment’s parent is replaced, and the payment falls with it',
    async run(world) {
      const order = await world.order();
      const due = await order.missing();
      const coin = await world.wallet.coin(due);
      const funds = sats(coin.amount - FEE);
      const parent = await world.send(await world.wallet.signed([coin], { [await world.wallet.address()]: funds }));
      const rest = sats(funds - due - FEE);
      const outputs = { [order.address]: due, [await world.wallet.address()]: rest };
      await world.send(await world.wallet.signed([{ txid: parent, vout: 0 }], outputs));
      await order.shows('seen', 'pending');
      await world.doubleSpend(parent);
      await order.shows('replaced', 'pending');
      await world.mine(1);
      await order.shows('replaced', 'pending');
      await world.pay(order);
      await world.mine(1);
      await order.shows('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] dropped with the mempool, and back',
    async run(world) {
      const order = await world.order();
      const raw = await world.wallet.rawOf(await world.pay(order));
      await order.shows('seen', 'pending');
      await world.halt();
      await world.node.resume('-persistmempool=0', '-walletbroadcast=0');
      await order.shows('dropped', 'pending');
      await world.call('sendrawtransaction', raw);
      await order.shows('seen', 'pending');
      await world.mine(1);
      await order.shows('paid', 'paid');
      await world.halt();
      await world.node.resume();
    },
  },
  {
    title: '[PAY-09] reorganised before it was paid',
    async run(world) {
      const order = await world.order({ slug: 'mac-mini-m4' });
      await world.pay(order);
      await order.shows('seen', 'pending');
      await world.mine(1);
      await order.shows('confirming', 'pending');
      await world.reorganise(1);
      await order.shows('seen', 'pending');
      await world.mine(2);
      await order.shows('paid', 'paid');
    },
  },
  {
    title: '[PAY-12] a reorganisation takes a paid order back, and the new branch pays it again',
    async run(world) {
      const order = await world.order();
      const txid = await world.pay(order);
      await world.mine(2);
      await order.shows('paid', 'paid');
      await world.reorganise(2);
      await order.shows('reorged_out', 'user_paid');
      assert.ok((await world.wallet.rawOf(txid)).length > 0, 'it waits again');
      await world.mine(1);
      await order.shows('paid', 'paid');
      const turns = await order.turns();
      for (const turn of ['paid', 'reorged_out', 'paid_again']) {
        assert.equal(turns.filter((kind) => kind === turn).length, 1, `${turn} in ${turns.join(', ')}`);
      }
    },
  },
  {
    title: '[PAY-12] reorganised after it was paid, and double spent on the new branch',
    async run(world) {
      const order = await world.order();
      const txid = await world.pay(order);
      await world.mine(1);
      await order.shows('paid', 'paid');
      await world.reorganise(1);
      await order.shows('reorged_out', 'user_paid');
      await world.doubleSpend(txid);
      await world.mine(1);
      await order.shows('reorged_out', 'user_paid');
      assert.equal((await order.see()).received, 0n);
      await world.pay(order);
      await world.mine(1);
      await order.shows('paid', 'paid');
    },
  },
];
