/** Payments while the node or the shop is unavailable. */
import assert from 'node:assert/strict';
import { waitUntil } from '../wait-until.ts';
import { AFTER_THE_WINDOW_S } from './scenario.ts';
import type { Scenario } from './scenario.ts';

const FAR_BEYOND_S = 20_000;
const ROUNDS = 4;

export const nodeUnavailable: readonly Scenario[] = [
  {
    title: '[PAY-09] [PAY-10] nothing expires while the node is stopped; the shop still sells',
    async run(world) {
      const [confirmed, unpaid, seen] = [await world.placeOrder(), await world.placeOrder(), await world.placeOrder()];
      await world.pay(confirmed);
      await world.mine(1);
      await world.pay(seen);
      await seen.waitForState('seen', 'pending');
      await world.haltNode();
      await waitUntil(async () => (await world.chain()) === 'down');
      await world.moveClock(AFTER_THE_WINDOW_S);
      for (const [order, status] of [
        [confirmed, 'paid'],
        [unpaid, 'pending'],
        [seen, 'pending'],
      ] as const) {
        assert.equal((await order.see()).status, status);
      }
      const duringOutage = await world.placeOrder();
      await world.node.resume();
      await world.waitUntilChainUp();
      await confirmed.waitForState('paid', 'paid');
      await unpaid.waitForState('expired', 'expired');
      // Seen in time, so the order stays open until its block.
      await seen.waitForState('seen', 'pending');
      await world.mine(1);
      await seen.waitForState('paid', 'paid');
      await duringOutage.waitForState('awaiting', 'pending');
    },
  },
  {
    title: '[PAY-09] the shop is killed repeatedly while payments and blocks arrive',
    async run(world) {
      const orders = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const order = await world.placeOrder();
        orders.push(order);
        await world.pay(order);
        if (round % 2 === 0) await world.mine(1);
        await world.kill();
        const [newest] = await world.mineUnwatched(2);
        if (round === ROUNDS - 1) {
          await world.call('invalidateblock', newest);
          await world.mineUnwatched(4);
        }
        await world.restart();
      }
      for (const order of orders) await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] [PAY-10] an expiry waits until 300 new blocks are processed',
    async run(world) {
      const [order, unpaid] = [await world.placeOrder(), await world.placeOrder()];
      await world.pay(order);
      await world.kill();
      await world.mineUnwatched(300);
      await world.restart();
      await order.waitForState('paid', 'paid');
      await world.waitUntilChainUp();
      await world.moveClock(FAR_BEYOND_S);
      await unpaid.waitForState('expired', 'expired');
    },
  },
];
