import { addCents, addSats, satsFromCents } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';

interface PricedValue {
  readonly increaseCents: Cents;
}

/** Price of one piece in cents: the base price and the increases of the chosen values. */
export function computeUnitPriceCents(basePriceCents: Cents, chosen: readonly PricedValue[]): Cents {
  return addCents(basePriceCents, ...chosen.map(({ increaseCents }) => increaseCents));
}

/**
 * Price of one piece in satoshis: each part is rounded up to a payable amount on its own, then they are added, so that
 * the price is the sum of the parts that the buyer was shown.
 */
export function computeUnitPriceSats(basePriceCents: Cents, chosen: readonly PricedValue[], rate: CentsPerBtc): Sats {
  return addSats(
    satsFromCents(basePriceCents, rate),
    ...chosen.map(({ increaseCents }) => satsFromCents(increaseCents, rate)),
  );
}
