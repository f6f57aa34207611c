/** Groups the lines of a product CSV into products and collects every problem. */
import { MAX_ARTICLE, MAX_NAME, MAX_PROPERTIES, MAX_VARIANTS } from '../editing/product-limits.ts';
import { mapPictures } from '../chapters/chapters.ts';
import { CSV_FIELDS, getCsvColumn } from '../editing/product-fields.ts';
import type { CsvField } from '../editing/product-fields.ts';
import { CellReader } from './cell-reader.ts';
import type { ReadContext } from './cell-reader.ts';
import { MAX_OPTIONS, getColumn } from './columns.ts';
import type { Row } from './columns.ts';
import type { ImportedProduct, ImportedVariant } from './imported-product.ts';
import { parsePosition, parseStatus, parseValueImages } from './parse-cells.ts';
import { parseFlag } from './parse-flag.ts';
import { readPictureAddress } from './picture-address.ts';
import { shorten } from '../editing/parsed.ts';
import type { ReadProduct } from './problem-list.ts';
import { listPictures, readVariant, readWeight, resolveAddresses } from './read-variant.ts';

/** Lines of variants and of further pictures. */
const MAX_PRODUCT_LINES = 1_000;
const MAX_BODY = 100_000;

/** Handles that differ in case only are one. */
export const foldHandle = (handle: string): string => handle.normalize('NFC').toLowerCase();

/** The lines of one product. */
export interface ProductRows {
  /** As the file has it; the title of a product without one. */
  readonly handle: string;
  readonly rows: readonly [Row, ...Row[]];
}

/**
 * Groups rows by their handle, in the order of the file. A row without one belongs to the product above, unless it has
 * another title: that is then the handle. Yields often.
 */
export function* groupRows(
  rows: readonly Row[],
  reportOf: (product: ReadProduct) => ReadContext['report'],
): Generator<undefined, readonly ProductRows[]> {
  const groups = new Map<string, { readonly handle: string; readonly rows: [Row, ...Row[]] }>();
  let above: { readonly handle?: string; readonly title?: string | undefined } = {};
  for (const row of rows) {
    const { title } = row.cells;
    const isOfAbove = title === undefined || title === above.title;
    const handle = row.cells.handle ?? (isOfAbove ? above.handle : title);
    if (handle === undefined) {
      const report = reportOf({ handle: `Line ${row.line}`, line: row.line });
      report({ severity: 'error', line: row.line, column: 'Handle', message: 'The handle is missing' });
      continue;
    }
    const key = foldHandle(handle);
    const group = groups.get(key);
    if (group) group.rows.push(row);
    else groups.set(key, { handle, rows: [row] });
    above = { handle, title: title ?? (above.handle === handle ? above.title : undefined) };
    yield;
  }
  return [...groups.values()];
}

const VARIANT_FIELDS = ['sku', 'price', 'barcode', 'quantity', 'tracker', 'variantPublished'] as const;

const isVariantRow = ({ cells }: Row): boolean =>
  VARIANT_FIELDS.some((field) => cells[field] !== undefined) || cells.optionValue1 !== undefined;

/** The names of the options, from the first line that has them. Empty: explicitly none. Null: not given. */
function readOptions(rows: readonly Row[], context: ReadContext): readonly string[] | null {
  const named = rows.find(({ cells }) => cells.optionName1 !== undefined);
  if (named === undefined) return null;
  const reader = new CellReader(named, context);
  const names: string[] = [];
  for (let at = 1; at <= MAX_OPTIONS; at += 1) {
    const name = reader.bounded(`optionName${at}`, 80);
    if (name === undefined) break;
    if (names.some((other) => other.toLowerCase() === name.toLowerCase())) {
      reader.report('error', `optionName${at}`, `The option “${shorten(name)}” occurs twice`);
    }
    names.push(name);
  }
  if (names.length > MAX_PROPERTIES) {
    const message = `The product has ${names.length} options. At most ${MAX_PROPERTIES} are allowed`;
    reader.report('error', `optionName${MAX_PROPERTIES + 1}`, message);
  }
  const isSingle =
    names.length === 1 &&
    names[0]?.toLowerCase() === 'title' &&
    named.cells.optionValue1?.toLowerCase() === 'default title';
  return isSingle ? [] : names;
}

/** Whether the fields of status and publication leave the product on sale. */
function readPublished(reader: CellReader, { fields }: ReadContext): boolean | undefined {
  if (!fields.has('published') && !fields.has('status')) return undefined;
  // Without a value, products are published and active.
  const isPublished = reader.parse('published', parseFlag) ?? true;
  return (reader.parse('status', parseStatus) ?? true) && isPublished;
}

/** The leaf of a category such as `Electronics > Phones`. */
const readLeaf = (text: string | undefined): string | undefined => {
  const leaf = text?.split('>').at(-1)?.trim();
  return leaf === '' ? undefined : leaf;
};

/** Combinations of the values of the options, each of which becomes a variant. */
export const countCombinations = ({ options, variants }: Pick<ImportedProduct, 'options' | 'variants'>): number =>
  (options ?? []).reduce((count, _, at) => count * new Set((variants ?? []).map(({ values }) => values[at])).size, 1);

/** Whether the product can be planned: more combinations than are allowed would take all memory. */
function checkVariants(variants: readonly ImportedVariant[], options: readonly string[], reader: CellReader): boolean {
  const { report } = reader.context;
  const seen = new Map<string, number>();
  for (const { line, values } of variants) {
    const key = JSON.stringify(values);
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      const message =
        options.length === 0
          ? `The product has no options, so it has one variant: that of line ${earlier}`
          : `Line ${earlier} has the same option values`;
      report({ severity: 'error', line, column: getColumn('optionValue1'), message });
    }
    seen.set(key, earlier ?? line);
  }
  const combinations = countCombinations({ options, variants });
  if (combinations <= MAX_VARIANTS) return true;
  const message = `Its option values have ${combinations} combinations. At most ${MAX_VARIANTS} are allowed`;
  reader.report('error', null, message);
  return false;
}

/** Reports a SKU that two lines of the product have. */
function checkSkus(variants: readonly ImportedVariant[], { report }: ReadContext): void {
  const lines = new Map<string, number>();
  for (const { sku, line } of variants) {
    if (sku === undefined) continue;
    const earlier = lines.get(sku);
    const message = `Line ${earlier} has the same SKU “${shorten(sku)}”`;
    if (earlier !== undefined) report({ severity: 'error', line, column: getColumn('sku'), message });
    else lines.set(sku, line);
  }
}

/** Whether the cells say that the product may be sold, which a gift card can't be. */
function readGiftCard(reader: CellReader): boolean {
  const isGiftCard = reader.parse('giftCard', parseFlag) ?? false;
  if (isGiftCard) reader.report('notice', 'giftCard', 'Gift cards can’t be sold here: it is imported as a draft');
  return isGiftCard;
}

/** An invalid address stays as it is: it is none of the pictures of the product. */
function readOwnOrForeign(text: string, origin: string): string {
  const address = readPictureAddress(text, origin);
  if (address.kind === 'invalid') return text;
  return address.kind === 'own' ? address.path : address.url;
}

function readFields(reader: CellReader): ImportedProduct['fields'] {
  const fields: Partial<Record<CsvField, unknown>> = {};
  for (const field of CSV_FIELDS) {
    const { parse, empty } = getCsvColumn<CsvField>(field);
    const value = reader.context.fields.has(field) ? (reader.parse(field, parse) ?? empty) : undefined;
    if (value !== undefined) fields[field] = value;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the columns of the fields
  const { chapters, ...others } = fields as ImportedProduct['fields'];
  if (chapters === undefined) return others;
  // They are pictures of the product, so other columns name them too.
  return { ...others, chapters: mapPictures(chapters, (text) => readOwnOrForeign(text, reader.context.origin)) };
}

/** Reads one product from its rows; null if it has too many lines or combinations. */
export function readProduct({ rows }: ProductRows, slug: string, context: ReadContext): ImportedProduct | null {
  const [firstRow] = rows;
  const reader = new CellReader(firstRow, context);
  if (rows.length > MAX_PRODUCT_LINES) {
    reader.report('error', null, `The product has ${rows.length} lines. At most ${MAX_PRODUCT_LINES} are allowed`);
    return null;
  }
  const options = readOptions(rows, context);
  const variantRows = rows.filter(isVariantRow);
  const variants = variantRows.flatMap((row) => readVariant(new CellReader(row, context), options ?? []) ?? []);
  const isBounded = checkVariants(variants, options ?? [], reader);
  checkSkus(variants, context);
  const category = reader.bounded('type', 80) ?? readLeaf(reader.bounded('productCategory', 1000));
  const pictures = context.fields.has('imageSrc') ? listPictures(rows, context) : undefined;
  const valueImages = reader.parse('valueImages', parseValueImages);
  const readBody = (): string | undefined => {
    const text = reader.text('body') ?? '';
    if (text.length <= MAX_BODY) return text;
    reader.report('error', 'body', `The description has ${text.length} characters. At most ${MAX_BODY} are allowed`);
    return undefined;
  };
  const product: ImportedProduct = {
    line: firstRow.line,
    slug,
    name: reader.boundedOrNull('title', MAX_NAME),
    brand: reader.boundedOrNull('vendor', 80),
    category,
    categoryField: reader.text('type') === undefined ? 'productCategory' : 'type',
    body: context.fields.has('body') ? readBody() : undefined,
    isPublished: readGiftCard(reader) ? false : readPublished(reader, context),
    article: reader.bounded('article', MAX_ARTICLE),
    fields: readFields(reader),
    weightGrams: variantRows.length === 0 ? readWeight(reader) : undefined,
    hasWeights: context.fields.has('grams'),
    position: reader.parse('position', parsePosition),
    images: pictures?.images,
    pictureAlts: context.fields.has('imageAlt') ? pictures?.alts : undefined,
    valueImages:
      valueImages &&
      new Map(
        [...valueImages].map(([option, values]) => [
          option,
          new Map([...values].map(([value, images]) => [value, resolveAddresses(reader, 'valueImages', images)])),
        ]),
      ),
    options,
    variants: variantRows.length === 0 ? null : variants,
  };
  return isBounded ? product : null;
}
