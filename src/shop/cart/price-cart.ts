import { addCents, addSats, cents, multiplyCents, multiplySats, sats } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { applyDiscount } from '#src/shop/promotions/apply-discount.ts';
import type { Discount } from '#src/shop/promotions/apply-discount.ts';

/** Fields of a line that determine its price. */
export interface PriceableLine {
  readonly quantity: number;
  /** Unit price. */
  readonly priceCents: Cents;
  /** Unit price, a multiple of 100 sats. */
  readonly priceSats: Sats;
  /** A gift costs nothing and is not discounted. */
  readonly isFree: boolean;
}

export interface CartTotals {
  /** Sum of the lines that are not gifts. */
  readonly subtotalCents: Cents;
  readonly subtotalSats: Sats;
  /** Exactly subtotal minus total. */
  readonly discountCents: Cents;
  readonly discountSats: Sats;
  /** Discount in percent, for display. */
  readonly discountPercent: number;
  /** Amount to pay, free shipping included. Sats are a multiple of 100. */
  readonly totalCents: Cents;
  readonly totalSats: Sats;
}

/** Computes the totals of a cart after the discount of a promotion. */
export function priceCart(lines: readonly PriceableLine[], discount: Discount | null = null): CartTotals {
  const paid = lines.filter(({ isFree }) => !isFree);
  const subtotalCents = addCents(...paid.map(({ priceCents, quantity }) => multiplyCents(priceCents, quantity)));
  const subtotalSats = addSats(...paid.map(({ priceSats, quantity }) => multiplySats(priceSats, quantity)));
  const { totalCents, totalSats, percent } = applyDiscount({ cents: subtotalCents, sats: subtotalSats }, discount);
  return {
    subtotalCents,
    subtotalSats,
    discountCents: cents(subtotalCents - totalCents),
    discountSats: sats(subtotalSats - totalSats),
    discountPercent: percent,
    totalCents,
    totalSats,
  };
}
