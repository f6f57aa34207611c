import { NO_CENTS } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { formatDollars } from './format-dollars.ts';
import { formatTaxRate } from '#src/shop/tax/tax-class.ts';
import { readOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import type { StoredOrderTax } from '#src/shop/tax/tax-snapshot.ts';

/** Total, shipping and tax of a paid order. */
export interface ExportedTax {
  readonly totalCents: Cents;
  readonly country: string;
  /** Null for an order from before tax was stored, which had none. */
  readonly tax: StoredOrderTax | null;
}

/** `order_usd` = `net_usd` + `tax_usd`; `shipping_usd` is what the order paid for shipping, tax included. */
export const TAX_COLUMNS = [
  'order_usd',
  'net_usd',
  'tax_usd',
  'tax_by_rate',
  'shipping_usd',
  'country',
  'reverse_charge',
  'vat_number',
] as const;

/** Cells in the order of TAX_COLUMNS; empty on every line of an order but its first, and of unpaid orders. */
export function createTaxCells(order: ExportedTax | null): string[] {
  if (order === null) return TAX_COLUMNS.map(() => '');
  const { totalCents, country } = order;
  const tax = order.tax && readOrderTax(order.tax);
  const shipping = tax?.lines.find(({ position }) => position === null)?.grossCents ?? NO_CENTS;
  const rates = tax?.rates.filter(({ rateBasisPoints }) => rateBasisPoints > 0) ?? [];
  return [
    formatDollars(totalCents),
    formatDollars(tax?.netCents ?? totalCents),
    formatDollars(tax?.taxCents ?? NO_CENTS),
    rates.map((rate) => `${formatTaxRate(rate.rateBasisPoints)}: ${formatDollars(rate.taxCents)}`).join('; '),
    formatDollars(shipping),
    country,
    tax?.isReverseCharge ? 'yes' : '',
    tax?.buyerVatNumber ?? '',
  ];
}
