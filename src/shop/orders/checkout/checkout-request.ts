import type { Cents } from '#src/shop/money.ts';
import type { ShownOrder } from '../show-order.ts';
import type { BillingDetails } from '../stored-order.ts';
import type { CheckoutRejection } from './checkout-error.ts';

export interface Checkout {
  readonly userId: string;
  readonly billing: BillingDetails;
  /** Total that the buyer saw; null or omitted: not compared. */
  readonly expectedTotalCents?: Cents | null;
  readonly idempotencyKey: string | null;
  /** IPv4 address or IPv6 /64 of the caller; null or omitted: not counted by network. */
  readonly network?: string | null;
}
export type CheckoutResult = { readonly ok: true; readonly order: ShownOrder } | CheckoutRejection;

export interface PlacedOrder {
  readonly id: string;
  /** Null if it has to be read. */
  readonly order: ShownOrder | null;
}
