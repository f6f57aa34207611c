/** The dry run: reads a file, compares it with the catalogue, and plans what an import would do. */
import { v7 as uuidv7 } from 'uuid';
import { unescapeFormula } from '#src/platform/csv/csv-line.ts';
import { CsvFileError, detectEncoding, readCsv } from '#src/platform/csv/read-csv.ts';
import type { ByteSource } from '#src/platform/csv/read-csv.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { TimeSlice } from '#src/platform/process/time-slice.ts';
import { comparePrices } from '#src/shop/price-reduction.ts';
import { createSku } from '../products/variants.ts';
import { listPresentSalePricesOf } from '../sale-prices/store.ts';
import { createTarget } from './apply.store.ts';
import type { NamedPicture } from './cell-reader.ts';
import { COLUMNS, readHead } from './columns.ts';
import type { Field, Row } from './columns.ts';
import type { ImportedProduct } from './imported-product.ts';
import { isUnchanged, listChanges, listEditedFields } from './list-changes.ts';
import { planProduct } from './plan-product.ts';
import type { UsedNames } from './plan-product.ts';
import { planStructure } from './plan-structure.ts';
import {
  findCategoryIds,
  findPresentProducts,
  findUsedNames,
  readLastPosition,
  readStructure,
} from './present.store.ts';
import { ProblemList } from './problem-list.ts';
import type { PictureSource } from './pictures.service.ts';
import { findLoadedPictures } from './pictures.store.ts';
import { listVariantPrices } from './product-state.ts';
import type { PresentProduct } from './product-state.ts';
import { countCombinations, findDuplicateSlugs, groupRows, readProduct } from './read-products.ts';
import { resolveImported } from './resolve-pictures.ts';
import type { KnownPictures } from './resolve-pictures.ts';
import { CancelledImport } from './import-state.ts';
import { readContent, setProgress, storeCheck } from './store.ts';
import type { CheckResult, Progress, StagedProduct } from './store.ts';
import type { StructureIndex } from './structure-index.ts';

/** Lines of data in a file. */
const MAX_LINES = 150_000;
const CSV_LIMITS = { maxRecordLength: 500_000, maxColumns: 500 };
/** With the combinations that a file leaves out, of which a few lines can make many. */
const MAX_FILE_VARIANTS = 150_000;
const createId = (): string => uuidv7();

const BATCH = 100;
const SLUG_BATCH = 1_000;
const MAX_FOREIGN_PICTURES = 20_000;
const LINES_PER_PROGRESS = 2_000;

interface CheckRequest {
  readonly db: Db;
  readonly source: ByteSource;
  readonly origin: string;
  readonly pictures: Pick<PictureSource, 'listMissing'>;
  readonly initialStock: number | null;
  readonly now: Date;
  /** Rejects if the import was cancelled. */
  readonly onProgress: (progress: Progress) => Promise<void>;
}

interface ReadFile {
  readonly rows: readonly Row[];
  readonly fields: ReadonlySet<Field>;
}

class FileCheck {
  readonly #request: CheckRequest;
  readonly #problems = new ProblemList();
  readonly #slice = new TimeSlice();
  readonly #pictures: NamedPicture[] = [];
  /** The first use of each picture of another site, by its address. */
  readonly #foreign = new Map<string, NamedPicture>();

  constructor(request: CheckRequest) {
    this.#request = request;
  }

  async run(): Promise<CheckResult> {
    const { db, now } = this.#request;
    const { rows, fields } = await this.#readFile();
    const products = await this.#readProducts(rows, fields);
    await this.#checkPictures();
    const known = await this.#findLoaded();
    const { revision, structure: present } = await readStructure(db);
    const categoryIds = await this.#findCategoryIds(products);
    const planned = await this.#slice.run(planStructure({ present, products, categoryIds, createId }));
    const { staged, unchanged, largestReduction } = await this.#planProducts(products, planned.index, known);
    return {
      lines: rows.length,
      unchanged,
      products: staged,
      problems: this.#problems.list(),
      errors: this.#problems.errors,
      notices: this.#problems.notices,
      pictures: [...this.#foreign.values()].filter(({ path }) => !known.has(path)),
      structure: planned.created,
      structureRevision: revision,
      message: null,
      largestReduction,
      now,
    };
  }

  async #readFile(): Promise<ReadFile> {
    const rows: Row[] = [];
    let fields: readonly (Field | null)[] | null = null;
    const { report } = this.#problems;
    try {
      await this.#request.onProgress({ phase: 'reading', done: 0, total: 0 });
      const encoding = await detectEncoding(this.#request.source);
      if (encoding === 'windows-1252') {
        const message = 'The file is not UTF-8, so it was read as Windows-1252. Check accents and symbols';
        report({ severity: 'notice', line: 1, column: null, message });
      }
      for await (const { line, cells } of readCsv(this.#request.source, encoding, CSV_LIMITS)) {
        if (fields === null) {
          const head = readHead(line, cells);
          for (const problem of head.problems) report(problem);
          fields = head.fields;
          // Without the columns, every line would be a problem.
          if (this.#problems.errors > 0) return { rows: [], fields: new Set() };
          continue;
        }
        const row = toRow(line, cells, fields);
        if (row !== null) rows.push(row);
        if (rows.length > MAX_LINES) throw new CsvFileError(line, `A file may have ${MAX_LINES} lines. Split it`);
        if (rows.length % LINES_PER_PROGRESS === 0) {
          await this.#request.onProgress({ phase: 'reading', done: rows.length, total: 0 });
        }
        await this.#slice.pause();
      }
      if (rows.length === 0) throw new CsvFileError(1, 'The file has no products');
    } catch (error) {
      if (!(error instanceof CsvFileError)) throw error;
      report({ severity: 'error', line: error.line, column: null, message: error.message });
      return { rows: [], fields: new Set() };
    }
    return { rows, fields: new Set(fields?.filter((field) => field !== null)) };
  }

  async #readProducts(rows: readonly Row[], fields: ReadonlySet<Field>): Promise<readonly ImportedProduct[]> {
    const { report } = this.#problems;
    const products: ImportedProduct[] = [];
    const onPicture = (picture: NamedPicture): void => void this.#pictures.push(picture);
    const onForeignPicture = (picture: NamedPicture): void => {
      if (!this.#foreign.has(picture.path)) this.#foreign.set(picture.path, picture);
    };
    const context = { fields, origin: this.#request.origin, report, onPicture, onForeignPicture };
    const skus = new Map<string, number>();
    let variants = 0;
    for (const group of await this.#slice.run(groupRows(rows, report))) {
      const product = readProduct(group, context);
      if (product) products.push(product);
      variants += product ? Math.max(product.variants?.length ?? 0, countCombinations(product)) : 0;
      if (variants > MAX_FILE_VARIANTS) {
        const message = `The file makes more than ${MAX_FILE_VARIANTS} variants. Split it`;
        report({ severity: 'error', line: product?.line ?? 1, column: null, message });
        return [];
      }
      for (const { sku, line } of product?.variants ?? []) {
        if (sku === undefined) continue;
        const earlier = skus.get(sku);
        const message = `Line ${earlier} has the same SKU “${sku}”`;
        if (earlier !== undefined) report({ severity: 'error', line, column: COLUMNS.sku, message });
        else skus.set(sku, line);
      }
      await this.#slice.pause();
    }
    findDuplicateSlugs(products, report);
    return products;
  }

  /** Reports pictures that the shop does not have. */
  async #checkPictures(): Promise<void> {
    const missing = await this.#request.pictures.listMissing(new Set(this.#pictures.map(({ path }) => path)));
    for (const { path, line, column } of this.#pictures) {
      const message = `The shop has no picture ${path}`;
      if (missing.has(path)) this.#problems.report({ severity: 'error', line, column, message });
    }
    if (this.#foreign.size > MAX_FOREIGN_PICTURES) {
      const message = `The file names ${this.#foreign.size} pictures of other sites. At most ${MAX_FOREIGN_PICTURES} are allowed`;
      this.#problems.report({ severity: 'error', line: 1, column: COLUMNS.imageSrc, message });
    }
  }

  /** What earlier imports loaded, where the shop still has it. */
  async #findLoaded(): Promise<KnownPictures> {
    const { db, pictures } = this.#request;
    const loaded = await findLoadedPictures(db, [...this.#foreign.keys()]);
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

  async #planProducts(products: readonly ImportedProduct[], index: StructureIndex, known: KnownPictures) {
    const { db, initialStock, now, onProgress } = this.#request;
    const staged: StagedProduct[] = [];
    const used: UsedNames = { articles: new Map(), skus: new Map() };
    let unchanged = 0;
    let largestReduction = 0;
    let position = await readLastPosition(db);
    const nextPosition = (): number => (position += 1);
    for (let at = 0; at < products.length; at += BATCH) {
      await onProgress({ phase: 'comparing', done: at, total: products.length });
      const batch = products.slice(at, at + BATCH).map((product) => resolveImported(product, known));
      const slugs = batch.map(({ slug }) => slug);
      const bySlug = new Map((await findPresentProducts(db, slugs)).map((product) => [product.slug, product]));
      const salePrices = await listPresentSalePricesOf(
        db,
        [...bySlug.values()].map(({ id }) => id),
        now,
      );
      await this.#loadUsedNames(batch, bySlug, used);
      for (const imported of batch) {
        const present = bySlug.get(imported.slug) ?? null;
        const { report } = this.#problems;
        const planned = planProduct({
          imported,
          present,
          salePrices: (present && salePrices.get(present.id)) ?? [],
          now,
          index,
          used,
          createId,
          initialStock,
          nextPosition,
          report,
        });
        await this.#slice.pause();
        if (planned === null) continue;
        const changes = listChanges(present, planned, index);
        if (present && isUnchanged(present, planned, changes)) {
          unchanged += 1;
          continue;
        }
        const before: ReadonlyMap<string, bigint> = present === null ? new Map() : listVariantPrices(present);
        largestReduction = Math.max(largestReduction, comparePrices(before, listVariantPrices(planned)).reducedBy);
        const { id: productId, slug, name } = planned;
        const [isNew, revision] = [present === null, present?.revision ?? 0n];
        const target = createTarget(planned, present, listEditedFields(changes, isNew));
        staged.push({
          line: imported.line,
          productId,
          slug,
          name,
          isNew,
          revision,
          version: present?.version ?? 0,
          target,
          changes: JSON.stringify(changes),
        });
        await this.#slice.pause();
      }
    }
    return { staged, unchanged, largestReduction };
  }

  /** Finds which of the article numbers and SKUs that this batch may use are taken. */
  async #loadUsedNames(
    batch: readonly ImportedProduct[],
    bySlug: ReadonlyMap<string, PresentProduct>,
    used: UsedNames,
  ): Promise<void> {
    const articles = new Set<string>();
    const skus = new Set<string>();
    for (const imported of batch) {
      const present = bySlug.get(imported.slug);
      const lines = imported.variants ?? [];
      const own = [imported.article, present?.article, lines[0]?.sku, imported.slug.slice(0, 64)];
      for (const article of own) if (article !== undefined) articles.add(article);
      for (const { sku } of lines) if (sku !== undefined) skus.add(sku);
      const combinations = countCombinations(imported);
      if (combinations <= lines.length && lines.every(({ sku }) => sku !== undefined)) continue;
      const total = combinations + (present?.variants.length ?? 0);
      for (const article of own.filter((name) => name !== undefined)) {
        for (let at = 0; at < total; at += 1) skus.add(createSku(article.slice(0, 50), at, total));
      }
    }
    const found = await findUsedNames(this.#request.db, [...articles], [...skus]);
    for (const { article, id } of found.articles) if (!used.articles.has(article)) used.articles.set(article, id);
    for (const { sku, id } of found.skus) if (!used.skus.has(sku)) used.skus.set(sku, id);
  }
}

/** The filled cells of known columns; null for a line without any. */
function toRow(line: number, cells: readonly string[], fields: readonly (Field | null)[]): Row | null {
  const known: Partial<Record<Field, string>> = {};
  let isEmpty = true;
  for (const [at, cell] of cells.entries()) {
    const field = fields[at];
    if (field === undefined || field === null || cell === '') continue;
    const text = unescapeFormula(cell).trim();
    if (text === '') continue;
    known[field] = text;
    isEmpty = false;
  }
  return isEmpty ? null : { line, cells: known };
}

/** Checks the file of an import and stores the result. */
export async function storeCheckOf({
  importId,
  ...request
}: Omit<CheckRequest, 'source' | 'onProgress'> & { readonly importId: string }): Promise<'stored' | 'cancelled'> {
  const { db } = request;
  const onProgress = async (progress: Progress): Promise<void> => {
    if (!(await setProgress(db, importId, 'checking', progress))) throw new CancelledImport();
  };
  try {
    const source = () => readContent(db, importId);
    const result = await new FileCheck({ ...request, source, onProgress }).run();
    const isStored = await transact(db, (tx) => storeCheck(tx, importId, result));
    return isStored ? 'stored' : 'cancelled';
  } catch (error) {
    if (error instanceof CancelledImport) return 'cancelled';
    throw error;
  }
}
