import { addCents, addSats, cents, multiplyCents, multiplySats, sats } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { applyDiscount } from '#src/shop/promotions/apply-discount.ts';
import type { Discount } from '#src/shop/promotions/apply-discount.ts';

/** What of a line decides what it costs. */
export interface PriceableLine {
  readonly quantity: number;
  /** Price of one piece. */
  readonly priceCents: Cents;
  /** Price of one piece: a whole multiple of 100 sats. */
  readonly priceSats: Sats;
  /** A gift: it costs nothing and no discount is taken of it. */
  readonly isFree: boolean;
}

export interface CartTotals {
  /** Of the lines that are no gifts. */
  readonly subtotalCents: Cents;
  readonly subtotalSats: Sats;
  /** Exactly subtotal minus total. */
  readonly discountCents: Cents;
  readonly discountSats: Sats;
  /** For display: the discount as a percentage. */
  readonly discountPercent: number;
  /** What is to be paid, shipping included, which is free. In sats a whole multiple of 100. */
  readonly totalCents: Cents;
  readonly totalSats: Sats;
}

/** The sums of a cart, and what a promotion takes off them. */
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
