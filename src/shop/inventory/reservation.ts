import type { StockQuantity } from './adjustments/stock-quantity.ts';
import type { Shortage } from './format-shortage.ts';

/** A maximum of units and of different variants with tracked stock. */
export interface ReservationCap {
  readonly units: number;
  readonly variants: number;
}

export interface ReservationTerms {
  /** What one order may reserve. An account has one open order, so this is the cap of an account. */
  readonly account: ReservationCap;
  /** What all unpaid orders of a network may reserve together. */
  readonly network: ReservationCap;
}

export interface ReservationRequest {
  readonly orderId: string;
  readonly lines: readonly StockQuantity[];
  /** The caller's network: an IPv4 address or an IPv6 /64. Null skips the network's cap. */
  readonly network: string | null;
  /** Most of the amount was received already. */
  readonly isSecured: boolean;
  /** Null disables caps and scarcity. Awaited after the stock is locked, so both can run in parallel. */
  readonly terms: Promise<ReservationTerms | null>;
}

export type ReservationResult =
  | { readonly ok: true; readonly isScarce: boolean }
  | { readonly ok: false; readonly reason: 'sold-out'; readonly short: readonly Shortage[] }
  | { readonly ok: false; readonly reason: 'reserve-limit'; readonly of: 'account' | 'network' };

export const isOverCap = (quantities: readonly number[], cap: ReservationCap): boolean =>
  quantities.length > cap.variants || quantities.reduce((sum, quantity) => sum + quantity, 0) > cap.units;

/**
 * A variant is scarce when orders without a payment reserve more of it than is available. A reservation of
 * the last unit always makes it scarce.
 */
export const isScarce = ({ available, unpaid }: { readonly available: number; readonly unpaid: number }): boolean =>
  unpaid > available;
