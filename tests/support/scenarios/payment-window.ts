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
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      await order.waitForState('awaiting', 'pending');
      await nodeShop.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('expired', 'expired');
      await nodeShop.setRate(HARDLY_DEARER);
      await nodeShop.pay(order);
      await order.waitForState('late', 'expired');
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
      assert.ok((await order.listEvents()).includes('late_accepted'));
    },
  },
  {
    title: '[PAY-10] a late payment waits until the rate fits again',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      await nodeShop.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('expired', 'expired');
      await nodeShop.setRate(DEAR);
      await nodeShop.pay(order);
      await order.waitForState('late', 'expired');
      await nodeShop.mine(3);
      await order.waitForState('late', 'expired');
      await nodeShop.syncChain();
      await order.waitForState('late', 'expired');
      await nodeShop.setRate(HARDLY_DEARER);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-10] a payment seen in time may confirm after the window',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      await nodeShop.pay(order);
      await order.waitForState('seen', 'pending');
      await nodeShop.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('seen', 'pending');
      await nodeShop.setRate(DEAR);
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-10] a payment during shop downtime counts as in time',
    async run(nodeShop) {
      await nodeShop.moveClock(-AFTER_THE_WINDOW_S);
      const order = await nodeShop.placeOrder();
      await order.waitForState('awaiting', 'pending');
      const due = await order.missing();
      await nodeShop.kill();
      await nodeShop.call('setmocktime', Math.floor(Date.now() / 1000) - AFTER_THE_WINDOW_S + 60);
      await nodeShop.call('sendtoaddress', order.address, Number(due) / 1e8);
      await nodeShop.call('setmocktime', 0);
      await nodeShop.restart({ clock: 0 });
      await order.waitForState('seen', 'pending');
      await nodeShop.setRate(DEAR);
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-10] [PAY-09] an expired order is paid in parts, and once more',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      await nodeShop.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('expired', 'expired');
      await nodeShop.pay(order, SMALL);
      await order.waitForState('underpaid', 'expired');
      await nodeShop.mine(1);
      await order.waitForState('underpaid', 'expired');
      await nodeShop.pay(order);
      await order.waitForState('late', 'expired');
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
      await nodeShop.pay(order, SMALL);
      await nodeShop.mine(1);
      await order.waitForState('overpaid', 'paid');
    },
  },
  {
    title: '[PAY-11] a payment for a cancelled order is recorded as late',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      const due = await order.missing();
      assert.equal((await order.call('POST', '/cancel')).status, 200);
      await order.waitForState('awaiting', 'cancelled');
      await nodeShop.pay(order, SMALL);
      await order.waitForState('underpaid', 'cancelled');
      await nodeShop.pay(order, due);
      await order.waitForState('late', 'cancelled');
      await nodeShop.mine(6);
      await order.waitForState('late', 'cancelled');
    },
  },
  {
    title: '[PAY-11] a new quote keeps the received part at its old rate',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder({ slug: 'mac-mini-m4' });
      const { due } = await order.readOrder();
      await nodeShop.pay(order, PART);
      await order.waitForState('underpaid', 'pending');
      await nodeShop.mine(1);
      await nodeShop.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('underpaid', 'expired');
      await nodeShop.setRate(DEAR);
      assert.equal((await order.call('POST', '/requote')).status, 200);
      await order.waitForState('underpaid', 'pending');
      const rest = (await order.readOrder()).due - PART;
      // 599 dollars minus the value of the part.
      const exact = (59_900 * Number(due - PART)) / Number(due) / (DEAR * 100);
      const above = Number(rest) - exact * 1e8;
      assert.ok(above > -1 && above < 120, `${rest} sats for ${exact} BTC`);
      await nodeShop.pay(order);
      await order.waitForState('seen', 'pending');
      await nodeShop.mine(2);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-11] a quote is void after the part that it counted is replaced',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder({ slug: 'mac-mini-m4' });
      const txid = await nodeShop.pay(order, PART);
      await order.waitForState('underpaid', 'pending');
      await nodeShop.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('underpaid', 'expired');
      assert.equal((await order.call('POST', '/requote')).status, 200);
      await order.waitForState('underpaid', 'pending');
      await nodeShop.doubleSpend(txid);
      await order.waitForState('expired', 'expired');
      assert.ok((await order.listEvents()).includes('quote_void'));
      assert.equal((await order.call('POST', '/requote')).status, 200);
      await order.waitForState('replaced', 'pending');
      await nodeShop.pay(order);
      await order.waitForState('seen', 'pending');
      await nodeShop.mine(2);
      await order.waitForState('paid', 'paid');
    },
  },
];
