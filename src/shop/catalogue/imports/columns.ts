/** Columns of the CSV of the catalogue: those of Shopify's product CSV, and our own with a prefix. */
import { CSV_FIELDS, getCsvColumn } from '../editing/product-fields.ts';
import type { CsvField } from '../editing/product-fields.ts';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table
const CONTENT_COLUMNS = Object.fromEntries(CSV_FIELDS.map((field) => [field, getCsvColumn(field).name])) as Readonly<
  Record<CsvField, string>
>;

/** In the order of the export. */
export const COLUMNS = {
  handle: 'Handle',
  title: 'Title',
  body: 'Body (HTML)',
  vendor: 'Vendor',
  productCategory: 'Product Category',
  type: 'Type',
  published: 'Published',
  sku: 'Variant SKU',
  grams: 'Variant Grams',
  tracker: 'Variant Inventory Tracker',
  quantity: 'Variant Inventory Qty',
  policy: 'Variant Inventory Policy',
  price: 'Variant Price',
  barcode: 'Variant Barcode',
  imageSrc: 'Image Src',
  imagePosition: 'Image Position',
  imageAlt: 'Image Alt Text',
  variantImage: 'Variant Image',
  cost: 'Cost per item',
  status: 'Status',
  article: 'Shop / Article',
  ...CONTENT_COLUMNS,
  position: 'Shop / Position',
  valueImages: 'Shop / Value Images',
  variantImages: 'Shop / Variant Images',
  variantPublished: 'Shop / Variant Published',
  exportedQuantity: 'Shop / Stock at Export',
} as const;

/** Columns that are read and never written. */
const READ_COLUMNS = { giftCard: 'Gift Card' } as const;

export type NamedField = keyof typeof COLUMNS;
type ReadField = keyof typeof READ_COLUMNS;
type OptionField = `optionName${number}` | `optionValue${number}`;
export type Field = NamedField | ReadField | OptionField;

/** More than Shopify's three: properties of a product. */
export const MAX_OPTIONS = 10;

/** Name of the column of a field, for messages. */
export function getColumn(field: Field): string {
  const option = /^option(Name|Value)(\d+)$/.exec(field);
  if (option) return `Option${option[2]} ${option[1]}`;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every other field is a named one
  return { ...COLUMNS, ...READ_COLUMNS }[field as NamedField | ReadField];
}

/** Names of columns in Shopify's newer files, in lower case. */
const NEWER_NAMES: Readonly<Record<string, NamedField>> = {
  'url handle': 'handle',
  description: 'body',
  'published on online store': 'published',
  sku: 'sku',
  'inventory tracker': 'tracker',
  'inventory quantity': 'quantity',
  'continue selling when out of stock': 'policy',
  'weight value (grams)': 'grams',
  price: 'price',
  barcode: 'barcode',
  'variant barcodes': 'barcode',
  'product image url': 'imageSrc',
  'variant image url': 'variantImage',
};

const FIELDS = new Map<string, Field>([
  ...Object.entries(NEWER_NAMES),
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the tables
  ...(Object.entries({ ...COLUMNS, ...READ_COLUMNS }) as [NamedField | ReadField, string][]).map(
    ([field, name]) => [name.toLowerCase(), field] as const,
  ),
  ...Array.from({ length: MAX_OPTIONS }, (_, at) => [
    [`option${at + 1} name`, `optionName${at + 1}`] as const,
    [`option${at + 1} value`, `optionValue${at + 1}`] as const,
  ]).flat(),
]);

/** A problem of a file. An error leaves out its product; a notice leaves out nothing. */
export interface Problem {
  readonly severity: 'error' | 'notice';
  readonly line: number;
  /** Name of the column; null for the whole line. */
  readonly column: string | null;
  readonly message: string;
}

export interface Head {
  /** Fields by index of the column; null for ignored columns. */
  readonly fields: readonly (Field | null)[];
  readonly ignored: readonly string[];
  readonly problems: readonly Problem[];
}

/** Recognises the columns of a file by the cells of its first line. @param unread fields that the file may not set */
export function readHead(line: number, cells: readonly string[], unread: readonly Field[] = []): Head {
  const problems: Problem[] = [];
  const ignored: string[] = [];
  const seen = new Set<Field>();
  const fields = cells.map((cell) => {
    const name = cell.trim();
    const field = FIELDS.get(name.toLowerCase()) ?? null;
    if (field === null || unread.includes(field)) {
      if (name !== '') ignored.push(name);
      return null;
    }
    if (seen.has(field)) problems.push({ severity: 'error', line, column: name, message: 'The column occurs twice' });
    seen.add(field);
    return field;
  });
  if (!seen.has('handle') && !seen.has('title')) {
    const message = 'The first line has neither a column Title nor a column Handle. Use a product CSV with its columns';
    problems.push({ severity: 'error', line, column: COLUMNS.title, message });
  }
  if (ignored.length > 0) {
    const message = `The shop has no use for these columns, so they are ignored: ${ignored.slice(0, 60).join(', ')}`;
    problems.push({ severity: 'notice', line, column: null, message });
  }
  return { fields, ignored, problems };
}

/** A line of the file: the cells of known columns, trimmed; empty cells are left out. */
export interface Row {
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Field, string>>>;
}
