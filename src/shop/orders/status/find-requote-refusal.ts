import type { AssessedCart } from '#src/shop/cart/assess-cart.ts';
import { listUnweighed } from '../checkout/find-checkout-problem.ts';
import { findCountryName } from '#src/shop/regions.ts';

/** Why the items of an order can't be ordered any more, as the buyer reads it. */
export interface RequoteRefusal {
  readonly reason: 'withdrawn' | 'not-delivered' | 'weight-unknown' | 'below-dust';
  readonly words: string;
}

type PricedItems = Pick<AssessedCart, 'lines' | 'totals'> & {
  readonly charges: Pick<AssessedCart['charges'], 'isDelivered' | 'isWeightMissing' | 'tax'>;
};

/**
 * Null if the items can be ordered. Stock is not checked: the requote reserves it.
 * @param dustSats dust limit of the shop's addresses
 */
export function findRequoteRefusal({ charges, lines, totals }: PricedItems, dustSats: bigint): RequoteRefusal | null {
  const withdrawn = lines.filter(({ notices }) => notices.some(({ code }) => code === 'withdrawn'));
  if (withdrawn.length > 0) {
    const sentences = withdrawn.map(({ name }) => `${name} is no longer available`);
    return { reason: 'withdrawn', words: `${sentences.join('; ')}, so this order can’t get a new price` };
  }
  if (!charges.isDelivered) {
    const country = findCountryName(charges.tax.country) ?? 'this country';
    return {
      reason: 'not-delivered',
      words: `We no longer deliver to ${country}, so this order can’t get a new price`,
    };
  }
  if (charges.isWeightMissing) {
    return {
      reason: 'weight-unknown',
      words: `We can’t calculate the shipping of ${listUnweighed(lines)}, so this order can’t get a new price`,
    };
  }
  return totals.totalSats > 0n && totals.totalSats < dustSats
    ? { reason: 'below-dust', words: 'The new total is too small to pay in bitcoin' }
    : null;
}
