import type { AssessedCart, AssessedLine } from '#src/shop/cart/assess-cart.ts';
import { getPromoError } from '#src/shop/cart/cart-response.ts';
import { formatUsd } from '#src/shop/format-number.ts';
import type { AddressProblem } from './find-address-problem.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { findCountryName, findRegion } from '#src/shop/regions.ts';

export type CartToOrder = Pick<AssessedCart, 'promotion' | 'promotionProblem'> & {
  readonly lines: readonly Pick<AssessedLine, 'isFree' | 'name' | 'notices' | 'priceCents'>[];
  readonly totals: { readonly totalSats: Sats; readonly totalCents: Cents };
  /** Omitted: delivered. */
  readonly charges?: Pick<AssessedCart['charges'], 'isDelivered' | 'tax'>;
  /** The buyer entered a VAT number of another form. */
  readonly isVatNumberInvalid?: boolean;
};

type CartProblem = 'withdrawn' | 'empty-cart' | 'repriced' | 'promo' | 'below-dust';

/** Why a checkout was rejected. */
export type CheckoutProblem =
  | CartProblem
  | AddressProblem
  | 'country-not-in-region'
  | 'not-delivered'
  /** The VAT number does not have the form of the country's numbers. */
  | 'vat-number'
  | 'order-open'
  | 'no-rate'
  /** Staff have blocked the account. */
  | 'blocked'
  /** The stock is lower than the quantity in the cart. */
  | 'sold-out'
  /** The account or its network would exceed its reservation limit. */
  | 'reserve-limit'
  /** The account or its network reached its daily quote limit. */
  | 'too-often'
  /** Invalid Idempotency-Key, and one that was used with another body. */
  | 'bad-key'
  | 'key-reused';

export interface CheckoutProblemDetails {
  readonly reason: CheckoutProblem;
  /** Details that the reason does not contain. */
  readonly words?: string;
}

function describeUnavailable({ lines }: CartToOrder): readonly string[] {
  const withdrawn = lines.filter(({ notices }) => notices.some(({ code }) => code === 'withdrawn'));
  return withdrawn.map(({ name }) => `${name} is no longer available`);
}

/** Price increases that the buyer has not accepted yet. Lower prices need no consent. */
function describePriceIncreases({ lines }: CartToOrder): readonly string[] {
  return lines.flatMap(({ name, notices, priceCents }) =>
    notices.flatMap((notice) =>
      notice.code === 'repriced' && notice.isDearer
        ? `${name} now costs ${formatUsd(priceCents)} instead of ${formatUsd(notice.wasCents)}`
        : [],
    ),
  );
}

function findDeliveryProblem({ charges, isVatNumberInvalid = false }: CartToOrder): CheckoutProblemDetails | null {
  if (charges?.isDelivered === false) {
    const country = findCountryName(charges.tax.country) ?? 'this country';
    return { reason: 'not-delivered', words: `We do not deliver to ${country}. Choose another country` };
  }
  return isVatNumberInvalid ? { reason: 'vat-number' } : null;
}

/**
 * Why a cart can't be ordered; null if it can. A cart of gifts only counts as empty. A total of 0
 * needs no payment; other totals must reach the dust limit.
 * @param dustSats dust limit of the shop's addresses
 * @param expectedTotalCents total that the buyer saw; null: not compared
 */
export function findCheckoutProblem(
  cart: CartToOrder | null,
  dustSats: bigint,
  expectedTotalCents: Cents | null = null,
): CheckoutProblemDetails | null {
  if (cart === null) return { reason: 'empty-cart' };
  const withdrawn = describeUnavailable(cart);
  if (withdrawn.length > 0) {
    return {
      reason: 'withdrawn',
      words: `${withdrawn.join('; ')}. Remove ${withdrawn.length === 1 ? 'it' : 'them'} to continue`,
    };
  }
  if (!cart.lines.some(({ isFree }) => !isFree)) return { reason: 'empty-cart' };
  const dearer = describePriceIncreases(cart);
  if (dearer.length > 0) return { reason: 'repriced', words: `${dearer.join('; ')}. Review your cart to continue` };
  const promoError = getPromoError(cart);
  if (promoError !== null) return { reason: 'promo', words: promoError };
  const undeliverable = findDeliveryProblem(cart);
  if (undeliverable !== null) return undeliverable;
  const { totalSats, totalCents } = cart.totals;
  if (expectedTotalCents !== null && expectedTotalCents !== totalCents) {
    const words = `The total is now ${formatUsd(totalCents)} instead of ${formatUsd(expectedTotalCents)}`;
    return { reason: 'repriced', words: `${words}. Check your cart and order again` };
  }
  return totalSats > 0n && totalSats < dustSats ? { reason: 'below-dust' } : null;
}

/** Whether a two-letter country code belongs to the chosen region. */
export const isCountryInRegion = (country: string, region: string): boolean => findRegion(country) === region;
