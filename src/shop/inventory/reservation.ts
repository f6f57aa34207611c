import type { Shortage } from './format-shortage.ts';

/** At most so many units, of so many products with limited stock. */
export interface ReservationCap {
  readonly units: number;
  readonly products: number;
}

export interface ReservationTerms {
  /** What one order may reserve. An account has one open order, so this is the cap of an account. */
  readonly account: ReservationCap;
  /** What all unpaid orders of a network may reserve together. */
  readonly network: ReservationCap;
}

export interface ReservationRequest {
  readonly orderId: string;
  readonly lines: readonly { readonly productId: string; readonly quantity: number }[];
  /** Where the caller is: an IPv4 address or an IPv6 /64; null when that is not counted. */
  readonly network: string | null;
  /** Most of the amount was received already. */
  readonly isSecured: boolean;
  /** Null: no caps, and nothing is scarce. A promise, so that the stock is locked meanwhile. */
  readonly terms: Promise<ReservationTerms | null>;
}

export type ReservationResult =
  | { readonly ok: true; readonly isScarce: boolean }
  | { readonly ok: false; readonly reason: 'sold-out'; readonly short: readonly Shortage[] }
  | { readonly ok: false; readonly reason: 'reserve-limit'; readonly of: 'account' | 'network' };

/** Whether units exceed a cap. */
export const exceedsCap = (quantities: readonly number[], cap: ReservationCap): boolean =>
  quantities.length > cap.products || quantities.reduce((sum, quantity) => sum + quantity, 0) > cap.units;

/**
 * Whether a product is scarce after a reservation: orders without a payment reserve more of it than is left to order. The
 * last unit is always scarce.
 */
export const isScarce = ({ available, unpaid }: { readonly available: number; readonly unpaid: number }): boolean =>
  unpaid > available;
