/** A buyer with a live channel at each process: notifications must arrive there after each fault. */
import { LiveClient } from '../live-client.ts';
import { waitUntil } from '../wait-until.ts';
import { BUYER_PREFIX } from './cluster-buyers.ts';
import type { ClusterBuyers } from './cluster-buyers.ts';
import type { ClusterShop } from './cluster-shop.ts';

export class ClusterWatcher {
  readonly #shop: ClusterShop;
  readonly #buyers: ClusterBuyers;
  readonly #token: string;
  readonly #clients = new Map<string, LiveClient>();

  private constructor(shop: ClusterShop, buyers: ClusterBuyers, token: string) {
    [this.#shop, this.#buyers, this.#token] = [shop, buyers, token];
  }

  static async start(shop: ClusterShop, buyers: ClusterBuyers): Promise<ClusterWatcher> {
    const watcher = new ClusterWatcher(shop, buyers, await buyers.signUp(`${BUYER_PREFIX}watcher`));
    await watcher.#connect();
    return watcher;
  }

  /** A channel ends with its process only. */
  async #connect(): Promise<void> {
    for (const { url } of this.#shop.processes) {
      if (this.#clients.get(url)?.isOpen !== true) {
        this.#clients.set(url, await new LiveClient(url).signIn(this.#token));
      }
    }
  }

  /** Waits until all processes have sent that a new order is paid. */
  async check(): Promise<void> {
    await this.#connect();
    const { id } = await this.#buyers.buy(this.#token);
    await waitUntil(() => [...this.#clients.values()].every((client) => client.listStates(id).includes('paid')));
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
  }
}
