/**
 * Records what webhooks send: an event, and a delivery for each endpoint that selected its type, in the transaction
 * that causes the event or that dispatches it from the outbox of order events.
 */
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { StoredEventKind } from '#src/shop/orders/order-events.ts';
import { GIVE_UP_MS } from '../retry-schedule.ts';
import { writeBody } from './contract.ts';
import type { EventData, TicketPayload } from './contract.ts';
import { TEST_EVENT_TYPE } from './event-type.ts';
import type { EventGroup, EventType, SentEventType } from './event-type.ts';
import { isSent, selectEventTypes } from './select-event-types.ts';
import { showOrderPayload } from './show-order-payload.ts';
import * as sources from './sources.store.ts';
import * as store from './store.ts';
import type { NewEvent } from './store.ts';

const BATCH = 100;
const RETENTION_MS = 30 * 86_400_000;
const DELETE_BATCH = 5_000;

interface DescribedVariant {
  readonly productId: string;
  readonly name: string;
  readonly sku: string;
  readonly slug: string;
}

export interface WebhookEventsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly mode: 'demo' | 'live';
  readonly shopSettings: { readonly current: { readonly orders: { readonly order_prefix: string } } };
  readonly catalogue: {
    describeVariants(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, DescribedVariant>>;
  };
}

interface OrderEvent {
  readonly kind: StoredEventKind;
  readonly order_id: string;
  readonly at: Date;
}

const STOCK_TYPES = { sold_out: 'stock.sold_out', low: 'stock.low', back_in_stock: 'stock.back_in_stock' } as const;

export class WebhookEvents {
  readonly #options: WebhookEventsOptions;

  constructor(options: WebhookEventsOptions) {
    this.#options = options;
  }

  /** Called in the transaction that dispatches these events. The payload is the order as it is then. */
  async recordOrderEvents(tx: Db, dispatched: readonly OrderEvent[]): Promise<void> {
    const relevant = dispatched.filter(({ kind }) => isSent(kind));
    if (relevant.length === 0) return;
    const selected = await store.readSelectedTypes(tx);
    if (selected.size === 0) return;
    const ids = [...new Set(relevant.map(({ order_id: id }) => id))];
    // One connection: the queries run one after the other.
    const orders = new Map((await sources.readOrders(tx, ids)).map((order) => [order.id, order]));
    const lines = await sources.readLines(tx, ids);
    const shipments = await sources.readShipments(tx, ids);
    const refunds = await sources.readRefunds(tx, ids);
    const prefix = this.#options.shopSettings.current.orders.order_prefix;
    const events = relevant.flatMap(({ kind, order_id: id, at }) => {
      const order = orders.get(id);
      if (order === undefined) return [];
      const types = selectEventTypes(kind, order.payment_status).filter((type) => selected.has(type));
      if (types.length === 0) return [];
      const isOfOrder = (part: { readonly order_id: string }): boolean => part.order_id === id;
      const parts = {
        lines: lines.filter(isOfOrder),
        shipments: shipments.filter(isOfOrder),
        refunds: refunds.filter(isOfOrder),
      };
      const data = { order: showOrderPayload(order, parts, prefix) };
      return types.map((type) => this.#createEvent(type, id, at, data));
    });
    await store.insertEvents(tx, events);
  }

  /** Called in the transaction that changes the ticket. */
  async recordTicketEvent(
    tx: Db,
    type: Extract<EventType, `ticket.${string}`>,
    ticketId: string,
    message: TicketPayload['message'] = null,
  ): Promise<void> {
    if (!(await store.readSelectedTypes(tx)).has(type)) return;
    const ticket = await sources.readTicket(tx, ticketId);
    if (ticket === null) return;
    const { id, status, created_at, closed_at } = ticket;
    const written = message && { id: message.id, sender_type: message.sender_type, created_at: message.created_at };
    const data = { ticket: { id, status, created_at, closed_at, message: written } };
    await store.insertEvents(tx, [this.#createEvent(type, id, this.#options.clock.now(), data)]);
  }

  /** Turns the next changes of stock into events. Returns whether more may wait. */
  async relayStockChanges(): Promise<boolean> {
    const { catalogue, db } = this.#options;
    if (!(await sources.hasStockChanges(db))) return false;
    return transact(db, async (tx) => {
      const changes = await sources.takeStockChanges(tx, BATCH);
      if (changes.length === 0) return false;
      const ids = [...new Set(changes.map(({ variantId }) => variantId))];
      const variants = await catalogue.describeVariants(tx, ids);
      const events = changes.flatMap(({ variantId, kind, available, at }) => {
        const variant = variants.get(variantId);
        if (variant === undefined) return [];
        const { productId, sku, name, slug } = variant;
        const data = { variant: { variant_id: variantId, product_id: productId, sku, name, slug, available } };
        return [this.#createEvent(STOCK_TYPES[kind], variantId, at, data)];
      });
      await store.insertEvents(tx, events);
      // At most one change of each variant was taken.
      return true;
    });
  }

  /**
   * Sends a test event to one endpoint. Null if it is not enabled; otherwise the id of the event.
   * @param onRecorded called last in the transaction, with the id
   */
  async sendTest(endpointId: string, onRecorded: (tx: Db, eventId: string) => Promise<void>): Promise<string | null> {
    const { clock, db } = this.#options;
    const data = { message: 'This is a test. Your endpoint works.' };
    const event = this.#createEvent(TEST_EVENT_TYPE, uuidv7(), clock.now(), data);
    return transact(db, async (tx) => {
      if (!(await store.insertEventFor(tx, endpointId, event))) return null;
      await onRecorded(tx, event.id);
      return event.id;
    });
  }

  /** Deletes events and deliveries after 30 days. Runs hourly. */
  async deleteOld(): Promise<void> {
    const { clock, db } = this.#options;
    const before = new Date(clock.now().getTime() - RETENTION_MS);
    while ((await store.deleteEventsBefore(db, before, DELETE_BATCH)) === DELETE_BATCH);
  }

  #createEvent(
    type: SentEventType,
    objectId: string,
    at: Date,
    data: EventData[EventGroup] | { readonly message: string },
  ): NewEvent {
    const id = uuidv7();
    const now = this.#options.clock.now();
    const body = writeBody({ id, type, at, mode: this.#options.mode }, data);
    return { id, type, objectId, at: now, body, giveUpAt: new Date(now.getTime() + GIVE_UP_MS) };
  }
}
