/** Kills of the shop and the node around network steps, chosen by a seed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from './seeded-random.ts';
import type { FaultInjector, NodeShop } from './node-shop.ts';

const SHOP_DIES_ONCE_IN = 3;
const NODE_STOPS_ONCE_IN = 12;
/** As long as the shop takes for the step, and longer. */
const SOON_MS = 400;

export class SeededFaultInjector implements FaultInjector {
  readonly #chance: SeededRandom;

  constructor(chance: SeededRandom) {
    this.#chance = chance;
  }

  async around<T>(world: NodeShop, work: () => Promise<T>): Promise<T> {
    if (world.isDead) return work();
    if (this.#chance.isOneIn(NODE_STOPS_ONCE_IN)) return this.#nodeStops(world, work);
    if (!this.#chance.isOneIn(SHOP_DIES_ONCE_IN)) return work();
    const moment = this.#chance.pick(['before', 'during', 'after'] as const);
    const pause = this.#chance.nextBelow(SOON_MS);
    if (moment === 'before') await world.kill();
    const done = work();
    if (moment === 'after') await done.catch(() => {});
    if (moment !== 'before') {
      await sleep(pause);
      await world.kill();
    }
    await done.catch(() => {});
    await world.restart();
    return done;
  }

  /** And the shop looks for it in vain in between. */
  async #nodeStops<T>(world: NodeShop, work: () => Promise<T>): Promise<T> {
    const done = await work();
    await world.haltNode();
    await world.syncChain();
    await world.node.resume();
    await world.waitUntilChainUp();
    return done;
  }
}
