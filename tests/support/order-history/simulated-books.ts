/** Invoices and credit notes of the simulated order, and what they must sum up to. */
import { planDocuments } from '#src/shop/invoices/plan-documents.service.ts';
import type { DocumentToIssue, IssuedDocument } from '#src/shop/invoices/plan-documents.service.ts';
import type { OrderRow } from '#src/shop/invoices/store.ts';
import { isDocumentEvent } from '#src/shop/orders/order-events.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';
import { ClaimError } from './claim.ts';
import { UNITS } from './order-record.ts';
import type { OrderSimulation } from './order-simulation.ts';

const SELLER = { name: 'Shop', company: '', address: '', registrationNumber: '', taxNumber: '', email: '', phone: '' };

const ENDS: ReadonlySet<OrderEventKind> = new Set(['requoted', 'closed_as_loss']);

export class SimulatedBooks {
  readonly issued: IssuedDocument[] = [];
  readonly #shop: OrderSimulation;
  #isRequested = false;

  constructor(shop: OrderSimulation) {
    this.#shop = shop;
  }

  /** `Invoices.request` */
  take(kind: OrderEventKind): void {
    const isOmitted = this.#shop.bug === 'a lost sale stays in the books' && ENDS.has(kind);
    this.#isRequested ||= isDocumentEvent(kind) && !isOmitted;
  }

  /** `Invoices.issueNext` */
  issue(): void {
    const { events, order } = this.#shop;
    const wasPaid = order.paid_at !== null || events.some(({ kind }) => kind === 'paid' || kind === 'settled');
    if (!this.#isRequested || !wasPaid) return;
    this.#isRequested = false;
    for (const document of planDocuments(this.#createRow(), 'CM-', this.issued)) this.#add(document);
  }

  #add({ compose, correctsId, kind, refundId }: DocumentToIssue): void {
    const number = String(this.issued.length);
    const content = compose({ number, issuedAt: this.#shop.now, timeZone: 'UTC' }, SELLER);
    if (content === null) return;
    this.issued.push({ id: number, kind, refundId, correctsId, content });
    this.#shop.count(`document ${kind} ${content.because ?? content.reverses ?? 'sale'}`);
  }

  #createRow(): OrderRow {
    const { order, refunds, rows } = this.#shop;
    return {
      number: order.number,
      paymentStatus: order.payment_status,
      createdAt: order.created_at,
      paidAt: order.paid_at,
      billing: order.billing,
      totalCents: order.total_after_cents,
      isUnshipped: order.fulfilment_status === 'unfulfilled',
      closedAsLossOf: order.closed_as_loss_of,
      settledSats: order.settled_sats,
      tax: null,
      dueSats: order.due_sats,
      rate: order.rate_cents_per_btc,
      rateAt: null,
      lines: [
        {
          position: 0,
          name: 'Phone',
          sku: null,
          options: [],
          quantity: UNITS,
          price_cents: String(order.total_cents / BigInt(UNITS)),
          is_free: false,
          serials: [],
        },
      ],
      received: rows.map(({ amountSats, txid }) => ({ txid, sats: String(amountSats) })),
      refunds: refunds.list.map(
        ({ amountSats, countedCents, covers, holdsUnits, id, lines, parts, returns, ...of }) => ({
          id,
          covers,
          state: of.state,
          txid: of.txid ?? '',
          sats: String(amountSats),
          value_cents: returns.value === null ? null : String(returns.value.cents),
          counted_cents: countedCents === null ? null : String(countedCents),
          rate_cents: returns.rate === null ? null : String(returns.rate.centsPerBtc),
          rate_at: returns.rate?.at.toISOString() ?? null,
          holds_units: holdsUnits,
          parts: (parts ?? []).map(({ netCents, position, taxCents }) => ({
            position,
            net_cents: String(netCents),
            tax_cents: String(taxCents),
          })),
          units: (lines?.units ?? []).map(({ netCents, position, quantity, taxCents }) => ({
            position,
            quantity,
            net_cents: String(netCents),
            tax_cents: String(taxCents),
          })),
        }),
      ),
    };
  }

  /** Invoices without credit notes, in cents. */
  get netCents(): bigint {
    return this.issued.reduce((sum, { content, kind }) => {
      const gross = BigInt(content.grossCents);
      return kind === 'invoice' ? sum + gross : sum - gross;
    }, 0n);
  }

  /** The books are what was received for the order without what was refunded, once all documents are issued. */
  check(): void {
    if (this.#isRequested) return;
    const { netCents } = this;
    const { order } = this.#shop;
    const isPaid = order.payment_status === 'paid';
    const expected = isPaid ? this.#computeKeptCents() : this.#findEndCents();
    if (expected !== null && netCents !== expected)
      throw new ClaimError(`the books of a ${order.payment_status} order have ${netCents} cents, not ${expected}`);
    if (netCents < 0n) throw new ClaimError(`the books have ${netCents} cents`);
    if (isPaid) this.#checkSats();
  }

  /** The paid dollars without refunded ones; null while a refund is open, or where staff waived a part of refunded units. */
  #computeKeptCents(): bigint | null {
    const { order, refunds } = this.#shop;
    const { due_sats: due, settled_sats: settled, total_after_cents: total } = order;
    if (refunds.open !== null) return null;
    const paid: bigint = settled === null || settled >= due ? total : (2n * total * settled + due) / (2n * due);
    const confirmed = refunds.list.filter(({ state }) => state === 'confirmed');
    return confirmed.reduce((left, { countedCents }) => left - (countedCents ?? 0n), paid);
  }

  /** Nothing of an ended or unpaid order; null while a lost payment may return. */
  #findEndCents(): bigint | null {
    const { order } = this.#shop;
    const { closed_as_loss_of: closedOf, fulfilment_status: fulfilment, payment_status: status } = order;
    if (status === 'cancelled' || closedOf === 'payment') return 0n;
    if (status === 'refunded') return this.#computeRefundedCents();
    return order.paid_at === null && fulfilment === 'unfulfilled' ? 0n : null;
  }

  /** What is kept of a sale: coins that could not be spent yet when the rest was refunded are returned later. */
  #computeRefundedCents(): bigint | null {
    const { list, open } = this.#shop.refunds;
    // A refund that is open is credited once it is sent.
    if (open !== null) return null;
    const isSale = list.some(({ countedCents, covers }) => covers === 'whole' && countedCents !== null);
    return isSale ? this.#computeKeptCents() : 0n;
  }

  /** The standing invoice states what was due, and its waiver what staff accepted of it. */
  #checkSats(): void {
    const { order } = this.#shop;
    const invoice = this.issued.findLast(({ correctsId, kind }) => kind === 'invoice' && correctsId === null);
    const dueSats = invoice?.content.payment?.dueSats;
    if (dueSats !== String(order.due_sats))
      throw new ClaimError(`the invoice states ${dueSats} satoshis, not ${order.due_sats}`);
    const reversed = new Set(this.issued.map(({ correctsId }) => correctsId));
    const waiver = this.issued.find(
      ({ content, correctsId, id }) =>
        content.because === 'waived' &&
        content.acceptedSats !== undefined &&
        !reversed.has(id) &&
        correctsId === invoice?.id,
    );
    const accepted = waiver?.content.acceptedSats ?? dueSats;
    const settled = order.settled_sats ?? order.due_sats;
    if (accepted !== String(settled) && order.total_after_cents > 0n && waiver !== undefined)
      throw new ClaimError(`the books have ${accepted} satoshis, not ${settled}`);
  }
}
