/** Previews the quote of a requote without changing the order. */
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { RateSource } from '#src/platform/rates/rate-source.ts';
import { centsPerBtc, sats, subtractSats } from '#src/shop/money.ts';
import type { CentsPerBtc, Sats } from '#src/shop/money.ts';
import { evaluateOrder, isLatePaymentAcceptable } from './evaluate-order.ts';
import { requireLedger } from '../stored-order.ts';
import { isReopenable } from './order-loss.ts';
import { quoteIfCovered, quoteAtPresentRate } from './present-price.ts';
import { toSendableSats } from '#src/shop/payments/ledger/min-refund.ts';
import type { PaymentTolerance } from '#src/shop/payments/ledger/payment-tolerance.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import * as store from './store.ts';

export interface QuotesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly rates: RateSource;
  readonly payments: Pick<Payments, 'readLedgers'>;
  readonly paymentWindowSeconds: number;
  readonly lateTolerancePercent: number;
  readonly tolerance: PaymentTolerance;
  readonly unconfirmedLimitSeconds: number;
}

export interface NextQuote {
  readonly rate: CentsPerBtc;
  /** Missing amount after all received payments. */
  readonly missingSats: Sats;
  /** A confirmed late payment was not accepted because of the rate. */
  readonly isRateBlocking: boolean;
}

export class Quotes {
  readonly #options: QuotesOptions;

  constructor(options: QuotesOptions) {
    this.#options = options;
  }

  /** Null unless the order can be requoted: expired or double-spent, and not refunded. */
  async findNext(orderId: string): Promise<NextQuote | 'no-rate' | null> {
    const { clock, db, lateTolerancePercent, payments, rates } = this.#options;
    const present = rates.getCurrent();
    const order = await store.findOrder(db, orderId);
    if (!order || order.refund_state !== null) return null;
    const ledger = requireLedger(await payments.readLedgers(db, [orderId]), orderId);
    if (order.payment_status !== 'expired' && !isReopenable(order, ledger)) return null;
    if (!present) return 'no-rate';
    const rate = centsPerBtc(present.centsPerBtc);
    const { paymentWindowSeconds: windowSeconds, tolerance, unconfirmedLimitSeconds } = this.#options;
    const terms = { rate, now: clock.now(), windowSeconds, tolerance, unconfirmedLimitSeconds };
    const lines = await store.listOrderLines(db, [orderId]);
    const quote = quoteAtPresentRate(order, lines, ledger, terms);
    const { isCoveredByFinal, receivedSats, state } = evaluateOrder(order, ledger);
    const { due_sats: due } = quote.order;
    const fits =
      isLatePaymentAcceptable(order, { presentRate: rate, tolerancePercent: lateTolerancePercent }) ||
      quoteIfCovered(order, lines, ledger, terms) !== null;
    return {
      rate,
      missingSats: sats(toSendableSats(subtractSats(due, receivedSats))),
      isRateBlocking: state === 'late' && isCoveredByFinal && !fits,
    };
  }
}
