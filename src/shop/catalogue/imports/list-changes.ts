/** What an import changes, for people. */
import { createPriceOf, toPaths } from '../editing/product-content.ts';
import type { EditedPicture, ProductContent } from '../editing/product-content.ts';
import { describeField, SHOWN_FIELDS } from '../editing/product-fields.ts';
import type { ContentField, ShownField } from '../editing/product-fields.ts';
import type { ProductWithStock, StoredProduct, VariantState } from '../editing/stored-product.ts';
import { formatPrice } from './parse-cells.ts';
import type { StructureIndex } from './structure-index.ts';
import { createVariantKey } from '../products/variants.ts';
import { NO_CENTS } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';

export interface Change {
  /** Values of the variant; null for the product. */
  readonly variant: string | null;
  readonly field: string;
  /** Null: it is new. */
  readonly before: string | null;
  readonly after: string | null;
}

/** A change with the field of the editor that it belongs to. */
export interface ContentChange {
  readonly shown: Change;
  readonly field: ContentField;
}

type PricedContent = Pick<ProductContent, 'base_price_usd' | 'values'>;

/** Recorded by its state, not as a field. */
const PUBLISHED = 'Published';
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

const NONE = 'none';
const listTexts = (texts: readonly string[], separator: string): string =>
  texts.length === 0 ? NONE : texts.join(separator);
const listPictures = (pictures: readonly EditedPicture[]): string => listTexts(toPaths(pictures), ', ');
const formatFlag = (flag: boolean): string => (flag ? 'yes' : 'no');
const formatStock = (available: number | null): string => (available === null ? 'not tracked' : String(available));

/** A text by its title, with the field of the editor that it belongs to. */
interface Fact {
  readonly title: string;
  readonly text: string;
  readonly field: ContentField;
}

function listFacts({ content, isPublished, position }: ProductWithStock, index: StructureIndex): readonly Fact[] {
  const [title, ...others] = SHOWN_FIELDS.map((field) => ({ field, ...describeContent(content, field) }));
  const { brand_id, category_id, pictures } = content;
  return [
    ...(title === undefined ? [] : [title]),
    { title: 'Brand', text: index.getName(brand_id), field: 'brand_id' },
    { title: 'Category', text: index.getName(category_id), field: 'category_id' },
    { title: PUBLISHED, text: formatFlag(isPublished), field: 'variants' },
    ...others,
    { title: 'Pictures', text: listPictures(pictures), field: 'pictures' },
    { title: 'Main picture', text: listPictures(pictures.slice(0, 1)), field: 'pictures' },
    { title: 'Alternative texts', text: describeAlts(pictures), field: 'pictures' },
    { title: 'Position', text: String(position), field: 'variants' },
    { title: 'Pictures of values', text: describeValuePictures(content, index), field: 'values' },
  ];
}

const describeContent = <Field extends ShownField>(content: Pick<ProductContent, Field>, field: Field) =>
  describeField(field, content[field]);

/** Of pictures that the product shows itself. */
const describeAlts = (pictures: readonly EditedPicture[]): string =>
  listTexts(pictures.flatMap(({ path, alt }) => (alt === '' ? [] : [`${path}: ${alt}`])).toSorted(), '; ');

function describeValuePictures({ values }: Pick<ProductContent, 'values'>, index: StructureIndex): string {
  const described = values
    .filter(({ pictures }) => pictures.length > 0)
    .map(({ id, pictures }) => `${index.describeVariant([id])}: ${listPictures(pictures)}`);
  return listTexts(described.toSorted(), '; ');
}

/** @param weight_grams of the product */
function listVariantFacts(
  variant: VariantState,
  price: Cents,
  { weight_grams }: Pick<ProductContent, 'weight_grams'>,
  index: StructureIndex,
): readonly Fact[] {
  const facts = {
    'Option values': index.describeVariant(variant.value_ids),
    'Place in the list': String(variant.position + 1),
    Sold: formatFlag(variant.is_published),
    Price: formatPrice(price),
    SKU: variant.sku,
    GTIN: variant.gtin || NONE,
    Weight: describeField('weight_grams', variant.weight_grams ?? weight_grams).text,
    Stock: formatStock(variant.available),
    Pictures: listPictures(variant.pictures),
  };
  return Object.entries(facts).map(([title, text]) => ({ title, text, field: 'variants' }));
}

function compareFacts(variant: string | null, before: readonly Fact[] | null, after: readonly Fact[]): ContentChange[] {
  const formerTexts = new Map(before?.map(({ title, text }) => [title, text]));
  const changes: ContentChange[] = [];
  for (const { title, text, field } of after) {
    const former = formerTexts.get(title) ?? null;
    if (former === text) continue;
    const [shownBefore, shownAfter] = former === null ? [null, clip(text)] : clipBoth(former, text);
    changes.push({ shown: { variant, field: title, before: shownBefore, after: shownAfter }, field });
  }
  return changes;
}

/** The base price, and the increases that values have, such as `5.00; 512GB: 1.00`. */
function describePrices({ base_price_usd, values }: PricedContent, index: StructureIndex): Fact {
  const increases = values
    .filter(({ increase_usd }) => increase_usd !== NO_CENTS)
    .map(({ id, increase_usd }) => `${index.describeVariant([id])}: ${formatPrice(increase_usd)}`);
  const text = [formatPrice(base_price_usd), ...increases.toSorted()].join('; ');
  return { title: 'Base price and increases', text, field: 'base_price_usd' };
}

/** Every change of a product. Empty if it stays as it is. Variants that are new and not sold are left out. */
export function listChanges(
  before: StoredProduct | null,
  after: ProductWithStock,
  index: StructureIndex,
): readonly ContentChange[] {
  const changes = compareFacts(null, before && listFacts(before, index), listFacts(after, index));
  if (before) {
    changes.push(
      ...compareFacts(null, [describePrices(before.content, index)], [describePrices(after.content, index)]),
    );
  }
  const toVariantFacts = ({ content }: ProductWithStock) => {
    const priceOf = createPriceOf(content);
    return (variant: VariantState): readonly Fact[] =>
      listVariantFacts(variant, variant.own_price_usd ?? priceOf(variant.value_ids), content, index);
  };
  const [listBefore, listAfter] = [before && toVariantFacts(before), toVariantFacts(after)];
  const former = new Map((before?.variants ?? []).map((variant) => [variant.id, variant]));
  for (const variant of after.variants) {
    const known = former.get(variant.id);
    if (known === undefined && !variant.is_published && before !== null) continue;
    const factsBefore = known === undefined || listBefore === null ? null : listBefore(known);
    changes.push(...compareFacts(index.describeVariant(variant.value_ids), factsBefore, listAfter(variant)));
  }
  return changes;
}

/** Whether a product is stored exactly as planned, with what `listChanges` leaves out. */
export function isUnchanged(
  before: StoredProduct,
  after: ProductWithStock,
  changes: readonly ContentChange[],
): boolean {
  if (changes.length > 0 || before.variants.length !== after.variants.length) return false;
  const former = new Map(before.variants.map((variant) => [variant.id, variant]));
  return after.variants.every((variant) => {
    const known = former.get(variant.id);
    return (
      known !== undefined &&
      known.own_price_usd === variant.own_price_usd &&
      known.weight_grams === variant.weight_grams &&
      createVariantKey(known.value_ids) === createVariantKey(variant.value_ids)
    );
  });
}

/** The changes as the history of the product records them. */
export function listEditedFields(changes: readonly ContentChange[], isNew: boolean): readonly string[] {
  if (isNew) return ['created'];
  const fields = changes.map(({ shown, field }): string => {
    if (shown.variant !== null || shown.field !== PUBLISHED) return field;
    return shown.after === formatFlag(true) ? 'published' : 'withdrawn';
  });
  return [...new Set(fields)];
}
