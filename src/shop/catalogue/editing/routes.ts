import { createInvalid, createNotFound, Encoded, Refusal } from '#src/platform/http/call.ts';
import type { Reply } from '#src/platform/http/call.ts';
import { TOO_COMPLEX } from '#src/platform/markdown/markdown-document.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import { refusePrices } from '#src/shop/editing/price-refusals.service.ts';
import { refuseOutdated } from '#src/shop/editing/service.ts';
import type { BulkEdits, BulkResult } from './bulk-edits.service.ts';
import { MAX_BULK } from './contract.ts';
import type { editingApi } from './contract.ts';
import type { ProductEditing } from './service.ts';
import type { StructureEditing } from './structure.service.ts';

export interface EditingServices {
  readonly editing: ProductEditing;
  readonly bulkEdits: BulkEdits;
  readonly structureEditing: StructureEditing;
}

type Routes = RoutesOf<typeof editingApi>;

const reading: Limit = { points: 300, seconds: 60, by: 'caller' };
const writing: Limit = { points: 120, seconds: 60, by: 'caller' };
/** Each one reads or writes up to 500 products. */
const editingMany: Limit = { points: 30, seconds: 60, by: 'caller' };

/** Records the security event of a change. */
const recorder =
  (reply: Reply) =>
  (targetId: string): void =>
    reply.recordSecurityEvent('catalogue_changed', targetId === '' ? {} : { targetId });

function answerEdit(changed: Awaited<ReturnType<ProductEditing['save']>>, reply: Reply) {
  if (changed instanceof Refusal) return changed;
  recorder(reply)(changed.id);
  return { product: changed };
}

function answerStructure(changed: { readonly id: string } | Refusal, reply: Reply) {
  if (!(changed instanceof Refusal)) recorder(reply)(changed.id);
  return changed;
}

type ProductRoutes = Pick<
  Routes,
  Extract<keyof Routes, `${string}/catalogue/products${string}`> | 'POST /catalogue/description-preview'
>;

function createProductRoutes({ editing, bulkEdits }: EditingServices): ProductRoutes {
  return {
    'GET /catalogue/products': {
      who: 'catalogue',
      limit: reading,
      handle: async ({ query: { sort = 'newest', page = 1, ...filter } }) => {
        const { products, total } = await bulkEdits.list(filter, sort, page);
        return { products: products.map(showListed), total, page };
      },
    },
    'POST /catalogue/products': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ body, caller, reply }) => answerEdit(await editing.create(body, toStaffActor(caller)), reply),
    },
    'GET /catalogue/products/{id}': {
      who: 'catalogue',
      limit: reading,
      handle: async ({ params }) => {
        const product = await editing.find(params.id);
        return product === null ? createNotFound() : { product };
      },
    },
    'PUT /catalogue/products/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, body, caller, reply }) =>
        answerEdit(await editing.save(params.id, body, toStaffActor(caller)), reply),
    },
    'GET /catalogue/products/{id}/preview': {
      who: 'catalogue',
      limit: reading,
      handle: async ({ params }) => {
        const product = await editing.preview(params.id);
        return product === null ? createNotFound() : new Encoded({ product });
      },
    },
    'POST /catalogue/description-preview': {
      who: 'catalogue',
      limit: { points: 240, seconds: 60, by: 'caller' },
      handle: async ({ body: { markdown } }) => {
        const elements = await editing.previewDescription(markdown);
        return elements === null ? createInvalid({ markdown: TOO_COMPLEX }) : { elements: [...elements] };
      },
    },
    'POST /catalogue/products/{id}/discard-changes': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, body, caller, reply }) =>
        answerEdit(await editing.discardChanges(params.id, body.version, toStaffActor(caller)), reply),
    },
    'POST /catalogue/products/{id}/withdraw': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, body, caller, reply }) =>
        answerEdit(await editing.withdraw(params.id, body.version, toStaffActor(caller)), reply),
    },
    'POST /catalogue/products/{id}/duplicate': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, caller, reply }) =>
        answerEdit(await editing.duplicate(params.id, toStaffActor(caller)), reply),
    },
    'DELETE /catalogue/products/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, body, caller, reply }) => {
        const result = await editing.delete(params.id, body.version, toStaffActor(caller));
        if (result instanceof Refusal) return result;
        recorder(reply)(params.id);
        return { id: params.id };
      },
    },
  };
}

const showListed = (row: Awaited<ReturnType<BulkEdits['list']>>['products'][number]) => ({
  id: row.id,
  version: row.version,
  name: row.name,
  slug: row.slug,
  article: row.article,
  main_image: row.mainImage,
  state: row.state,
  has_unpublished_changes: row.hasDraft,
  category_name: row.categoryName,
  brand_name: row.brandName,
  base_price_usd: row.basePriceCents,
  sale_price_usd: row.salePriceCents,
  sold_units: row.soldUnits,
});

type BulkRoutes = Pick<Routes, 'POST /catalogue/bulk-edits' | 'POST /catalogue/bulk-edits/preview'>;

const createNoCategory = (): Refusal => createInvalid({ 'change.category_id': 'Choose a category that exists' });

function refuseBulk(result: BulkResult & { readonly ok: false }): Refusal {
  switch (result.reason) {
    case 'no-category':
      return createNoCategory();
    case 'outdated':
      return refuseOutdated(result.names.slice(0, 3).join(', ') || 'some of these products');
    default:
      return refusePrices(result.reason);
  }
}

function createBulkRoutes({ bulkEdits }: EditingServices): BulkRoutes {
  return {
    'POST /catalogue/bulk-edits/preview': {
      who: 'catalogue',
      limit: editingMany,
      handle: async ({ body }) => {
        const result = await bulkEdits.preview(body, body.change);
        if (result.ok) return result.preview;
        return result.reason === 'no-category'
          ? createNoCategory()
          : new Refusal(409, 'too-many', `More than ${MAX_BULK} products match. Filter the list first`);
      },
    },
    'POST /catalogue/bulk-edits': {
      who: 'catalogue',
      limit: editingMany,
      handle: async ({ body, caller, reply }) => {
        const result = await bulkEdits.apply(body.products, body.change, toStaffActor(caller));
        if (result.ok) {
          for (const { id } of body.products) recorder(reply)(id);
          return { changed: result.changed };
        }
        return refuseBulk(result);
      },
    },
  };
}

type StructureRoutes = Omit<Routes, keyof ProductRoutes | keyof BulkRoutes>;

function createStructureRoutes({ structureEditing: structure }: EditingServices): StructureRoutes {
  return {
    'GET /catalogue/structure': { who: 'catalogue', limit: reading, handle: () => structure.list() },
    'POST /catalogue/categories': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ body, caller, reply }) =>
        answerStructure(await structure.createCategory(body, toStaffActor(caller)), reply),
    },
    'PUT /catalogue/categories/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, body, caller, reply }) =>
        answerStructure(await structure.saveCategory(params.id, body, toStaffActor(caller)), reply),
    },
    'DELETE /catalogue/categories/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, caller, reply }) =>
        answerStructure(await structure.deleteCategory(params.id, toStaffActor(caller)), reply),
    },
    'PUT /catalogue/category-order': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ body, caller, reply }) => {
        const sorted = answerStructure(await structure.sortCategories(body.ids, toStaffActor(caller)), reply);
        return sorted instanceof Refusal ? sorted : body;
      },
    },
    'POST /catalogue/brands': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ body, caller, reply }) =>
        answerStructure(await structure.createBrand(body, toStaffActor(caller)), reply),
    },
    'PUT /catalogue/brands/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, body, caller, reply }) =>
        answerStructure(await structure.saveBrand(params.id, body, toStaffActor(caller)), reply),
    },
    'DELETE /catalogue/brands/{id}': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ params, caller, reply }) =>
        answerStructure(await structure.deleteBrand(params.id, toStaffActor(caller)), reply),
    },
    'PUT /catalogue/brand-order': {
      who: 'catalogue',
      limit: writing,
      handle: async ({ body, caller, reply }) => {
        const sorted = answerStructure(await structure.sortBrands(body.ids, toStaffActor(caller)), reply);
        return sorted instanceof Refusal ? sorted : body;
      },
    },
  };
}

export const createEditingRoutes = (services: EditingServices): Routes => ({
  ...createProductRoutes(services),
  ...createBulkRoutes(services),
  ...createStructureRoutes(services),
});
