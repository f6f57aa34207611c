import { z } from 'zod';
import { v7 } from 'uuid';
import { isForeignKeyViolation, isUniqueViolation } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import type { MarkdownToken } from '#src/platform/markdown/markdown-document.ts';
import { TOO_COMPLEX } from '#src/platform/markdown/markdown-document.ts';
import type { TextParser } from '#src/platform/markdown/markdown-parser.ts';
import { createInvalid, createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { Conflict } from '#src/platform/http/call.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { comparePrices } from '#src/shop/price-reduction.ts';
import type { PriceGuard, PriceRefusal } from '#src/shop/price-reduction.ts';
import { describeField } from '#src/shop/audit-log/describe-field.ts';
import { refusePrices } from '#src/shop/editing/price-refusals.service.ts';
import { changeDocument } from '#src/shop/editing/service.ts';
import type { EditingOptions, Written } from '#src/shop/editing/service.ts';
import type { ProductDetail } from '../contract.ts';
import type { StockAdjustments } from '#src/shop/inventory/adjustments/service.ts';
import type { Catalogue } from '../service.ts';
import { toAuditFields } from './audit-fields.ts';
import { complete, findTakenProblems, nameViolation, readCategory } from './product-checks.service.ts';
import { findProblems, findPublishProblems } from './check-product.ts';
import type { Problems } from './check-product.ts';
import { storedContent } from './contract.ts';
import { parseDescription, resolveDescription } from './description.service.ts';
import type { DescribedContent, RequestedContent } from './description.service.ts';
import { writeMarkdown } from './description.store.ts';
import { findBrandSafety } from '../product-detail.store.ts';
import { toProductRow, toShownVariants } from './preview-product.ts';
import { mergeSafety } from '../compliance/product-safety.ts';
import { readDraft, toView } from './product-view.service.ts';
import type { EditedProductView } from './product-view.service.ts';
import { dropFormerPictures, listOwnPaths, listPicturePaths, listVariantPrices } from './product-content.ts';
import type { ProductContent } from './product-content.ts';
import { formatFieldName, listChangedFields } from './product-fields.ts';
import * as store from './products.store.ts';
import type { StoredProduct } from './stored-product.ts';
import { recordPrices } from '../sale-prices/record-prices.store.ts';
import { readPrices } from '../sale-prices/store.ts';
import { findRaisedProblems } from './raised-prices.service.ts';
import { findFreeSlug } from './suggest-slug.ts';
import type { PlannedVariant } from './variant-set.ts';
import { releaseNames, stage, writeProducts } from './write-products.store.ts';

type Changed = Promise<EditedProductView | Refusal>;

const IN_USE = new Refusal(
  409,
  'in-use',
  'Only products that were never published can be deleted. Withdraw it instead',
);
const refuseNames = (fields: Problems): Refusal =>
  new Refusal(409, 'taken', 'Another product has one of these names already', { fields });

export interface ProductEditingOptions extends EditingOptions {
  readonly catalogue: Catalogue;
  readonly priceGuard: PriceGuard;
  readonly stockAdjustments: Pick<StockAdjustments, 'addVariants'>;
  readonly parser: TextParser;
  /** Those of these paths that are no pictures. The others can't be deleted until the transaction ends. */
  readonly findMissingPictures: (tx: Db, paths: readonly string[]) => Promise<readonly string[]>;
}

interface SaveRequest {
  readonly version: number;
  readonly publish: boolean;
  readonly content: RequestedContent;
}

interface CheckedProduct {
  readonly stored: StoredProduct | null;
  readonly content: ProductContent;
  readonly elements: readonly MarkdownToken[] | null;
  readonly planned: readonly PlannedVariant[];
  readonly publish: boolean;
  readonly by: StaffActor;
}

/** Creates and edits products. Each change is one transaction, and all processes show it at once. */
export class ProductEditing {
  readonly #options: ProductEditingOptions;

  constructor(options: ProductEditingOptions) {
    this.#options = options;
  }

  async find(id: string): Promise<EditedProductView | null> {
    const stored = await store.readProduct(this.#options.db, id);
    return stored && toView(stored);
  }

  /** The product in the form of its page, with its draft and present prices; null if it does not exist. */
  async preview(id: string): Promise<ProductDetail | null> {
    const { db, clock, catalogue } = this.#options;
    const stored = await store.readProduct(db, id);
    const priced = await readPrices(db, id, clock.now());
    if (stored === null || priced === null) return null;
    const content = readDraft(stored) ?? stored.content;
    const elements = await parseDescription(this.#options.parser, content.description_markdown);
    const row = { ...toProductRow(id, stored.createdAt, content), priceHistory: priced.history };
    const safety = mergeSafety(await findBrandSafety(db, content.brand_id), content.safety);
    return catalogue.preview(row, {
      variants: toShownVariants(content),
      elements,
      safety,
      inTheBox: content.in_the_box,
      chapters: content.chapters,
    });
  }

  /** The elements of a description; null if it has too many. */
  previewDescription(markdown: string): Promise<readonly MarkdownToken[] | null> {
    return parseDescription(this.#options.parser, markdown);
  }

  /** Creates a draft. */
  create(content: RequestedContent, by: StaffActor): Changed {
    return this.#write(v7(), content, { by, publish: false, version: 0 });
  }

  /** Saves what was edited at a version, and publishes it if asked to. */
  save(id: string, { content, version, publish }: SaveRequest, by: StaffActor): Changed {
    return this.#write(id, content, { by, publish, version });
  }

  /** Creates a draft with the content of a product, under a name of its own. */
  async duplicate(id: string, by: StaffActor): Changed {
    const { db } = this.#options;
    const stored = await store.readProduct(db, id);
    if (stored === null) return createNotFound();
    const content = readDraft(stored) ?? stored.content;
    const base = { slug: `${content.slug}-copy`, article: `${content.article.slice(0, 50)}-COPY` };
    const taken = await store.listNamesLike(db, base.slug, base.article);
    return this.create(
      {
        ...content,
        name: `${content.name.slice(0, 110)} (copy)`,
        slug: findFreeSlug(base.slug, (slug) => taken.slugs.has(slug)),
        article: findFreeSlug(base.article, (article) => taken.articles.has(article)),
        // A GTIN identifies one product worldwide.
        variants: content.variants.map((variant) => ({ ...variant, sku: '', gtin: '' })),
      },
      by,
    );
  }

  discardChanges(id: string, version: number, by: StaffActor): Changed {
    const edit = { version, by, field: 'discarded changes', action: 'product.draft_discarded' };
    return this.#change(id, edit, (tx) => store.deleteDrafts(tx, [id]));
  }

  withdraw(id: string, version: number, by: StaffActor): Changed {
    const edit = { version, by, field: 'withdrawn', action: 'product.withdrawn', isPublished: false };
    return this.#change(id, edit, async () => {});
  }

  /** Deletes a product that was never published. */
  delete(id: string, version: number, by: StaffActor): Changed {
    return changeDocument(this.#options, {
      ...describeProduct(id, version),
      by,
      lock: (tx) => lockProduct(tx, id),
      write: async (tx, stored) => {
        if (stored.isPublished || stored.firstPublishedAt !== null) return IN_USE;
        await store.deleteProduct(tx, id);
        const saved = toView(stored);
        const before = toAuditFields(saved.content, false);
        return { saved, recorded: { action: 'product.deleted', before, after: null, name: saved.content.name } };
      },
      explain: (error) => (isForeignKeyViolation(error) ? IN_USE : null),
    });
  }

  /** Changes the state of a product, but not its content. */
  #change(
    id: string,
    edit: {
      readonly version: number;
      readonly by: StaffActor;
      readonly field: string;
      readonly action: string;
      readonly isPublished?: boolean;
    },
    work: (tx: Db) => Promise<void>,
  ): Changed {
    const { by, action } = edit;
    return changeDocument(this.#options, {
      ...describeProduct(id, edit.version),
      by,
      lock: (tx) => lockProduct(tx, id),
      write: async (tx, stored, now) => {
        const isPublished = edit.isPublished ?? stored.isPublished;
        const revision = isPublished === stored.isPublished ? null : await incrementRevision(tx, 'catalogue');
        const version = stored.version + 1;
        await store.writeState(tx, id, { ...stored, isPublished, version, editedAt: now }, revision);
        await store.recordEdit(tx, id, { version, at: now, by: by.userId, fields: [edit.field] });
        await work(tx);
        await recordPrices(tx, [id], now);
        const saved = await readView(tx, id);
        const before = toAuditFields(readDraft(stored) ?? stored.content, stored.isPublished);
        const after = toAuditFields(saved.content, isPublished);
        return { saved, recorded: { action, before, after, name: saved.content.name } };
      },
    });
  }

  /** @param version 0 for a new product */
  async #write(
    id: string,
    requested: RequestedContent,
    { version, publish, by }: { readonly version: number; readonly publish: boolean; readonly by: StaffActor },
  ): Changed {
    // Parsed before the transaction. A product that changes meanwhile has another version.
    const before = version === 0 ? null : await this.find(id);
    const described = await resolveDescription(this.#options.parser, requested, before?.content ?? null);
    if (described === null) return createInvalid({ description_markdown: `The description ${TOO_COMPLEX}` });
    return changeDocument(this.#options, {
      ...describeProduct(id, version),
      by,
      lock: async (tx) => {
        const stored = version === 0 ? null : await lockProduct(tx, id);
        return version === 0 || stored !== null ? { version: stored?.version ?? 0, stored } : null;
      },
      write: (tx, { stored }) => this.#writeIn(tx, id, described, { stored, publish, by }),
      explain: (error) => {
        // Another product took the name after the check.
        if (isUniqueViolation(error)) return refuseNames(nameViolation(error));
        if (!isForeignKeyViolation(error, 'products_brand_id_fkey')) return null;
        return createInvalid({ brand_id: 'Choose a brand that exists' });
      },
    });
  }

  async #writeIn(
    tx: Db,
    id: string,
    { content: described, elements }: DescribedContent,
    edit: { readonly stored: StoredProduct | null; readonly publish: boolean; readonly by: StaffActor },
  ): Promise<Written<EditedProductView> | Refusal> {
    const { stored, publish, by } = edit;
    const before = stored === null ? [] : [stored.content, readDraft(stored) ?? stored.content];
    const content = dropFormerPictures(described, before);
    const category = await readCategory(tx, content.category_id);
    const problems = { ...findProblems(content, category), ...(publish ? findPublishProblems(content) : {}) };
    if (category === null || Object.keys(problems).length > 0) return createInvalid(problems);
    const isLive = publish || !(stored?.isPublished ?? false);
    const raised = isLive ? await findRaisedProblems(tx, id, content, this.#options.clock.now()) : {};
    if (Object.keys(raised).length > 0) return createInvalid(raised);
    const taken = await findTakenProblems(tx, id, content, stored);
    if (Object.keys(taken).length > 0) return refuseNames(taken);
    const missing = await this.#findMissingPictures(tx, content);
    if (Object.keys(missing).length > 0) return createInvalid(missing);
    const whole = await complete(tx, id, { content, category, stored });
    const refused = this.#checkPrices(stored, whole.content, publish, by);
    if (refused !== null) return refusePrices(refused);
    return this.#saveChecked(tx, id, { ...edit, ...whole, elements });
  }

  /** A publication is compared with what visitors saw, a saved draft with the one before. */
  async #saveChecked(tx: Db, id: string, product: CheckedProduct): Promise<Written<EditedProductView>> {
    const { stored, content, publish, by } = product;
    const isLive = stored?.isPublished ?? false;
    if (stored !== null && isLive && !publish) await this.#saveDraft(tx, stored, content, by);
    else await this.#saveLive(tx, id, product);
    const saved = await readView(tx, id);
    const { name } = saved.content;
    const after = toAuditFields(saved.content, publish || isLive);
    if (stored === null) return { saved, recorded: { action: 'product.created', before: null, after, name } };
    const before = toAuditFields(publish ? stored.content : (readDraft(stored) ?? stored.content), isLive);
    const edited = isLive ? 'product.draft_saved' : 'product.edited';
    return { saved, recorded: { action: publish ? 'product.published' : edited, before, after, name } };
  }

  /** Only what is stored live reduces a price. A draft of a published product changes none yet. */
  #checkPrices(
    stored: StoredProduct | null,
    content: ProductContent,
    publish: boolean,
    by: StaffActor,
  ): PriceRefusal | null {
    if (stored === null) return null;
    const isDraft = stored.isPublished && !publish;
    const before = isDraft ? (readDraft(stored) ?? stored.content) : stored.content;
    const { isChanged, reducedBy } = comparePrices(listVariantPrices(before), listVariantPrices(content));
    const isFirstSale = publish && stored.firstPublishedAt === null;
    const change = { isChanged: isChanged || isFirstSale, reducedBy: isDraft ? 0 : reducedBy };
    return this.#options.priceGuard(by, change);
  }

  async #findMissingPictures(tx: Db, content: ProductContent): Promise<Problems> {
    const paths = listPicturePaths(content);
    const missing = new Set(await this.#options.findMissingPictures(tx, [...paths.values()].flat()));
    const fields = [...paths].filter(([, own]) => own.some((path) => missing.has(path)));
    return Object.fromEntries(fields.map(([field]) => [field, 'One of these pictures was deleted. Remove it']));
  }

  async #saveDraft(tx: Db, stored: StoredProduct, content: ProductContent, by: StaffActor): Promise<void> {
    const now = this.#options.clock.now();
    const version = stored.version + 1;
    const fields = listChangedFields(readDraft(stored) ?? stored.content, content);
    await store.writeState(tx, stored.id, { ...stored, version, editedAt: now }, null);
    const picturePaths = listOwnPaths(content);
    await store.writeDraft(tx, stored.id, { content: z.encode(storedContent, content), picturePaths, savedAt: now });
    await store.recordEdit(tx, stored.id, { version, at: now, by: by.userId, fields });
  }

  async #saveLive(tx: Db, id: string, edit: CheckedProduct): Promise<void> {
    const { stored, content, elements, planned, publish, by } = edit;
    const now = this.#options.clock.now();
    const revision = await incrementRevision(tx, 'catalogue');
    const variants = planned.map((variant) => ({ ...variant, id: variant.id ?? v7() }));
    const changed: readonly string[] =
      stored === null ? ['created'] : listChangedFields(readDraft(stored) ?? stored.content, content);
    const fields = publish && stored?.isPublished !== true ? [...changed, 'published'] : changed;
    const product = { id, content, variants, isPublished: publish, position: stored?.position ?? null };
    const staged = stage([{ product, isNew: stored === null, fields }]);
    await releaseNames(tx, staged);
    await writeProducts(tx, staged, { revision, now, by: by.userId });
    await writeMarkdown(tx, id, content.description_markdown, elements);
    const known = new Set(planned.map((variant) => variant.id));
    await this.#options.stockAdjustments.addVariants(
      tx,
      variants.map((variant) => variant.id).filter((variantId) => !known.has(variantId)),
    );
    if (stored !== null && stored.content.slug !== content.slug && stored.firstPublishedAt !== null) {
      await store.keepFormerSlug(tx, id, stored.content.slug);
    }
    await store.deleteDrafts(tx, [id]);
  }
}

async function lockProduct(tx: Db, id: string): Promise<StoredProduct | null> {
  return (await store.lockProducts(tx, [id])) ? store.readProduct(tx, id) : null;
}

async function readView(tx: Db, id: string): Promise<EditedProductView> {
  const stored = await store.readProduct(tx, id);
  if (stored === null) throw new Error('a locked product was not found');
  return toView(stored);
}

const describeProduct = (id: string, version: number) =>
  ({
    version,
    what: 'this product',
    subject: { kind: 'product', id },
    // Imports have one audit entry for all their products.
    readConflict: async (db: Db): Promise<Conflict> => {
      const edits = await store.listEditsSince(db, id, version);
      const fields = new Map(edits.flatMap((edit) => edit.fields.map((path) => [formatFieldName(path), path])));
      return {
        by: edits.at(-1)?.by ?? null,
        at: edits.at(-1)?.at.toISOString() ?? null,
        fields: [...fields].map(([label, path]) => ({ path, label: describeField(label) })),
      };
    },
  }) as const;
