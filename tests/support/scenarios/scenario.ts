import type { NodeShop } from '../node-shop.ts';

/** Payment scenarios as steps of buyers, miners and time, with the expected state after each. */
export interface Scenario {
  /** With the ids of the verified requirements. */
  readonly title: string;
  run(nodeShop: NodeShop): Promise<void>;
}

export const AFTER_THE_WINDOW_S = 7300;

/** Plays a scenario and resets the shop for the next one. */
export async function playScenario(scenario: Scenario, nodeShop: NodeShop): Promise<void> {
  try {
    await scenario.run(nodeShop);
  } finally {
    await nodeShop.cleanUp();
  }
}
