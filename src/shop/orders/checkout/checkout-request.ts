import type { Db } from '#src/platform/database/database.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { LineChange } from '#src/shop/cart/cart-calls.service.ts';
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

/** An order that staff create for a buyer, from lines that no cart stores. */
export interface ManualOrder {
  readonly by: StaffActor;
  /** Finds or creates the buyer's account in the transaction of the order. Null: there is none. */
  readonly findBuyer: (tx: Db) => Promise<string | null>;
  readonly billing: BillingDetails;
  readonly lines: readonly LineChange[];
  /** Null for none. */
  readonly promoCode: string | null;
  /** Total that the member of staff saw. */
  readonly expectedTotalCents: Cents;
  readonly windowSeconds: number;
  readonly idempotencyKey: string | null;
  /** The whole request, which a repeated key must have again. */
  readonly request: string;
}
export type ManualOrderResult =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reason: 'no-buyer' }
  /** For 'order-open': the id of the buyer's open order. */
  | (CheckoutRejection & { readonly openOrderId?: string });
