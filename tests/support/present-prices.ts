import { convertCentsToSats, NO_CENTS, NO_SATS } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc } from '#src/shop/money.ts';
import type { PresentPrices } from '#src/shop/orders/status/requote-order.ts';

/** Prices of an order without shipping and tax. */
export function createPresentPrices(total: Cents, rate: CentsPerBtc): PresentPrices {
  const totalSats = convertCentsToSats(total, rate);
  return {
    total_cents: total,
    total_sats: totalSats,
    total_after_cents: total,
    total_after_sats: totalSats,
    shipping_cents: NO_CENTS,
    shipping_sats: NO_SATS,
    added_tax_cents: NO_CENTS,
    added_tax_sats: NO_SATS,
    deducted_tax_cents: NO_CENTS,
    deducted_tax_sats: NO_SATS,
  };
}
