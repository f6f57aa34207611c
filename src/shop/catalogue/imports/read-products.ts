/** Groups the lines of a product CSV into products and collects every problem. */
import { MAX_PROPERTIES, MAX_VARIANTS } from '../editing/product-content.ts';
import { CellReader } from './cell-reader.ts';
import type { ReadContext } from './cell-reader.ts';
import { MAX_OPTIONS, getColumn } from './columns.ts';
import type { Row } from './columns.ts';
import type { ImportedProduct, ImportedVariant } from './imported-product.ts';
import {
  createSlug,
  parseFlag,
  parseGrams,
  parsePosition,
  parseSpecifications,
  parseStatus,
  parseTaxClass,
  parseValueImages,
  shorten,
} from './parse-cells.ts';
import { listPictures, readVariant, resolveAddresses } from './read-variant.ts';

/** Lines of variants and of further pictures. */
const MAX_PRODUCT_LINES = 1_000;
const MAX_NAME = 120;
const MAX_BODY = 100_000;

/** Groups rows by their handle, in the order of the file. Rows without one belong to the product above. Yields often. */
export function* groupRows(
  rows: readonly Row[],
  report: ReadContext['report'],
): Generator<undefined, readonly (readonly Row[])[]> {
  const groups = new Map<string, Row[]>();
  let last: string | undefined;
  for (const row of rows) {
    const handle = row.cells.handle ?? last;
    if (handle === undefined) {
      report({ severity: 'error', line: row.line, column: 'Handle', message: 'The handle is missing' });
      continue;
    }
    const group = groups.get(handle);
    if (group) group.push(row);
    else groups.set(handle, [row]);
    last = handle;
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

function readSlug(reader: CellReader): string | null {
  const handle = reader.text('handle') ?? '';
  const slug = createSlug(handle);
  if (slug === '') {
    reader.report('error', 'handle', `“${shorten(handle)}” has no letter from a to z and no digit`);
    return null;
  }
  if (slug !== handle)
    reader.report('notice', 'handle', `“${shorten(handle)}” is not a valid URL: it becomes “${slug}”`);
  return slug;
}

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

/** Reads one product from its rows; null if it has no usable handle, or too many lines or combinations. */
export function readProduct(rows: readonly Row[], context: ReadContext): ImportedProduct | null {
  const [firstRow] = rows;
  if (firstRow === undefined) return null;
  const reader = new CellReader(firstRow, context);
  const slug = readSlug(reader);
  if (slug === null) return null;
  if (rows.length > MAX_PRODUCT_LINES) {
    reader.report('error', null, `The product has ${rows.length} lines. At most ${MAX_PRODUCT_LINES} are allowed`);
    return null;
  }
  const options = readOptions(rows, context);
  const variantRows = rows.filter(isVariantRow);
  const variants = variantRows.flatMap((row) => readVariant(new CellReader(row, context), options ?? []) ?? []);
  const isBounded = checkVariants(variants, options ?? [], reader);
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
    name: reader.bounded('title', MAX_NAME),
    brand: reader.bounded('vendor', 80),
    category,
    body: context.fields.has('body') ? readBody() : undefined,
    isPublished: readPublished(reader, context),
    article: reader.bounded('article', 60),
    subDescription: context.fields.has('subDescription') ? (reader.bounded('subDescription', 200) ?? '') : undefined,
    taxClass: reader.parse('taxClass', parseTaxClass),
    weightGrams: context.fields.has('grams') ? (reader.parse('grams', parseGrams) ?? null) : undefined,
    specifications: context.fields.has('specifications')
      ? (reader.parse('specifications', parseSpecifications) ?? {})
      : undefined,
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

/** Reports products whose different handles become the same URL. */
export function findDuplicateSlugs(products: readonly ImportedProduct[], report: ReadContext['report']): void {
  const seen = new Map<string, number>();
  for (const { slug, line } of products) {
    const earlier = seen.get(slug);
    const message = `The product of line ${earlier} has the same URL “${slug}”`;
    if (earlier !== undefined) report({ severity: 'error', line, column: 'Handle', message });
    else seen.set(slug, line);
  }
}
