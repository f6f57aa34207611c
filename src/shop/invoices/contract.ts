import { z } from 'zod';
import { id, instant, queryInteger, text, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { invoiceKinds } from './invoice-number.ts';

/** Amounts are positive; a credit note takes them back. */
const invoice = z.object({
  id,
  kind: z.enum(invoiceKinds),
  number: z.string(),
  issued_at: instant,
  total_usd: usd,
});
export type ShownInvoice = z.input<typeof invoice>;

const listedInvoice = invoice.extend({
  order_id: id,
  order_number: z.string(),
  buyer: z.string(),
  net_usd: usd,
  tax_usd: usd,
  /** Buyer and content were erased after the retention period: there is no PDF. */
  is_erased: z.boolean(),
});
export type ListedInvoice = z.input<typeof listedInvoice>;

/** A day of the shop's time zone, such as 2026-03-01. */
const day = text(10)
  .regex(/^\d{4}-\d\d-\d\d$/, { message: 'must be YYYY-MM-DD' })
  .refine((written) => !Number.isNaN(Date.parse(`${written}T00:00:00Z`)), { message: 'is not a date' });

const byId = z.object({ id });

export const invoicesApi = {
  'GET /orders/{id}/invoices': {
    summary: 'Lists the invoice and the credit notes of one’s own order, oldest first',
    params: byId,
    response: z.object({ invoices: z.array(invoice) }),
    refusals: { 404: 'not-found' },
  },
  'GET /invoices/{id}/pdf': {
    summary: 'Returns an invoice or a credit note of one’s own order as PDF',
    params: byId,
    response: z.string(),
    responseType: 'pdf',
    refusals: { 404: 'not-found', 503: 'overloaded' },
  },
  'GET /support/invoices': {
    summary: 'Staff: all invoices and credit notes, newest first',
    query: z.object({
      page: queryInteger(1, 100_000).optional(),
      kind: z.enum(invoiceKinds).optional(),
      year: queryInteger(2000, 9999).optional(),
      /** Part of a number, an order number or a buyer's name. */
      q: text(200).optional(),
    }),
    response: z.object({
      invoices: z.array(listedInvoice),
      total: z.int().nonnegative(),
      /** Whether more documents match the filters than the 10,000 that are counted and listed. */
      has_more: z.boolean(),
      page: z.int().positive(),
      /** Years with documents, the latest first. */
      years: z.array(z.int()),
      /** Orders whose documents could not be issued and are retried. */
      failed: z.int().nonnegative(),
      /** The first ten of them. */
      failed_orders: z.array(z.object({ id, number: z.string() })),
    }),
    refusals: { 403: 'forbidden' },
  },
  'GET /support/orders/{id}/invoices': {
    summary: 'Staff: lists the invoice and the credit notes of an order, oldest first',
    params: byId,
    response: z.object({ invoices: z.array(invoice) }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'GET /support/invoices/{id}/pdf': {
    summary: 'Staff: returns an invoice or a credit note as PDF',
    params: byId,
    response: z.string(),
    responseType: 'pdf',
    refusals: { 403: 'forbidden', 404: 'not-found', 503: 'overloaded' },
  },
  'GET /exports/invoices': {
    summary:
      'Owner: sales and tax as CSV, a row for each tax rate of an invoice or credit note, by the day of issue in the shop’s time zone, within 15 minutes of entering the password',
    query: z.object({ from: day.optional(), to: day.optional() }),
    response: z.string(),
    responseType: 'csv',
    refusals: { 401: 'reauth', 403: 'forbidden' },
  },
} as const satisfies Contract;
