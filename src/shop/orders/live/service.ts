/** Sends order changes to buyers over the live channel. */
import { z } from 'zod';
import { runAfterCommit } from '#src/platform/database/database.ts';
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
  /** Orders to read, by user; null means the current order. */
  readonly #waiting = new Map<string, { readonly keys: Set<string | null>; last: Promise<void> }>();

  constructor(options: LiveOrdersOptions) {
    this.#options = options;
  }

  /** Notifies the buyers of these orders in every process, after the transaction commits. */
  publish(tx: Db, orderIds: readonly string[]): void {
    runAfterCommit(tx, () => {
      for (const id of orderIds) this.#options.pubSub.publish(ORDER, id);
    });
  }

  /** Starts sending to the connections of this process. */
  start(sockets: Sockets): void {
    this.#sockets = sockets;
    this.#options.pubSub.subscribe(ORDER, (ids) => void this.#sendChanged(sockets, ids));
    this.#options.pubSub.onGap(() => {
      for (const user of sockets.users) void this.sendCurrent(user);
    });
  }

  /** Sends the current order to a user who connected. */
  sendCurrent(userId: string): Promise<void> {
    return this.#serialize(userId, null, () => this.#options.orders.findCurrent(userId));
  }

  async #sendChanged(sockets: Sockets, ids: readonly string[]): Promise<void> {
    // Skip orders of users who are not connected here.
    if (sockets.users.length === 0) return;
    const { orders, timeline } = this.#options;
    const owners = await this.#attempt(() => timeline.listOwners(ids));
    for (const { id, userId } of owners ?? []) {
      if (sockets.isConnected(userId)) void this.#serialize(userId, id, () => orders.find(userId, id));
    }
  }

  /**
   * Serializes reads per user, so that later states are sent later. A queued read covers further
   * changes.
   */
  #serialize(userId: string, orderId: string | null, read: () => Promise<ShownOrder | null>): Promise<void> {
    const waiting = this.#waiting.get(userId) ?? { keys: new Set<string | null>(), last: Promise.resolve() };
    if (waiting.keys.has(orderId)) return waiting.last;
    this.#waiting.set(userId, waiting);
    waiting.keys.add(orderId);
    const before = waiting.last;
    const readAndSend = async (): Promise<void> => {
      await before;
      waiting.keys.delete(orderId);
      const order = await this.#attempt(read);
      if (order) this.#send(userId, order);
      if (waiting.keys.size === 0) this.#waiting.delete(userId);
    };
    waiting.last = readAndSend();
    return waiting.last;
  }

  #send(userId: string, { id, payment: shown }: ShownOrder): void {
    this.#sockets?.send(userId, {
      type: 'payment_update',
      data: { orderId: id, payment: z.encode(payment, shown) },
    });
  }

  /** Failures are not retried; pages poll as a fallback. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.#options.log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'order changes were not sent to buyers',
      );
      return null;
    }
  }
}
