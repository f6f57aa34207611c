/**
 * Erases data after the periods of the settings, and lists beforehand what would go. An order or a document is kept as
 * long as a payment, a shipment, a refund or a return of its order is open, whatever its age.
 */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import {
  countOldAuditDetails,
  eraseCustomerFromAuditLog,
  eraseOldAuditDetails,
  recordChange,
} from '#src/shop/audit-log/service.ts';
import { MAX_COUNTED } from '#src/shop/counted-list.ts';
import type { Invoices } from '#src/shop/invoices/service.ts';
import type { OrderPersonalData } from '#src/shop/orders/personal-data/service.ts';
import type { RefundPersonalData } from '#src/shop/refunds/personal-data.service.ts';
import type { Returns } from '#src/shop/returns/service.ts';
import type { WithdrawalPersonalData } from '#src/shop/returns/withdrawal/personal-data.service.ts';
import { readShopSettings } from '#src/shop/shop-settings/service.ts';
import type { OrderNumbers } from '#src/shop/shop-settings/service.ts';
import type { ShopSettingsData } from '#src/shop/shop-settings/shop-settings.ts';
import type { Contact } from '#src/shop/support/contact/service.ts';
import type { Tickets } from '#src/shop/support/tickets/service.ts';
import { findDeletionBlock } from '../deletion-block.ts';
import type { DeletionBlock } from '../deletion-block.ts';
import { describeForDeletion } from '../orders-for-deletion.service.ts';
import type { NumberedOrder } from '../orders-for-deletion.service.ts';
import { computeAgeLimit, computeDateLimit, computeYearLimit, findNextYear } from './retention-limit.ts';

export interface RetentionOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly orders: Pick<OrderPersonalData, 'listEnded' | 'countEnded' | 'findEnded' | 'lockEnded' | 'eraseOrders'>;
  readonly invoices: Pick<Invoices, 'listOld' | 'countOld' | 'eraseDocuments'>;
  readonly refunds: Pick<RefundPersonalData, 'summariseForErasure' | 'erasePersonalData'>;
  readonly returns: Pick<Returns, 'erasePersonalData' | 'deleteOld' | 'countOld'>;
  readonly withdrawals: Pick<WithdrawalPersonalData, 'listWithOpenReturn' | 'listWithOwedCredit' | 'erasePersonalData'>;
  readonly tickets: Pick<Tickets, 'deleteOld' | 'countOld'>;
  readonly contact: Pick<Contact, 'deleteOld' | 'countOld'>;
  readonly shopSettings: OrderNumbers;
}

/** Orders or documents of a transaction. */
const BATCH = 200;
/** Of a pass, which runs once an hour. */
const MAX_BATCHES = 20;
/** Orders or documents of which the preview finds out whether they are kept. */
const MAX_PREVIEWED = 1_000;
const EXAMPLES = 5;
const JOB = { kind: 'command', name: 'retention', isJob: true } as const;

/** Periods in years. */
export interface Periods {
  readonly order_years?: number | undefined;
  readonly invoice_years?: number | undefined;
  readonly message_years?: number | undefined;
  readonly staff_record_years?: number | undefined;
}

interface Limits {
  readonly erasesOrders: boolean;
  readonly orders: Date;
  readonly invoices: Date;
  readonly messages: Date;
  readonly staffRecords: Date;
}

/** A batch: how many were erased of it, and the last one; null: it was the last batch. */
interface Batch<Item> {
  readonly erased: number;
  readonly last: Item | null;
}

/** An order, or a document of one. */
interface Candidate {
  readonly orderId: string;
  readonly number: string;
  readonly at: Date;
}

function computeLimits({ retention, time }: ShopSettingsData, now: Date, periods: Periods = {}): Limits {
  const { time_zone: timeZone } = time;
  const years = {
    orders: periods.order_years ?? retention.order_years,
    invoices: periods.invoice_years ?? retention.invoice_years,
    messages: periods.message_years ?? retention.message_years,
    staffRecords: periods.staff_record_years ?? retention.staff_record_years,
  };
  return {
    erasesOrders: retention.erases_orders,
    orders: computeYearLimit(now, years.orders, timeZone),
    invoices: computeYearLimit(now, years.invoices, timeZone),
    messages: computeAgeLimit(now, years.messages),
    staffRecords: computeDateLimit(now, years.staffRecords),
  };
}

const listErasable = (orders: readonly NumberedOrder[]): string[] =>
  orders.filter((order) => findDeletionBlock(order) === null).map(({ id }) => id);

export class Retention {
  readonly #options: RetentionOptions;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  // ---- erasing, each called once an hour

  async deleteOldTickets(): Promise<void> {
    await this.#options.tickets.deleteOld((await this.#readLimits()).messages);
  }

  async deleteOldMessages(): Promise<void> {
    await this.#options.contact.deleteOld((await this.#readLimits()).messages);
  }

  async eraseOldReturns(): Promise<void> {
    await this.#options.returns.deleteOld((await this.#readLimits()).messages);
  }

  async eraseOldAuditDetails(): Promise<void> {
    await eraseOldAuditDetails(this.#options.db, (await this.#readLimits()).staffRecords);
  }

  /**
   * Erases personal data of ended orders, and then buyers and contents of old documents, if the owner turned it on. Each
   * batch is a transaction with an audit entry. Not at the same time: both lock orders, and skip those that are locked.
   */
  async eraseOldOrders(): Promise<void> {
    await this.#eraseOldOrderData();
    await this.#eraseOldInvoices();
  }

  async #eraseOldOrderData(): Promise<void> {
    const { orders } = this.#options;
    await this.#eraseInBatches(
      'orders',
      async (tx, before, after: Awaited<ReturnType<typeof orders.listEnded>>[0] | null) => {
        const found = await orders.listEnded(tx, before, { limit: BATCH, after });
        const ids = await this.#lockErasable(
          tx,
          found.map(({ id }) => id),
          before,
        );
        if (ids.length > 0) await this.#eraseOrders(tx, ids);
        return { erased: ids.length, last: found.length < BATCH ? null : (found.at(-1) ?? null) };
      },
    );
  }

  async #eraseOldInvoices(): Promise<void> {
    const { clock, invoices } = this.#options;
    await this.#eraseInBatches(
      'invoices',
      async (tx, before, after: Awaited<ReturnType<typeof invoices.listOld>>[0] | null) => {
        const found = await invoices.listOld(tx, before, { limit: BATCH, after });
        const ids = await this.#lockErasable(tx, [...new Set(found.map(({ orderId }) => orderId))], before);
        const erased = ids.length === 0 ? 0 : await invoices.eraseDocuments(tx, ids, clock.now());
        return { erased, last: found.length < BATCH ? null : (found.at(-1) ?? null) };
      },
    );
  }

  async #readLimits(periods?: Periods): Promise<Limits> {
    const { clock, db } = this.#options;
    return computeLimits(await readShopSettings(db), clock.now(), periods);
  }

  /** @param eraseBatch erases what comes after the last one of the batch before */
  async #eraseInBatches<Item>(
    what: 'orders' | 'invoices',
    eraseBatch: (tx: Db, before: Date, after: Item | null) => Promise<Batch<Item>>,
  ): Promise<void> {
    const { clock, db } = this.#options;
    let after: Item | null = null;
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      after = await transact(db, async (tx) => {
        // Read again for each batch: an owner may turn it off meanwhile.
        const limits = computeLimits(await readShopSettings(tx), clock.now());
        if (!limits.erasesOrders) return null;
        const before = limits[what];
        const { erased, last } = await eraseBatch(tx, before, after);
        if (erased > 0)
          await recordChange(tx, {
            at: clock.now(),
            by: JOB,
            action: `retention.${what}_erased`,
            subject: { kind: 'settings', id: 'retention' },
            before: null,
            after: { [what]: erased, ended_before: before.toISOString() },
          });
        return last;
      });
      if (after === null) return;
    }
  }

  async #lockErasable(tx: Db, orderIds: readonly string[], before: Date): Promise<string[]> {
    const locked = await this.#options.orders.lockEnded(tx, orderIds, before);
    return listErasable(await describeForDeletion(tx, locked, this.#options));
  }

  async #eraseOrders(tx: Db, ids: readonly string[]): Promise<void> {
    const { clock, orders, refunds, returns, withdrawals } = this.#options;
    await orders.eraseOrders(tx, ids, clock.now());
    await refunds.erasePersonalData(tx, ids);
    await returns.erasePersonalData(tx, ids);
    await withdrawals.erasePersonalData(tx, ids, []);
    await eraseCustomerFromAuditLog(tx, ids);
  }

  // ---- what would go

  /** What would be erased now after the stored periods, or after others. Erases nothing. */
  async preview(periods: Periods) {
    const { clock, contact, db, returns, tickets } = this.#options;
    const settings = await readShopSettings(db);
    const now = clock.now();
    const next = findNextYear(now, settings.time.time_zone);
    const limits = computeLimits(settings, now, periods);
    const later = computeLimits(settings, next, periods);
    return {
      erases_orders: limits.erasesOrders,
      orders: await this.#previewOrders(limits.orders, later.orders, next),
      invoices: await this.#previewInvoices(limits.invoices, later.invoices, next),
      messages: {
        before: limits.messages,
        tickets: await tickets.countOld(limits.messages, MAX_COUNTED),
        contact_messages: await contact.countOld(limits.messages, MAX_COUNTED),
        returns: await returns.countOld(limits.messages, MAX_COUNTED),
      },
      staff_records: {
        before: limits.staffRecords,
        entries: await countOldAuditDetails(db, limits.staffRecords, MAX_COUNTED),
      },
    };
  }

  async #previewOrders(before: Date, nextBefore: Date, nextAt: Date) {
    const { db, orders, shopSettings } = this.#options;
    const found = await orders.listEnded(db, before, { limit: MAX_PREVIEWED + 1, after: null });
    const shown = found.map(({ endedAt, id, number }) => ({
      orderId: id,
      number: shopSettings.formatOrderNumber(number),
      at: endedAt,
    }));
    const now = await orders.countEnded(db, before, MAX_COUNTED);
    const next = (await orders.countEnded(db, nextBefore, MAX_COUNTED)) - now;
    return { ...(await this.#split(shown, before)), before, next_at: nextAt, next_total: next };
  }

  async #previewInvoices(before: Date, nextBefore: Date, nextAt: Date) {
    const { db, invoices } = this.#options;
    const found = await invoices.listOld(db, before, { limit: MAX_PREVIEWED + 1, after: null });
    const shown = found.map(({ fullNumber, issuedAt, orderId }) => ({ orderId, number: fullNumber, at: issuedAt }));
    const now = await invoices.countOld(db, before, MAX_COUNTED);
    const next = (await invoices.countOld(db, nextBefore, MAX_COUNTED)) - now;
    return { ...(await this.#split(shown, before)), before, next_at: nextAt, next_total: next };
  }

  /** Splits what is old into what goes and what is kept. */
  async #split(found: readonly Candidate[], before: Date) {
    const { db, orders } = this.#options;
    const old = found.slice(0, MAX_PREVIEWED);
    const ended = await orders.findEnded(db, [...new Set(old.map(({ orderId }) => orderId))], before);
    const blocks = new Map<string, DeletionBlock | null>(
      (await describeForDeletion(db, ended, this.#options)).map((order) => [order.id, findDeletionBlock(order)]),
    );
    const isErasable = ({ orderId }: Candidate): boolean => blocks.get(orderId) === null;
    const erasable = old.filter(isErasable);
    const kept = old.flatMap(({ number, orderId }) => {
      const reason = blocks.get(orderId);
      return reason ? [{ id: orderId, number, reason }] : [];
    });
    return {
      total: erasable.length,
      has_more: found.length > MAX_PREVIEWED,
      examples: erasable.slice(0, EXAMPLES).map(({ at, number, orderId }) => ({ id: orderId, number, at })),
      kept: kept.length,
      kept_examples: kept.slice(0, EXAMPLES),
    };
  }
}
