import { addCents, addSats, convertCentsToSats } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';

interface PricedValue {
  readonly increaseCents: Cents;
}

/** Unit price in cents: base price plus the increases of the chosen values. */
export function computeUnitPriceCents(basePriceCents: Cents, chosen: readonly PricedValue[]): Cents {
  return addCents(basePriceCents, ...chosen.map(({ increaseCents }) => increaseCents));
}

/**
 * Unit price in sats: each part is rounded up to a payable amount, then added, so that the price is
 * the sum of the displayed parts.
 */
export function computeUnitPriceSats(basePriceCents: Cents, chosen: readonly PricedValue[], rate: CentsPerBtc): Sats {
  return addSats(
    convertCentsToSats(basePriceCents, rate),
    ...chosen.map(({ increaseCents }) => convertCentsToSats(increaseCents, rate)),
  );
}
