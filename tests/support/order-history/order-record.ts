/** The stored data of an order, its refunds, address and timeline. */
import { cents, centsPerBtc, NO_SATS, sats, SATS_PER_BTC } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { OrderForStatus } from '#src/shop/orders/status/store.ts';
import type { OrderToShow } from '#src/shop/orders/show-order.ts';
import { computeRequiredConfirmations } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import { computeToleranceSats, NO_TOLERANCE } from '#src/shop/payments/ledger/payment-tolerance.ts';
import type { PaymentTolerance } from '#src/shop/payments/ledger/payment-tolerance.ts';
import type { RefundCovers, RefundState, TotalCovers } from '#src/shop/orders/kinds.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';
import type { AmountPart, LineRefund } from '#src/shop/refunds/lines/line-refund.ts';
import type { RefundReturn } from '#src/shop/refunds/return-value.ts';

export type Order = {
  -readonly [Key in keyof (OrderForStatus & OrderToShow)]: (OrderForStatus & OrderToShow)[Key];
} & {
  recorded_loss_at: Date | null;
};

export interface Refund {
  readonly id: string;
  readonly covers: RefundCovers;
  readonly debitSats: Sats;
  readonly amountSats: Sats;
  readonly script: string;
  readonly madeAt: Date;
  readonly plannedTxid: string | null;
  readonly plannedOutpoints: readonly string[];
  readonly isElsewhere: boolean;
  /** What it returns, and at which rate. */
  readonly returns: RefundReturn;
  /** Dollars of a refund of an amount, by line; null for another one. */
  readonly parts: readonly AmountPart[] | null;
  /** The part of its dollars that counts; null: nothing. */
  countedCents: Cents | null;
  countedSats: Sats | null;
  /** Refunded units of the only line; null for a refund without units. */
  readonly lines: LineRefund | null;
  /** Its units or its dollars count as refunded. */
  holdsUnits: boolean;
  withdrawnAt: Date | null;
  state: RefundState;
  txid: string | null;
  vout: number | null;
}

export interface WriteOff {
  readonly kind: 'unclaimed' | 'paid-twice';
  readonly covers: TotalCovers;
  readonly amountSats: Sats;
  readonly madeAt: Date;
  reopenedAt: Date | null;
}

export interface RefundAddress {
  readonly script: string;
  readonly dustSats: bigint;
  readonly setAt: Date;
  confirmedAt: Date | null;
  readonly holdsFrom: Date | null;
}

export interface OrderEvent {
  readonly kind: OrderEventKind;
  readonly at: Date;
  readonly details: Readonly<Record<string, unknown>>;
}

export const WINDOW_SECONDS = 7200;
export const UNCONFIRMED_LIMIT_SECONDS = 86_400;
export const LATE_TOLERANCE_PERCENT = 2;
/** Days after its expiry in which a late payment of an order is accepted automatically. */
export const LATE_LIMIT_DAYS = 7;
export const UNCLAIMED_AFTER_DAYS = 30;
export const STEPS: ConfirmationSteps = [
  { fromCents: cents(0n), confirmations: 1 },
  { fromCents: cents(50_000n), confirmations: 2 },
  { fromCents: cents(500_000n), confirmations: 3 },
];
/**
 * US cents per bitcoin: the usual rate, and others at which the same dollars cost more, slightly
 * more, and less.
 */
export const RATES = [10_000_000n, 8_000_000n, 9_900_000n, 13_000_000n].map(centsPerBtc);
export const USUAL_RATE: CentsPerBtc = centsPerBtc(10_000_000n);
/** What the item costs later, in cents; whole dollars, so that its units cost the same. */
export const PRICES = [30_000n, 99_900n, 700_000n, 1_000n].map(cents);
const TOTALS = [30_000n, 99_900n, 700_000n, 0n];
export const SCRIPT = 'aa00';
/** Units of the only line. */
export const UNITS = 2;

/** Terms selected by the first numbers of a history. */
export interface Terms {
  readonly total: number;
  /** What refunds return. */
  readonly method: number;
  readonly tolerance: number;
}

const TOLERANCES: readonly PaymentTolerance[] = [
  { sats: 0n, basisPoints: 0n, dustSats: 0n },
  { sats: 0n, basisPoints: 0n, dustSats: 294n },
  { sats: 2000n, basisPoints: 0n, dustSats: 294n },
];
export const pickTolerance = (index: number): PaymentTolerance => TOLERANCES[index % TOLERANCES.length] ?? NO_TOLERANCE;

export function createOrder({ total: which, tolerance }: Terms, now: Date): Order {
  const total = cents(TOTALS[which % 16 === 15 ? 3 : which % 3] ?? 0n);
  const due = sats((total * SATS_PER_BTC) / USUAL_RATE);
  return {
    id: 'order',
    user_id: 'buyer',
    number: 100_001n,
    payment_status: due === 0n ? 'paid' : 'pending',
    fulfilment_status: 'unfulfilled',
    tracking_reference: null,
    is_open: due > 0n,
    total_cents: total,
    total_sats: due,
    total_after_cents: total,
    total_after_sats: due,
    due_sats: due,
    tolerance_sats: computeToleranceSats(pickTolerance(tolerance), due),
    rate_cents_per_btc: USUAL_RATE,
    rate_evidence: {},
    required_confirmations: computeRequiredConfirmations(STEPS, total),
    expires_at: new Date(now.getTime() + WINDOW_SECONDS * 1000),
    full_expires_at: null,
    paid_at: due === 0n ? now : null,
    expired_at: null,
    cancelled_at: null,
    recorded_state: due === 0n ? 'paid' : null,
    recorded_received_sats: NO_SATS,
    recorded_loss: null,
    recorded_loss_at: null,
    closed_as_loss_of: null,
    credited_sats: NO_SATS,
    credited_until: null,
    unpaid_cents: null,
    settled_sats: null,
    refund_state: null,
    returned_sats: NO_SATS,
    written_off_sats: NO_SATS,
    refund_made_sats: NO_SATS,
    refund_sent_sats: NO_SATS,
    line_refund_sats: NO_SATS,
    units_returned_at: null,
    promo: null,
    discount_percent: '0',
    created_at: now,
    billing: {
      firstName: 'Ada',
      lastName: 'Byron',
      region: 'Europe',
      country: 'DE',
      streetAddress: 'Hauptstrasse',
      houseNumber: '1',
      city: 'Berlin',
      postcode: '10115',
    },
  };
}
