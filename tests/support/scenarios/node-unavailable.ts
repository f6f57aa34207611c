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
    async run(nodeShop) {
      const [confirmed, unpaid, seen] = [
        await nodeShop.placeOrder(),
        await nodeShop.placeOrder(),
        await nodeShop.placeOrder(),
      ];
      await nodeShop.pay(confirmed);
      await nodeShop.mine(1);
      await nodeShop.pay(seen);
      await seen.waitForState('seen', 'pending');
      await nodeShop.haltNode();
      await waitUntil(async () => (await nodeShop.readChainState()) === 'down');
      await nodeShop.moveClock(AFTER_THE_WINDOW_S);
      for (const [order, status] of [
        [confirmed, 'paid'],
        [unpaid, 'pending'],
        [seen, 'pending'],
      ] as const) {
        assert.equal((await order.readOrder()).status, status);
      }
      const duringOutage = await nodeShop.placeOrder();
      await nodeShop.node.resume();
      await nodeShop.waitUntilChainUp();
      await confirmed.waitForState('paid', 'paid');
      await unpaid.waitForState('expired', 'expired');
      // Seen in time, so the order stays open until its block.
      await seen.waitForState('seen', 'pending');
      await nodeShop.mine(1);
      await seen.waitForState('paid', 'paid');
      await duringOutage.waitForState('awaiting', 'pending');
    },
  },
  {
    title: '[PAY-09] the shop is killed repeatedly while payments and blocks arrive',
    async run(nodeShop) {
      const orders = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const order = await nodeShop.placeOrder();
        orders.push(order);
        await nodeShop.pay(order);
        if (round % 2 === 0) await nodeShop.mine(1);
        await nodeShop.kill();
        const [newest] = await nodeShop.mineUnwatched(2);
        if (round === ROUNDS - 1) {
          await nodeShop.call('invalidateblock', newest);
          await nodeShop.mineUnwatched(4);
        }
        await nodeShop.restart();
      }
      for (const order of orders) await order.waitForState('paid', 'paid');
    },
  },
  {
    title: '[PAY-09] [PAY-10] an expiry waits until 300 new blocks are processed',
    async run(nodeShop) {
      const [order, unpaid] = [await nodeShop.placeOrder(), await nodeShop.placeOrder()];
      await nodeShop.pay(order);
      await nodeShop.kill();
      await nodeShop.mineUnwatched(300);
      await nodeShop.restart();
      await order.waitForState('paid', 'paid');
      await nodeShop.waitUntilChainUp();
      await nodeShop.moveClock(FAR_BEYOND_S);
      await unpaid.waitForState('expired', 'expired');
    },
  },
];
