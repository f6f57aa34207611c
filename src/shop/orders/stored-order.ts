/** An order as its tables and the payment ledger hold it. */
import type { Cents, Sats } from '#src/shop/money.ts';
import type { LedgerOutput, PaymentState, WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';
import type { RegionName } from '#src/shop/regions.ts';
import type { OrderLoss, PaymentStatus } from './kinds.ts';

/** An order as it is stored, as far as its payment goes. */
export interface StoredOrder {
  readonly payment_status: PaymentStatus;
  readonly is_open: boolean;
  readonly total_after_cents: Cents;
  readonly due_sats: Sats;
  /** By how much an amount may be short of that and is accepted as the whole. */
  readonly tolerance_sats: Sats;
  readonly required_confirmations: number;
  readonly expires_at: Date;
  readonly paid_at: Date | null;
  readonly expired_at: Date | null;
  readonly cancelled_at: Date | null;
  readonly recorded_state: PaymentState | null;
  readonly recorded_received_sats: Sats;
  /** What had been received in time when the order was quoted again: it counts at the rates of that time. */
  readonly credited_sats: Sats;
  /** Outputs first seen up to this moment are what was credited; null while nothing is. */
  readonly credited_until: Date | null;
  /** How much of the total the rest of what is due stands for; null: for all of it. */
  readonly unpaid_cents: Cents | null;
  /** Staff took this much for the whole; null while they did not. */
  readonly settled_sats: Sats | null;
  /** Of the whole order. */
  readonly refund_state: WholeRefundState | null;
  /** What confirmed refunds of a surplus have taken. */
  readonly returned_sats: Sats;
  /** What refunds take that were made and not seen, and that were sent; left out: nothing. */
  readonly refund_made_sats?: Sats;
  readonly refund_sent_sats?: Sats;
  /** The loss that was last reported, and what staff have closed as one; null or left out for none. */
  readonly recorded_loss?: OrderLoss | null;
  readonly closed_as_loss_of?: 'payment' | 'refund' | null;
}

/** What the ledger holds of several orders. */
export interface Ledgers {
  /** The newest block it knows; null before the first. */
  readonly tip: { readonly height: number } | null;
  /** By order: its address, and every output that ever paid it. */
  readonly ledgers: ReadonlyMap<string, { readonly address: string; readonly outputs: readonly LedgerOutput[] }>;
  /** Sats per 1,000 virtual bytes for a confirmation within a day; null or left out: not known. */
  readonly dayFeePerKvb?: bigint | null;
}

/** What it holds of one. */
export interface OrderLedger {
  readonly address: string;
  readonly outputs: readonly LedgerOutput[];
  readonly tip: { readonly height: number } | null;
  /** Sats per 1,000 virtual bytes for a confirmation within a day; null or left out: not known. */
  readonly dayFeePerKvb?: bigint | null;
}

/** @throws when the order has no address, which every order has. */
export function ledgerOf({ tip, ledgers, dayFeePerKvb = null }: Ledgers, orderId: string): OrderLedger {
  const ledger = ledgers.get(orderId);
  if (!ledger) throw new Error(`order ${orderId} has no address`);
  return { address: ledger.address, outputs: ledger.outputs, tip, dayFeePerKvb };
}

/** Where an order goes, and to whom. */
export interface BillingDetails {
  readonly firstName: string;
  readonly lastName: string;
  readonly region: RegionName;
  readonly country: string;
  readonly streetAddress: string;
  readonly houseNumber: string;
  readonly city: string;
  readonly postcode: string;
  readonly phone?: string | undefined;
  /** For the courier. */
  readonly note?: string | undefined;
}

/** A value that was chosen, with the names it had at the checkout. */
export interface LineValue {
  readonly id: string;
  readonly property: string;
  readonly value: string;
}
