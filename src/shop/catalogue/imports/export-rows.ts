/** Lines of a product in the CSV of the catalogue. */
import { COLUMNS, MAX_OPTIONS } from './columns.ts';
import type { Field, NamedField } from './columns.ts';
import { formatHtml } from './html-text.ts';
import { formatPrice } from './parse-cells.ts';
import { formatPictureAddress } from './picture-address.ts';
import { listProductPictures } from './match-names.ts';
import { compareVariants, createPriceOf } from './product-state.ts';
import type { ProductState, VariantState } from './product-state.ts';
import type { StructureIndex } from './structure-index.ts';
import { cents } from '#src/shop/money.ts';

/** Options that every file has columns for, as Shopify's. */
const LEAST_OPTIONS = 3;
const OPTIONS_AFTER: NamedField = 'published';

/** @param options number of options of the product with the most */
export function listExportFields(options: number): readonly Field[] {
  const count = Math.min(MAX_OPTIONS, Math.max(LEAST_OPTIONS, options));
  const optionFields = Array.from({ length: count }, (_, at): Field[] => [
    `optionName${at + 1}`,
    `optionValue${at + 1}`,
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table
  return (Object.keys(COLUMNS) as NamedField[]).flatMap((field) =>
    field === OPTIONS_AFTER ? [field, ...optionFields.flat()] : [field],
  );
}

type Cells = Partial<Record<Field, string>>;

const formatFlag = (flag: boolean): string => (flag ? 'TRUE' : 'FALSE');

/** Variants with values that the product is offered with, in order. Others are never sold again. */
function listExportedVariants({ values, variants }: ProductState): readonly VariantState[] {
  const offered = new Set(values.map(({ valueId }) => valueId));
  const properties = Math.max(
    0,
    ...variants.map(({ valueIds }) => (valueIds.every((id) => offered.has(id)) ? valueIds.length : 0)),
  );
  return variants
    .filter(({ valueIds }) => valueIds.length === properties && valueIds.every((id) => offered.has(id)))
    .toSorted(compareVariants);
}

function listValueImages({ values }: ProductState, index: StructureIndex): string {
  const byOption: Record<string, Record<string, readonly string[]>> = {};
  const described = values.flatMap(({ valueId, images }) => {
    const value = images.length === 0 ? null : index.describeValue(valueId);
    return value ? [{ option: value.property.name, value: value.value, order: value.order, images }] : [];
  });
  const sorted = described.toSorted(
    (a, b) => a.order - b.order || Number(a.value > b.value) - Number(a.value < b.value),
  );
  for (const { option, value, images } of sorted) (byOption[option] ??= {})[value] = images;
  return described.length === 0 ? '' : JSON.stringify(byOption);
}

function createProductCells(product: ProductState, index: StructureIndex): Cells {
  return {
    title: product.name,
    body: formatHtml(product.description),
    vendor: index.getName(product.brandId),
    type: index.getName(product.categoryId),
    published: formatFlag(product.isPublished),
    status: product.isPublished ? 'active' : 'draft',
    article: product.article,
    subDescription: product.subDescription,
    taxClass: product.taxClass,
    specifications: Object.keys(product.specifications).length === 0 ? '' : JSON.stringify(product.specifications),
    position: String(product.position),
    valueImages: listValueImages(product, index),
  };
}

function createOptionCells(variant: VariantState, index: StructureIndex, isFirst: boolean): Cells {
  const values = variant.valueIds.flatMap((id) => index.describeValue(id) ?? []).toSorted((a, b) => a.order - b.order);
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
function formatGrams({ weightGrams: own }: VariantState, { weightGrams, variants }: ProductState): string {
  const grams = own ?? weightGrams;
  if (grams !== null) return String(grams);
  return variants.some((variant) => variant.weightGrams !== null) ? '0' : '';
}

function createVariantCells(variant: VariantState, product: ProductState, price: bigint, origin: string): Cells {
  const [image, ...others] = variant.images.map((path) => formatPictureAddress(path, origin));
  return {
    sku: variant.sku,
    grams: formatGrams(variant, product),
    tracker: variant.available === null ? '' : 'shopify',
    quantity: variant.available === null ? '' : String(variant.available),
    exportedQuantity: variant.available === null ? '' : String(variant.available),
    policy: 'deny',
    price: formatPrice(cents(price)),
    barcode: variant.gtin ?? '',
    variantImage: image ?? '',
    variantImages: others.length === 0 ? '' : JSON.stringify([image, ...others]),
    variantPublished: formatFlag(variant.isPublished),
  };
}

/** The lines of a product: one for each variant, and further ones for its other pictures. */
export function createExportRows(
  product: ProductState,
  {
    index,
    origin,
    fields,
  }: { readonly index: StructureIndex; readonly origin: string; readonly fields: readonly Field[] },
): readonly (readonly string[])[] {
  const variants = listExportedVariants(product);
  const pictures = listProductPictures(product);
  const priceOf = createPriceOf(product);
  const count = Math.max(1, variants.length, pictures.length);
  return Array.from({ length: count }, (_, at) => {
    const variant = variants[at];
    const picture = pictures[at];
    const cells: Cells = {
      handle: product.slug,
      ...(at === 0 ? createProductCells(product, index) : {}),
      ...(variant === undefined
        ? {}
        : {
            ...createOptionCells(variant, index, at === 0),
            ...createVariantCells(variant, product, variant.ownPriceCents ?? priceOf(variant.valueIds), origin),
          }),
      ...(picture === undefined
        ? {}
        : {
            imageSrc: formatPictureAddress(picture, origin),
            imagePosition: String(at + 1),
            imageAlt: product.pictureAlts[picture] ?? '',
          }),
    };
    return fields.map((field) => cells[field] ?? '');
  });
}
