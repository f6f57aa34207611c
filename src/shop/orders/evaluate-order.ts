import { satsFromCents } from '../money.ts';
import type { Cents, CentsPerBtc, Sats } from '../money.ts';
import { paymentState } from '../payments/payment-state.ts';
import type { LedgerOutput, PaymentEvaluation, PaymentFacts, PaymentState } from '../payments/payment-state.ts';
import { acceptLate, expireOrder, lateIsAcceptable, settleOrder, shouldExpire } from './settle-order.ts';
import type { OrderToSettle, PaymentStatus, Settlement } from './settle-order.ts';

/** An order as it is stored, as far as its payment goes. */
export interface StoredOrder {
  readonly payment_status: PaymentStatus;
  readonly is_open: boolean;
  readonly total_after_cents: Cents;
  readonly due_sats: Sats;
  readonly required_confirmations: number;
  readonly expires_at: Date;
  readonly paid_at: Date | null;
  readonly expired_at: Date | null;
  readonly cancelled_at: Date | null;
  readonly recorded_state: PaymentState | null;
  readonly recorded_received_sats: Sats;
}

/** What the ledger holds of several orders. */
export interface Ledgers {
  /** The newest block it knows; null before the first. */
  readonly tip: { readonly height: number } | null;
  /** By order: its address, and every output that ever paid it. */
  readonly ledgers: ReadonlyMap<string, { readonly address: string; readonly outputs: readonly LedgerOutput[] }>;
}

/** What it holds of one. */
export interface OrderBook {
  readonly address: string;
  readonly outputs: readonly LedgerOutput[];
  readonly tip: { readonly height: number } | null;
}

/** @throws when the order has no address, which every order has. */
export function bookIn({ tip, ledgers }: Ledgers, orderId: string): OrderBook {
  const ledger = ledgers.get(orderId);
  if (!ledger) throw new Error(`order ${orderId} has no address`);
  return { address: ledger.address, outputs: ledger.outputs, tip };
}

/** What the chain says of an order; `changed` stands for what is about to happen to it. */
export function evaluateOrder(
  order: StoredOrder,
  book: OrderBook,
  changed: Partial<PaymentFacts> = {},
): PaymentEvaluation {
  return paymentState({
    outputs: book.outputs,
    tip: book.tip,
    quote: {
      dueSats: order.due_sats,
      requiredConfirmations: order.required_confirmations,
      expiresAt: order.expires_at,
    },
    order: {
      paidAt: order.paid_at,
      expiredAt: order.expired_at,
      cancelledAt: order.cancelled_at,
      settledSats: null,
      refund: null,
      ...changed,
    },
  });
}

const toSettle = (order: StoredOrder): OrderToSettle => ({
  paymentStatus: order.payment_status,
  isOpen: order.is_open,
  paidAt: order.paid_at,
  expiredAt: order.expired_at,
  expiresAt: order.expires_at,
  dueSats: order.due_sats,
  recordedState: order.recorded_state,
  recordedReceivedSats: order.recorded_received_sats,
});

export interface LateTerms {
  /** The rate at this moment; null while there is none: then nothing late is accepted by itself. */
  readonly presentRate: CentsPerBtc | null;
  /** Percent by which the same dollars may have become dearer in bitcoin. */
  readonly tolerancePercent: number;
}

/** What the ledger changes in an order, a late payment that may be accepted by itself included. */
export function settleByLedger(order: StoredOrder, book: OrderBook, now: Date, late: LateTerms): Settlement {
  const settled = settleOrder(toSettle(order), evaluateOrder(order, book), now);
  if (!settled.asksForLateAcceptance || late.presentRate === null) return settled;
  const presentSats = satsFromCents(order.total_after_cents, late.presentRate);
  if (!lateIsAcceptable(order.due_sats, presentSats, late.tolerancePercent)) return settled;
  return acceptLate(toSettle(order), evaluateOrder(order, book, { paidAt: now }), now);
}

/**
 * The expiry of an order, or null while it does not expire.
 * @param reconciledAt when the ledger was last known to hold all that the chain source has; nothing later is decided by it.
 */
export function expireByLedger(order: StoredOrder, book: OrderBook, now: Date, reconciledAt: Date): Settlement | null {
  const knownUntil = reconciledAt < now ? reconciledAt : now;
  if (!shouldExpire(toSettle(order), evaluateOrder(order, book), knownUntil)) return null;
  return expireOrder(toSettle(order), evaluateOrder(order, book, { expiredAt: now }), now);
}
