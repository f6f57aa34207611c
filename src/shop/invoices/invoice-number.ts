/** Numbers of invoices and credit notes: a gapless series per kind and year of issue. */
import { toShopDay } from '#src/shop/shop-days.ts';

export const invoiceKinds = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

const SERIES: Readonly<Record<InvoiceKind, string>> = { invoice: 'INV', credit_note: 'CN' };
const MIN_DIGITS = 6;

/** The year whose series a document belongs to: that of the shop's time zone. */
export const getInvoiceYear = (issuedAt: Date, timeZone: string): number =>
  Number(toShopDay(issuedAt, timeZone).slice(0, 4));

/** The number as printed: `INV-2026-000123`, with the prefix of order numbers in front. */
export const formatInvoiceNumber = (kind: InvoiceKind, year: number, number: bigint, prefix: string): string =>
  `${prefix}${SERIES[kind]}-${year}-${String(number).padStart(MIN_DIGITS, '0')}`;
