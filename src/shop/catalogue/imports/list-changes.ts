/** What an import changes, for people. */
import type { ContentField } from '../editing/product-content.ts';
import { formatPrice } from './parse-cells.ts';
import { createPriceOf } from './product-state.ts';
import type { ProductState, VariantState } from './product-state.ts';
import type { StructureIndex } from './structure-index.ts';
import { createVariantKey } from '../products/variants.ts';
import { NO_CENTS, cents } from '#src/shop/money.ts';

export interface Change {
  /** Values of the variant; null for the product. */
  readonly variant: string | null;
  readonly field: string;
  /** Null: it is new. */
  readonly before: string | null;
  readonly after: string | null;
}

const MAX_TEXT = 200;
const clip = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text);
/** Characters before the first difference of long texts that are shown. */
const MAX_SAME = 40;
const toVisible = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Both sides of a change. Texts whose beginnings are the same start shortly before their difference. */
function clipBoth(before: string, after: string): readonly [string, string] {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  const from = at < MAX_TEXT ? 0 : at - MAX_SAME;
  const cut = (text: string): string => clip(from === 0 ? text : `…${text.slice(from).toWellFormed()}`);
  const [shownBefore, shownAfter] = [cut(before), cut(after)];
  if (toVisible(shownBefore) !== toVisible(shownAfter)) return [shownBefore, shownAfter];
  return [shownBefore, `${shownAfter} (differs in blanks or invisible characters)`];
}

const listPictures = (paths: readonly string[]): string => (paths.length === 0 ? 'none' : paths.join(', '));
const formatWeight = (grams: number | null): string => (grams === null ? 'unknown' : `${grams} g`);
const formatStock = (available: number | null): string => (available === null ? 'not tracked' : String(available));

function describeSpecifications(specifications: ProductState['specifications']): string {
  const described = Object.entries(specifications).map(([name, value]) => `${name}: ${value}`);
  return described.length === 0 ? 'none' : described.join('; ');
}

type Facts = ReadonlyMap<string, string>;

function listFacts(product: ProductState, index: StructureIndex): Facts {
  return new Map([
    ['Title', product.name],
    ['Brand', index.getName(product.brandId)],
    ['Category', index.getName(product.categoryId)],
    ['Published', product.isPublished ? 'yes' : 'no'],
    ['Article', product.article],
    ['Description', product.description],
    ['Sub-description', product.subDescription],
    ['Tax class', product.taxClass],
    ['Weight', formatWeight(product.weightGrams)],
    ['Specifications', describeSpecifications(product.specifications)],
    ['Pictures', listPictures(product.images)],
    ['Main picture', listPictures(product.mainImage === '' ? [] : [product.mainImage])],
    ['Alternative texts', describeAlts(product)],
    ['Position', String(product.position)],
    ['Pictures of values', describeValuePictures(product.values, index)],
  ]);
}

/** Of pictures that the product shows itself. */
function describeAlts({ images, mainImage, pictureAlts }: ProductState): string {
  const shown = new Set([mainImage, ...images]);
  const texts = Object.entries(pictureAlts)
    .filter(([picture]) => shown.has(picture))
    .map(([picture, alt]) => `${picture}: ${alt}`);
  return texts.length === 0 ? 'none' : texts.toSorted().join('; ');
}

function describeValuePictures(values: ProductState['values'], index: StructureIndex): string {
  const described = values
    .filter(({ images }) => images.length > 0)
    .map(({ valueId, images }) => `${index.describeVariant([valueId])}: ${listPictures(images)}`);
  return described.length === 0 ? 'none' : described.toSorted().join('; ');
}

/** @param grams weight of the product */
function listVariantFacts(variant: VariantState, price: bigint, grams: number | null, index: StructureIndex): Facts {
  return new Map([
    ['Option values', index.describeVariant(variant.valueIds)],
    ['Place in the list', String(variant.position + 1)],
    ['Sold', variant.isPublished ? 'yes' : 'no'],
    ['Price', formatPrice(cents(price))],
    ['SKU', variant.sku],
    ['GTIN', variant.gtin ?? 'none'],
    ['Weight', formatWeight(variant.weightGrams ?? grams)],
    ['Stock', formatStock(variant.available)],
    ['Pictures', listPictures(variant.images)],
  ]);
}

function compareFacts(variant: string | null, before: Facts | null, after: Facts): Change[] {
  const changes: Change[] = [];
  for (const [field, text] of after) {
    const former = before?.get(field) ?? null;
    if (former === text) continue;
    const [shownBefore, shownAfter] = former === null ? [null, clip(text)] : clipBoth(former, text);
    changes.push({ variant, field, before: shownBefore, after: shownAfter });
  }
  return changes;
}

/** The base price, and the increases that values have, such as `5.00; 512GB: 1.00`. */
function describePrices({ basePriceCents, values }: ProductState, index: StructureIndex): string {
  const increases = values
    .filter(({ increaseCents }) => increaseCents !== NO_CENTS)
    .map(({ valueId, increaseCents }) => `${index.describeVariant([valueId])}: ${formatPrice(increaseCents)}`);
  return [formatPrice(basePriceCents), ...increases.toSorted()].join('; ');
}

/** Every change of a product. Empty if it stays as it is. Variants that are new and not sold are left out. */
export function listChanges(
  before: ProductState | null,
  after: ProductState,
  index: StructureIndex,
): readonly Change[] {
  const changes = compareFacts(null, before && listFacts(before, index), listFacts(after, index));
  const priceBefore = before && createPriceOf(before);
  const priceAfter = createPriceOf(after);
  if (before) {
    const [former, text] = [describePrices(before, index), describePrices(after, index)];
    const field = 'Base price and increases';
    changes.push(...compareFacts(null, new Map([[field, former]]), new Map([[field, text]])));
  }
  const former = new Map((before?.variants ?? []).map((variant) => [variant.id, variant]));
  for (const variant of after.variants) {
    const known = former.get(variant.id);
    if (known === undefined && !variant.isPublished && before !== null) continue;
    const factsBefore =
      known &&
      before &&
      priceBefore &&
      listVariantFacts(known, known.ownPriceCents ?? priceBefore(known.valueIds), before.weightGrams, index);
    const price = variant.ownPriceCents ?? priceAfter(variant.valueIds);
    const facts = listVariantFacts(variant, price, after.weightGrams, index);
    changes.push(...compareFacts(index.describeVariant(variant.valueIds), factsBefore ?? null, facts));
  }
  return changes;
}

/** Whether a product is stored exactly as planned, with what `listChanges` leaves out. */
export function isUnchanged(before: ProductState, after: ProductState, changes: readonly Change[]): boolean {
  if (changes.length > 0 || before.variants.length !== after.variants.length) return false;
  const former = new Map(before.variants.map((variant) => [variant.id, variant]));
  return after.variants.every((variant) => {
    const known = former.get(variant.id);
    return (
      known !== undefined &&
      known.ownPriceCents === variant.ownPriceCents &&
      known.weightGrams === variant.weightGrams &&
      createVariantKey(known.valueIds) === createVariantKey(variant.valueIds)
    );
  });
}

/** Fields of the editor by field of a change; `Published` is recorded by its state. */
const EDITED_FIELDS: Readonly<Record<string, ContentField>> = {
  Title: 'name',
  Brand: 'brand_id',
  Category: 'category_id',
  Article: 'article',
  Description: 'description',
  'Sub-description': 'sub_description',
  'Tax class': 'tax_class',
  Weight: 'weight_grams',
  Specifications: 'specifications',
  Pictures: 'pictures',
  'Main picture': 'pictures',
  'Alternative texts': 'pictures',
  'Pictures of values': 'values',
  'Base price and increases': 'base_price_usd',
};

/** The changes as the history of the product records them. */
export function listEditedFields(changes: readonly Change[], isNew: boolean): readonly string[] {
  if (isNew) return ['created'];
  const fields = changes.map(({ variant, field, after }): string => {
    if (variant !== null) return 'variants';
    if (field === 'Published') return after === 'yes' ? 'published' : 'withdrawn';
    return EDITED_FIELDS[field] ?? 'variants';
  });
  return [...new Set(fields)];
}
