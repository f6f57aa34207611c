import { z } from 'zod';
import { billing } from '../contract.ts';
import { serialKinds } from '#src/shop/catalogue/serial-kind.ts';
import { fulfilmentStatuses } from '../kinds.ts';
import { filledText, id, instant, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { isOneLine } from '#src/shop/shop-settings/check-text.ts';
import { parcelSerials, trackingReference } from '../status/contract.ts';
import { findPatternProblem, MAX_PATTERN } from './tracking-url.ts';

const carrier = z.object({ id, name: z.string(), url_pattern: z.string() });
export type Carrier = z.input<typeof carrier>;

const carrierFields = z.object({
  name: filledText(60).refine(isOneLine, { message: 'must be one line' }),
  /** Address of the tracking page with {number}; empty: no link. */
  url_pattern: text(MAX_PATTERN)
    .trim()
    .refine((pattern) => pattern === '' || findPatternProblem(pattern) === null, {
      message: 'must start with https://, a fixed host and a slash, and contain {number}',
    }),
});

const shipment = z.object({
  number: z.int().positive(),
  shipped_at: instant,
  carrier: z.string().nullable(),
  tracking_number: z.string().nullable(),
  tracking_url: z.string().nullable(),
  items: z.array(
    z.object({
      position: z.int(),
      name: z.string(),
      quantity: z.int().positive(),
      /** Numbers of its units, as far as they are known. */
      serials: z.array(z.object({ number: z.string(), is_returned: z.boolean() })),
    }),
  ),
});

const shippingBlocks = [
  'not-paid',
  'shipping-held',
  'refunding',
  'written-off',
  'contract-withdrawn',
  'shipped',
] as const;

const orderToShip = z.object({
  id,
  number: z.string(),
  created_at: instant,
  fulfilment_status: z.enum(fulfilmentStatuses),
  /** Why nothing can be shipped now; null if it can. */
  block: z.enum(shippingBlocks).nullable(),
  /** Whether the address can be changed. */
  is_address_changeable: z.boolean(),
  billing,
  /** Number of the next shipment. */
  next_shipment: z.int().positive(),
  lines: z.array(
    z.object({
      position: z.int().nonnegative(),
      name: z.string(),
      sku: z.string().nullable(),
      /** What shipping asks of each unit. */
      serial_kind: z.enum(serialKinds),
      quantity: z.int().positive(),
      shipped_quantity: z.int().nonnegative(),
      /** Refunded before shipping: not shipped any more. */
      refunded_unshipped_quantity: z.int().nonnegative(),
      /** The buyer withdrew from them before shipping, and they are not refunded: not shipped any more. */
      withdrawn_quantity: z.int().nonnegative(),
    }),
  ),
  shipments: z.array(shipment),
});
export type OrderToShip = z.input<typeof orderToShip>;

/** Orders of one page or one print. */
const MAX_ORDERS = 50;
const ONE_ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const idList = text(37 * MAX_ORDERS).regex(new RegExp(`^${ONE_ID}(?:,${ONE_ID}){0,${MAX_ORDERS - 1}}$`));

const changed = { 401: 'reauth', 403: 'forbidden', 409: 'name-taken' } as const;

/** Of an import of numbers: what it does, or would do. */
const serialImport = z.object({
  /** Numbers in the file. */
  rows: z.int().nonnegative(),
  added: z.int().nonnegative(),
  /** Recorded for this line before. */
  unchanged: z.int().nonnegative(),
  /** Orders that get numbers. */
  orders: z.int().nonnegative(),
  problem_count: z.int().nonnegative(),
  /** The first of them, by line of the file. */
  problems: z.array(z.object({ line: z.int(), message: z.string() })),
});
export type SerialImport = z.input<typeof serialImport>;

const MAX_CSV = 1_000_000;
/** JSON escapes the line breaks. */
const MAX_CSV_BYTES = 1_200_000;
const csvFile = z.object({ csv: text(MAX_CSV) });

export const fulfilmentApi = {
  'GET /carriers': {
    summary: 'Staff: carriers by name, with the address of their tracking pages',
    response: z.object({ carriers: z.array(carrier) }),
    refusals: { 403: 'forbidden' },
  },
  'POST /carriers': {
    summary: 'Owner: adds a carrier',
    body: carrierFields,
    status: 201,
    response: z.object({ carrier }),
    refusals: changed,
  },
  'PUT /carriers/{id}': {
    summary: 'Owner: changes a carrier. Shipments keep the name and link of their time',
    params: z.object({ id }),
    body: carrierFields,
    response: z.object({ carrier }),
    refusals: { ...changed, 404: 'not-found' },
  },
  'DELETE /carriers/{id}': {
    summary: 'Owner: deletes a carrier. Shipments keep its name and link',
    params: z.object({ id }),
    response: z.object({ carrier }),
    refusals: { 401: 'reauth', 403: 'forbidden', 404: 'not-found' },
  },
  'GET /support/fulfilment': {
    summary: 'Staff: recipients, lines and shipments of up to 50 orders, in the order of the comma-separated ids',
    query: z.object({ ids: idList }),
    /** The shop's time zone, an IANA name, is that of printed dates. */
    response: z.object({ orders: z.array(orderToShip), time_zone: z.string() }),
    refusals: { 403: 'forbidden' },
  },
  'POST /support/shipments': {
    summary: 'Staff: ships everything that is left of up to 50 orders. Each order has its own transaction and result',
    body: z.object({
      shipments: z
        .array(
          z.object({
            order_id: id,
            /** Number of the shipment within the order: a repeat with it records nothing. */
            number: z.int().min(1).max(10_000),
            carrier_id: id.optional(),
            tracking_reference: trackingReference.optional(),
            serials: parcelSerials.optional(),
          }),
        )
        .min(1)
        .max(MAX_ORDERS)
        .refine((all) => new Set(all.map(({ order_id: one }) => one)).size === all.length, {
          message: 'must name each order once',
        }),
    }),
    // With the numbers of thousands of units.
    maxBodyBytes: 256 * 1024,
    response: z.object({
      results: z.array(
        z.object({
          order_id: id,
          /** Null: shipped. */
          refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
        }),
      ),
    }),
    refusals: { 403: 'forbidden' },
  },
  'GET /exports/serial-numbers': {
    summary:
      'Staff: serial numbers and IMEIs of shipped units as CSV, by order, line, product, number and parcel, of units shipped on these days of the shop’s time zone',
    query: z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() }),
    response: z.string(),
    responseType: 'csv',
    refusals: { 401: 'reauth', 403: 'forbidden' },
  },
  'POST /support/serial-numbers/check': {
    summary:
      'Staff: what an import of serial numbers would do. The CSV has the columns order, line (from 1), number and, if wanted, parcel, as the export has them; at most 5,000 numbers',
    body: csvFile,
    maxBodyBytes: MAX_CSV_BYTES,
    response: serialImport,
    refusals: { 400: 'invalid', 403: 'forbidden' },
  },
  'POST /support/serial-numbers/import': {
    summary: 'Staff: records the serial numbers of a CSV for units that are shipped; none of them if one has a problem',
    body: csvFile,
    maxBodyBytes: MAX_CSV_BYTES,
    response: serialImport,
    refusals: { 400: 'invalid', 403: 'forbidden', 409: 'import-problems' },
  },
} as const satisfies Contract;
