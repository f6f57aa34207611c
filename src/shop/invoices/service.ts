/**
 * Issues invoices and credit notes, and prints them. A document never changes after it is issued; a
 * mistake is corrected by another document.
 */
import { v7 as uuidv7 } from 'uuid';
import { formatCsvLine, formatCsvLineWithNumbers } from '#src/platform/csv/csv-line.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { PdfRenderer } from '#src/platform/pdf/pdf-renderer.ts';
import { TimeSlice } from '#src/platform/process/time-slice.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { toRowRange } from '#src/shop/list-pages.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { Log } from '#src/platform/process/log.ts';
import { cents } from '#src/shop/money.ts';
import { isDocumentEvent } from '#src/shop/orders/order-events.ts';
import type { UndispatchedEvent } from '#src/shop/orders/timeline/service.ts';
import { toPeriod } from '#src/shop/shop-days.ts';
import type { ShopDays } from '#src/shop/shop-days.ts';
import { readShopSettings } from '#src/shop/shop-settings/service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import type { ShopSettingsData } from '#src/shop/shop-settings/shop-settings.ts';
import { RateMissingError, toInvoiceSeller } from './compose-invoice.ts';
import { findNationalRate, lockNationalRate } from './currency/national-rate.service.ts';
import { planDocuments } from './plan-documents.service.ts';
import type { DocumentToIssue } from './plan-documents.service.ts';
import type { InvoiceContent } from './invoice-content.ts';
import { formatInvoiceNumber, getInvoiceYear } from './invoice-number.ts';
import { getDocumentTitle, layOutInvoice } from './layout-invoice.ts';
import { createSalesRows, SALES_COLUMNS, SALES_NUMBER_COLUMNS } from './sales-line.ts';
import * as requests from './requests.store.ts';
import * as retention from './retention.store.ts';
import * as store from './store.ts';
import type { InvoiceFilter, InvoiceRow, Period } from './store.ts';
import { formatExportName } from '#src/shop/export-name.ts';

const MAX_FAILED_SHOWN = 10;
const HOUR_MS = 3_600_000;

export interface InvoicesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly shopSettings: Pick<ShopSettings, 'formatOrderNumber' | 'timeZone'>;
  readonly pdf: Pick<PdfRenderer, 'render'>;
  /** Called in the transaction that issues documents of an order. */
  readonly onIssued: (tx: Db, orderId: string) => void;
  /** Called in a transaction that issues documents, or counts a failed request. */
  readonly onChanged: (tx: Db) => void;
}

type Issued = InvoiceRow & { readonly content: InvoiceContent };

/** Issues the documents of one order, in a transaction that holds the lock of the numbers. */
class Issuer {
  readonly #tx: Db;
  readonly #orderId: string;
  readonly #issuedAt: Date;
  readonly #settings: ShopSettingsData;
  readonly issued: Issued[];

  constructor(
    tx: Db,
    orderId: string,
    of: { readonly issuedAt: Date; readonly settings: ShopSettingsData; readonly issued: readonly Issued[] },
  ) {
    this.#tx = tx;
    this.#orderId = orderId;
    this.#issuedAt = of.issuedAt;
    this.#settings = of.settings;
    this.issued = [...of.issued];
  }

  /** Issues a document with the next number, if it is needed. */
  async issue({ compose, correctsId, kind, refundId }: DocumentToIssue): Promise<void> {
    const { time_zone: timeZone } = this.#settings.time;
    const [issuedAt, year] = [this.#issuedAt, getInvoiceYear(this.#issuedAt, timeZone)];
    const seller = toInvoiceSeller(this.#settings);
    // Composed before a number is taken: a document that is not needed takes none.
    if (compose({ number: '', issuedAt, timeZone }, seller) === null) return;
    const number = await store.takeNumber(this.#tx, kind, year);
    const fullNumber = formatInvoiceNumber(kind, year, number, this.#settings.orders.order_prefix);
    const content = compose({ number: fullNumber, issuedAt, timeZone }, seller);
    if (content === null) throw new Error('a document changed while it was issued');
    const row = { id: uuidv7(), orderId: this.#orderId, refundId, correctsId, issuedAt };
    await store.insertInvoice(this.#tx, { ...row, year, number, content });
    this.issued.push({
      ...row,
      kind,
      content,
      fullNumber,
      orderNumber: content.orderNumber,
      buyerName: content.buyer.name,
      netCents: cents(BigInt(content.netCents)),
      taxCents: cents(BigInt(content.taxCents)),
      grossCents: cents(BigInt(content.grossCents)),
      isErased: false,
    });
  }
}

const toWire = ({ id, kind, fullNumber, issuedAt, grossCents }: InvoiceRow) => ({
  id,
  kind,
  number: fullNumber,
  issued_at: issuedAt,
  total_usd: grossCents,
});

/** Rolls back documents that need the rate for a payment. */
class RateNeededError extends Error {
  readonly paidAt: Date;
  constructor(paidAt: Date) {
    super('the rate for a payment is missing');
    this.paidAt = paidAt;
  }
}

async function issueOrWait(issuer: Issuer, document: DocumentToIssue, paidAt: Date | null): Promise<void> {
  try {
    await issuer.issue(document);
  } catch (error) {
    throw error instanceof RateMissingError && paidAt !== null ? new RateNeededError(paidAt) : error;
  }
}

export class Invoices {
  readonly #options: InvoicesOptions;

  constructor(options: InvoicesOptions) {
    this.#options = options;
  }

  // ---- issuing

  /** Requests the documents that order events may require, in the transaction that dispatches the events. */
  async request(tx: Db, events: readonly Pick<UndispatchedEvent, 'kind' | 'order_id'>[]): Promise<void> {
    const ids = events.filter(({ kind }) => isDocumentEvent(kind)).map(({ order_id: id }) => id);
    if (ids.length > 0) await requests.requestInvoices(tx, [...new Set(ids)], this.#options.clock.now());
  }

  /**
   * Issues the documents of the next requested order. Returns whether there was one. A request whose
   * documents cannot be composed is logged and retried later; others do not wait for it.
   */
  async issueNext(): Promise<boolean> {
    const { clock, db, log, onChanged } = this.#options;
    const orderId = await requests.findNextRequest(db, clock.now());
    if (orderId === null) return false;
    try {
      await transact(db, async (tx) => {
        if (await requests.lockRequest(tx, orderId)) await this.#issue(tx, orderId);
      });
    } catch (error) {
      if (error instanceof RateNeededError) {
        await transact(db, (tx) => this.#wait(tx, orderId, error.paidAt));
        return true;
      }
      log.error({ err: error, order: orderId }, 'the invoice of an order could not be issued');
      await transact(db, async (tx) => {
        await requests.postponeRequest(tx, orderId, clock.now());
        onChanged(tx);
      });
    }
    return true;
  }

  async #wait(tx: Db, orderId: string, paidAt: Date): Promise<void> {
    const { clock, onChanged } = this.#options;
    const now = clock.now();
    const { time } = await readShopSettings(tx);
    // Rates are written under the same lock: one that came meanwhile is not missed.
    const { day, rate } = await lockNationalRate(tx, paidAt, time.time_zone);
    const until = rate === null ? new Date(now.getTime() + HOUR_MS) : now;
    await requests.waitForRate(tx, orderId, { day, until });
    onChanged(tx);
  }

  async #issue(tx: Db, orderId: string): Promise<void> {
    const settings = await readShopSettings(tx);
    const issuedAt = this.#options.clock.now();
    await store.lockNumbers(tx, getInvoiceYear(issuedAt, settings.time.time_zone));
    const order = await store.findOrder(tx, orderId);
    const issued = await store.listOrderInvoices(tx, orderId);
    const issuer = new Issuer(tx, orderId, { issuedAt, settings, issued });
    // After the retention period nothing is issued: what it would correct is erased.
    if (order && !issued.some(({ isErased }) => isErased)) {
      const { order_prefix: prefix } = settings.orders;
      const { paidAt } = order;
      const found = paidAt && (await findNationalRate(tx, paidAt, settings.time.time_zone));
      const documents = planDocuments(order, prefix, issuer.issued, found?.rate);
      for (const document of documents) await issueOrWait(issuer, document, paidAt);
    }
    if (issuer.issued.length > issued.length) this.#options.onIssued(tx, orderId);
    await requests.deleteRequest(tx, orderId);
    this.#options.onChanged(tx);
  }

  /** Makes the documents due that wait for a rate, in a transaction after which there may be one. */
  async wakeWaiting(tx: Db): Promise<void> {
    const { clock, onChanged } = this.#options;
    await requests.wakeWaitingRequests(tx, clock.now());
    onChanged(tx);
  }

  /** Orders whose documents wait for a rate: how many, the first of them, and the first days that are missing. */
  async listWaiting() {
    const { db, shopSettings } = this.#options;
    const { orders, ...waiting } = await requests.listWaitingRequests(db, MAX_FAILED_SHOWN);
    return {
      ...waiting,
      orders: orders.map(({ id, number }) => ({ id, number: shopSettings.formatOrderNumber(number) })),
    };
  }

  // ---- reading

  /**
   * The documents of an order, oldest first; null if there is no such order.
   * @param userId only if it is an order of this user; null: of any
   */
  async listForOrder(orderId: string, userId: string | null) {
    const { db } = this.#options;
    if (!(await store.hasOrder(db, orderId, userId))) return null;
    const invoices = await store.listOrderInvoices(db, orderId);
    return { invoices: invoices.filter(({ isErased }) => !isErased).map(toWire) };
  }

  /** One page of all documents, newest first. */
  async list(filter: InvoiceFilter, page: number) {
    const { db, shopSettings } = this.#options;
    const place = toRowRange(page);
    const [{ rows, total, hasMore }, years, failed] = await Promise.all([
      store.listInvoices(db, filter, place),
      store.listYears(db),
      requests.listFailedRequests(db, MAX_FAILED_SHOWN),
    ]);
    const invoices = rows.map((row) => ({
      ...toWire(row),
      order_id: row.orderId,
      order_number: row.orderNumber,
      buyer: row.buyerName,
      net_usd: row.netCents,
      tax_usd: row.taxCents,
      is_erased: row.isErased,
    }));
    const failedOrders = failed.orders.map(({ id, number }) => ({
      id,
      number: shopSettings.formatOrderNumber(number),
    }));
    return { invoices, total, has_more: hasMore, years, failed: failed.total, failed_orders: failedOrders };
  }

  /**
   * The PDF of a document; null if it does not exist.
   * @param userId only if it is of an order of this user; null: of any
   * @param client who waits for it
   */
  async print(
    id: string,
    userId: string | null,
    client: string,
  ): Promise<{ readonly filename: string; readonly bytes: Uint8Array } | null> {
    const { db, pdf } = this.#options;
    const content = await store.findContent(db, id, userId);
    if (content === null) return null;
    const title = getDocumentTitle(content).toLowerCase().replaceAll(' ', '-');
    const filename = `${title}-${content.number.replaceAll(/[^A-Za-z0-9-]/g, '-')}.pdf`;
    return { filename, bytes: await pdf.render(layOutInvoice(content), client) };
  }

  /** Sales and tax of a period as CSV, in pieces: a row for each tax rate of a document. Records the export first. */
  async exportSales(
    days: ShopDays,
    by: Actor,
  ): Promise<{ readonly name: string; readonly pieces: AsyncGenerator<string> }> {
    const { clock, db, shopSettings } = this.#options;
    const period = toPeriod(days, shopSettings.timeZone);
    await transact(db, (tx) =>
      recordChange(tx, {
        at: clock.now(),
        by,
        action: 'report.exported',
        subject: { kind: 'report', id: 'invoices' },
        before: null,
        after: { ...period, time_zone: shopSettings.timeZone },
      }),
    );
    return { name: formatExportName('invoices', days), pieces: this.#writeSales(period) };
  }

  async *#writeSales(period: Period): AsyncGenerator<string> {
    yield formatCsvLine(SALES_COLUMNS);
    const slice = new TimeSlice();
    for await (const contents of store.streamContents(this.#options.db, period)) {
      const rows = contents.flatMap(createSalesRows);
      yield rows.map((row) => formatCsvLineWithNumbers(row, SALES_NUMBER_COLUMNS)).join('');
      await slice.pause();
    }
  }

  // ---- retention

  /** Documents that were issued before this moment, of orders without a later one, oldest first. */
  listOld(db: Db, before: Date, page: retention.DocumentPage): Promise<readonly retention.OldDocument[]> {
    return retention.listOldDocuments(db, before, page);
  }

  /** How many there are, at most a limit. */
  countOld(db: Db, before: Date, limit: number): Promise<number> {
    return retention.countOldDocuments(db, before, limit);
  }

  /** Erases buyer and content of the documents of orders. Number, date and sums stay. Returns how many. */
  async eraseDocuments(tx: Db, orderIds: readonly string[], at: Date): Promise<number> {
    const erased = await retention.eraseDocuments(tx, orderIds, at);
    if (erased > 0) this.#options.onChanged(tx);
    return erased;
  }

  /** All documents of a user, for the export of personal data. They are kept when the account is deleted. */
  async exportPersonalData(userId: string) {
    const rows = await store.listUserInvoices(this.#options.db, userId);
    return rows.map(({ content: { buyer, issuedAt, kind, number, grossCents } }) => ({
      kind,
      number,
      issued_at: issuedAt,
      total_usd: Number(grossCents) / 100,
      buyer,
    }));
  }
}
