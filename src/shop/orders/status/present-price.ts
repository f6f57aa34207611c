import type { CentsPerBtc } from '#src/shop/money.ts';
import { countConfirmations, computeMinAcceptedSats } from '#src/shop/payments/ledger/payment-state.ts';
import type { PaymentTolerance } from '#src/shop/payments/ledger/payment-tolerance.ts';
import {
  computeDueAtRate,
  sumFinalForOrder,
  createPriceHoldPredicate,
  isTooLate,
  computeReceivedInTime,
} from './evaluate-order.ts';
import type { OrderLedger, StoredOrder } from '../stored-order.ts';
import { requoteOrder } from './requote-order.ts';
import type { LineToRequote, CurrentQuote, PresentPrices } from './requote-order.ts';

export interface PresentPriceTerms {
  readonly rate: CentsPerBtc;
  readonly now: Date;
  readonly windowSeconds: number;
  readonly tolerance: PaymentTolerance;
  readonly unconfirmedLimitSeconds: number;
  /** Days after the expiry in which a late payment is accepted automatically. */
  readonly lateLimitDays: number;
}

type Requoted = ReturnType<typeof requoteOrder>;

/**
 * The quote for a requote requested now.
 * @param present what the items cost now; null: the dollars of the order
 */
export function quoteAtPresentRate(
  order: StoredOrder & CurrentQuote,
  lines: readonly LineToRequote[],
  ledger: OrderLedger,
  { unconfirmedLimitSeconds, ...terms }: PresentPriceTerms,
  present: PresentPrices | null = null,
): Requoted {
  const received = computeReceivedInTime(order, ledger, createPriceHoldPredicate(terms.now, unconfirmedLimitSeconds));
  return requoteOrder(order, lines, received, terms, present);
}

/**
 * Cheap pre-check: a quote is never much below both the amount due and its value at the present
 * rate.
 */
export function mayBeCovered(order: StoredOrder, ledger: OrderLedger, rate: CentsPerBtc): boolean {
  const [due, presentDue] = [order.due_sats, computeDueAtRate(order, rate)];
  const finalSats = sumFinalForOrder(order, ledger);
  return finalSats > 0n && finalSats * 5n >= (due < presentDue ? due : presentDue) * 4n;
}

/**
 * A quote at the present rate if the final payments of a late order cover it; null otherwise. Only
 * final payments keep a former price. The window stays closed.
 */
export function quoteIfCovered(
  order: StoredOrder & CurrentQuote,
  lines: readonly LineToRequote[],
  ledger: OrderLedger,
  terms: PresentPriceTerms,
): Requoted | null {
  const isLate = order.payment_status === 'expired' || order.expires_at < terms.now;
  const isUndecided = order.settled_sats === null && order.refund_state === null && order.cancelled_at === null;
  if (!isLate || !isUndecided || order.paid_at !== null || isTooLate(order, terms.lateLimitDays, terms.now))
    return null;
  const finalSats = sumFinalForOrder(order, ledger);
  if (finalSats === 0n) return null;
  const outputs = ledger.outputs.filter(
    (output) => countConfirmations(output, ledger.tip) >= order.required_confirmations,
  );
  const quote = quoteAtPresentRate(order, lines, { ...ledger, outputs }, terms);
  const { due_sats: dueSats, tolerance_sats: toleranceSats } = quote.order;
  if (finalSats < computeMinAcceptedSats({ dueSats, toleranceSats })) return null;
  return { ...quote, order: { ...quote.order, expires_at: order.expires_at } };
}
