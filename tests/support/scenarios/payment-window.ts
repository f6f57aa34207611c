/** Payments around the end of the payment window: late, partial, at another rate. */
import assert from 'node:assert/strict';
import { sats } from '#src/shop/money.ts';
import { AFTER_THE_WINDOW_S } from './scenario.ts';
import type { Scenario } from './scenario.ts';

const PART = sats(200_000n);
const SMALL = sats(10_000n);
/** Rates at which the same dollars cost 10 percent more, and less than 1 percent more. */
const DEAR = 100_000;
const HARDLY_DEARER = 110_500;

export const paymentWindow: readonly Scenario[] = [
  {
    title: '[PAY-10] a late payment is accepted automatically while the rate fits',
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
    title: '[PAY-10] a late payment waits until the rate fits again',
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
    title: '[PAY-10] a payment seen in time may confirm after the window',
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
    title: '[PAY-10] a payment during shop downtime counts as in time',
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
    title: '[PAY-10] [PAY-09] an expired order is paid in parts, and once more',
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
    title: '[PAY-11] a payment for a cancelled order is recorded as late',
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
    title: '[PAY-11] a new quote keeps the received part at its old rate',
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
      // 599 dollars minus the value of the part.
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
    title: '[PAY-11] a quote is void after the part that it counted is replaced',
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
