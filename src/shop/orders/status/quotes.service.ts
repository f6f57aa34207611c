/** Previews the quote of a requote without changing the order. */
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { RateSource } from '#src/platform/rates/rate-source.ts';
import { centsPerBtc, NO_SATS, sats, subtractSats } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import { evaluateOrder, isLatePaymentAcceptable, isTooLate } from './evaluate-order.ts';
import { requireLedger } from '../stored-order.ts';
import { findReopenRefusal, isReopenable } from './order-loss.ts';
import { quoteIfCovered, quoteAtPresentRate } from './present-price.ts';
import { computeMinAcceptedSats, isLateState } from '#src/shop/payments/ledger/payment-state.ts';
import { toSendableSats } from '#src/shop/payments/ledger/min-refund.ts';
import type { PaymentTolerance } from '#src/shop/payments/ledger/payment-tolerance.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { PresentPricesReader } from './present-prices.service.ts';
import type { PresentPricesOptions } from './present-prices.service.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import * as store from './store.ts';

export interface QuotesOptions extends PresentPricesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly rates: RateSource;
  readonly payments: Pick<Payments, 'readLedgers' | 'dustSats'>;
  readonly shopSettings: Pick<ShopSettings, 'current'>;
  readonly paymentWindowSeconds: number;
  readonly lateTolerancePercent: number;
  readonly tolerance: PaymentTolerance;
  readonly unconfirmedLimitSeconds: number;
}

export interface NextQuote {
  /** Null while there is no rate; then amounts and blocks are unknown. */
  readonly rate: CentsPerBtc | null;
  /** Missing amount after all received payments. */
  readonly missingSats: Sats;
  /** The new total in dollars. */
  readonly totalCents: Cents;
  /** Why the order can't be requoted although it expired; null if it can. */
  readonly refusal: string | null;
  /** A confirmed late payment was not accepted because of the rate. */
  readonly isRateBlocking: boolean;
  /** A confirmed late payment was not accepted because its order expired too long ago. */
  readonly isTooLate: boolean;
}

/** What a quote asks for beyond what has arrived. */
function computeMissingSats(
  { due_sats: dueSats, tolerance_sats: toleranceSats }: { readonly due_sats: Sats; readonly tolerance_sats: Sats },
  receivedSats: Sats,
  address: string,
): Sats {
  const isCovered = receivedSats > 0n && receivedSats >= computeMinAcceptedSats({ dueSats, toleranceSats });
  return isCovered ? NO_SATS : sats(toSendableSats(subtractSats(dueSats, receivedSats), address));
}

const createWithoutRate = (totalCents: Cents, refusal: string | null): NextQuote => ({
  rate: null,
  missingSats: NO_SATS,
  totalCents,
  refusal,
  isRateBlocking: false,
  isTooLate: false,
});

export class Quotes {
  readonly #options: QuotesOptions;
  readonly #prices: PresentPricesReader;

  constructor(options: QuotesOptions) {
    this.#options = options;
    this.#prices = new PresentPricesReader(options);
  }

  /** Null unless the order can be requoted: expired or double-spent, and not refunded. */
  async findNext(orderId: string): Promise<NextQuote | null> {
    const { clock, db, lateTolerancePercent, payments, rates } = this.#options;
    const present = rates.getCurrent();
    const order = await store.findOrder(db, orderId);
    if (!order || order.refund_state !== null) return null;
    const ledger = requireLedger(await payments.readLedgers(db, [orderId]), orderId);
    const closed = findReopenRefusal(order, ledger);
    if (closed !== null) return createWithoutRate(order.total_after_cents, closed);
    if (order.payment_status !== 'expired' && !isReopenable(order, ledger)) return null;
    const rate = present === null ? order.rate_cents_per_btc : centsPerBtc(present.centsPerBtc);
    const { paymentWindowSeconds: windowSeconds, tolerance, unconfirmedLimitSeconds } = this.#options;
    const { late_acceptance_days: lateLimitDays } = this.#options.shopSettings.current.late_payments;
    const terms = { rate, now: clock.now(), windowSeconds, tolerance, unconfirmedLimitSeconds, lateLimitDays };
    const lines = await store.listOrderLines(db, [orderId]);
    const read = await this.#prices.read(db, order, lines, terms);
    const prices = read.ok ? (read.present?.prices ?? null) : null;
    const refusal = read.ok ? null : read.refusal.words;
    const totalCents = prices?.total_after_cents ?? order.total_after_cents;
    if (present === null) return createWithoutRate(totalCents, refusal);
    const quote = quoteAtPresentRate(order, lines, ledger, terms, prices);
    const { isCoveredByFinal, receivedSats, state } = evaluateOrder(order, ledger);
    const fits =
      isLatePaymentAcceptable(order, { presentRate: rate, tolerancePercent: lateTolerancePercent }) ||
      quoteIfCovered(order, lines, ledger, terms) !== null;
    const isHeld = isLateState(state) && isCoveredByFinal;
    const isOver = isTooLate(order, lateLimitDays, terms.now);
    return {
      rate,
      missingSats: computeMissingSats(quote.order, receivedSats, ledger.address),
      totalCents,
      refusal,
      isRateBlocking: isHeld && !isOver && !fits,
      isTooLate: isHeld && isOver,
    };
  }
}
