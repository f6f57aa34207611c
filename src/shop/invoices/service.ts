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
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { Log } from '#src/platform/process/log.ts';
import { cents } from '#src/shop/money.ts';
import type { StoredEventKind } from '#src/shop/orders/kinds.ts';
import type { UndispatchedEvent } from '#src/shop/orders/timeline/service.ts';
import { formatOrderNumber } from '#src/shop/shop-settings/order-number.ts';
import { toPeriod } from '#src/shop/shop-days.ts';
import type { ShopDays } from '#src/shop/shop-days.ts';
import { readShopSettings } from '#src/shop/shop-settings/service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import type { ShopSettingsData } from '#src/shop/shop-settings/shop-settings.ts';
import { composeCreditNote, composeInvoice, composeReversal, toInvoiceSeller } from './compose-invoice.ts';
import type { CreditRequest, NewDocument, OrderToInvoice } from './compose-invoice.ts';
import type { InvoiceContent, InvoiceRefund, InvoiceSeller } from './invoice-content.ts';
import { formatInvoiceNumber, getInvoiceYear } from './invoice-number.ts';
import type { InvoiceKind } from './invoice-number.ts';
import { getDocumentTitle, layOutInvoice } from './layout-invoice.ts';
import { createSalesRows, SALES_COLUMNS, SALES_NUMBER_COLUMNS } from './sales-line.ts';
import * as store from './store.ts';
import type { InvoiceFilter, InvoiceRow, OrderRow, Period } from './store.ts';

const PAGE_SIZE = 25;
const MAX_FAILED_SHOWN = 10;

/** Events after which an order may need a document. */
const RELEVANT_EVENTS: ReadonlySet<StoredEventKind> = new Set([
  'paid',
  'paid_again',
  'paid_anew',
  'settled',
  'cancelled',
  'refund_confirmed',
  'refund_recorded',
  'refund_record_undone',
  'refund_withdrawn',
]);

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

interface Links {
  readonly refundId?: string | null;
  readonly correctsId?: string;
}

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

  /** Issues a document with the next number. Null from `compose`: nothing is issued. */
  async issue(
    kind: InvoiceKind,
    { refundId = null, correctsId }: Links,
    compose: (document: NewDocument, seller: InvoiceSeller) => InvoiceContent | null,
  ): Promise<void> {
    const { time_zone: timeZone } = this.#settings.time;
    const [issuedAt, year] = [this.#issuedAt, getInvoiceYear(this.#issuedAt, timeZone)];
    const seller = toInvoiceSeller(this.#settings);
    // Composed before a number is taken: a document that is not needed takes none.
    if (compose({ number: '', issuedAt, timeZone }, seller) === null) return;
    const number = await store.takeNumber(this.#tx, kind, year);
    const fullNumber = formatInvoiceNumber(kind, year, number, this.#settings.orders.order_prefix);
    const content = compose({ number: fullNumber, issuedAt, timeZone }, seller);
    if (content === null) throw new Error('a document changed while it was issued');
    const row = { id: uuidv7(), orderId: this.#orderId, refundId, correctsId: correctsId ?? null, issuedAt };
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
    });
  }

  /** Credit notes that no invoice reverses. */
  listCreditNotes(): Issued[] {
    const reversed = new Set(this.issued.flatMap(({ correctsId, kind }) => (kind === 'invoice' ? [correctsId] : [])));
    return this.issued.filter(({ id, kind }) => kind === 'credit_note' && !reversed.has(id));
  }

  /** The invoice of the order. */
  findInvoice(): Issued | null {
    return this.issued.find(({ correctsId, kind }) => kind === 'invoice' && correctsId === null) ?? null;
  }
}

function toOrderToInvoice(order: OrderRow, paidAt: Date, prefix: string): OrderToInvoice {
  const lines = order.lines.map(({ price_cents: price, is_free: isFree, ...line }) => ({
    ...line,
    isFree,
    priceCents: cents(BigInt(price)),
  }));
  return { ...order, lines, paidAt, orderNumber: formatOrderNumber(order.number, prefix) };
}

/** A withdrawn refund takes nothing back, nor does the cancellation of an order that was paid after all. */
function isValid({ refundId }: Issued, { paymentStatus, refunds }: OrderRow): boolean {
  if (refundId === null) return paymentStatus !== 'paid';
  return refunds.find(({ id }) => id === refundId)?.state !== 'withdrawn';
}

type RefundJson = OrderRow['refunds'][number];

/** A withdrawn refund that was sent credits nothing that another refund or a shipment took. */
function isCredited({
  counted_cents: counted,
  covers,
  holds_units: holdsUnits,
  value_cents: value,
}: RefundJson): boolean {
  if (covers === 'lines') return holdsUnits;
  // A refund of a payment that was no sale when it was made ends the sale.
  return covers === 'whole' ? value === null || counted !== null : covers === 'amount' && counted !== null;
}

/** A refund of the whole credits what it returned, and that is all that is left. */
function toCreditRequest({ counted_cents: counted, covers, parts, units }: RefundJson): CreditRequest {
  if (covers === 'lines') return { units: units.map(toLineToCredit) };
  if (covers === 'amount') return { amounts: parts.map(toLineAmount) };
  return counted === null ? null : { totalCents: cents(BigInt(counted)) };
}

const toInvoiceRefund = ({ rate_at: rateAt, rate_cents: rateCents, sats, txid }: RefundJson): InvoiceRefund => ({
  txid,
  sats,
  ...(rateCents === null || rateAt === null ? {} : { rateCents, rateAt: new Date(rateAt).toISOString() }),
});

/** Issues what the present state of an order requires and was not issued yet. Idempotent. */
async function issueDocuments(issuer: Issuer, order: OrderRow, orderPrefix: string): Promise<void> {
  const { paidAt } = order;
  if (issuer.findInvoice() === null && paidAt !== null) {
    const toInvoice = toOrderToInvoice(order, paidAt, orderPrefix);
    await issuer.issue('invoice', {}, (document, seller) => composeInvoice(toInvoice, document, seller));
  }
  const invoice = issuer.findInvoice();
  if (invoice === null) return;
  for (const note of issuer.listCreditNotes()) {
    if (isValid(note, order)) continue;
    await issuer.issue('invoice', { correctsId: note.id }, (document, seller) =>
      composeReversal(note.content, document, seller),
    );
  }
  const credit = async (refund: OrderRow['refunds'][number] | null): Promise<void> => {
    const earlier = issuer.listCreditNotes().map(({ content }) => content);
    const links = { refundId: refund?.id ?? null, correctsId: invoice.id };
    const of = refund && toInvoiceRefund(refund);
    const request = refund && toCreditRequest(refund);
    await issuer.issue('credit_note', links, (document, seller) =>
      composeCreditNote(invoice.content, earlier, request, document, { refund: of, seller }),
    );
  };
  // A surplus was never invoiced, so its refund needs no credit note.
  for (const refund of order.refunds.filter((one) => isCredited(one) && one.state === 'confirmed')) {
    if (!issuer.listCreditNotes().some(({ refundId }) => refundId === refund.id)) await credit(refund);
  }
  if (order.paymentStatus === 'cancelled') await credit(null);
}

const toLineToCredit = ({
  net_cents: net,
  position,
  quantity,
  tax_cents: tax,
}: OrderRow['refunds'][number]['units'][number]) => ({
  position,
  quantity,
  amounts: { netCents: cents(BigInt(net)), taxCents: cents(BigInt(tax)) },
});

const toLineAmount = ({ net_cents: net, position, tax_cents: tax }: RefundJson['parts'][number]) => ({
  position,
  netCents: cents(BigInt(net)),
  taxCents: cents(BigInt(tax)),
});

const toWire = ({ id, kind, fullNumber, issuedAt, grossCents }: InvoiceRow) => ({
  id,
  kind,
  number: fullNumber,
  issued_at: issuedAt,
  total_usd: grossCents,
});

export class Invoices {
  readonly #options: InvoicesOptions;

  constructor(options: InvoicesOptions) {
    this.#options = options;
  }

  // ---- issuing

  /** Requests the documents that order events may require, in the transaction that dispatches the events. */
  async request(tx: Db, events: readonly Pick<UndispatchedEvent, 'kind' | 'order_id'>[]): Promise<void> {
    const ids = events.filter(({ kind }) => RELEVANT_EVENTS.has(kind)).map(({ order_id: id }) => id);
    if (ids.length > 0) await store.requestInvoices(tx, [...new Set(ids)], this.#options.clock.now());
  }

  /**
   * Issues the documents of the next requested order. Returns whether there was one. A request whose
   * documents cannot be composed is logged and retried later; others do not wait for it.
   */
  async issueNext(): Promise<boolean> {
    const { clock, db, log, onChanged } = this.#options;
    const orderId = await store.findNextRequest(db, clock.now());
    if (orderId === null) return false;
    try {
      await transact(db, async (tx) => {
        if (await store.lockRequest(tx, orderId)) await this.#issue(tx, orderId);
      });
    } catch (error) {
      log.error({ err: error, order: orderId }, 'the invoice of an order could not be issued');
      await transact(db, async (tx) => {
        await store.postponeRequest(tx, orderId, clock.now());
        onChanged(tx);
      });
    }
    return true;
  }

  async #issue(tx: Db, orderId: string): Promise<void> {
    const settings = await readShopSettings(tx);
    const issuedAt = this.#options.clock.now();
    await store.lockNumbers(tx, getInvoiceYear(issuedAt, settings.time.time_zone));
    const order = await store.findOrder(tx, orderId);
    const issued = await store.listOrderInvoices(tx, orderId);
    const issuer = new Issuer(tx, orderId, { issuedAt, settings, issued });
    if (order) await issueDocuments(issuer, order, settings.orders.order_prefix);
    if (issuer.issued.length > issued.length) this.#options.onIssued(tx, orderId);
    await store.deleteRequest(tx, orderId);
    this.#options.onChanged(tx);
  }

  // ---- reading

  /**
   * The documents of an order, oldest first; null if there is no such order.
   * @param userId only if it is an order of this user; null: of any
   */
  async listForOrder(orderId: string, userId: string | null) {
    const { db } = this.#options;
    if (!(await store.hasOrder(db, orderId, userId))) return null;
    return { invoices: (await store.listOrderInvoices(db, orderId)).map(toWire) };
  }

  /** One page of all documents, newest first. */
  async list(filter: InvoiceFilter, page: number) {
    const { db, shopSettings } = this.#options;
    const place = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
    const [{ rows, total, hasMore }, years, failed] = await Promise.all([
      store.listInvoices(db, filter, place),
      store.listYears(db),
      store.listFailedRequests(db, MAX_FAILED_SHOWN),
    ]);
    const invoices = rows.map((row) => ({
      ...toWire(row),
      order_id: row.orderId,
      order_number: row.orderNumber,
      buyer: row.buyerName,
      net_usd: row.netCents,
      tax_usd: row.taxCents,
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
   */
  async print(
    id: string,
    userId: string | null,
  ): Promise<{ readonly filename: string; readonly bytes: Uint8Array } | null> {
    const { db, pdf } = this.#options;
    const content = await store.findContent(db, id, userId);
    if (content === null) return null;
    const title = getDocumentTitle(content).toLowerCase().replaceAll(' ', '-');
    const filename = `${title}-${content.number.replaceAll(/[^A-Za-z0-9-]/g, '-')}.pdf`;
    return { filename, bytes: await pdf.render(layOutInvoice(content)) };
  }

  /** Sales and tax of a period as CSV, in pieces: a row for each tax rate of a document. Records the export first. */
  async exportSales(days: ShopDays, by: Actor): Promise<AsyncGenerator<string>> {
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
    return this.#writeSales(period);
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
