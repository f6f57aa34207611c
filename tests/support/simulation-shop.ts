/** The target of random histories: a ledger with orders, in memory or in PostgreSQL. */
import { cents, centsPerBtc, NO_SATS, sats, SATS_PER_BTC } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';
import type { StoredOrder as OrderPayment } from '#src/shop/orders/stored-order.ts';
import type { CurrentQuote } from '#src/shop/orders/status/requote-order.ts';
import type { ChainCursor, LedgerStore } from '#src/shop/payments/ledger/ledger-store.ts';
import type { LedgerOutput, PaymentEvaluation } from '#src/shop/payments/ledger/payment-state.ts';

/** Address of an order in an evaluation; its type decides the dust limit. */
export const SEGWIT_ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

export interface StoredRow extends LedgerOutput {
  readonly recipientId: string;
}

export interface StoredOrder extends OrderPayment, CurrentQuote {
  readonly id: string;
  /** Hexadecimal. */
  readonly script: string;
}

/** A refund script: outputs with these amounts are recorded. */
export interface RefundScript {
  readonly id: string;
  /** Hexadecimal. */
  readonly script: string;
  readonly amounts: readonly bigint[];
}

export interface LedgerView {
  readonly cursor: ChainCursor | null;
  /** By outpoint. */
  readonly rows: ReadonlyMap<string, StoredRow>;
  readonly orders: ReadonlyMap<string, StoredOrder>;
  /** Oldest first. */
  readonly events: readonly { readonly orderId: string; readonly kind: OrderEventKind }[];
  /** Null if none is stored. */
  readonly stock: Stock | null;
}

export interface Stock {
  readonly available: number;
  readonly heldBy: ReadonlySet<string>;
  readonly sold: number;
}

/** Points at which a crash can be requested. */
export type CrashPoint = 'before' | 'after';
export class Crash extends Error {}

export interface SimulationShop<Tx> {
  /** State at the last read. */
  readonly state: LedgerView;
  readonly store: LedgerStore<Tx>;
  /** Called before and after each commit of chain sync; true crashes there. */
  shouldCrash: (point: CrashPoint) => boolean;
  syncChain(): Promise<void>;
  issue(order: StoredOrder): Promise<void>;
  /** Watches a refund script; returns its id. */
  watchRefund(refund: Omit<RefundScript, 'id'>): Promise<string>;
  /** Called in the transaction of chain sync to reconcile orders. */
  reconcile(tx: Tx, orderIds: readonly string[], now: Date): Promise<Pick<LedgerView, 'cursor' | 'orders'>>;
  /** Called after a complete pass of chain sync. */
  reconcileAll(now: Date): Promise<void>;
  evaluate(order: StoredOrder): PaymentEvaluation;
  sayPaid(id: string, now: Date): Promise<void>;
  /** False when it is refused. */
  cancel(id: string, now: Date): Promise<boolean>;
  /** @param totalCents what the items cost now */
  requote(id: string, now: Date, totalCents: Cents): Promise<void>;
}

export const WINDOW_SECONDS = 7200;
export const LATE_TOLERANCE_PERCENT = 2;
/** Days after its expiry in which a late payment of an order is accepted automatically. */
export const LATE_LIMIT_DAYS = 7;
/** How long an order stays open for an unconfirmed payment after its window. */
export const UNCONFIRMED_LIMIT_SECONDS = 86_400;
/** The constant rate; only an order quoted at another rate cannot be accepted late. */
export const PRESENT_RATE = centsPerBtc(10_000_000n);
const FORMER_RATE = centsPerBtc(20_000_000n);
/** Stock of the product of every order. */
export const STOCK_QUANTITY = 4;

const TERMS = [
  { dueSats: 900_000n, confirmations: 1, rate: PRESENT_RATE },
  { dueSats: 100_000n, confirmations: 3, rate: FORMER_RATE },
  { dueSats: 250_000_000n, confirmations: 6, rate: PRESENT_RATE },
  { dueSats: 12_300n, confirmations: 2, rate: PRESENT_RATE },
] as const;
export const MAX_ORDERS = TERMS.length;
export const MAX_REFUNDS = 2;

export const createRefundScript = (index: number): Omit<RefundScript, 'id'> => ({
  script: `dd0${index}`,
  amounts: [70_000n + BigInt(index), 7_000n],
});

/** What the items of an order cost otherwise: twice as much, or as at first. */
export function toOtherTotal({ id, total_after_cents: total }: StoredOrder): Cents {
  const { total_after_cents: first } = createOrder(Number(id.at(-1)), 0);
  return total === first ? cents(first * 2n) : first;
}

export function createOrder(index: number, now: number): StoredOrder {
  const terms = TERMS[index];
  if (terms === undefined) throw new Error('no such order');
  const [due, total] = [sats(terms.dueSats), cents((terms.dueSats * terms.rate) / SATS_PER_BTC)];
  return {
    id: `00000000-0000-4000-8000-00000000000${index}`,
    script: `aa0${index}`,
    payment_status: 'pending',
    is_open: true,
    total_cents: total,
    total_sats: due,
    total_after_cents: total,
    total_after_sats: due,
    due_sats: due,
    tolerance_sats: NO_SATS,
    rate_cents_per_btc: terms.rate,
    required_confirmations: terms.confirmations,
    expires_at: new Date(now + WINDOW_SECONDS * 1000),
    paid_at: null,
    expired_at: null,
    cancelled_at: null,
    recorded_state: null,
    recorded_received_sats: NO_SATS,
    credited_sats: NO_SATS,
    credited_until: null,
    unpaid_cents: null,
    settled_sats: null,
    refund_state: null,
    returned_sats: NO_SATS,
    promo: null,
  };
}
