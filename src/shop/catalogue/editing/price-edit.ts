import { cents, divideNearest } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';

export type PriceEdit =
  | { readonly kind: 'set'; readonly priceCents: Cents }
  /** Negative to reduce. */
  | { readonly kind: 'add'; readonly amountCents: bigint }
  /** In hundredths of a percent: −1050 is 10.5 percent less. */
  | { readonly kind: 'percent'; readonly hundredths: bigint };

export const MAX_PRICE_CENTS = 999_999_999n;

const WHOLE = 10_000n;

/** The new price, rounded to cents; null if it would not be between $0.01 and $9,999,999.99. */
export function applyPriceEdit(price: Cents, edit: PriceEdit): Cents | null {
  const changed = computePrice(price, edit);
  return changed === null || changed <= 0n || changed > MAX_PRICE_CENTS ? null : cents(changed);
}

/** An increase after a percentage, rounded to cents; it may become nothing. Other edits leave increases. */
export function changeByPercent(increase: Cents, edit: PriceEdit): Cents {
  if (edit.kind !== 'percent' || increase === 0n) return increase;
  const changed = divideNearest(increase * (WHOLE + edit.hundredths), WHOLE);
  return cents(changed > MAX_PRICE_CENTS ? MAX_PRICE_CENTS : changed);
}

function computePrice(price: Cents, edit: PriceEdit): bigint | null {
  if (edit.kind === 'set') return edit.priceCents;
  if (edit.kind === 'add') return price + edit.amountCents;
  const factor = WHOLE + edit.hundredths;
  return factor <= 0n ? null : divideNearest(price * factor, WHOLE);
}
