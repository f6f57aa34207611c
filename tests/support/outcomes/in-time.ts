/** Payments and the clock: too late, in part, at another rate, to an old address. */
import assert from 'node:assert/strict';
import { sats } from '#src/shop/money.ts';
import { AFTER_THE_WINDOW_S } from './outcome.ts';
import type { Outcome } from './outcome.ts';

const PART = sats(200_000n);
const SMALL = sats(10_000n);
/** Asks a tenth more of the same dollars, and less than a hundredth more. */
const DEAR = 100_000;
const HARDLY_DEARER = 110_500;

export const inTime: readonly Outcome[] = [
  {
    title: '[PAY-10] nothing came: expired, and what comes late is accepted by itself where the rate still fits',
    async run(world) {
      const order = await world.order();
      await order.shows('awaiting', 'pending');
      await world.clock(AFTER_THE_WINDOW_S);
      await order.shows('expired', 'expired');
      await world.rate(HARDLY_DEARER);
      await world.pay(order);
      await order.shows('late', 'expired');
      await world.mine(1);
      await order.shows('paid', 'paid');
      assert.ok((await order.turns()).includes('late_accepted'));
    },
  },
  {
    title: '[PAY-10] late, and the rate forbids it: it waits, until the rate fits again',
    async run(world) {
      const order = await world.order();
      await world.clock(AFTER_THE_WINDOW_S);
      await order.shows('expired', 'expired');
      await world.rate(DEAR);
      await world.pay(order);
      await order.shows('late', 'expired');
      await world.mine(3);
      await order.shows('late', 'expired');
      await world.look();
      await order.shows('late', 'expired');
      await world.rate(HARDLY_DEARER);
      await order.shows('paid', 'paid');
    },
  },
  {
    title: '[PAY-10] seen in time, confirmed after it: in time',
    async run(world) {
      const order = await world.order();
      await world.pay(order);
      await order.shows('seen', 'pending');
      await world.clock(AFTER_THE_WINDOW_S);
      await order.shows('seen', 'pending');
      await world.rate(DEAR);
      await world.mine(1);
      await order.shows('paid', 'paid');
    },
  },
  {
    title: '[PAY-10] reached the node in time while the shop was dead: in time when the shop returns after the window',
    async run(world) {
      await world.clock(-AFTER_THE_WINDOW_S);
      const order = await world.order();
      await order.shows('awaiting', 'pending');
      const due = await order.missing();
      await world.kill();
      await world.call('setmocktime', Math.floor(Date.now() / 1000) - AFTER_THE_WINDOW_S + 60);
      await world.call('sendtoaddress', order.address, Number(due) / 1e8);
      await world.call('setmocktime', 0);
      await world.revive({ clock: 0 });
      await order.shows('seen', 'pending');
      await world.rate(DEAR);
      await world.mine(1);
      await order.shows('paid', 'paid');
    },
  },
  {
    title: '[PAY-10] [PAY-09] an old address paid: a part, the rest of it late, and once more',
    async run(world) {
      const order = await world.order();
      await world.clock(AFTER_THE_WINDOW_S);
      await order.shows('expired', 'expired');
      await world.pay(order, SMALL);
      await order.shows('underpaid', 'expired');
      await world.mine(1);
      await order.shows('underpaid', 'expired');
      await world.pay(order);
      await order.shows('late', 'expired');
      await world.mine(1);
      await order.shows('paid', 'paid');
      await world.pay(order, SMALL);
      await world.mine(1);
      await order.shows('overpaid', 'paid');
    },
  },
  {
    title: '[PAY-11] a cancelled order’s address paid: never paid by that, never lost',
    async run(world) {
      const order = await world.order();
      const due = await order.missing();
      assert.equal((await order.ask('POST', '/cancel')).status, 200);
      await order.shows('awaiting', 'cancelled');
      await world.pay(order, SMALL);
      await order.shows('underpaid', 'cancelled');
      await world.pay(order, due);
      await order.shows('late', 'cancelled');
      await world.mine(6);
      await order.shows('late', 'cancelled');
    },
  },
  {
    title: '[PAY-11] quoted again with a part received: the part keeps its worth, the rest has the new rate',
    async run(world) {
      const order = await world.order({ slug: 'mac-mini-m4' });
      const { due } = await order.see();
      await world.pay(order, PART);
      await order.shows('underpaid', 'pending');
      await world.mine(1);
      await world.clock(AFTER_THE_WINDOW_S);
      await order.shows('underpaid', 'expired');
      await world.rate(DEAR);
      assert.equal((await order.ask('POST', '/requote')).status, 200);
      await order.shows('underpaid', 'pending');
      const rest = (await order.see()).due - PART;
      // 599 dollars less what the part was worth of them.
      const exact = (59_900 * Number(due - PART)) / Number(due) / (DEAR * 100);
      const above = Number(rest) - exact * 1e8;
      assert.ok(above > -1 && above < 120, `${rest} sats for ${exact} BTC`);
      await world.pay(order);
      await order.shows('seen', 'pending');
      await world.mine(2);
      await order.shows('paid', 'paid');
    },
  },
  {
    title: '[PAY-11] the part that a quote counted on is replaced: the quote is void',
    async run(world) {
      const order = await world.order({ slug: 'mac-mini-m4' });
      const txid = await world.pay(order, PART);
      await order.shows('underpaid', 'pending');
      await world.clock(AFTER_THE_WINDOW_S);
      await order.shows('underpaid', 'expired');
      assert.equal((await order.ask('POST', '/requote')).status, 200);
      await order.shows('underpaid', 'pending');
      await world.doubleSpend(txid);
      await order.shows('expired', 'expired');
      assert.ok((await order.turns()).includes('quote_void'));
      assert.equal((await order.ask('POST', '/requote')).status, 200);
      await order.shows('replaced', 'pending');
      await world.pay(order);
      await order.shows('seen', 'pending');
      await world.mine(2);
      await order.shows('paid', 'paid');
    },
  },
];
