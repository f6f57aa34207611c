/** The timeline of an order, and its pay page without login. */
import type { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import type { NextQuote, Quotes } from '../status/quotes.service.ts';
import { cents, NO_SATS, sats } from '#src/shop/money.ts';
import type { Orders } from '../service.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import type { timelineApi } from './contract.ts';
import { findLateReason } from '../status/late-reason.ts';
import { claimUndispatched } from './outbox.store.ts';
import type { UndispatchedEvent } from './outbox.store.ts';
import type { RefundEntries } from './refund-entries.ts';
import { showShipments } from '../fulfilment/show-shipments.ts';
import type { ShipmentToShow } from '../fulfilment/show-shipments.ts';
import { listLinesToShip, listShipments } from '../fulfilment/shipments.store.ts';
import * as store from './store.ts';
import { readAmount, describeEvents } from './timeline-messages.ts';

type Timeline = z.output<(typeof timelineApi)['GET /orders/{id}/timeline']['response']>;
type PaymentRequest = z.output<(typeof timelineApi)['GET /pay/{token}']['response']>;

export type { UndispatchedEvent };

export interface OrderTimelineOptions {
  readonly db: Db;
  readonly orders: Pick<Orders, 'find' | 'findAmountDue'>;
  readonly payments: Pick<Payments, 'getVerifiedAddress' | 'getDustSats'>;
  readonly quotes: Pick<Quotes, 'findNext'>;
  readonly findRefundEntries: (orderId: string) => Promise<RefundEntries>;
  /** The present address of the buyer, if the receipt was sent there. */
  readonly findReceiptAddress: (orderId: string, userId: string) => Promise<string | null>;
}

export class OrderTimeline {
  readonly #options: OrderTimelineOptions;

  constructor(options: OrderTimelineOptions) {
    this.#options = options;
  }

  /** Timeline of the user's order; null if it does not exist or belongs to another user. */
  async find(userId: string, orderId: string): Promise<Timeline | null> {
    const { db, findReceiptAddress, findRefundEntries, orders, payments, quotes } = this.#options;
    const order = await orders.find(userId, orderId);
    if (!order) return null;
    const [events, leftPayments, snapshot, { refunds, address }, next, shipments, receiptAddress] = await Promise.all([
      store.listEvents(db, orderId),
      store.listLeftPayments(db, orderId),
      store.findOrderSnapshot(db, orderId),
      findRefundEntries(orderId),
      quotes.findNext(orderId),
      this.listShipments(orderId),
      order.payment_status === 'paid' ? findReceiptAddress(orderId, userId) : null,
    ]);
    if (!snapshot) return null;
    const texts = describeEvents(events.map(({ kind }) => kind));
    return {
      timeline: events.map(({ kind, at, details }, index) => ({
        kind,
        text: texts[index] ?? '',
        at,
        due_btc: readAmount(details, 'due_sats'),
        received_btc: readAmount(details, 'received_sats'),
      })),
      left_payments: leftPayments.map(({ txid, vout, amountSats, because, leftAt }) => ({
        txid,
        vout,
        amount_btc: amountSats,
        because,
        left_at: leftAt,
      })),
      refunds: refunds.map(({ amountSats, isCredit, lines, rate, rateAt, valueCents, ...refund }) => ({
        ...refund,
        is_credit: isCredit,
        value_usd: valueCents,
        rate_usd: rate && cents(rate),
        rate_at: rateAt,
        lines: lines && { ...lines, items: [...lines.items] },
        amount_btc: amountSats,
      })),
      refund_least_btc: address === null ? null : sats(payments.getDustSats(address)),
      tracking_reference: snapshot.trackingReference,
      shipments: shipments.map(({ items, ...shipment }) => ({
        ...shipment,
        items: items.map(({ name, quantity, serials }) => ({
          name,
          quantity,
          serials: serials.map(({ number }) => number),
        })),
      })),
      rate_usd: cents(snapshot.rate),
      window_started_at: findWindowStart(events, order.created_at),
      ...showNextQuote(next),
      late_because: findLateReason(order.payment, next, events),
      pay_path: getPayPath(snapshot.token),
      receipt_sent_to: receiptAddress,
    };
  }

  /** Marks the next undispatched events as dispatched and returns them, at most one per order. */
  claimUndispatched(tx: Db, limit: number): Promise<UndispatchedEvent[]> {
    return claimUndispatched(tx, limit);
  }

  /** Owners of orders. */
  async listOwners(orderIds: readonly string[]): Promise<{ readonly id: string; readonly userId: string }[]> {
    return orderIds.length === 0 ? [] : store.listOwners(this.#options.db, orderIds);
  }

  /** Shipments of any user's order, oldest first. */
  async listShipments(orderId: string): Promise<readonly ShipmentToShow[]> {
    const { db } = this.#options;
    const shipments = await listShipments(db, [orderId]);
    return shipments.length === 0 ? [] : showShipments(shipments, await listLinesToShip(db, [orderId]));
  }

  /** Any user's order with its snapshot and pay link, for mails. */
  async readForMail(orderId: string) {
    const { db, orders, quotes } = this.#options;
    const [owner] = await this.listOwners([orderId]);
    const [order, snapshot, events, next, shipments] = await Promise.all([
      owner ? orders.find(owner.userId, orderId) : null,
      store.findOrderSnapshot(db, orderId),
      store.listEvents(db, orderId),
      quotes.findNext(orderId),
      this.listShipments(orderId),
    ]);
    if (!owner || !order || !snapshot) return null;
    const { isManual, rate, token, trackingReference } = snapshot;
    const missingSats = next?.missingSats ?? NO_SATS;
    const late = { because: findLateReason(order.payment, next, events), missingSats };
    return {
      userId: owner.userId,
      order,
      isManual,
      late,
      requoteRefusal: next?.refusal ?? null,
      rate,
      shipments,
      trackingReference,
      payPath: getPayPath(token),
    };
  }

  /** The payment for anyone with the link; the address is verified first. */
  async findPaymentRequest(token: string): Promise<PaymentRequest | null> {
    const { db, orders, payments, quotes } = this.#options;
    const reference = await store.findByLink(db, token);
    const order = reference && (await orders.find(reference.userId, reference.id));
    if (!order) return null;
    const [due, snapshot, events, next] = await Promise.all([
      orders.findAmountDue(order.id),
      store.findOrderSnapshot(db, order.id),
      store.listEvents(db, order.id),
      quotes.findNext(order.id),
    ]);
    if (!due || !snapshot) return null;
    const { number, payment_status, expires_at, payment } = order;
    const address = await payments.getVerifiedAddress(db, order.id);
    return {
      number,
      payment_status,
      expires_at,
      total_usd: order.total_usd_after,
      rate_usd: cents(snapshot.rate),
      window_started_at: findWindowStart(events, order.created_at),
      missing_btc: payment.bip21 === null ? NO_SATS : due.missingSats,
      ...showNextQuote(next),
      late_because: findLateReason(payment, next, events),
      payment: { ...payment, address },
    };
  }
}

/** The newest quote of an order; the order itself before it has another one. */
const findWindowStart = (events: readonly store.OrderEventRow[], createdAt: Date): Date =>
  events.findLast(({ kind }) => kind === 'requoted')?.at ?? createdAt;

function showNextQuote(next: NextQuote | null) {
  if (next === null) return { next_quote: null, requote_refusal: null };
  const { missingSats, rate, refusal, totalCents } = next;
  const quote = rate && { rate_usd: cents(rate), missing_btc: missingSats, total_usd: totalCents };
  return { next_quote: refusal === null ? quote : null, requote_refusal: refusal };
}

const getPayPath = (token: string): string => `/pay/${token}`;
