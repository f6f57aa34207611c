/** The dry run: reads a file, compares it with the catalogue, and plans what an import would do. */
import { v7 as uuidv7 } from 'uuid';
import type { ByteSource } from '#src/platform/csv/read-csv.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createFuzzyIndex } from '#src/platform/fuzzy-index.ts';
import { TimeSlice } from '#src/platform/process/time-slice.ts';
import { comparePrices } from '#src/shop/price-reduction.ts';
import { mayUse } from '#src/shop/permissions.ts';
import type { UnknownWeightRule } from '#src/shop/shipping/compute-shipping.ts';
import { readCosts } from '../costs/store.ts';
import { listPresentSalePricesOf } from '../sale-prices/store.ts';
import { createTarget } from './create-target.ts';
import type { NamedPicture } from './cell-reader.ts';
import { COLUMNS, getColumn } from './columns.ts';
import { assignSlugs } from './assign-slugs.ts';
import { createKnownHandles } from './handles.store.ts';
import type { ImportedProduct } from './imported-product.ts';
import { collectCosts, listCostChanges } from './planned-costs.ts';
import type { PlannedCost } from './planned-costs.ts';
import { isUnchanged, listChanges, listEditedFields } from './list-changes.ts';
import { planProduct } from './plan-product.ts';
import { listUsedIds, planStructure, selectUsed } from './plan-structure.ts';
import { findCategoryIds, findPresentProducts, readLastPosition, readStructure } from './present.store.ts';
import { createNearestName } from './nearest-name.ts';
import { shorten } from '../editing/parsed.ts';
import { ProblemList } from './problem-list.ts';
import type { PictureSource } from './pictures.service.ts';
import { findLoadedPictures } from './pictures.store.ts';
import { listVariantPrices } from '../editing/product-content.ts';
import type { ProductWithStock, StoredProduct } from '../editing/stored-product.ts';
import type { Structure } from './structure.ts';
import { countCombinations, foldHandle, groupRows, readProduct } from './read-products.ts';
import type { ProductRows } from './read-products.ts';
import { readRows } from './read-rows.service.ts';
import type { ReadFile } from './read-rows.service.ts';
import { resolveImported } from './resolve-pictures.ts';
import type { KnownPictures } from './resolve-pictures.ts';
import { CancelledImport } from './import-state.ts';
import { readContent, readCreatorRole, setProgress, storeCheck } from './store.ts';
import type { CheckResult, Progress, StagedProduct } from './store.ts';
import type { StructureIndex } from './structure-index.ts';
import { loadUsedNames } from './used-names.service.ts';
import { takeNames } from './used-names.ts';
import type { UsedNames } from './used-names.ts';

/** With the combinations that a file leaves out, of which a few lines can make many. */
const MAX_FILE_VARIANTS = 150_000;
const createId = (): string => uuidv7();

const BATCH = 100;
const SLUG_BATCH = 1_000;
/** Names of categories that are compared with those of the shop. */
const MAX_COMPARED = 2_000;
const MAX_FOREIGN_PICTURES = 20_000;

interface CheckRequest {
  readonly db: Db;
  readonly source: ByteSource;
  readonly origin: string;
  readonly pictures: Pick<PictureSource, 'listMissing'>;
  readonly initialStock: number | null;
  /** What an unknown weight means for orders; null: no price depends on weights. */
  readonly unknownWeight: UnknownWeightRule | null;
  readonly now: Date;
  /** Whether the file may set costs. */
  readonly hasCosts: boolean;
  /** Rejects if the import was cancelled. */
  readonly onProgress: (progress: Progress) => Promise<void>;
}

/** A product with what its lines name. */
interface FileProduct {
  readonly handle: string;
  /** Whether the cell of the handle is filled; else the title is the handle. */
  readonly hasHandleCell: boolean;
  /** Whether the handle became the product in an earlier import. */
  readonly isRecorded: boolean;
  readonly imported: ImportedProduct;
}

/** Pictures that the lines of a product name. */
interface NamedPictures {
  readonly own: readonly NamedPicture[];
  /** Of other sites: the first use of each, by its address. */
  readonly foreign: ReadonlyMap<string, NamedPicture>;
}

const listPrices = (product: ProductWithStock | null): ReadonlyMap<string, bigint> =>
  product === null ? new Map() : listVariantPrices({ ...product.content, variants: product.variants });

const readCostsOf = (db: Db, products: readonly StoredProduct[]) =>
  readCosts(
    db,
    products.flatMap(({ variants }) => variants.map(({ id }) => id)),
  );

class FileCheck {
  readonly #request: CheckRequest;
  readonly #problems = new ProblemList();
  readonly #slice = new TimeSlice();
  /** By the first line of the product. */
  readonly #pictures = new Map<number, NamedPictures>();

  constructor(request: CheckRequest) {
    this.#request = request;
  }

  async run(): Promise<CheckResult> {
    const { db, now, source, hasCosts, onProgress } = this.#request;
    const file = await readRows(source, { report: this.#problems.report, slice: this.#slice, hasCosts, onProgress });
    const products = await this.#readProducts(file);
    await this.#checkPictures(products);
    const known = await this.#findLoaded();
    const { revision, structure: present } = await readStructure(db);
    await this.#checkCategories(products, present);
    const imported = products.map((product) => product.imported);
    const categoryIds = await this.#findCategoryIds(imported);
    const planned = await this.#slice.run(planStructure({ present, products: imported, categoryIds, createId }));
    const { staged, used, unchanged, largestReduction } = await this.#planProducts(products, planned.index, known);
    return {
      lines: file.rows.length,
      unchanged,
      products: staged,
      problems: this.#problems.list(),
      isFileRefused: this.#problems.isFileRefused,
      leftOut: this.#problems.leftOut,
      errors: this.#problems.errors,
      notices: this.#problems.notices,
      pictures: this.#listForeignPictures(staged, known),
      structure: selectUsed(planned.created, used),
      structureRevision: revision,
      message: null,
      largestReduction,
      now,
    };
  }

  async #readProducts(file: ReadFile): Promise<readonly FileProduct[]> {
    const { reportOf } = this.#problems;
    const products: FileProduct[] = [];
    const groups = await this.#slice.run(groupRows(file.rows, reportOf));
    const slugs = await assignSlugs(groups, createKnownHandles(this.#request.db));
    let variants = 0;
    for (const group of groups) {
      const slug = slugs.get(group.handle);
      const imported = slug?.ok === true ? this.#readProduct(group, slug.slug, file) : null;
      const hasHandleCell = group.rows[0].cells.handle !== undefined;
      const { handle } = group;
      if (slug?.ok === false)
        this.#reportHandle({ handle, line: group.rows[0].line, hasHandleCell }, 'error', slug.reason);
      if (imported)
        products.push({ handle, hasHandleCell, isRecorded: slug?.ok === true && slug.isRecorded, imported });
      variants += imported ? Math.max(imported.variants?.length ?? 0, countCombinations(imported)) : 0;
      if (variants > MAX_FILE_VARIANTS) {
        const message = `The file makes more than ${MAX_FILE_VARIANTS} variants. Split it`;
        this.#problems.report({ severity: 'error', line: imported?.line ?? 1, column: null, message });
        return [];
      }
      await this.#slice.pause();
    }
    return products;
  }

  #reportHandle(
    { handle, line, hasHandleCell }: Pick<FileProduct, 'handle' | 'hasHandleCell'> & { readonly line: number },
    severity: 'error' | 'notice',
    message: string,
  ): void {
    const column = hasHandleCell ? COLUMNS.handle : COLUMNS.title;
    this.#problems.reportOf({ handle, line })({ severity, line, column, message });
  }

  /**
   * Says which product a handle becomes that is not its URL.
   * @param changed the product that the import changes; null for none
   */
  #noticeHandle({ handle, hasHandleCell, isRecorded, imported }: FileProduct, changed: StoredProduct | null): void {
    const { line, slug, name } = imported;
    if (slug === handle) return;
    const isSameTitle = isRecorded || (changed !== null && foldHandle(changed.content.name) === foldHandle(name ?? ''));
    if (changed === null ? !hasHandleCell : !hasHandleCell && isSameTitle) return;
    const message =
      changed === null
        ? `“${shorten(handle)}” is not a valid URL: it becomes “${slug}”`
        : `Changes “${shorten(changed.content.name)}”: the ${hasHandleCell ? 'handle' : 'title'} “${shorten(handle)}” becomes its URL “${slug}”`;
    this.#reportHandle({ handle, line, hasHandleCell }, 'notice', message);
  }

  #readProduct(group: ProductRows, slug: string, { fields, decimalSeparator }: ReadFile): ImportedProduct | null {
    const { line } = group.rows[0];
    const own: NamedPicture[] = [];
    const foreign = new Map<string, NamedPicture>();
    const imported = readProduct(group, slug, {
      fields,
      decimalSeparator,
      origin: this.#request.origin,
      report: this.#problems.reportOf({ handle: group.handle, line }),
      onPicture: (picture) => void own.push(picture),
      onForeignPicture: (picture) => {
        if (!foreign.has(picture.path)) foreign.set(picture.path, picture);
      },
    });
    if (own.length > 0 || foreign.size > 0) this.#pictures.set(line, { own, foreign });
    return imported;
  }

  /** Reports pictures that the shop does not have. */
  async #checkPictures(products: readonly FileProduct[]): Promise<void> {
    const named = [...this.#pictures.values()];
    const paths = new Set(named.flatMap(({ own }) => own.map(({ path }) => path)));
    const missing = await this.#request.pictures.listMissing(paths);
    for (const { handle, imported } of missing.size === 0 ? [] : products) {
      const report = this.#problems.reportOf({ handle, line: imported.line });
      for (const { path, line, column } of this.#pictures.get(imported.line)?.own ?? []) {
        const message = `The shop has no picture ${path}`;
        if (missing.has(path)) report({ severity: 'error', line, column, message });
      }
    }
    const foreign = this.#listForeignPaths();
    if (foreign.size > MAX_FOREIGN_PICTURES) {
      const message = `The file names ${foreign.size} pictures of other sites. At most ${MAX_FOREIGN_PICTURES} are allowed`;
      this.#problems.report({ severity: 'error', line: 1, column: COLUMNS.imageSrc, message });
    }
  }

  /** Reports new categories whose name is nearly that of one which exists. Beyond some thousands, none is compared. */
  async #checkCategories(products: readonly FileProduct[], { categories }: Structure): Promise<void> {
    const findNearest = createNearestName(
      categories.map(({ name }) => name),
      createFuzzyIndex,
    );
    const nearest = new Map<string, string | null>();
    for (const { handle, imported } of products) {
      const { line, category, categoryField } = imported;
      if (category === undefined) continue;
      if (!nearest.has(category) && nearest.size < MAX_COMPARED) nearest.set(category, findNearest(category));
      const found = nearest.get(category) ?? null;
      if (found !== null) {
        const message = `There is no category “${shorten(category)}”, but “${found}”. Correct it, or create the category first`;
        this.#problems.reportOf({ handle, line })({
          severity: 'error',
          line,
          column: getColumn(categoryField),
          message,
        });
      }
      await this.#slice.pause();
    }
  }

  #listForeignPaths(): ReadonlySet<string> {
    return new Set([...this.#pictures.values()].flatMap(({ foreign }) => [...foreign.keys()]));
  }

  /** Those that the imported products still need, with their first use. */
  #listForeignPictures(staged: readonly StagedProduct[], known: KnownPictures): readonly NamedPicture[] {
    const needed = new Map<string, NamedPicture>();
    for (const { line } of staged) {
      for (const [path, picture] of this.#pictures.get(line)?.foreign ?? []) {
        if (!known.has(path) && !needed.has(path)) needed.set(path, picture);
      }
    }
    return [...needed.values()];
  }

  /** What earlier imports loaded, where the shop still has it. */
  async #findLoaded(): Promise<KnownPictures> {
    const { db, pictures } = this.#request;
    const loaded = await findLoadedPictures(db, [...this.#listForeignPaths()]);
    const missing = await pictures.listMissing(new Set(loaded.values()));
    return new Map([...loaded].filter(([, path]) => !missing.has(path)));
  }

  async #findCategoryIds(products: readonly ImportedProduct[]): Promise<ReadonlyMap<string, string>> {
    const ids = new Map<string, string>();
    for (let at = 0; at < products.length; at += SLUG_BATCH) {
      const slugs = products.slice(at, at + SLUG_BATCH).map(({ slug }) => slug);
      for (const [slug, id] of await findCategoryIds(this.#request.db, slugs)) ids.set(slug, id);
    }
    return ids;
  }

  async #planProducts(products: readonly FileProduct[], index: StructureIndex, known: KnownPictures) {
    const { db, initialStock, unknownWeight, now, onProgress } = this.#request;
    const staged: StagedProduct[] = [];
    const usedIds = new Set<string>();
    const used: UsedNames = { articles: new Map(), skus: new Map(), lines: new Map() };
    let unchanged = 0;
    let largestReduction = 0;
    let position = await readLastPosition(db);
    const nextPosition = (): number => (position += 1);
    for (let at = 0; at < products.length; at += BATCH) {
      await onProgress({ phase: 'comparing', done: at, total: products.length });
      const batch = products
        .slice(at, at + BATCH)
        .map((product) => ({ ...product, imported: resolveImported(product.imported, known) }));
      const slugs = batch.map(({ imported }) => imported.slug);
      const bySlug = new Map((await findPresentProducts(db, slugs)).map((product) => [product.content.slug, product]));
      const salePrices = await listPresentSalePricesOf(
        db,
        [...bySlug.values()].map(({ id }) => id),
        now,
      );
      const costs = await readCostsOf(db, [...bySlug.values()]);
      await loadUsedNames(db, { batch: batch.map(({ imported }) => imported), bySlug, used });
      for (const product of batch) {
        const { handle, imported } = product;
        const present = bySlug.get(imported.slug) ?? null;
        const report = this.#problems.reportOf({ handle, line: imported.line });
        const plannedCosts: PlannedCost[] = [];
        const planned = planProduct({
          imported,
          present,
          salePrices: (present && salePrices.get(present.id)) ?? [],
          now,
          index,
          used,
          createId,
          initialStock,
          unknownWeight,
          nextPosition,
          report,
          onCost: collectCosts(costs, plannedCosts),
        });
        await this.#slice.pause();
        if (planned === null || this.#problems.isLeftOut(imported.line)) continue;
        takeNames(used, planned, imported.line);
        const costChanges = listCostChanges(plannedCosts, index);
        const changes = [...listChanges(present, planned, index), ...costChanges];
        const isSame = present !== null && isUnchanged(present, planned, changes);
        this.#noticeHandle(product, isSame ? null : present);
        if (isSame) {
          unchanged += 1;
          continue;
        }
        const { reducedBy } = comparePrices(listPrices(present), listPrices(planned));
        largestReduction = Math.max(largestReduction, reducedBy);
        const { id: productId, content } = planned;
        const { slug, name } = content;
        const [isNew, revision] = [present === null, present?.revision ?? 0n];
        const target = createTarget(planned, present, listEditedFields(changes, isNew), plannedCosts);
        for (const id of listUsedIds(content)) usedIds.add(id);
        staged.push({
          line: imported.line,
          handle: foldHandle(handle),
          productId,
          slug,
          name,
          isNew,
          revision,
          version: present?.version ?? 0,
          target,
          changes: JSON.stringify(changes.map(({ shown }) => shown)),
        });
        await this.#slice.pause();
      }
    }
    return { staged, used: usedIds, unchanged, largestReduction };
  }
}

/** Checks the file of an import and stores the result. */
export async function storeCheckOf({
  importId,
  ...request
}: Omit<CheckRequest, 'source' | 'hasCosts' | 'onProgress'> & { readonly importId: string }): Promise<
  'stored' | 'cancelled'
> {
  const { db } = request;
  const onProgress = async (progress: Progress): Promise<void> => {
    if (!(await setProgress(db, importId, 'checking', progress))) throw new CancelledImport();
  };
  try {
    const source = () => readContent(db, importId);
    const hasCosts = mayUse(await readCreatorRole(db, importId), 'reports');
    const result = await new FileCheck({ ...request, source, hasCosts, onProgress }).run();
    const isStored = await transact(db, (tx) => storeCheck(tx, importId, result));
    return isStored ? 'stored' : 'cancelled';
  } catch (error) {
    if (error instanceof CancelledImport) return 'cancelled';
    throw error;
  }
}
