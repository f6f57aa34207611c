import { createNotFound, Download, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { refusePrices } from '#src/shop/editing/price-refusals.service.ts';
import { refuseOutdatedWith } from '#src/shop/editing/service.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { importsApi } from './contract.ts';
import type { Imports, ShownImport } from './service.ts';

const reading: Limit = { points: 300, seconds: 60, by: 'caller' };
const changing: Limit = { points: 30, seconds: 60, by: 'caller' };

const createRunning = (): Refusal =>
  new Refusal(409, 'import-running', 'Another import is running. Wait until it ends, or cancel it');

const createHasErrors = (leftOut: number): Refusal => {
  const products = leftOut === 1 ? '1 product of the file has errors' : `${leftOut} products of the file have errors`;
  return new Refusal(409, 'has-errors', `${products}. Correct the file, or choose to import the others`);
};

const encode = (shown: ShownImport) => ({
  id: shown.id,
  filename: shown.filename,
  bytes: shown.bytes,
  created_by: shown.createdBy,
  created_at: shown.createdAt,
  ended_at: shown.endedAt,
  state: shown.state,
  phase: shown.phase,
  done: shown.done,
  total: shown.total,
  lines: shown.lines,
  created_products: shown.createdProducts,
  changed_products: shown.changedProducts,
  unchanged_products: shown.unchangedProducts,
  left_out_products: shown.leftOutProducts,
  errors: shown.errors,
  notices: shown.notices,
  pictures: shown.pictures,
  missing_pictures: shown.missingPictures,
  message: shown.message,
});

export const createImportsRoutes = (imports: Imports): RoutesOf<typeof importsApi> => ({
  ...createReadingRoutes(imports),
  ...createChangingRoutes(imports),
});

type ReadingKey = 'GET /imports' | 'GET /imports/{id}' | 'GET /imports/{id}/problems' | 'GET /imports/{id}/changes';

function createChangingRoutes(imports: Imports): Omit<RoutesOf<typeof importsApi>, ReadingKey> {
  return {
    'POST /imports': {
      who: 'catalogue',
      limit: { points: 60, seconds: 3600, by: 'caller' },
      maxOpen: 2,
      handle: async ({ query: { filename }, body, caller }) => {
        const uploaded = await imports.upload({ filename, content: body }, toStaffActor(caller));
        return uploaded ? encode(uploaded) : createRunning();
      },
    },
    'POST /imports/{id}/apply': {
      who: 'catalogue',
      limit: changing,
      handle: async ({ params, body, caller, reply }) => {
        const choice = { isWithoutLeftOut: body.leave_out, isWithoutMissing: body.without_missing };
        const applied = await imports.apply(params.id, toStaffActor(caller), choice);
        if (applied.ok) {
          reply.recordSecurityEvent('catalogue_changed');
          return encode(applied.found);
        }
        if (applied.reason === 'not-found') return createNotFound();
        if (applied.reason === 'running') return createRunning();
        if (applied.reason === 'has-errors') return createHasErrors(applied.leftOut);
        if (applied.reason === 'outdated') return refuseOutdatedWith(applied.message);
        if (applied.reason === 'reauth' || applied.reason === 'missing-scope') return refusePrices(applied.reason);
        return new Refusal(
          409,
          'not-checked',
          'Only a file that was checked, and has products without errors, can be imported',
        );
      },
    },
    'POST /imports/{id}/cancel': {
      who: 'catalogue',
      limit: changing,
      handle: async ({ params, caller }) => {
        const isCancelled = await imports.cancel(params.id, toStaffActor(caller));
        const found = await imports.find(params.id);
        if (found === null) return createNotFound();
        return isCancelled ? encode(found) : new Refusal(409, 'ended', 'The import has ended already');
      },
    },
    'GET /exports/products': {
      who: 'catalogue-exports',
      // Each export reads all products.
      limit: { points: 10, seconds: 60, by: 'caller' },
      handle: async ({ query: { q, category, brand, published }, caller }) => {
        const isPublished = published === undefined ? undefined : published === 'yes';
        const filter = { q, category, brand, published: isPublished };
        const pieces = imports.exportProductsFor(caller.identity.role, filter, caller.getAbortSignal?.());
        return new Download('products.csv', 'text/csv; charset=utf-8', pieces);
      },
    },
  };
}

function createReadingRoutes(imports: Imports): Pick<RoutesOf<typeof importsApi>, ReadingKey> {
  return {
    'GET /imports': {
      who: 'catalogue',
      limit: reading,
      handle: async ({ query: { page = 1 } }) => {
        const { rows, total } = await imports.list(page);
        return { imports: rows.map(encode), total, page };
      },
    },
    'GET /imports/{id}': {
      who: 'catalogue',
      limit: reading,
      handle: async ({ params }) => {
        const found = await imports.find(params.id);
        return found ? encode(found) : createNotFound();
      },
    },
    'GET /imports/{id}/problems': {
      who: 'catalogue',
      limit: reading,
      handle: async ({ params: { id }, query: { page = 1, severity: only, q } }) => {
        if ((await imports.find(id)) === null) return createNotFound();
        const { rows, total } = await imports.listProblems(id, page, { severity: only, q });
        const problems = rows.map(({ severity, line, column, product, message }) => ({
          severity,
          line,
          column,
          product,
          message,
        }));
        return { problems, total, page };
      },
    },
    'GET /imports/{id}/changes': {
      who: 'catalogue',
      limit: reading,
      handle: async ({ params: { id }, query: { page = 1 }, caller }) => {
        if ((await imports.find(id)) === null) return createNotFound();
        const { rows, total } = await imports.listChangedProducts(id, page, caller.identity.role);
        const products = rows.map(({ slug, name, line, isNew, changes }) => ({
          slug,
          name,
          line,
          is_new: isNew,
          changes: changes.map(({ variant, field, before, after }) => ({ variant, field, before, after })),
        }));
        return { products, total, page };
      },
    },
  };
}
