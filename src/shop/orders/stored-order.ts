/** Orders as stored, and their ledgers. */
import type { Cents, Sats } from '#src/shop/money.ts';
import type { LedgerOutput, PaymentState, WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';
import type { RegionName } from '#src/shop/regions.ts';
import type { StoredOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import type { OrderLoss, PaymentStatus } from './kinds.ts';

/** The columns of an order that its payment depends on. */
export interface StoredOrder {
  readonly payment_status: PaymentStatus;
  readonly is_open: boolean;
  readonly total_after_cents: Cents;
  readonly due_sats: Sats;
  /** How far an accepted payment may be below the amount due. */
  readonly tolerance_sats: Sats;
  readonly required_confirmations: number;
  readonly expires_at: Date;
  readonly paid_at: Date | null;
  readonly expired_at: Date | null;
  readonly cancelled_at: Date | null;
  readonly recorded_state: PaymentState | null;
  readonly recorded_received_sats: Sats;
  /** Received in time before the requote; credited at the rates of that time. */
  readonly credited_sats: Sats;
  /** Outputs first seen up to this moment are credited; null without a credit. */
  readonly credited_until: Date | null;
  /** Uncredited share of the total; null: all of it. */
  readonly unpaid_cents: Cents | null;
  /** Amount that staff accepted as full payment; null if they did not. */
  readonly settled_sats: Sats | null;
  /** Refund of the whole order. */
  readonly refund_state: WholeRefundState | null;
  /** Sum of confirmed surplus refunds. */
  readonly returned_sats: Sats;
  /** Sums of refunds not seen yet, and of sent ones; omitted: none. */
  readonly refund_made_sats?: Sats;
  readonly refund_sent_sats?: Sats;
  /** Sum of refunds of units, which the shop does not keep of the amount due; omitted: none. */
  readonly line_refund_sats?: Sats;
  /** Last recorded loss, and the loss that staff closed; null or omitted for none. */
  readonly recorded_loss?: OrderLoss | null;
  readonly closed_as_loss_of?: 'payment' | 'refund' | null;
}

/** Shipping and tax of an order; omitted: none. */
export interface StoredCharges {
  readonly shipping_cents?: Cents | undefined;
  readonly shipping_sats?: Sats | undefined;
  /** Tax on top of net prices. */
  readonly added_tax_cents?: Cents | undefined;
  readonly added_tax_sats?: Sats | undefined;
  /** Tax that gross prices contain and that reverse charge took off. */
  readonly deducted_tax_cents?: Cents | undefined;
  readonly deducted_tax_sats?: Sats | undefined;
  /** Null for an order from before tax was stored. */
  readonly tax?: StoredOrderTax | null;
}

/** Ledgers of several orders. */
export interface Ledgers {
  /** The newest block in the ledger; null before the first. */
  readonly tip: { readonly height: number } | null;
  /** Address and all outputs by order id. */
  readonly ledgers: ReadonlyMap<string, { readonly address: string; readonly outputs: readonly LedgerOutput[] }>;
  /** Sats per 1,000 virtual bytes for a confirmation within a day; null or omitted if unknown. */
  readonly dayFeePerKvb?: bigint | null;
}

/** The ledger of one order. */
export interface OrderLedger {
  readonly address: string;
  readonly outputs: readonly LedgerOutput[];
  readonly tip: { readonly height: number } | null;
  /** Sats per 1,000 virtual bytes for a confirmation within a day; null or omitted if unknown. */
  readonly dayFeePerKvb?: bigint | null;
}

/** @throws if the order has no address; every order has one. */
export function requireLedger({ tip, ledgers, dayFeePerKvb = null }: Ledgers, orderId: string): OrderLedger {
  const ledger = ledgers.get(orderId);
  if (!ledger) throw new Error(`order ${orderId} has no address`);
  return { address: ledger.address, outputs: ledger.outputs, tip, dayFeePerKvb };
}

/** Delivery and contact details of an order. */
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
  /** VAT number of a business, checked for form. */
  readonly vatNumber?: string | undefined;
  /** For the courier. */
  readonly note?: string | undefined;
}

/** A chosen property value with its names at checkout. */
export interface LineValue {
  readonly id: string;
  readonly property: string;
  readonly value: string;
}
