/** What a buyer follows an order by: its timeline, and the link to its payment that needs no login. */
import type { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import type { NextQuote, Quotes } from '../status/quotes.service.ts';
import { cents, NO_SATS, sats } from '#src/shop/money.ts';
import type { Orders } from '../service.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import type { timelineApi } from './contract.ts';
import { findLateReason } from './late-reason.ts';
import { claimUndispatched } from './outbox.store.ts';
import type { UndispatchedEvent } from './outbox.store.ts';
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
}

export class OrderTimeline {
  readonly #options: OrderTimelineOptions;

  constructor(options: OrderTimelineOptions) {
    this.#options = options;
  }

  /** Of one of the user's own orders; null for one that is somebody else's or not there. */
  async find(userId: string, orderId: string): Promise<Timeline | null> {
    const { db, orders, payments, quotes } = this.#options;
    const order = await orders.find(userId, orderId);
    if (!order) return null;
    const [turns, left, kept, refunds, address, next] = await Promise.all([
      store.listEvents(db, orderId),
      store.listLeftPayments(db, orderId),
      store.findOrderSnapshot(db, orderId),
      store.listRefunds(db, orderId),
      store.findRefundAddress(db, orderId),
      quotes.findNext(orderId),
    ]);
    if (!kept) return null;
    const texts = describeEvents(turns.map(({ kind }) => kind));
    return {
      timeline: turns.map(({ kind, at, details }, index) => ({
        kind,
        text: texts[index] ?? '',
        at,
        due_btc: readAmount(details, 'due_sats'),
        received_btc: readAmount(details, 'received_sats'),
      })),
      left_payments: left.map(({ txid, vout, amountSats, because, leftAt }) => ({
        txid,
        vout,
        amount_btc: amountSats,
        because,
        left_at: leftAt,
      })),
      refunds: refunds.map(({ amountSats, ...refund }) => ({ ...refund, amount_btc: amountSats })),
      refund_least_btc: address === null ? null : sats(payments.getDustSats(address)),
      tracking_reference: kept.trackingReference,
      rate_usd: cents(kept.rate),
      ...showNextQuote(next),
      late_because: findLateReason(order.payment, next, turns),
      pay_path: getPayPath(kept.token),
    };
  }

  /** Marks the next undispatched events as dispatched and returns them, at most one per order. */
  claimUndispatched(tx: Db, limit: number): Promise<UndispatchedEvent[]> {
    return claimUndispatched(tx, limit);
  }

  /** Whose these orders are. */
  async listOwners(orderIds: readonly string[]): Promise<{ readonly id: string; readonly userId: string }[]> {
    return orderIds.length === 0 ? [] : store.listOwners(this.#options.db, orderIds);
  }

  /** An order, whosoever it is, with what it keeps and the path of its link: for writing to its buyer. */
  async readForMail(orderId: string) {
    const { db, orders, quotes } = this.#options;
    const [owner] = await this.listOwners([orderId]);
    const [order, kept, turns, next] = await Promise.all([
      owner ? orders.find(owner.userId, orderId) : null,
      store.findOrderSnapshot(db, orderId),
      store.listEvents(db, orderId),
      quotes.findNext(orderId),
    ]);
    if (!owner || !order || !kept) return null;
    const { rate, token, trackingReference } = kept;
    const missingSats = next === null || next === 'no-rate' ? NO_SATS : next.missingSats;
    const late = { because: findLateReason(order.payment, next, turns), missingSats };
    return { userId: owner.userId, order, late, rate, trackingReference, payPath: getPayPath(token) };
  }

  /** What whoever has the link may see; its address is derived once more before it is shown. */
  async findPaymentRequest(token: string): Promise<PaymentRequest | null> {
    const { db, orders, payments, quotes } = this.#options;
    const found = await store.findByLink(db, token);
    const order = found && (await orders.find(found.userId, found.id));
    if (!order) return null;
    const [due, kept, turns, next] = await Promise.all([
      orders.findAmountDue(order.id),
      store.findOrderSnapshot(db, order.id),
      store.listEvents(db, order.id),
      quotes.findNext(order.id),
    ]);
    if (!due || !kept) return null;
    const { number, payment_status, expires_at, payment } = order;
    const address = await payments.getVerifiedAddress(db, order.id);
    return {
      number,
      payment_status,
      expires_at,
      total_usd: order.total_usd_after,
      rate_usd: cents(kept.rate),
      missing_btc: payment.bip21 === null ? NO_SATS : due.missingSats,
      ...showNextQuote(next),
      late_because: findLateReason(payment, next, turns),
      payment: { ...payment, address },
    };
  }
}

const showNextQuote = (next: NextQuote | 'no-rate' | null) => ({
  next_quote:
    next === null || next === 'no-rate' ? null : { rate_usd: cents(next.rate), missing_btc: next.missingSats },
});

const getPayPath = (token: string): string => `/pay/${token}`;
