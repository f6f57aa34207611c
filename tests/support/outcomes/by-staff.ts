/** What staff decide: an order settled by hand. */
import assert from 'node:assert/strict';
import { sats } from '#src/shop/money.ts';
import type { NodeOrder } from '../node-order.ts';
import type { NodeShop } from '../node-shop.ts';
import { textAt } from '../read-json.ts';
import { AFTER_THE_WINDOW_S } from './outcome.ts';
import type { Outcome } from './outcome.ts';

const SMALL = sats(10_000n);
/** Asks a tenth more of the same dollars. */
const DEAR = 100_000;

async function settle(world: NodeShop, order: NodeOrder): Promise<void> {
  const { body, status } = await world.staff('POST', `/orders/${order.id}/settle`, { reason: 'A gesture' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.ok((await order.turns()).includes('settled'));
}

export const byStaff: readonly Outcome[] = [
  {
    title: '[PAY-10] [OPS-03] late, the rate forbids it, and staff settle it by hand',
    async run(world) {
      const order = await world.order();
      await world.clock(AFTER_THE_WINDOW_S);
      await order.shows('expired', 'expired');
      await world.rate(DEAR);
      await world.pay(order);
      await order.shows('late', 'expired', { needs: 'late-confirming' });
      await world.mine(1);
      await order.shows('late', 'expired', { needs: 'late-rate' });
      await settle(world, order);
      await order.shows('paid', 'paid', { needs: null });
      await world.mine(1);
      await order.shows('paid', 'paid');
    },
  },
  {
    title: '[PAY-10] [OPS-03] a part only, expired, and staff take it for the whole, once it is confirmed',
    async run(world) {
      const order = await world.order();
      await world.pay(order, SMALL);
      await order.shows('underpaid', 'pending');
      await world.clock(AFTER_THE_WINDOW_S);
      await order.shows('underpaid', 'expired', { needs: 'underpaid-over' });
      const early = await world.staff('POST', `/orders/${order.id}/settle`, { reason: 'Too early' });
      assert.equal(textAt(early.body, 'error', 'code'), 'not-confirmed');
      await world.mine(1);
      await order.shows('underpaid', 'expired', { needs: 'underpaid-over' });
      await settle(world, order);
      await order.shows('paid', 'paid', { needs: null });
      assert.equal((await order.see()).due, SMALL);
      await world.reorganise(1);
      await order.shows('reorged_out', 'user_paid');
      await world.mine(1);
      await order.shows('paid', 'paid');
    },
  },
  {
    title: '[PAY-11] [OPS-03] a cancelled order was paid, and staff settle it',
    async run(world) {
      const order = await world.order();
      const due = await order.missing();
      assert.equal((await order.ask('POST', '/cancel')).status, 200);
      await order.shows('awaiting', 'cancelled');
      await world.pay(order, due);
      await order.shows('late', 'cancelled', { needs: 'cancelled-paid' });
      await world.mine(1);
      await order.shows('late', 'cancelled', { needs: 'cancelled-paid' });
      await settle(world, order);
      await order.shows('paid', 'paid', { needs: null });
    },
  },
];
