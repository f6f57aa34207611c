/** Payments and the window: late, partial, at another rate, to an old address. */
import assert from 'node:assert/strict';
import { sats } from '#src/shop/money.ts';
import { AFTER_THE_WINDOW_S } from './scenario.ts';
import type { Scenario } from './scenario.ts';

const PART = sats(200_000n);
const SMALL = sats(10_000n);
/** A rate at which the same dollars cost a tenth more, and one with less than a hundredth more. */
const DEAR = 100_000;
const HARDLY_DEARER = 110_500;

export const paymentWindow: readonly Scenario[] = [
  {
    title: '[PAY-10] nothing came: expired, and what comes late is accepted by itself where the rate still fits',
    async run(world) {
      const order = await world.placeOrder();
      await order.waitForState('awaiting', 'pending');
      await world.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('expired', 'expired');
      await world.setRate(HARDLY_DEARER);
      await world.pay(order);
      await order.waitForState('late', 'expired');
      await world.mine(1);
      await order.waitForState('paid', 'paid');
      assert.ok((await order.listEvents()).includes('late_accepted'));
    },
  },
  {
    title: '[PAY-10] late, and the rate forbids it: it waits, until the rate fits again',
    async run(world) {
      const order = await world.placeOrder();
      await world.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('expired', 'expired');
      await world.setRate(DEAR);
      await world.pay(order);
      await order.waitForState('late', 'expired');
      await world.mine(3);
      await order.waitForState('late', 'expired');
      await world.syncChain();
      await order.waitForState('late', 'expired');
      await world.setRate(HARDLY_DEARER);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-10] seen in time, confirmed after it: in time',
    async run(world) {
      const order = await world.placeOrder();
      await world.pay(order);
      await order.waitForState('seen', 'pending');
      await world.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('seen', 'pending');
      await world.setRate(DEAR);
      await world.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-10] reached the node in time while the shop was dead: in time when the shop returns after the window',
    async run(world) {
      await world.moveClock(-AFTER_THE_WINDOW_S);
      const order = await world.placeOrder();
      await order.waitForState('awaiting', 'pending');
      const due = await order.missing();
      await world.kill();
      await world.call('setmocktime', Math.floor(Date.now() / 1000) - AFTER_THE_WINDOW_S + 60);
      await world.call('sendtoaddress', order.address, Number(due) / 1e8);
      await world.call('setmocktime', 0);
      await world.restart({ clock: 0 });
      await order.waitForState('seen', 'pending');
      await world.setRate(DEAR);
      await world.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-10] [PAY-09] an old address paid: a part, the rest of it late, and once more',
    async run(world) {
      const order = await world.placeOrder();
      await world.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('expired', 'expired');
      await world.pay(order, SMALL);
      await order.waitForState('underpaid', 'expired');
      await world.mine(1);
      await order.waitForState('underpaid', 'expired');
      await world.pay(order);
      await order.waitForState('late', 'expired');
      await world.mine(1);
      await order.waitForState('paid', 'paid');
      await world.pay(order, SMALL);
      await world.mine(1);
      await order.waitForState('overpaid', 'paid');
    },
  },
  {
    title: '[PAY-11] a cancelled order’s address paid: never paid by that, never lost',
    async run(world) {
      const order = await world.placeOrder();
      const due = await order.missing();
      assert.equal((await order.ask('POST', '/cancel')).status, 200);
      await order.waitForState('awaiting', 'cancelled');
      await world.pay(order, SMALL);
      await order.waitForState('underpaid', 'cancelled');
      await world.pay(order, due);
      await order.waitForState('late', 'cancelled');
      await world.mine(6);
      await order.waitForState('late', 'cancelled');
    },
  },
  {
    title: '[PAY-11] quoted again with a part received: the part keeps its worth, the rest has the new rate',
    async run(world) {
      const order = await world.placeOrder({ slug: 'mac-mini-m4' });
      const { due } = await order.see();
      await world.pay(order, PART);
      await order.waitForState('underpaid', 'pending');
      await world.mine(1);
      await world.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('underpaid', 'expired');
      await world.setRate(DEAR);
      assert.equal((await order.ask('POST', '/requote')).status, 200);
      await order.waitForState('underpaid', 'pending');
      const rest = (await order.see()).due - PART;
      // 599 dollars minus the worth of the part.
      const exact = (59_900 * Number(due - PART)) / Number(due) / (DEAR * 100);
      const above = Number(rest) - exact * 1e8;
      assert.ok(above > -1 && above < 120, `${rest} sats for ${exact} BTC`);
      await world.pay(order);
      await order.waitForState('seen', 'pending');
      await world.mine(2);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-11] the part that a quote counted on is replaced: the quote is void',
    async run(world) {
      const order = await world.placeOrder({ slug: 'mac-mini-m4' });
      const txid = await world.pay(order, PART);
      await order.waitForState('underpaid', 'pending');
      await world.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('underpaid', 'expired');
      assert.equal((await order.ask('POST', '/requote')).status, 200);
      await order.waitForState('underpaid', 'pending');
      await world.doubleSpend(txid);
      await order.waitForState('expired', 'expired');
      assert.ok((await order.listEvents()).includes('quote_void'));
      assert.equal((await order.ask('POST', '/requote')).status, 200);
      await order.waitForState('replaced', 'pending');
      await world.pay(order);
      await order.waitForState('seen', 'pending');
      await world.mine(2);
      await order.waitForState('paid', 'paid');
    },
  },
];
