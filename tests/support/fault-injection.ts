/** Seeded kills of shop and node around network steps. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from './seeded-random.ts';
import type { FaultInjector, NodeShop } from './node-shop.ts';

const SHOP_KILL_ONCE_IN = 3;
const NODE_STOP_ONCE_IN = 12;
/** Longer than the shop needs for a step. */
const MAX_PAUSE_MS = 400;

export class SeededFaultInjector implements FaultInjector {
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  async runWithFaults<T>(nodeShop: NodeShop, work: () => Promise<T>): Promise<T> {
    if (nodeShop.isKilled) return work();
    if (this.#random.isOneIn(NODE_STOP_ONCE_IN)) return this.#runBeforeNodeStop(nodeShop, work);
    if (!this.#random.isOneIn(SHOP_KILL_ONCE_IN)) return work();
    const moment = this.#random.pick(['before', 'during', 'after'] as const);
    const pause = this.#random.pickBelow(MAX_PAUSE_MS);
    if (moment === 'before') await nodeShop.kill();
    const step = work();
    if (moment === 'after') await step.catch(() => {});
    if (moment !== 'before') {
      await sleep(pause);
      await nodeShop.kill();
    }
    await step.catch(() => {});
    await nodeShop.restart();
    return step;
  }

  /** Stops the node after the step; a pass of chain sync fails until it is restarted. */
  async #runBeforeNodeStop<T>(nodeShop: NodeShop, work: () => Promise<T>): Promise<T> {
    const step = await work();
    await nodeShop.haltNode();
    await nodeShop.syncChain();
    await nodeShop.node.resume();
    await nodeShop.waitUntilChainUp();
    return step;
  }
}
