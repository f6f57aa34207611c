import { listChargeRows, listIncludedRows } from '#src/shop/cart/charge-rows.ts';
import type { Cart } from '#src/shop/cart/contract.ts';
import type { Totals } from '#src/shop/cart/web/cart-totals.tsx';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { findCountryName } from '#src/shop/regions.ts';
import type { Step } from './steps.tsx';

/** What the cart's country decides; while it is not known, step 1 refers to step 2. */
function toCharges({ delivery }: Cart, step: Step): Pick<Totals, 'charges'> {
  if (delivery === null) return {};
  const {
    country,
    is_delivered: isDelivered,
    is_weight_missing: isWeightMissing,
    shipping_btc: btc,
    shipping_usd: usd,
    tax,
    unknown_tax: unknownTax,
  } = delivery;
  const rows = listChargeRows({
    shipping: usd === null || btc === null ? null : { usd, btc },
    tax,
    unknownTax,
    isWeightMissing,
    undelivered: isDelivered || country === null ? null : (findCountryName(country) ?? country),
    ...(step === 1 && { later: 'Calculated at the next step' }),
  });
  return { charges: { rows, included: listIncludedRows(tax) } };
}

/** The totals of a cart, as step 1, or 2 with its country. */
export const toTotals = (cart: Cart, step: Step): Totals => ({
  subtotalBtc: cart.subtotal_btc,
  subtotalUsd: cart.subtotal_usd,
  discount: cart.discount,
  discountBtc: cart.discount_btc,
  discountUsd: cart.discount_usd,
  totalBtc: cart.totalBtcValue,
  totalUsd: formatUsdAmount(cart.totalCartValue),
  ...toCharges(cart, step),
});
