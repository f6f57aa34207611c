import { cents, NO_CENTS } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { computeTax } from '#src/shop/tax/compute-tax.ts';
import { NO_TAX, resolveTaxation } from '#src/shop/tax/taxation.ts';
import { readOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import type { OrderTax, StoredOrderTax } from '#src/shop/tax/tax-snapshot.ts';

interface ChargedOrder {
  readonly totalCents: Cents;
  /** Null for an order from before tax was stored. */
  readonly tax: StoredOrderTax | null;
  readonly lines: readonly { readonly quantity: number; readonly priceCents: Cents; readonly isFree: boolean }[];
}

/** What each line of an order cost, with its tax. An order from before tax was stored has none. */
export function readChargedTax({ lines, tax, totalCents }: ChargedOrder): OrderTax {
  if (tax !== null) return readOrderTax(tax);
  const untaxed = lines.map(({ isFree, priceCents, quantity }) => {
    const listCents = isFree ? NO_CENTS : cents(priceCents * BigInt(quantity));
    return { taxClass: 'standard', listCents } as const;
  });
  return computeTax(
    { lines: untaxed, goodsCents: totalCents, shipping: { name: null, cents: NO_CENTS } },
    resolveTaxation(NO_TAX, { country: '', vatNumber: null }),
  );
}
