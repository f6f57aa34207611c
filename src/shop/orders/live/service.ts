/** Tells buyers by the live channel what becomes of their orders. */
import { z } from 'zod';
import { afterCommit } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { PubSub } from '#src/platform/database/pub-sub.ts';
import type { LiveServer } from '#src/platform/live/live-server.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { Orders } from '../service.ts';
import type { ShownOrder } from '../show-order.ts';
import { payment } from '#src/shop/payments/contract.ts';
import type { OrderTimeline } from '../timeline/service.ts';

const ORDER = 'order';

type Sockets = Pick<LiveServer, 'send' | 'users' | 'isConnected'>;

export interface LiveOrdersOptions {
  readonly pubSub: Pick<PubSub, 'publish' | 'subscribe' | 'onGap'>;
  readonly orders: Pick<Orders, 'find' | 'findCurrent'>;
  readonly timeline: Pick<OrderTimeline, 'listOwners'>;
  readonly log: Log;
}

export class LiveOrders {
  readonly #options: LiveOrdersOptions;
  #sockets: Sockets | null = null;
  /** By user: orders that wait to be read, null for the one that matters now. */
  readonly #waiting = new Map<string, { readonly keys: Set<string | null>; last: Promise<void> }>();

  constructor(options: LiveOrdersOptions) {
    this.#options = options;
  }

  /** Something about these orders may be new, once the transaction is committed: in every process their buyers are told. */
  publish(tx: Db, orderIds: readonly string[]): void {
    afterCommit(tx, () => {
      for (const id of orderIds) this.#options.pubSub.publish(ORDER, id);
    });
  }

  /** Begins to tell those who listen in this process. */
  start(sockets: Sockets): void {
    this.#sockets = sockets;
    this.#options.pubSub.subscribe(ORDER, (ids) => void this.#sendChanged(sockets, ids));
    this.#options.pubSub.onGap(() => {
      for (const user of sockets.users) void this.sendCurrent(user);
    });
  }

  /** Tells somebody who has come, or come back, how the order stands that matters now. */
  sendCurrent(userId: string): Promise<void> {
    return this.#serialize(userId, null, () => this.#options.orders.findCurrent(userId));
  }

  async #sendChanged(sockets: Sockets, ids: readonly string[]): Promise<void> {
    // Most orders are nobody's who listens here.
    if (sockets.users.length === 0) return;
    const { orders, timeline } = this.#options;
    const owners = await this.#attempt(() => timeline.listOwners(ids));
    for (const { id, userId } of owners ?? []) {
      if (sockets.isConnected(userId)) void this.#serialize(userId, id, () => orders.find(userId, id));
    }
  }

  /**
   * Reads and sends, one after the other for each user: what is read later is sent later. What waits for its turn already
   * will read all that is new.
   */
  #serialize(userId: string, orderId: string | null, read: () => Promise<ShownOrder | null>): Promise<void> {
    const waiting = this.#waiting.get(userId) ?? { keys: new Set<string | null>(), last: Promise.resolve() };
    if (waiting.keys.has(orderId)) return waiting.last;
    this.#waiting.set(userId, waiting);
    waiting.keys.add(orderId);
    const before = waiting.last;
    const turn = async (): Promise<void> => {
      await before;
      waiting.keys.delete(orderId);
      const order = await this.#attempt(read);
      if (order) this.#send(userId, order);
      if (waiting.keys.size === 0) this.#waiting.delete(userId);
    };
    waiting.last = turn();
    return waiting.last;
  }

  #send(userId: string, { id, payment: shown }: ShownOrder): void {
    this.#sockets?.send(userId, {
      type: 'payment_update',
      data: { orderId: id, payment: z.encode(payment, shown) },
    });
  }

  /** What fails is not told; the pages look by themselves now and then. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.#options.log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'buyers were not told',
      );
      return null;
    }
  }
}
