/** Late payments: uncertain arrival times, and requotes at the present rate. */
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { Rate } from '#src/platform/rates/rate-source.ts';
import { centsPerBtc } from '#src/shop/money.ts';
import { requireLedger } from '../stored-order.ts';
import type { LateAcceptanceTerms } from './evaluate-order.ts';
import type { OrderLedger } from '../stored-order.ts';
import { decideWindowExtension } from './decide-window-extension.ts';
import { quoteIfCovered, mayBeCovered } from './present-price.ts';
import type { PresentPriceTerms } from './present-price.ts';
import { snapshotRate } from '../quote-order.ts';
import { snapshotQuote } from './requote-order.ts';
import type { requoteOrder } from './requote-order.ts';
import type { Orders } from '../service.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import type { PaymentTolerance } from '#src/shop/payments/ledger/payment-tolerance.ts';
import * as quotes from './quotes.store.ts';
import * as store from './store.ts';
import type { OrderForStatus, OrderedLine } from './store.ts';

export interface LatePaymentsOptions {
  readonly log: Log;
  readonly orders: Pick<Orders, 'appendEvent'>;
  readonly payments: Pick<Payments, 'readLedgers'>;
  readonly paymentWindowSeconds: number;
  readonly tolerance: PaymentTolerance;
  readonly unconfirmedLimitSeconds: number;
  readonly shopSettings: Pick<ShopSettings, 'current'>;
}

/** A requoted order whose payments cover the quote. */
export interface PresentPrice {
  readonly order: OrderForStatus;
  readonly quote: ReturnType<typeof requoteOrder>;
  readonly rate: Rate;
}

/** Runs in the caller's transaction, which holds the order's row lock. */
export class LatePayments {
  readonly #options: LatePaymentsOptions;

  constructor(options: LatePaymentsOptions) {
    this.#options = options;
  }

  /**
   * Counts a payment of uncertain arrival as in time if the present rate is within the tolerance,
   * by extending the window and recording an event. Returns the updated order, or null while there
   * is no rate to decide by.
   */
  async extendWindow(
    tx: Db,
    order: OrderForStatus,
    ledger: OrderLedger,
    terms: LateAcceptanceTerms,
    now: Date,
  ): Promise<OrderForStatus | null> {
    const until = decideWindowExtension(order, ledger, terms);
    if (until === null) return order;
    if (until === 'undecided') return null;
    const { log, orders } = this.#options;
    await store.extendWindow(tx, order.id, until);
    const details = { before: order.expires_at.toISOString(), until: until.toISOString() };
    await orders.appendEvent(tx, order.id, 'time_unknown', now, details);
    log.warn(
      { number: String(order.number), ...details },
      'a payment that may have arrived while the shop was down counts as in time',
    );
    const { full_expires_at: full } = order;
    return { ...order, expires_at: until, full_expires_at: full !== null && full > until ? full : null };
  }

  /** A quote at the present rate if the late payments cover it; null otherwise. Writes nothing. */
  async findCoveredPrice(
    db: Db,
    order: OrderForStatus,
    ledger: OrderLedger,
    rate: Rate | null,
    now: Date,
  ): Promise<PresentPrice | null> {
    if (rate === null || !mayBeCovered(order, ledger, centsPerBtc(rate.centsPerBtc))) return null;
    return this.#findCoveredPrice(order, await store.listOrderLines(db, [order.id]), ledger, rate, now);
  }

  /** Ids of orders whose payments cover a quote at the present rate. */
  async findCoveredOrders(
    db: Db,
    orders: readonly OrderForStatus[],
    rate: Rate | null,
    now: Date,
  ): Promise<ReadonlySet<string>> {
    if (rate === null || orders.length === 0) return new Set();
    const ledgers = await this.#options.payments.readLedgers(
      db,
      orders.map(({ id }) => id),
    );
    const present = centsPerBtc(rate.centsPerBtc);
    const likely = orders.filter((order) => mayBeCovered(order, requireLedger(ledgers, order.id), present));
    const lines = Map.groupBy(
      await store.listOrderLines(
        db,
        likely.map(({ id }) => id),
      ),
      ({ order_id: id }) => id,
    );
    const covered = likely.filter(
      (order) =>
        this.#findCoveredPrice(order, lines.get(order.id) ?? [], requireLedger(ledgers, order.id), rate, now) !== null,
    );
    return new Set(covered.map(({ id }) => id));
  }

  #findCoveredPrice(
    order: OrderForStatus,
    lines: readonly OrderedLine[],
    ledger: OrderLedger,
    rate: Rate,
    now: Date,
  ): PresentPrice | null {
    const quote = quoteIfCovered(order, lines, ledger, this.createTerms(rate, now));
    return quote && { order: { ...order, ...quote.order }, quote, rate };
  }

  /** Writes a quote at the present rate; the previous one stays in the timeline. */
  async writePrice(tx: Db, before: OrderForStatus, { quote, rate }: PresentPrice, now: Date): Promise<void> {
    await quotes.writePrice(tx, before.id, quote, snapshotRate(rate));
    await this.reportQuote(tx, before, { quote, rate }, now);
  }

  /** Records the requote as an order event. @param by member of staff who requested it; null for none */
  async reportQuote(
    tx: Db,
    before: OrderForStatus,
    { quote, rate }: Pick<PresentPrice, 'rate'> & { readonly quote: ReturnType<typeof requoteOrder> },
    now: Date,
    by: string | null = null,
  ): Promise<void> {
    const after = { ...before, ...quote.order, rate_evidence: { ...rate.evidence, at: rate.at.toISOString() } };
    const received_sats = String(before.recorded_received_sats);
    const details = {
      ...snapshotQuote(after),
      received_sats,
      before: snapshotQuote(before),
      ...(by !== null && { by }),
    };
    await this.#options.orders.appendEvent(tx, before.id, 'requoted', now, details);
  }

  /** Days after the expiry in which a late payment is accepted automatically. */
  get limitDays(): number {
    return this.#options.shopSettings.current.late_payments.late_acceptance_days;
  }

  /** @param windowSeconds payment window of the quote; default: that of the shop */
  createTerms(
    { centsPerBtc: rate }: Rate,
    now: Date,
    windowSeconds = this.#options.paymentWindowSeconds,
  ): PresentPriceTerms {
    const { tolerance, unconfirmedLimitSeconds } = this.#options;
    const { limitDays: lateLimitDays } = this;
    return { rate: centsPerBtc(rate), now, windowSeconds, tolerance, unconfirmedLimitSeconds, lateLimitDays };
  }
}
