import type { AssessedCart, AssessedLine } from '#src/shop/cart/assess-cart.ts';
import { getPromoError } from '#src/shop/cart/cart-response.ts';
import { formatUsd } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { findRegion } from '#src/shop/regions.ts';

export type CartToOrder = Pick<AssessedCart, 'promotion' | 'promotionProblem'> & {
  readonly lines: readonly Pick<AssessedLine, 'isFree' | 'name' | 'notices' | 'priceCents'>[];
  readonly totals: { readonly totalSats: Sats };
};

type CartProblem = 'withdrawn' | 'empty-cart' | 'repriced' | 'promo' | 'below-dust';

/** Why a checkout made no order. */
export type CheckoutProblem =
  | CartProblem
  | 'country-not-in-region'
  | 'order-open'
  | 'no-rate'
  /** Less is left of a product than was put in the cart. */
  | 'sold-out'
  /** The account or its network would reserve more than it may. */
  | 'reserve-limit'
  /** As many quotes today as an account, or its network, may have. */
  | 'too-often'
  /** An Idempotency-Key that is none, and one that came with another body before. */
  | 'bad-key'
  | 'key-reused';

export interface CheckoutProblemDetails {
  readonly reason: CheckoutProblem;
  /** What exactly is wrong, where the reason alone does not say it. */
  readonly words?: string;
}

function describeUnavailable({ lines }: CartToOrder): readonly string[] {
  const withdrawn = lines.filter(({ notices }) => notices.some(({ code }) => code === 'withdrawn'));
  return withdrawn.map(({ name }) => `${name} is not sold any more`);
}

/** What has become dearer without the buyer having said that this is well; what has become cheaper needs no word. */
function describePriceIncreases({ lines }: CartToOrder): readonly string[] {
  return lines.flatMap(({ name, notices, priceCents }) =>
    notices.flatMap((notice) =>
      notice.code === 'repriced' && notice.isDearer
        ? `${name} now costs ${formatUsd(priceCents)} instead of ${formatUsd(notice.wasCents)}`
        : [],
    ),
  );
}

/**
 * Why a cart can't become an order; null when it can. A cart of gifts alone counts as an empty one. What costs nothing at
 * all needs no payment; what costs less than the network carries can't be paid.
 * @param dustSats below this an output to one of the shop's addresses is dust, which the network does not relay.
 */
export function findCheckoutProblem(cart: CartToOrder | null, dustSats: bigint): CheckoutProblemDetails | null {
  if (cart === null) return { reason: 'empty-cart' };
  const withdrawn = describeUnavailable(cart);
  if (withdrawn.length > 0) {
    return { reason: 'withdrawn', words: `${withdrawn.join('; ')}. Please take it out of your cart` };
  }
  if (!cart.lines.some(({ isFree }) => !isFree)) return { reason: 'empty-cart' };
  const dearer = describePriceIncreases(cart);
  if (dearer.length > 0) return { reason: 'repriced', words: `${dearer.join('; ')}. Please look again` };
  const promoError = getPromoError(cart);
  if (promoError !== null) return { reason: 'promo', words: promoError };
  const { totalSats } = cart.totals;
  return totalSats > 0n && totalSats < dustSats ? { reason: 'below-dust' } : null;
}

/** Whether a country, by its two-letter code, stands in the region that was chosen with it. */
export const isCountryInRegion = (country: string, region: string): boolean => findRegion(country) === region;
