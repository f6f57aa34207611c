import { z } from 'zod';
import { filledText, id, instant, queryInteger, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { importStates } from './import-state.ts';

/** Largest file of an import. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;

const count = z.int().nonnegative();
const page = queryInteger(1, 100_000).optional();
const paged = { total: count, page: z.int().positive() };

const catalogueImport = z.object({
  id,
  filename: z.string(),
  bytes: count,
  /** Null: the account was erased. */
  created_by: z.string().nullable(),
  created_at: instant,
  ended_at: instant.nullable(),
  state: z.enum(importStates),
  /** The present step: reading, comparing, preparing, pictures, writing or stock. */
  phase: z.string(),
  done: count,
  /** 0: not known yet. */
  total: count,
  lines: count,
  created_products: count,
  changed_products: count,
  unchanged_products: count,
  /** Products of the file with errors. */
  left_out_products: count,
  errors: count,
  notices: count,
  /** Pictures of other sites, which are loaded before the import is applied. */
  pictures: count,
  /** Those that could not be loaded. */
  missing_pictures: count,
  message: z.string().nullable(),
});
export type CatalogueImport = z.input<typeof catalogueImport>;

const problem = z.object({
  severity: z.enum(['error', 'notice']),
  line: z.int(),
  /** Null: the whole line. */
  column: z.string().nullable(),
  /** Handle of the product. Null: the file itself. An error leaves out the product, or refuses the file. */
  product: z.string().nullable(),
  message: z.string(),
});
export type ImportProblem = z.input<typeof problem>;

const changedProduct = z.object({
  slug: z.string(),
  name: z.string(),
  line: z.int(),
  is_new: z.boolean(),
  changes: z.array(
    z.object({
      /** Values of the variant, such as `256GB / Blue`. Null: the product. */
      variant: z.string().nullable(),
      field: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
});
export type ImportedChanges = z.input<typeof changedProduct>;

const params = z.object({ id });

export const importsApi = {
  'POST /imports': {
    summary:
      'Staff: uploads a product CSV (the columns of Shopify; at most 20 MB) and checks it. Nothing is changed before it is applied',
    query: z.object({ filename: filledText(200) }),
    bodyType: 'binary',
    maxBodyBytes: MAX_FILE_BYTES,
    status: 201,
    response: catalogueImport,
    refusals: { 403: 'forbidden', 409: 'import-running', 413: 'too-large', 503: 'overloaded' },
  },
  'GET /imports': {
    summary: 'Staff: imports of the last 30 days, newest first, 25 a page',
    query: z.object({ page }),
    response: z.object({ imports: z.array(catalogueImport), ...paged }),
    refusals: { 403: 'forbidden' },
  },
  'GET /imports/{id}': {
    summary: 'Staff: an import with its progress',
    params,
    response: catalogueImport,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'GET /imports/{id}/problems': {
    summary:
      'Staff: errors and notices by line and column, 25 a page; at most 1,000 of each. `q`: a line number, or part of a column, product or message',
    params,
    query: z.object({ page, severity: problem.shape.severity.optional(), q: text(200).optional() }),
    response: z.object({ problems: z.array(problem), ...paged }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'GET /imports/{id}/changes': {
    summary: 'Staff: products that the import creates or changes, with every change, 25 a page',
    params,
    query: z.object({ page }),
    response: z.object({ products: z.array(changedProduct), ...paged }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /imports/{id}/apply': {
    summary:
      'Staff: loads pictures of other sites, then applies a checked import as a whole. Products with errors are left out with `leave_out`; without it they refuse the import. If some pictures can’t be loaded, it is checked again, unless `without_missing`. Large reductions of prices need a recent password',
    params,
    body: z.object({ leave_out: z.boolean().optional(), without_missing: z.boolean().optional() }),
    response: catalogueImport,
    refusals: {
      401: 'reauth',
      403: 'forbidden',
      404: 'not-found',
      409: 'changed-meanwhile, has-errors, import-running, not-checked',
    },
  },
  'POST /imports/{id}/cancel': {
    summary: 'Staff: cancels an import that is not applied yet',
    params,
    response: catalogueImport,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'ended' },
  },
  'GET /exports/products': {
    summary: 'Staff: products with variants, prices, stock and pictures as CSV, in the columns of Shopify',
    query: z.object({
      q: text(200).optional(),
      category: text(120).optional(),
      brand: text(120).optional(),
      published: z.enum(['yes', 'no']).optional(),
    }),
    response: z.string(),
    responseType: 'csv',
    refusals: { 401: 'reauth', 403: 'forbidden' },
  },
} as const satisfies Contract;
