/** What staff do around an order besides payment and shipping: notes, address, mails, saved filters. */
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { getActorId } from '#src/shop/audit-log/actor.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { RecordedChange } from '#src/shop/audit-log/service.ts';
import type { Orders } from '../service.ts';
import { createAmountDetails } from '../status/evaluate-order.ts';
import { findOrder, lockOrders } from '../status/store.ts';
import type { OrderForStatus } from '../status/store.ts';
import { snapshotBilling } from '../quote-order.ts';
import type { ShownOrder } from '../show-order.ts';
import type { BillingDetails } from '../stored-order.ts';
import type { OrderTimeline } from '../timeline/service.ts';
import { findAddressProblem, normaliseAddress } from '../checkout/find-address-problem.ts';
import type { AddressProblem } from '../checkout/find-address-problem.ts';
import { isAddressChangeable } from './find-address-problem.ts';
import { normaliseFilterQuery } from './order-filter-query.ts';
import { listRepeatableMails, MAX_MAILS_PER_HOUR } from './repeatable-mails.ts';
import type { RepeatableMail } from './repeatable-mails.ts';
import * as store from './store.ts';
import type { FilterRow, NoteRow } from './store.ts';

export interface OrderDeskOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly orders: Pick<Orders, 'find' | 'appendEvent'>;
  readonly timeline: Pick<OrderTimeline, 'listShipments'>;
}

interface Refused<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
}
const refuse = <Reason extends string>(reason: Reason): Refused<Reason> => ({ ok: false, reason });

export type DeliveryAddress = Omit<BillingDetails, 'region' | 'country' | 'vatNumber'>;
export interface MailsToRepeat {
  readonly mails: readonly RepeatableMail[];
  /** How many may be sent again this hour. */
  readonly left: number;
}

const MAX_NOTES = 200;
const HOUR_MS = 3_600_000;

type FieldsOfChange = Pick<RecordedChange, 'before' | 'after' | 'hasCustomerData'>;

export class OrderDesk {
  readonly #options: OrderDeskOptions;
  readonly #db: Db;

  constructor(options: OrderDeskOptions) {
    this.#options = options;
    this.#db = options.db;
  }

  /** Null if the order does not exist. */
  async listNotes(orderId: string): Promise<readonly NoteRow[] | null> {
    return (await findOrder(this.#db, orderId)) === null ? null : store.listNotes(this.#db, orderId);
  }

  /** Adds a note; a repeated key adds nothing. */
  async addNote(
    orderId: string,
    text: string,
    requestKey: string | null,
    by: Actor,
  ): Promise<{ readonly ok: true; readonly notes: readonly NoteRow[] } | Refused<'not-found' | 'too-many'>> {
    return transact(this.#db, async (tx) => {
      const [order] = await lockOrders(tx, [orderId]);
      if (!order) return refuse('not-found');
      const at = this.#options.clock.now();
      const id = await store.insertNote(tx, { orderId, text, at, by: getActorId(by), requestKey });
      if (id !== null && (await store.countNotes(tx, orderId)) > MAX_NOTES) throw new TooManyNotesError();
      const notes = await store.listNotes(tx, orderId);
      if (id !== null)
        await this.#record(tx, by, 'order.note_added', orderId, {
          before: null,
          after: { text },
          hasCustomerData: true,
        });
      return { ok: true, notes } as const;
    }).catch((error: unknown) => {
      if (error instanceof TooManyNotesError) return refuse('too-many');
      throw error;
    });
  }

  /** Null if the order does not exist. */
  async deleteNote(orderId: string, id: string, by: Actor): Promise<readonly NoteRow[] | null> {
    return transact(this.#db, async (tx) => {
      const [order] = await lockOrders(tx, [orderId]);
      if (!order) return null;
      const text = await store.deleteNote(tx, orderId, id);
      const notes = await store.listNotes(tx, orderId);
      if (text !== null)
        await this.#record(tx, by, 'order.note_deleted', orderId, {
          before: { text },
          after: null,
          hasCustomerData: true,
        });
      return notes;
    });
  }

  /** Changes the address of an order that has units to ship. Country and VAT number decide on tax, so they stay. */
  async changeAddress(
    id: string,
    address: DeliveryAddress,
    by: Actor,
  ): Promise<
    { readonly ok: true; readonly order: ShownOrder } | Refused<'not-found' | 'not-changeable' | AddressProblem>
  > {
    const userId = await transact(this.#db, async (tx) => {
      const [order] = await lockOrders(tx, [id]);
      const before = order && (await store.readBilling(tx, id));
      if (!order || !before) return refuse('not-found');
      if (!isAddressChangeable(order)) return refuse('not-changeable');
      const { region, country, vatNumber = '' } = before;
      // What was accepted before stays, as it was written.
      const problem = findAddressProblem({ ...address, country });
      if (problem !== null && (address[problem] ?? '') !== (before[problem] ?? '')) return refuse(problem);
      const written = normaliseAddress({ ...address, country });
      const postcode = address.postcode === before.postcode ? before.postcode : written.postcode;
      const phone = address.phone === before.phone ? before.phone : written.phone;
      const after = snapshotBilling({ ...written, postcode, phone, region, country, vatNumber });
      // Fields of a snapshot have a fixed order.
      if (JSON.stringify(after) === JSON.stringify(snapshotBilling(before))) return order.user_id;
      await store.writeBilling(tx, id, after);
      const now = this.#options.clock.now();
      await this.#options.orders.appendEvent(tx, id, 'address_changed', now, { by: getActorId(by) });
      const change = { before: { ...before }, after: { ...after }, hasCustomerData: true };
      await this.#record(tx, by, 'order.address_changed', id, change);
      return order.user_id;
    });
    if (typeof userId !== 'string') return userId;
    const order = await this.#options.orders.find(userId, id);
    return order ? { ok: true, order } : refuse('not-found');
  }

  /** Mails that can be sent again; null if the order does not exist. */
  async listMails(id: string): Promise<MailsToRepeat | null> {
    const order = await findOrder(this.#db, id);
    return order && this.#readMails(order);
  }

  /** Sends a mail again that is true now. */
  async repeatMail(
    id: string,
    { mail, shipment }: RepeatableMail,
    by: Actor,
  ): Promise<{ readonly ok: true; readonly mails: MailsToRepeat } | Refused<'not-found' | 'not-true' | 'too-often'>> {
    const { clock } = this.#options;
    // The mail is written from the order of that time, so a change after this check does no harm.
    const { mails } = (await this.listMails(id)) ?? { mails: null };
    if (mails === null) return refuse('not-found');
    if (!mails.some((one) => one.mail === mail && one.shipment === shipment)) return refuse('not-true');
    const requested = await transact(this.#db, async (tx) => {
      const [order] = await lockOrders(tx, [id]);
      if (!order) return refuse('not-found');
      const now = clock.now();
      if ((await this.#countLeft(tx, id)) === 0) return refuse('too-often');
      const details = { ...createAmountDetails(order, null), by: getActorId(by), mail, shipment };
      await this.#options.orders.appendEvent(tx, id, 'mail_requested', now, details);
      await this.#record(tx, by, 'order.mail_sent_again', id, { before: null, after: { mail, shipment } });
      return { ok: true, order } as const;
    });
    return requested.ok ? { ok: true, mails: await this.#readMails(requested.order) } : requested;
  }

  async #countLeft(db: Db, id: string): Promise<number> {
    const since = new Date(this.#options.clock.now().getTime() - HOUR_MS);
    return Math.max(0, MAX_MAILS_PER_HOUR - (await store.countRequestedMails(db, id, since)));
  }

  async #readMails({ id, user_id: userId }: OrderForStatus): Promise<MailsToRepeat> {
    const { orders, timeline } = this.#options;
    const order = await orders.find(userId, id);
    const shipments = await timeline.listShipments(id);
    const numbers = shipments.map(({ number }) => number);
    return {
      mails:
        order !== null && (await store.hasMailAddress(this.#db, userId)) ? listRepeatableMails(order, numbers) : [],
      left: await this.#countLeft(this.#db, id),
    };
  }

  listFilters(userId: string): Promise<readonly FilterRow[]> {
    return store.listFilters(this.#db, userId);
  }

  async saveFilter(
    userId: string,
    name: string,
    query: string,
    by: Actor,
  ): Promise<{ readonly ok: true; readonly filters: readonly FilterRow[] } | Refused<'name-taken' | 'too-many'>> {
    try {
      return await transact(this.#db, async (tx) => {
        const kept = normaliseFilterQuery(query);
        await store.lockFilters(tx, userId);
        if (!(await store.insertFilter(tx, userId, name, kept))) return refuse('too-many');
        const filters = await store.listFilters(tx, userId);
        const subject = { kind: 'account', id: userId } as const;
        const change = { before: null, after: { name, query: kept } };
        const at = this.#options.clock.now();
        await recordChange(tx, { at, by, action: 'account.order_filter_saved', subject, ...change });
        return { ok: true, filters } as const;
      });
    } catch (error) {
      if (store.isFilterNameTaken(error)) return refuse('name-taken');
      throw error;
    }
  }

  async deleteFilter(userId: string, id: string, by: Actor): Promise<readonly FilterRow[]> {
    return transact(this.#db, async (tx) => {
      const name = await store.deleteFilter(tx, userId, id);
      const filters = await store.listFilters(tx, userId);
      if (name === null) return filters;
      const subject = { kind: 'account', id: userId } as const;
      const change = { before: { name }, after: null };
      const at = this.#options.clock.now();
      await recordChange(tx, { at, by, action: 'account.order_filter_deleted', subject, ...change });
      return filters;
    });
  }

  async #record(tx: Db, by: Actor, action: string, id: string, change: FieldsOfChange): Promise<void> {
    const at = this.#options.clock.now();
    await recordChange(tx, { at, by, action, subject: { kind: 'order', id }, ...change });
  }
}

/** Rolls back a note above the limit. */
class TooManyNotesError extends Error {}
