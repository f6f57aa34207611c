import { addCents, addSats, cents, NO_CENTS, NO_SATS, sats } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { readOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import type { StoredOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import type { StoredCharges } from './stored-order.ts';

interface ChargedOrder extends StoredCharges {
  readonly total_cents: Cents;
  readonly total_sats: Sats;
  readonly total_after_cents: Cents;
  readonly total_after_sats: Sats;
}

/** The tax for the API; null where none applied. */
function showTax(stored: StoredOrderTax | null, addedSats: Sats, deductedSats: Sats) {
  const tax = stored && readOrderTax(stored);
  if (tax === null || !tax.isTaxed) return null;
  return {
    name: tax.taxName,
    is_included: tax.priceMode === 'gross',
    is_reverse_charge: tax.isReverseCharge,
    buyer_vat_number: tax.buyerVatNumber,
    net_usd: tax.netCents,
    total_usd: tax.taxCents,
    added_usd: tax.addedCents,
    added_btc: addedSats,
    deducted_usd: tax.deductedCents,
    deducted_btc: deductedSats,
    rates: tax.rates.map((rate) => ({
      tax_class: rate.taxClass,
      basis_points: rate.rateBasisPoints,
      net_usd: rate.netCents,
      tax_usd: rate.taxCents,
      gross_usd: rate.grossCents,
    })),
  };
}

/** Discount, shipping and tax of an order for the API. */
export function showCharges({
  shipping_cents: shippingCents = NO_CENTS,
  shipping_sats: shippingSats = NO_SATS,
  added_tax_cents: addedCents = NO_CENTS,
  added_tax_sats: addedSats = NO_SATS,
  deducted_tax_cents: deductedCents = NO_CENTS,
  deducted_tax_sats: deductedSats = NO_SATS,
  tax = null,
  ...order
}: ChargedOrder) {
  const before = addCents(order.total_cents, shippingCents, addedCents);
  const beforeSats = addSats(order.total_sats, shippingSats, addedSats);
  return {
    discount_usd: cents(before - deductedCents - order.total_after_cents),
    discount_btc: sats(beforeSats - deductedSats - order.total_after_sats),
    shipping_usd: shippingCents,
    shipping_btc: shippingSats,
    tax: showTax(tax, addedSats, deductedSats),
  };
}
