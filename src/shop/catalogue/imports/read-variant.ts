import { CellReader } from './cell-reader.ts';
import type { ReadContext } from './cell-reader.ts';
import { MAX_ALT, MAX_PICTURES, MAX_SKU } from '../editing/product-limits.ts';
import { getColumn } from './columns.ts';
import type { Field, Row } from './columns.ts';
import type { ImportedVariant } from './imported-product.ts';
import {
  describeGrouped,
  isShortened,
  parseAddresses,
  parseCost,
  parseGrams,
  parseGtin,
  parsePosition,
  parsePrice,
  parseQuantity,
} from './parse-cells.ts';
import { parseFlag } from './parse-flag.ts';
import { shorten } from '../editing/parsed.ts';
import { readPictureAddress } from './picture-address.ts';

/** Paths of these pictures, or addresses of other sites. Invalid ones are reported. */
export function resolveAddresses(reader: CellReader, field: Field, addresses: readonly string[]): readonly string[] {
  const { context, line } = reader;
  if (addresses.length > MAX_PICTURES) {
    reader.report('notice', field, `Only the first ${MAX_PICTURES} of ${addresses.length} pictures are imported`);
  }
  return addresses.slice(0, MAX_PICTURES).flatMap((text) => {
    const address = readPictureAddress(text, context.origin);
    if (address.kind === 'own') {
      context.onPicture({ path: address.path, line, column: getColumn(field) });
      return address.path;
    }
    if (address.kind === 'foreign') {
      context.onForeignPicture({ path: address.url, line, column: getColumn(field) });
      return address.url;
    }
    reader.report('error', field, `“${shorten(text)}” is not the address of a picture`);
    return [];
  });
}

function readAlt(reader: CellReader): string {
  const alt = reader.text('imageAlt') ?? '';
  if (alt.length <= MAX_ALT) return alt;
  reader.report('notice', 'imageAlt', `The text is cut to ${MAX_ALT} characters`);
  return alt.slice(0, MAX_ALT).toWellFormed();
}

export interface ListedPictures {
  readonly images: readonly string[];
  /** By path or address. */
  readonly alts: Readonly<Record<string, string>>;
}

/** Pictures of a product in the order of their positions, with their alternative texts. */
export function listPictures(rows: readonly Row[], context: ReadContext): ListedPictures {
  const pictures: { path: string; position: number; alt: string }[] = [];
  for (const [at, row] of rows.entries()) {
    const reader = new CellReader(row, context);
    const address = reader.text('imageSrc');
    if (address === undefined) continue;
    const position = reader.parse('imagePosition', parsePosition) ?? at + 1;
    if (pictures.length === MAX_PICTURES) {
      reader.report('notice', 'imageSrc', `A product has at most ${MAX_PICTURES} pictures, so this one is left out`);
      continue;
    }
    const alt = readAlt(reader);
    for (const path of resolveAddresses(reader, 'imageSrc', [address])) pictures.push({ path, position, alt });
  }
  const sorted = pictures.toSorted((a, b) => a.position - b.position);
  const alts = new Map<string, string>();
  for (const { path, alt } of sorted) if (alt !== '' && !alts.has(path)) alts.set(path, alt);
  return { images: [...new Set(sorted.map(({ path }) => path))], alts: Object.fromEntries(alts) };
}

function readStock(reader: CellReader, { fields }: ReadContext): ImportedVariant['stock'] {
  const quantity = reader.parse('quantity', parseQuantity);
  const policy = reader.text('policy') ?? '';
  const sells = parseFlag(policy);
  if (policy.toLowerCase() === 'continue' || (sells.ok && sells.value)) {
    reader.report('notice', 'policy', 'What is sold out can’t be ordered here');
  }
  if (!fields.has('tracker')) return quantity === undefined ? undefined : { quantity };
  const tracker = reader.text('tracker');
  if (tracker === undefined) return null;
  if (tracker.toLowerCase() !== 'shopify')
    reader.report('notice', 'tracker', `Stock is tracked here, not by “${shorten(tracker)}”`);
  return { quantity };
}

/** Whether the cells of stock are as this shop has exported them. */
function isStockAsExported(reader: CellReader, { fields }: ReadContext): boolean {
  if (!fields.has('exportedQuantity')) return false;
  const exported = reader.parse('exportedQuantity', parseQuantity);
  const quantity = parseQuantity(reader.text('quantity') ?? '');
  const isSame = exported === (quantity.ok ? quantity.value : undefined);
  const isTracked = fields.has('tracker') ? reader.text('tracker') !== undefined : exported !== undefined;
  return isSame && isTracked === (exported !== undefined);
}

function readImages(reader: CellReader, { fields }: ReadContext): readonly string[] | undefined {
  if (!fields.has('variantImage') && !fields.has('variantImages')) return undefined;
  const listed = reader.parse('variantImages', parseAddresses);
  if (listed !== undefined) return resolveAddresses(reader, 'variantImages', listed);
  const single = reader.text('variantImage');
  if (single === undefined) return [];
  return resolveAddresses(reader, 'variantImage', [single]);
}

/** Empty: none. */
function readGtin(reader: CellReader, { fields }: ReadContext): string | undefined {
  if (!fields.has('barcode')) return undefined;
  const barcode = reader.text('barcode');
  if (barcode === undefined) return '';
  if (isShortened(barcode)) {
    reader.report('notice', 'barcode', `“${barcode}” is a number that a spreadsheet has shortened: it is left out`);
    return '';
  }
  const gtin = parseGtin(barcode);
  if (gtin === null) {
    const message = `“${shorten(barcode)}” is not a GTIN of 8, 12, 13 or 14 digits with a fitting last one: it is left out`;
    reader.report('notice', 'barcode', message);
  }
  return gtin ?? '';
}

/** A SKU that a spreadsheet has shortened is left out: other products may have the same. */
function readSku(reader: CellReader): string | undefined {
  const sku = reader.bounded('sku', MAX_SKU);
  if (sku === undefined || !isShortened(sku)) return sku;
  reader.report('notice', 'sku', `“${sku}” is a number that a spreadsheet has shortened: it is left out`);
  return undefined;
}

/** Undefined: an empty cell, or the file has no weights. Null: unknown. */
export function readWeight(reader: CellReader): number | null | undefined {
  const { decimalSeparator } = reader.context;
  const grams = reader.parse('grams', (text) => parseGrams(text, decimalSeparator));
  const grouped = grams === undefined ? null : describeGrouped(reader.text('grams') ?? '', decimalSeparator);
  if (grouped !== null) reader.report('notice', 'grams', grouped);
  return grams;
}

/** Reads the variant of a line; null if its option values are incomplete. */
export function readVariant(reader: CellReader, options: readonly string[]): ImportedVariant | null {
  const { context } = reader;
  const values = options.map((name, at) => {
    const field: Field = `optionValue${at + 1}`;
    const value = reader.bounded(field, 100);
    if (value === undefined) reader.report('error', field, `The value of the option “${shorten(name)}” is missing`);
    return value;
  });
  const complete = values.filter((value) => value !== undefined);
  const variant = {
    line: reader.line,
    values: complete,
    sku: readSku(reader),
    priceCents: reader.text('price') === undefined ? undefined : (reader.parse('price', parsePrice) ?? null),
    stock: readStock(reader, context),
    isStockAsExported: isStockAsExported(reader, context),
    gtin: readGtin(reader, context),
    weightGrams: readWeight(reader),
    costCents: reader.parse('cost', parseCost),
    images: readImages(reader, context),
    isPublished: reader.parse('variantPublished', parseFlag) ?? true,
  };
  return complete.length === values.length ? variant : null;
}
