/** Decisions of staff: an order accepted as paid. */
import assert from 'node:assert/strict';
import { sats } from '#src/shop/money.ts';
import type { NodeOrder } from '../node-order.ts';
import type { NodeShop } from '../node-shop.ts';
import { textAt } from '../read-json.ts';
import { AFTER_THE_WINDOW_S } from './scenario.ts';
import type { Scenario } from './scenario.ts';

const SMALL = sats(10_000n);
/** A rate at which the same dollars cost 10 percent more. */
const DEAR = 100_000;

async function acceptAsPaid(nodeShop: NodeShop, order: NodeOrder): Promise<void> {
  const { body, status } = await nodeShop.callAsStaff('POST', `/orders/${order.id}/settle`, { reason: 'A gesture' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.ok((await order.listEvents()).includes('settled'));
}

export const staffDecisions: readonly Scenario[] = [
  {
    title: '[PAY-10] [OPS-03] staff accept a late payment at another rate',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      await nodeShop.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('expired', 'expired');
      await nodeShop.setRate(DEAR);
      await nodeShop.pay(order);
      await order.waitForState('late', 'expired', { needs: 'late-confirming' });
      await nodeShop.mine(1);
      await order.waitForState('late', 'expired', { needs: 'late-rate' });
      await acceptAsPaid(nodeShop, order);
      await order.waitForState('paid', 'paid', { needs: null });
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-10] [OPS-03] staff accept an expired partial payment once it is confirmed',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      await nodeShop.pay(order, SMALL);
      await order.waitForState('underpaid', 'pending');
      await nodeShop.moveClock(AFTER_THE_WINDOW_S);
      await order.waitForState('underpaid', 'expired', { needs: 'underpaid-over' });
      const early = await nodeShop.callAsStaff('POST', `/orders/${order.id}/settle`, { reason: 'Too early' });
      assert.equal(textAt(early.body, 'error', 'code'), 'not-confirmed');
      await nodeShop.mine(1);
      await order.waitForState('underpaid', 'expired', { needs: 'underpaid-over' });
      await acceptAsPaid(nodeShop, order);
      await order.waitForState('paid', 'paid', { needs: null });
      assert.equal((await order.readOrder()).due, SMALL);
      await nodeShop.reorganise(1);
      await order.waitForState('reorged_out', 'user_paid');
      await nodeShop.mine(1);
      await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-11] [OPS-03] staff accept the payment of a cancelled order',
    async run(nodeShop) {
      const order = await nodeShop.placeOrder();
      const due = await order.missing();
      assert.equal((await order.call('POST', '/cancel')).status, 200);
      await order.waitForState('awaiting', 'cancelled');
      await nodeShop.pay(order, due);
      await order.waitForState('late', 'cancelled', { needs: 'cancelled-paid' });
      await nodeShop.mine(1);
      await order.waitForState('late', 'cancelled', { needs: 'cancelled-paid' });
      await acceptAsPaid(nodeShop, order);
      await order.waitForState('paid', 'paid', { needs: null });
    },
  },
];
