import { z } from 'zod';
import { v7 } from 'uuid';
import { isForeignKeyViolation, isUniqueViolation, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import type { RevisionWatcher } from '#src/platform/database/revisions.ts';
import type { MarkdownToken } from '#src/platform/markdown/markdown-document.ts';
import { TOO_COMPLEX } from '#src/platform/markdown/markdown-document.ts';
import type { TextParser } from '#src/platform/markdown/markdown-parser.ts';
import type { Conflict } from '#src/platform/http/call.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { comparePrices } from '#src/shop/price-reduction.ts';
import type { PriceGuard, PriceRefusal } from '#src/shop/price-reduction.ts';
import { describeField } from '#src/shop/audit-log/describe-field.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { RecordedChange } from '#src/shop/audit-log/service.ts';
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
import { toProductRow, toShownVariants } from './preview-product.ts';
import { readDraft, toView } from './product-view.service.ts';
import type { EditedProductView } from './product-view.service.ts';
import { listPicturePaths, listVariantPrices } from './product-content.ts';
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

export type EditResult =
  | { readonly ok: true; readonly product: EditedProductView }
  | { readonly ok: false; readonly reason: 'not-found' | 'in-use' | PriceRefusal }
  /** The content can't be stored: messages by field of the content. */
  | { readonly ok: false; readonly reason: 'invalid' | 'taken'; readonly problems: Problems }
  | { readonly ok: false; readonly reason: 'changed-meanwhile'; readonly conflict: Conflict };

export interface EditingOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly revisions: Pick<RevisionWatcher, 'announce'>;
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

const NOT_FOUND = { ok: false, reason: 'not-found' } as const;

/** Creates and edits products. Each change is one transaction, and all processes show it at once. */
export class ProductEditing {
  readonly #options: EditingOptions;

  constructor(options: EditingOptions) {
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
    return catalogue.preview(row, { variants: toShownVariants(content), elements });
  }

  /** The elements of a description; null if it has too many. */
  previewDescription(markdown: string): Promise<readonly MarkdownToken[] | null> {
    return parseDescription(this.#options.parser, markdown);
  }

  /** Creates a draft. */
  create(content: RequestedContent, by: StaffActor): Promise<EditResult> {
    return this.#write(v7(), content, { by, publish: false, version: 0 });
  }

  /** Saves what was edited at a version, and publishes it if asked to. */
  save(id: string, { content, version, publish }: SaveRequest, by: StaffActor): Promise<EditResult> {
    return this.#write(id, content, { by, publish, version });
  }

  /** Creates a draft with the content of a product, under a name of its own. */
  async duplicate(id: string, by: StaffActor): Promise<EditResult> {
    const { db } = this.#options;
    const stored = await store.readProduct(db, id);
    if (stored === null) return NOT_FOUND;
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

  discardChanges(id: string, version: number, by: StaffActor): Promise<EditResult> {
    const edit = { version, by, field: 'discarded changes', action: 'product.draft_discarded' };
    return this.#change(id, edit, (tx) => store.deleteDrafts(tx, [id]));
  }

  withdraw(id: string, version: number, by: StaffActor): Promise<EditResult> {
    const edit = { version, by, field: 'withdrawn', action: 'product.withdrawn', isPublished: false };
    return this.#change(id, edit, async () => {});
  }

  /** Deletes a product that was never published. */
  async delete(id: string, version: number, by: StaffActor): Promise<EditResult> {
    const { db } = this.#options;
    try {
      return await transact(db, async (tx): Promise<EditResult> => {
        const found = await this.#lock(tx, id, version);
        if (!found.ok) return found;
        const { stored } = found;
        if (stored.isPublished || stored.firstPublishedAt !== null) return { ok: false, reason: 'in-use' };
        await store.deleteProduct(tx, id);
        const product = toView(stored);
        const before = toAuditFields(product.content, false);
        await this.#record(tx, product, { by, action: 'product.deleted', before, after: null });
        return { ok: true, product };
      });
    } catch (error) {
      if (isForeignKeyViolation(error)) return { ok: false, reason: 'in-use' };
      throw error;
    }
  }

  async #lock(
    tx: Db,
    id: string,
    version: number,
  ): Promise<{ readonly ok: true; readonly stored: StoredProduct } | (EditResult & { readonly ok: false })> {
    if (!(await store.lockProducts(tx, [id]))) return NOT_FOUND;
    const stored = await store.readProduct(tx, id);
    if (stored === null) return NOT_FOUND;
    if (stored.version === version) return { ok: true, stored };
    const edits = await store.listEditsSince(tx, id, version);
    const fields = new Map(edits.flatMap((edit) => edit.fields.map((path) => [formatFieldName(path), path])));
    const conflict = {
      by: edits.at(-1)?.by ?? null,
      at: edits.at(-1)?.at.toISOString() ?? null,
      fields: [...fields].map(([label, path]) => ({ path, label: describeField(label) })),
    };
    return { ok: false, reason: 'changed-meanwhile', conflict };
  }

  /** Changes the state of a product, but not its content. */
  async #change(
    id: string,
    edit: {
      readonly version: number;
      readonly by: StaffActor;
      readonly field: string;
      readonly action: string;
      readonly isPublished?: boolean;
    },
    work: (tx: Db) => Promise<void>,
  ): Promise<EditResult> {
    const { db, clock, revisions } = this.#options;
    const result = await transact(db, async (tx): Promise<EditResult> => {
      const found = await this.#lock(tx, id, edit.version);
      if (!found.ok) return found;
      const { stored } = found;
      const isPublished = edit.isPublished ?? stored.isPublished;
      const now = clock.now();
      const revision = isPublished === stored.isPublished ? null : await incrementRevision(tx, 'catalogue');
      const version = stored.version + 1;
      await store.writeState(tx, id, { ...stored, isPublished, version, editedAt: now }, revision);
      await store.recordEdit(tx, id, { version, at: now, by: edit.by.userId, fields: [edit.field] });
      await work(tx);
      await recordPrices(tx, [id], now);
      const shown = await this.#show(tx, id);
      if (shown.ok) {
        const before = toAuditFields(readDraft(stored) ?? stored.content, stored.isPublished);
        const after = toAuditFields(shown.product.content, isPublished);
        await this.#record(tx, shown.product, { by: edit.by, action: edit.action, before, after });
      }
      return shown;
    });
    if (result.ok) await revisions.announce();
    return result;
  }

  #record(
    tx: Db,
    { id, content }: Pick<EditedProductView, 'id' | 'content'>,
    change: Pick<RecordedChange, 'by' | 'action' | 'before' | 'after'>,
  ): Promise<void> {
    const subject = { kind: 'product', id, name: content.name } as const;
    return recordChange(tx, { at: this.#options.clock.now(), subject, ...change });
  }

  async #show(tx: Db, id: string): Promise<EditResult> {
    const stored = await store.readProduct(tx, id);
    return stored === null ? NOT_FOUND : { ok: true, product: toView(stored) };
  }

  /** @param version 0 for a new product */
  async #write(
    id: string,
    requested: RequestedContent,
    request: { readonly version: number; readonly publish: boolean; readonly by: StaffActor },
  ): Promise<EditResult> {
    const { db, revisions, parser } = this.#options;
    // Parsed before the transaction. A product that changes meanwhile has another version.
    const before = request.version === 0 ? null : await this.find(id);
    const described = await resolveDescription(parser, requested, before?.content ?? null);
    if (described === null) {
      return { ok: false, reason: 'invalid', problems: { description_markdown: `The description ${TOO_COMPLEX}` } };
    }
    try {
      const result = await transact(db, (tx) => this.#writeIn(tx, id, described, request));
      if (result.ok) await revisions.announce();
      return result;
    } catch (error) {
      // Another product took the name after the check.
      if (isUniqueViolation(error)) return { ok: false, reason: 'taken', problems: nameViolation(error) };
      if (isForeignKeyViolation(error, 'products_brand_id_fkey')) {
        return { ok: false, reason: 'invalid', problems: { brand_id: 'Choose a brand that exists' } };
      }
      throw error;
    }
  }

  async #writeIn(
    tx: Db,
    id: string,
    { content, elements }: DescribedContent,
    { version, publish, by }: { readonly version: number; readonly publish: boolean; readonly by: StaffActor },
  ): Promise<EditResult> {
    const found = version === 0 ? null : await this.#lock(tx, id, version);
    if (found?.ok === false) return found;
    const stored = found?.stored ?? null;
    const category = await readCategory(tx, content.category_id);
    const problems = { ...findProblems(content, category), ...(publish ? findPublishProblems(content) : {}) };
    if (category === null || Object.keys(problems).length > 0) return { ok: false, reason: 'invalid', problems };
    const isLive = publish || !(stored?.isPublished ?? false);
    const raised = isLive ? await findRaisedProblems(tx, id, content, this.#options.clock.now()) : {};
    if (Object.keys(raised).length > 0) return { ok: false, reason: 'invalid', problems: raised };
    const taken = await findTakenProblems(tx, id, content, stored);
    if (Object.keys(taken).length > 0) return { ok: false, reason: 'taken', problems: taken };
    const missing = await this.#findMissingPictures(tx, content);
    if (Object.keys(missing).length > 0) return { ok: false, reason: 'invalid', problems: missing };
    const whole = await complete(tx, id, { content, category, stored });
    const refused = this.#checkPrices(stored, whole.content, publish, by);
    if (refused !== null) return { ok: false, reason: refused };
    return this.#saveChecked(tx, id, { stored, ...whole, elements, publish, by });
  }

  async #saveChecked(tx: Db, id: string, saved: CheckedProduct): Promise<EditResult> {
    const { stored, content, publish, by } = saved;
    if (stored !== null && stored.isPublished && !publish) await this.#saveDraft(tx, stored, content, by);
    else await this.#saveLive(tx, id, saved);
    const shown = await this.#show(tx, id);
    if (shown.ok) await this.#recordSaved(tx, stored, shown.product, publish, by);
    return shown;
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

  /** A publication is compared with what visitors saw, a saved draft with the one before. */
  #recordSaved(
    tx: Db,
    stored: StoredProduct | null,
    saved: EditedProductView,
    publish: boolean,
    by: StaffActor,
  ): Promise<void> {
    const isLive = stored?.isPublished ?? false;
    const after = toAuditFields(saved.content, publish || isLive);
    if (stored === null) return this.#record(tx, saved, { by, action: 'product.created', before: null, after });
    const before = toAuditFields(publish ? stored.content : (readDraft(stored) ?? stored.content), isLive);
    const edited = isLive ? 'product.draft_saved' : 'product.edited';
    return this.#record(tx, saved, { by, action: publish ? 'product.published' : edited, before, after });
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
    const picturePaths = [...new Set([...listPicturePaths(content).values()].flat())];
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
