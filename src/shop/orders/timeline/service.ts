/** What a buyer follows an order by: its timeline, and the link to its payment that needs no login. */
import type { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import type { NextQuote, Quotes } from '../status/quotes.service.ts';
import { cents, NO_SATS, sats } from '#src/shop/money.ts';
import type { Orders } from '../service.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import type { trackingApi } from './contract.ts';
import { lateBecause } from './late-because.ts';
import * as store from './store.ts';
import { keptAmount, turnTexts } from './timeline-words.ts';

type Timeline = z.output<(typeof trackingApi)['GET /orders/{id}/timeline']['response']>;
type PaymentRequest = z.output<(typeof trackingApi)['GET /pay/{token}']['response']>;

export interface TrackingOptions {
  readonly db: Db;
  readonly orders: Pick<Orders, 'find' | 'dueOf'>;
  readonly payments: Pick<Payments, 'verifiedAddressOf' | 'dustSatsTo'>;
  readonly quotes: Pick<Quotes, 'next'>;
}

export class Tracking {
  readonly #options: TrackingOptions;

  constructor(options: TrackingOptions) {
    this.#options = options;
  }

  /** Of one of the user's own orders; null for one that is somebody else's or not there. */
  async timeline(userId: string, orderId: string): Promise<Timeline | null> {
    const { db, orders, payments, quotes } = this.#options;
    const order = await orders.find(userId, orderId);
    if (!order) return null;
    const [turns, left, kept, refunds, address, next] = await Promise.all([
      store.turnsOf(db, orderId),
      store.leftOf(db, orderId),
      store.keptOf(db, orderId),
      store.refundsOf(db, orderId),
      store.refundAddressOf(db, orderId),
      quotes.next(orderId),
    ]);
    if (!kept) return null;
    const texts = turnTexts(turns.map(({ kind }) => kind));
    return {
      timeline: turns.map(({ kind, at, details }, index) => ({
        kind,
        text: texts[index] ?? '',
        at,
        due_btc: keptAmount(details, 'due_sats'),
        received_btc: keptAmount(details, 'received_sats'),
      })),
      left_payments: left.map(({ txid, vout, amountSats, because, leftAt }) => ({
        txid,
        vout,
        amount_btc: amountSats,
        because,
        left_at: leftAt,
      })),
      refunds: refunds.map(({ amountSats, ...refund }) => ({ ...refund, amount_btc: amountSats })),
      refund_least_btc: address === null ? null : sats(payments.dustSatsTo(address)),
      tracking_reference: kept.trackingReference,
      rate_usd: cents(kept.rate),
      ...showNext(next),
      late_because: lateBecause(order.payment, next, turns),
      pay_path: pathOf(kept.token),
    };
  }

  /** Whose these orders are. */
  async ownersOf(orderIds: readonly string[]): Promise<{ readonly id: string; readonly userId: string }[]> {
    return orderIds.length === 0 ? [] : store.ownersOf(this.#options.db, orderIds);
  }

  /** An order, whosoever it is, with what it keeps and the path of its link: for writing to its buyer. */
  async read(orderId: string) {
    const { db, orders, quotes } = this.#options;
    const [owner] = await this.ownersOf([orderId]);
    const [order, kept, turns, next] = await Promise.all([
      owner ? orders.find(owner.userId, orderId) : null,
      store.keptOf(db, orderId),
      store.turnsOf(db, orderId),
      quotes.next(orderId),
    ]);
    if (!owner || !order || !kept) return null;
    const { rate, token, trackingReference } = kept;
    const missingSats = next === null || next === 'no-rate' ? NO_SATS : next.missingSats;
    const late = { because: lateBecause(order.payment, next, turns), missingSats };
    return { userId: owner.userId, order, late, rate, trackingReference, payPath: pathOf(token) };
  }

  /** What whoever has the link may see; its address is derived once more before it is shown. */
  async paymentRequest(token: string): Promise<PaymentRequest | null> {
    const { db, orders, payments, quotes } = this.#options;
    const found = await store.findByLink(db, token);
    const order = found && (await orders.find(found.userId, found.id));
    if (!order) return null;
    const [due, kept, turns, next] = await Promise.all([
      orders.dueOf(order.id),
      store.keptOf(db, order.id),
      store.turnsOf(db, order.id),
      quotes.next(order.id),
    ]);
    if (!due || !kept) return null;
    const { number, payment_status, expires_at, payment } = order;
    const address = await payments.verifiedAddressOf(db, order.id);
    return {
      number,
      payment_status,
      expires_at,
      total_usd: order.total_usd_after,
      rate_usd: cents(kept.rate),
      missing_btc: payment.bip21 === null ? NO_SATS : due.missingSats,
      ...showNext(next),
      late_because: lateBecause(payment, next, turns),
      payment: { ...payment, address },
    };
  }
}

const showNext = (next: NextQuote | 'no-rate' | null) => ({
  next_quote:
    next === null || next === 'no-rate' ? null : { rate_usd: cents(next.rate), missing_btc: next.missingSats },
});

const pathOf = (token: string): string => `/pay/${token}`;
