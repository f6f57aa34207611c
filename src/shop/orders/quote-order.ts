import type { CartTotals } from '#src/shop/cart/price-cart.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import { computeRequiredConfirmations } from '#src/shop/payments/ledger/required-confirmations.ts';
import type { ConfirmationSteps } from '#src/shop/payments/ledger/required-confirmations.ts';
import { computeToleranceSats } from '#src/shop/payments/ledger/payment-tolerance.ts';
import type { PaymentTolerance } from '#src/shop/payments/ledger/payment-tolerance.ts';
import type { BillingDetails, LineValue } from './stored-order.ts';

export interface QuoteTerms {
  readonly rate: CentsPerBtc;
  readonly now: Date;
  /** Payment window of the quote. */
  readonly windowSeconds: number;
  readonly confirmationSteps: ConfirmationSteps;
  readonly tolerance: PaymentTolerance;
}

/**
 * Quotes a cart: amount due, rate, payment window and required confirmations, fixed at checkout.
 */
export function quoteOrder(totals: CartTotals, { rate, now, windowSeconds, confirmationSteps, tolerance }: QuoteTerms) {
  return {
    total_cents: totals.subtotalCents,
    total_sats: totals.subtotalSats,
    total_after_cents: totals.totalCents,
    total_after_sats: totals.totalSats,
    discount_percent: totals.discountPercent.toFixed(2),
    due_sats: totals.totalSats,
    tolerance_sats: computeToleranceSats(tolerance, totals.totalSats),
    rate_cents_per_btc: rate,
    required_confirmations: computeRequiredConfirmations(confirmationSteps, totals.totalCents),
    created_at: now,
    expires_at: new Date(now.getTime() + windowSeconds * 1000),
  };
}

/** Source and time of a rate, stored with the quote. */
export const snapshotRate = ({ evidence, at }: { evidence: Readonly<Record<string, unknown>>; at: Date }): string =>
  JSON.stringify({ ...evidence, at: at.toISOString() });

/** Billing details to store; optional fields only if not empty. */
export function snapshotBilling(billing: BillingDetails): BillingDetails {
  const { firstName, lastName, region, country, streetAddress, houseNumber, city, postcode } = billing;
  const [phone, note, vatNumber] = [billing.phone, billing.note, billing.vatNumber].map((text) => text?.trim() ?? '');
  return {
    firstName,
    lastName,
    region,
    country,
    streetAddress,
    houseNumber,
    city,
    postcode,
    ...(phone ? { phone } : {}),
    ...(note ? { note } : {}),
    ...(vatNumber ? { vatNumber } : {}),
  };
}

export interface LineToSnapshot {
  readonly productId: string;
  readonly name: string;
  readonly slug: string;
  readonly mainImage: string;
  readonly propertyValues: readonly LineValue[];
  readonly variantId: string | null;
  readonly sku: string | null;
  readonly quantity: number;
  readonly priceCents: Cents;
  readonly priceSats: Sats;
  readonly isFree: boolean;
}

/** A line with the present names and prices, unaffected by later product changes. */
export function snapshotLine(line: LineToSnapshot) {
  return {
    product_id: line.productId,
    name: line.name,
    slug: line.slug,
    main_image: line.mainImage,
    property_values: line.propertyValues.map(({ id, property, value }) => ({ id, property, value })),
    variant_id: line.variantId,
    sku: line.sku,
    quantity: line.quantity,
    price_cents: line.priceCents,
    price_sats: line.priceSats,
    is_free: line.isFree,
  };
}
