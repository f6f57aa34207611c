import { formatDollars } from '#src/shop/format-number.ts';
import { formatDecimalBtc } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import type { PlaceholderValues } from '../placeholders.ts';

/** Values of the price placeholders: `0.009 BTC` and `$999`. Null without a price or a rate. */
export function formatFromPrices(
  price: { readonly cents: Cents; readonly sats: Sats | null } | null,
): PlaceholderValues {
  if (price === null) return { from_btc: null, from_usd: null };
  const { cents, sats } = price;
  return {
    from_btc: sats === null ? null : `${formatDecimalBtc(sats).replace(/\.?0+$/, '')} BTC`,
    from_usd: formatDollars(Number(cents) / 100),
  };
}
