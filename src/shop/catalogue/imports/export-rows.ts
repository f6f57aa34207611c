/** Lines of a product in the CSV of the catalogue. */
import { COLUMNS, MAX_OPTIONS } from './columns.ts';
import type { Field, NamedField } from './columns.ts';
import { formatHtml } from './html-text.ts';
import { formatPrice } from './parse-cells.ts';
import { formatPictureAddress } from './picture-address.ts';
import { compareVariants } from './match-names.ts';
import { createPriceOf, selectOffered, toPaths } from '../editing/product-content.ts';
import type { ProductContent } from '../editing/product-content.ts';
import { CSV_FIELDS, getCsvColumn } from '../editing/product-fields.ts';
import type { CsvField } from '../editing/product-fields.ts';
import type { ProductWithStock, VariantState } from '../editing/stored-product.ts';
import type { StructureIndex } from './structure-index.ts';
import type { Cents } from '#src/shop/money.ts';

/** Options that every file has columns for, as Shopify's. */
const LEAST_OPTIONS = 3;
const OPTIONS_AFTER: NamedField = 'published';

/**
 * @param options number of options of the product with the most
 * @param hasCosts whether the file has what units cost
 */
export function listExportFields(options: number, hasCosts: boolean): readonly Field[] {
  const count = Math.min(MAX_OPTIONS, Math.max(LEAST_OPTIONS, options));
  const optionFields = Array.from({ length: count }, (_, at): Field[] => [
    `optionName${at + 1}`,
    `optionValue${at + 1}`,
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table
  const named = (Object.keys(COLUMNS) as NamedField[]).filter((field) => hasCosts || field !== 'cost');
  return named.flatMap((field) => (field === OPTIONS_AFTER ? [field, ...optionFields.flat()] : [field]));
}

type Cells = Partial<Record<Field, string>>;

const formatFlag = (flag: boolean): string => (flag ? 'TRUE' : 'FALSE');

function listValueImages({ values }: Pick<ProductContent, 'values'>, index: StructureIndex): string {
  const byOption: Record<string, Record<string, readonly string[]>> = {};
  const described = values.flatMap(({ id, pictures }) => {
    const value = pictures.length === 0 ? null : index.describeValue(id);
    const images = toPaths(pictures);
    return value ? [{ option: value.property.name, value: value.value, order: value.order, images }] : [];
  });
  const sorted = described.toSorted(
    (a, b) => a.order - b.order || Number(a.value > b.value) - Number(a.value < b.value),
  );
  for (const { option, value, images } of sorted) (byOption[option] ??= {})[value] = images;
  return described.length === 0 ? '' : JSON.stringify(byOption);
}

const formatField = <Name extends CsvField>(field: Name, content: Pick<ProductContent, Name>): string =>
  getCsvColumn(field).format(content[field]);

function createProductCells({ content, isPublished, position }: ProductWithStock, index: StructureIndex): Cells {
  return {
    title: content.name,
    body: formatHtml(content.description),
    vendor: index.getName(content.brand_id),
    type: index.getName(content.category_id),
    published: formatFlag(isPublished),
    status: isPublished ? 'active' : 'draft',
    article: content.article,
    ...Object.fromEntries(CSV_FIELDS.map((field) => [field, formatField(field, content)])),
    position: String(position),
    valueImages: listValueImages(content, index),
  };
}

function createOptionCells(variant: VariantState, index: StructureIndex, isFirst: boolean): Cells {
  const values = variant.value_ids.flatMap((id) => index.describeValue(id) ?? []).toSorted((a, b) => a.order - b.order);
  if (values.length === 0) {
    return { ...(isFirst ? { optionName1: 'Title' } : {}), optionValue1: 'Default Title' };
  }
  const cells: Cells = {};
  for (const [at, { property, value }] of values.entries()) {
    if (isFirst) cells[`optionName${at + 1}`] = property.name;
    cells[`optionValue${at + 1}`] = value;
  }
  return cells;
}

/** 0 is an unknown weight beside known ones, of which an empty cell would be the first. */
function formatGrams({ weight_grams: own }: VariantState, { content, variants }: ProductWithStock): string {
  const grams = own ?? content.weight_grams;
  if (grams !== null) return String(grams);
  return variants.some((variant) => variant.weight_grams !== null) ? '0' : '';
}

function createVariantCells(variant: VariantState, product: ProductWithStock, price: Cents, origin: string): Cells {
  const [image, ...others] = variant.pictures.map(({ path }) => formatPictureAddress(path, origin));
  return {
    sku: variant.sku,
    grams: formatGrams(variant, product),
    tracker: variant.available === null ? '' : 'shopify',
    quantity: variant.available === null ? '' : String(variant.available),
    exportedQuantity: variant.available === null ? '' : String(variant.available),
    policy: 'deny',
    price: formatPrice(price),
    barcode: variant.gtin,
    variantImage: image ?? '',
    variantImages: others.length === 0 ? '' : JSON.stringify([image, ...others]),
    variantPublished: formatFlag(variant.is_published),
  };
}

interface ExportContext {
  readonly index: StructureIndex;
  readonly origin: string;
  readonly fields: readonly Field[];
  /** By variant id. */
  readonly costs: ReadonlyMap<string, Cents>;
}

const formatCost = (cost: Cents | undefined): string => (cost === undefined ? '' : formatPrice(cost));

/** The lines of a product: one for each variant, and further ones for its other pictures. */
export function createExportRows(
  product: ProductWithStock,
  { index, origin, fields, costs }: ExportContext,
): readonly (readonly string[])[] {
  const { slug, pictures, values } = product.content;
  const variants = selectOffered(values, product.variants).toSorted(compareVariants);
  const priceOf = createPriceOf(product.content);
  const count = Math.max(1, variants.length, pictures.length);
  return Array.from({ length: count }, (_, at) => {
    const variant = variants[at];
    const picture = pictures[at];
    const cells: Cells = {
      handle: slug,
      ...(at === 0 ? createProductCells(product, index) : {}),
      ...(variant === undefined
        ? {}
        : {
            ...createOptionCells(variant, index, at === 0),
            ...createVariantCells(variant, product, variant.own_price_usd ?? priceOf(variant.value_ids), origin),
            cost: formatCost(costs.get(variant.id)),
          }),
      ...(picture === undefined
        ? {}
        : {
            imageSrc: formatPictureAddress(picture.path, origin),
            imagePosition: String(at + 1),
            imageAlt: picture.alt,
          }),
    };
    return fields.map((field) => cells[field] ?? '');
  });
}
