/** Payments that come while the node or the shop is not there. */
import assert from 'node:assert/strict';
import { until } from '../until.ts';
import { AFTER_THE_WINDOW_S } from './outcome.ts';
import type { Outcome } from './outcome.ts';

const FAR_BEYOND_S = 20_000;
const ROUNDS = 4;

export const away: readonly Outcome[] = [
  {
    title: '[PAY-09] [PAY-10] the node is stopped and started: nothing expires, the shop sells on',
    async run(world) {
      const [confirmed, unpaid, seen] = [await world.order(), await world.order(), await world.order()];
      await world.pay(confirmed);
      await world.mine(1);
      await world.pay(seen);
      await seen.shows('seen', 'pending');
      await world.halt();
      await until(async () => (await world.chain()) === 'down');
      await world.clock(AFTER_THE_WINDOW_S);
      for (const [order, status] of [
        [confirmed, 'paid'],
        [unpaid, 'pending'],
        [seen, 'pending'],
      ] as const) {
        assert.equal((await order.see()).status, status);
      }
      const meanwhile = await world.order();
      await world.node.resume();
      await world.isUp();
      await confirmed.shows('paid', 'paid');
      await unpaid.shows('expired', 'expired');
      // Seen in time, so it waits for its block.
      await seen.shows('seen', 'pending');
      await world.mine(1);
      await seen.shows('paid', 'paid');
      await meanwhile.shows('awaiting', 'pending');
    },
  },
  {
    title: '[PAY-09] the shop is killed again and again while payments and blocks come',
    async run(world) {
      const orders = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const order = await world.order();
        orders.push(order);
        await world.pay(order);
        if (round % 2 === 0) await world.mine(1);
        await world.kill();
        const [newest] = await world.mineUnwatched(2);
        if (round === ROUNDS - 1) {
          await world.call('invalidateblock', newest);
          await world.mineUnwatched(4);
        }
        await world.revive();
      }
      for (const order of orders) await order.shows('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] [PAY-10] three hundred blocks at once, and an expiry that waited for them',
    async run(world) {
      const [order, unpaid] = [await world.order(), await world.order()];
      await world.pay(order);
      await world.kill();
      await world.mineUnwatched(300);
      await world.revive();
      await order.shows('paid', 'paid');
      await world.isUp();
      await world.clock(FAR_BEYOND_S);
      await unpaid.shows('expired', 'expired');
    },
  },
];
