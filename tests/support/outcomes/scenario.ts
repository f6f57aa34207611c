import type { NodeShop } from '../node-shop.ts';

/** What can happen to payments, as steps that buyers, miners and time take, and what the shop must show at each. */
export interface Scenario {
  /** With the ids of what it proves. */
  readonly title: string;
  run(world: NodeShop): Promise<void>;
}

export const AFTER_THE_WINDOW_S = 7300;

/** Leaves the world as the next one wants it. */
export async function playScenario(outcome: Scenario, world: NodeShop): Promise<void> {
  try {
    await outcome.run(world);
  } finally {
    await world.cleanUp();
  }
}
