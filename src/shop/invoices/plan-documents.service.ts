/** Which documents the present state of an order requires. Pure: the caller issues them. */
import { cents } from '#src/shop/money.ts';
import { computeWaivedCents } from '#src/shop/orders/paid-amount.ts';
import { formatOrderNumber } from '#src/shop/shop-settings/order-number.ts';
import { composeCreditNote, composeReversal, composeWaiver } from './compose-credit-note.ts';
import type { CreditRequest } from './compose-credit-note.ts';
import { composeInvoice } from './compose-invoice.ts';
import type { NewDocument, OrderToInvoice } from './compose-invoice.ts';
import type { NationalRate } from './currency/national-tax.ts';
import type { CreditReason, InvoiceContent, InvoiceRefund, InvoiceSeller } from './invoice-content.ts';
import type { InvoiceKind } from './invoice-number.ts';
import type { OrderRow } from './store.ts';

interface Links {
  /** The refund of a credit note; null for none. */
  readonly refundId: string | null;
  /** Of a credit note: the invoice. Of an invoice: the credit note that it reverses. */
  readonly correctsId: string | null;
}

export interface IssuedDocument extends Links {
  readonly id: string;
  readonly kind: InvoiceKind;
  readonly content: InvoiceContent;
}

export interface DocumentToIssue extends Links {
  readonly kind: InvoiceKind;
  /**
   * Null: nothing is issued.
   * @param seller of an invoice. Corrections name that of the document that they correct.
   */
  readonly compose: (document: NewDocument, seller: InvoiceSeller) => InvoiceContent | null;
}

type Refund = OrderRow['refunds'][number];

/** Credit notes of an invoice that no other one reverses. */
function listCreditNotes(issued: readonly IssuedDocument[], invoice: IssuedDocument): readonly IssuedDocument[] {
  const reversed = new Set(issued.flatMap(({ correctsId, kind }) => (kind === 'invoice' ? [correctsId] : [])));
  return issued.filter(
    ({ correctsId, id, kind }) => kind === 'credit_note' && correctsId === invoice.id && !reversed.has(id),
  );
}

const listContents = (issued: readonly IssuedDocument[], invoice: IssuedDocument): readonly InvoiceContent[] =>
  listCreditNotes(issued, invoice).map(({ content }) => content);

/** The latest invoice of the order. A former one, of a quote that was paid before, is credited. */
const findInvoice = (issued: readonly IssuedDocument[]): IssuedDocument | null =>
  issued.findLast(({ correctsId, kind }) => kind === 'invoice' && correctsId === null) ?? null;

/** Credits the units of a refund, or all that is left of an invoice. */
function credit(
  issued: readonly IssuedDocument[],
  invoice: IssuedDocument,
  { because, refund = null }: { readonly because: CreditReason; readonly refund?: Refund | null },
): DocumentToIssue {
  const of = refund && toInvoiceRefund(refund);
  const request = refund && toCreditRequest(refund);
  const earlier = listContents(issued, invoice);
  return {
    kind: 'credit_note',
    refundId: refund?.id ?? null,
    correctsId: invoice.id,
    compose: (document) => composeCreditNote(invoice.content, earlier, request, document, { refund: of, because }),
  };
}

const reverse = (note: IssuedDocument): DocumentToIssue => ({
  kind: 'invoice',
  refundId: null,
  correctsId: note.id,
  compose: (document) => composeReversal(note.content, document),
});

function toOrderToInvoice(order: OrderRow, paidAt: Date, prefix: string): OrderToInvoice {
  const lines = order.lines.map(({ price_cents: price, is_free: isFree, ...line }) => ({
    ...line,
    isFree,
    priceCents: cents(BigInt(price)),
  }));
  return { ...order, lines, paidAt, orderNumber: formatOrderNumber(order.number, prefix) };
}

const readGross = ({ content }: IssuedDocument): bigint => BigInt(content.grossCents);

/** What other credit notes leave of the invoice for this one, in cents. */
const computeRoom = (notes: readonly IssuedDocument[], invoice: IssuedDocument, note: IssuedDocument): bigint =>
  notes.reduce((left, other) => (other === note ? left : left - readGross(other)), readGross(invoice));

/** A withdrawn refund takes nothing back, nor does the end of an order that was paid after all. */
function isValid(note: IssuedDocument, room: bigint, { paymentStatus, refunds }: OrderRow): boolean {
  const { refundId } = note;
  if (refundId === null) return paymentStatus !== 'paid';
  const refund = refunds.find(({ id }) => id === refundId);
  if (refund?.covers !== 'whole' || refund.counted_cents === null) return refund?.state !== 'withdrawn';
  // A refund of the whole takes what others leave, which may change.
  const counted = BigInt(refund.counted_cents);
  return readGross(note) === (counted < room ? counted : room);
}

/** A withdrawn refund that was sent credits nothing that another refund or a shipment took. */
function isCredited({ counted_cents: counted, covers, holds_units: holdsUnits, value_cents: value }: Refund): boolean {
  if (covers === 'lines') return holdsUnits;
  // A refund of a payment that was no sale when it was made ends the sale.
  return covers === 'whole' ? value === null || counted !== null : covers === 'amount' && counted !== null;
}

/** A refund of the whole credits what it returned, and that is all that is left. */
function toCreditRequest({ counted_cents: counted, covers, parts, units }: Refund): CreditRequest {
  if (covers === 'lines') return { units: units.map(toLineToCredit) };
  if (covers === 'amount') return { amounts: parts.map(toLineAmount) };
  return counted === null ? null : { totalCents: cents(BigInt(counted)) };
}

const toInvoiceRefund = ({ rate_at: rateAt, rate_cents: rateCents, sats, txid }: Refund): InvoiceRefund => ({
  txid,
  sats,
  ...(rateCents === null || rateAt === null ? {} : { rateCents, rateAt: new Date(rateAt).toISOString() }),
});

/** Why nothing is sold any more by the invoice of an order; null while it stands. */
function findEnd(order: OrderRow): CreditReason | null {
  if (order.paymentStatus === 'cancelled') return 'cancelled';
  if (order.closedAsLossOf === 'payment') return 'closed';
  // What was shipped stays sold while its buyer may pay again.
  return order.paidAt === null && order.isUnshipped ? 'requoted' : null;
}

/** Whether an invoice is over the quote that the order was paid by. */
const isOfQuote = (
  { content: { grossCents, payment } }: IssuedDocument,
  { dueSats, rate, totalCents }: OrderRow,
): boolean =>
  grossCents === String(totalCents) && payment?.dueSats === String(dueSats) && payment.rateCents === String(rate);

const isWaiver = ({ content }: IssuedDocument): boolean => content.because === 'waived';

/** The invoice of a paid order; again once it was requoted and paid at another price. */
function* planInvoice(
  issued: readonly IssuedDocument[],
  order: OrderRow,
  toInvoice: OrderToInvoice,
): Generator<DocumentToIssue> {
  const former = findInvoice(issued);
  if (former !== null) {
    if (order.paymentStatus !== 'paid' || isOfQuote(former, order)) return;
    yield credit(issued, former, { because: 'repriced' });
  }
  const compose: DocumentToIssue['compose'] = (document, seller) => composeInvoice(toInvoice, document, seller);
  yield { kind: 'invoice', refundId: null, correctsId: null, compose };
}

/** What staff waived; again when they accepted another amount. */
function* planWaiver(
  issued: readonly IssuedDocument[],
  invoice: IssuedDocument,
  order: OrderRow,
  toInvoice: OrderToInvoice,
): Generator<DocumentToIssue> {
  const accepted = computeWaivedCents(order) > 0n ? String(order.settledSats) : undefined;
  const waivers = listCreditNotes(issued, invoice).filter(isWaiver);
  if (accepted !== undefined && waivers.some(({ content }) => content.acceptedSats === accepted)) return;
  for (const note of waivers) yield reverse(note);
  const earlier = listContents(issued, invoice);
  const settled = { ...toInvoice, settledSats: order.settledSats };
  const compose: DocumentToIssue['compose'] = (document) => composeWaiver(invoice.content, settled, earlier, document);
  yield { kind: 'credit_note', refundId: null, correctsId: invoice.id, compose };
}

/**
 * What the present state of an order requires and was not issued yet. Idempotent.
 * @param issued the documents of the order, oldest first; the caller adds each one that it issues
 * @param national the rate of the national currency; null: it is missing
 */
export function* planDocuments(
  order: OrderRow,
  orderPrefix: string,
  issued: readonly IssuedDocument[],
  national?: NationalRate | null,
): Generator<DocumentToIssue> {
  const { paidAt } = order;
  const toInvoice = paidAt && { ...toOrderToInvoice(order, paidAt, orderPrefix), national };
  if (toInvoice !== null) yield* planInvoice(issued, order, toInvoice);
  const invoice = findInvoice(issued);
  if (invoice === null) return;
  const notes = listCreditNotes(issued, invoice);
  for (const note of notes)
    if (!isWaiver(note) && !isValid(note, computeRoom(notes, invoice, note), order)) yield reverse(note);
  const end = findEnd(order);
  if (toInvoice !== null && end === null) yield* planWaiver(issued, invoice, order, toInvoice);
  // A surplus was never invoiced, so its refund needs no credit note.
  for (const refund of order.refunds.filter((one) => isCredited(one) && one.state === 'confirmed')) {
    const isIssued = listCreditNotes(issued, invoice).some(({ refundId }) => refundId === refund.id);
    if (!isIssued) yield credit(issued, invoice, { because: 'cancelled', refund });
  }
  if (end !== null) yield credit(issued, invoice, { because: end });
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

const toLineAmount = ({ net_cents: net, position, tax_cents: tax }: Refund['parts'][number]) => ({
  position,
  netCents: cents(BigInt(net)),
  taxCents: cents(BigInt(tax)),
});
