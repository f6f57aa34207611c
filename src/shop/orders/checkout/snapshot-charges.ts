import type { Charges } from '#src/shop/cart/price-charges.ts';
import { NO_CENTS, NO_SATS } from '#src/shop/money.ts';
import type { TaxedBuyer } from '#src/shop/tax/taxation.ts';
import type { BillingDetails } from '../stored-order.ts';
import { storeOrderTax } from '#src/shop/tax/tax-snapshot.ts';

/** Who buys, for the tax. */
export function toBuyer({ country, vatNumber = '' }: BillingDetails): TaxedBuyer {
  const entered = vatNumber.trim();
  return { country, vatNumber: entered === '' ? null : entered };
}

/** Billing details with the VAT number that was accepted, if any. */
export const withVatNumber = (billing: BillingDetails, { tax }: Charges): BillingDetails => ({
  ...billing,
  vatNumber: tax.buyerVatNumber ?? undefined,
});

/** Shipping and tax as an order stores them. */
export const snapshotCharges = ({ shipping, addedTax, deductedTax, tax }: Charges) => ({
  shipping_cents: shipping?.cents ?? NO_CENTS,
  shipping_sats: shipping?.sats ?? NO_SATS,
  added_tax_cents: addedTax.cents,
  added_tax_sats: addedTax.sats,
  deducted_tax_cents: deductedTax.cents,
  deducted_tax_sats: deductedTax.sats,
  tax: JSON.stringify(storeOrderTax(tax)),
});
