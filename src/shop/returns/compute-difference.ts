import { cents, NO_CENTS } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';

/** What the buyer pays besides the credit, or what is left of it. One of the two is zero. */
export const computeDifference = (
  creditCents: Cents,
  totalCents: Cents,
): { readonly paysCents: Cents; readonly leftCents: Cents } =>
  creditCents < totalCents
    ? { paysCents: cents(totalCents - creditCents), leftCents: NO_CENTS }
    : { paysCents: NO_CENTS, leftCents: cents(creditCents - totalCents) };
