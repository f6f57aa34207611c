import type { Sats } from '../money.ts';
import { regionOf } from './regions.ts';

/** Below this an output to a P2WPKH address is dust, which the network does not relay. */
const DUST_LIMIT_SATS = 294n;

export interface CartToOrder {
  readonly lines: readonly { readonly isFree: boolean }[];
  /** Products in the cart that are not on sale any more, or not as chosen. */
  readonly withdrawnProductIds: readonly string[];
  readonly totals: { readonly totalSats: Sats };
}

export type CartProblem = 'withdrawn' | 'empty-cart' | 'below-dust';

/** Why a checkout made no order. */
export type CheckoutProblem =
  | CartProblem
  | 'country-not-in-region'
  | 'order-open'
  | 'no-rate'
  /** An Idempotency-Key that is none, and one that came with another body before. */
  | 'bad-key'
  | 'key-reused';

/** Why a cart can't become an order; null when it can. A cart of gifts alone counts as an empty one. */
export function refuseCheckout(cart: CartToOrder | null): CartProblem | null {
  if (cart === null) return 'empty-cart';
  if (cart.withdrawnProductIds.length > 0) return 'withdrawn';
  if (!cart.lines.some(({ isFree }) => !isFree)) return 'empty-cart';
  return cart.totals.totalSats < DUST_LIMIT_SATS ? 'below-dust' : null;
}

/** Whether a country, by its two-letter code, stands in the region that was chosen with it. */
export const isCountryInRegion = (country: string, region: string): boolean => regionOf(country) === region;
