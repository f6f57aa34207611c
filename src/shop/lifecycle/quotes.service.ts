/** What an expired order would be quoted at now; nothing is changed by it. */
import type { Clock } from '#src/platform/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { RateSource } from '#src/platform/rates/rate-source.ts';
import { centsPerBtc, NO_SATS, subtractSats } from '../money.ts';
import type { CentsPerBtc, Sats } from '../money.ts';
import { bookIn, evaluateOrder, fitsLateTerms, receivedInTime } from '../orders/evaluate-order.ts';
import { isReopenable } from '../orders/order-loss.ts';
import { requoteOrder } from '../orders/requote-order.ts';
import type { Payments } from '../payments/service.ts';
import * as store from './store.ts';

export interface QuotesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly rates: RateSource;
  readonly payments: Pick<Payments, 'ledgerOf'>;
  readonly paymentWindowSeconds: number;
  readonly lateTolerancePercent: number;
}

export interface NextQuote {
  readonly rate: CentsPerBtc;
  /** What would still be to be sent: all that has come counts. */
  readonly missingSats: Sats;
  /** A late payment that is confirmed waits for a decision, for the rate forbids to accept it by itself. */
  readonly isRateInTheWay: boolean;
}

export class Quotes {
  readonly #options: QuotesOptions;

  constructor(options: QuotesOptions) {
    this.#options = options;
  }

  /** Null for an order that can't be quoted again: it is not expired nor lost, it is refunded, or there is no rate. */
  async next(orderId: string): Promise<NextQuote | null> {
    const { clock, db, lateTolerancePercent, payments, paymentWindowSeconds: windowSeconds, rates } = this.#options;
    const present = rates.current();
    const order = await store.findOrder(db, orderId);
    if (!present || !order || order.refund_state !== null) return null;
    const rate = centsPerBtc(present.centsPerBtc);
    const book = bookIn(await payments.ledgerOf(db, [orderId]), orderId);
    if (order.payment_status !== 'expired' && !isReopenable(order, book)) return null;
    const terms = { rate, now: clock.now(), windowSeconds };
    const quote = requoteOrder(order, await store.linesOf(db, [orderId]), receivedInTime(order, book), terms);
    const { isCoveredDeep, receivedSats, state } = evaluateOrder(order, book);
    const { due_sats: due } = quote.order;
    const fits = fitsLateTerms(order, { presentRate: rate, tolerancePercent: lateTolerancePercent });
    return {
      rate,
      missingSats: receivedSats < due ? subtractSats(due, receivedSats) : NO_SATS,
      isRateInTheWay: state === 'late' && isCoveredDeep && !fits,
    };
  }
}
