import { parseAmount } from '#src/shop/parse-amount.ts';
import { createVariantKey, listCombinations } from '#src/shop/catalogue/products/variants.ts';
import { listOfferedIds } from '#src/shop/catalogue/editing/product-content.ts';
import type { WireContent } from '#src/shop/catalogue/editing/contract.ts';
import type { Chapter } from '#src/shop/catalogue/chapters/chapters.ts';
import { MAX_GRAMS, MAX_VARIANTS } from '#src/shop/catalogue/editing/product-limits.ts';
import type { SerialKind } from '#src/shop/catalogue/serial-kind.ts';
import { NO_SAFETY, toGivenSafety } from '#src/shop/catalogue/compliance/product-safety.ts';
import type { ProductSafety } from '#src/shop/catalogue/compliance/product-safety.ts';
import type { TaxClass } from '#src/shop/tax/tax-class.ts';
import { readChaptersForm } from './chapters-form.ts';
import { NO_ENERGY_LABEL, readEnergyForm, toEnergyForm } from './energy-form.ts';
import type { EnergyForm } from './energy-form.ts';
import { formatDollarInput, parseDollars, readDollars } from './parse-dollars.ts';

type FormPicture = WireContent['pictures'][number];

/** A property with its values, as the API lists them. */
export interface FormProperty {
  readonly id: string;
  readonly name: string;
  readonly values: readonly { readonly id: string; readonly value: string; readonly increase_usd: number }[];
}

export interface FormCategory {
  readonly id: string;
  readonly name: string;
  readonly properties: readonly FormProperty[];
}

interface FormSpecification {
  /** Identifies the row while it moves. */
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

export interface FormValue {
  readonly increase: string;
  readonly pictures: readonly FormPicture[];
}

export interface FormVariant {
  /** Empty: base price plus increases. */
  readonly price: string;
  readonly sku: string;
  readonly gtin: string;
  /** In grams; empty: that of the product. */
  readonly weight: string;
  readonly pictures: readonly FormPicture[];
  readonly isPublished: boolean;
}

/** What the form of a product holds: texts as they are typed. */
export interface ProductForm {
  readonly name: string;
  readonly slug: string;
  readonly article: string;
  readonly categoryId: string;
  readonly brandId: string;
  readonly price: string;
  /** Markdown, or the saved plain text until it is changed. */
  readonly description: string;
  /** The saved plain text: of the Markdown, or all of the description. Absent in unsaved changes of the former release. */
  readonly plainText?: string | undefined;
  /** Whether the saved description has no Markdown. */
  readonly isPlain: boolean;
  readonly summary: string;
  readonly taxClass: TaxClass;
  /** Absent in unsaved changes of the former release. */
  readonly serialKind?: SerialKind | undefined;
  /** In grams; empty: unknown. */
  readonly weight: string;
  /** Where it differs from the brand. Absent in unsaved changes of the former release. */
  readonly safety?: ProductSafety | undefined;
  /** Absent in unsaved changes of the former release. */
  readonly energy?: EnergyForm | undefined;
  /** One thing a line. Absent in unsaved changes of the former release. */
  readonly inTheBox?: string | undefined;
  /** A removed picture stays here until the form is sent, since removing it can be undone. Absent as above. */
  readonly chapters?: readonly Chapter[] | undefined;
  readonly specifications: readonly FormSpecification[];
  readonly pictures: readonly FormPicture[];
  /** By value id; only those offered. */
  readonly values: Readonly<Record<string, FormValue>>;
  /** By variant key; also of combinations that were chosen before. */
  readonly variants: Readonly<Record<string, FormVariant>>;
}

export const NEW_VARIANT: FormVariant = {
  price: '',
  sku: '',
  gtin: '',
  weight: '',
  pictures: [],
  isPublished: true,
};

export const createEmptyForm = (categoryId: string, brandId: string): ProductForm => ({
  name: '',
  slug: '',
  article: '',
  categoryId,
  brandId,
  price: '',
  description: '',
  plainText: '',
  isPlain: true,
  summary: '',
  taxClass: 'standard',
  serialKind: 'none',
  weight: '',
  safety: NO_SAFETY,
  energy: NO_ENERGY_LABEL,
  inTheBox: '',
  chapters: [],
  specifications: [],
  pictures: [],
  values: {},
  variants: {},
});

export const toForm = (content: WireContent): ProductForm => ({
  name: content.name,
  slug: content.slug,
  article: content.article,
  categoryId: content.category_id,
  brandId: content.brand_id,
  price: formatDollarInput(content.base_price_usd),
  description: content.description_markdown ?? content.description,
  plainText: content.description,
  isPlain: (content.description_markdown ?? null) === null,
  summary: content.sub_description,
  taxClass: content.tax_class ?? 'standard',
  serialKind: content.serial_kind ?? 'none',
  weight: String(content.weight_grams ?? ''),
  safety: content.safety ?? NO_SAFETY,
  energy: toEnergyForm(content.energy_label ?? null),
  inTheBox: content.in_the_box ?? '',
  chapters: content.chapters ?? [],
  specifications: content.specifications.map(({ name, value }, key) => ({ key, name, value })),
  pictures: content.pictures,
  values: Object.fromEntries(
    content.values.map(({ id, increase_usd, pictures }) => [
      id,
      { increase: formatDollarInput(increase_usd), pictures },
    ]),
  ),
  variants: Object.fromEntries(
    content.variants.map(({ value_ids, own_price_usd, sku, gtin, weight_grams: grams, pictures, is_published }) => [
      createVariantKey(value_ids),
      {
        price: own_price_usd === null ? '' : formatDollarInput(own_price_usd),
        sku,
        gtin,
        weight: String(grams ?? ''),
        pictures,
        isPublished: is_published,
      },
    ]),
  ),
});

export interface ListedVariant {
  readonly key: string;
  readonly valueIds: readonly string[];
  /** Names of the values: 'Blue, 256GB'. Empty for the only variant. */
  readonly name: string;
  /** Base price plus increases in dollars; null while one of them is not a price. */
  readonly computedPrice: number | null;
}

export const countVariants = (category: FormCategory | null, values: ProductForm['values']): number =>
  listOfferedIds({ properties: category?.properties ?? [] }, listValueIds(values)).reduce(
    (product, property) => product * property.values.length,
    1,
  );

const listValueIds = (values: ProductForm['values']) => Object.keys(values).map((id) => ({ id }));

/** Every combination of the chosen values, in display order; none above the maximum, which could not be saved. */
export function listVariants(
  category: FormCategory | null,
  { price, values }: Pick<ProductForm, 'price' | 'values'>,
): readonly ListedVariant[] {
  if (countVariants(category, values) > MAX_VARIANTS) return [];
  const properties = category?.properties ?? [];
  const names = new Map(properties.flatMap((property) => property.values.map(({ id, value }) => [id, value])));
  const order = [...names.keys()];
  const base = parseDollars(price);
  return listCombinations(listOfferedIds({ properties }, listValueIds(values))).map((valueIds) => ({
    key: createVariantKey(valueIds),
    valueIds,
    name: valueIds
      .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
      .map((id) => names.get(id) ?? '')
      .join(', '),
    computedPrice: addPrices([base, ...valueIds.map((id) => parseDollars(values[id]?.increase ?? ''))]),
  }));
}

function addPrices(prices: readonly (number | null)[]): number | null {
  let cents = 0;
  for (const price of prices) {
    if (price === null) return null;
    cents += Math.round(price * 100);
  }
  return cents / 100;
}

const REQUIRED = [
  ['name', 'Enter a name'],
  ['slug', 'Enter a URL, such as usb-c-cable'],
  ['article', 'Enter an article number'],
] as const;
const BAD_PRICE = 'Enter a price such as 1299.00';

function readWeight(text: string, field: string, problems: Record<string, string>): number | null {
  if (text.trim() === '') return null;
  const parsed = parseAmount(text, { decimals: 0 });
  const grams = parsed.ok && parsed.units <= BigInt(MAX_GRAMS) ? Number(parsed.units) : 0;
  if (grams < 1) problems[field] = (parsed.ok ? null : parsed.advice) ?? 'Enter whole grams, such as 850';
  return grams;
}

type Description = Pick<ProductForm, 'description' | 'plainText' | 'isPlain'>;

/** Whether the page shows the description as it is, without Markdown. */
export const isPlainDescription = ({ description, plainText, isPlain }: Description): boolean =>
  description.trim() === '' || plainText === undefined || (isPlain && description === plainText);

function toDescription(form: Description): Pick<WireContent, 'description' | 'description_markdown'> {
  const { description, plainText } = form;
  if (plainText === undefined) return { description };
  return isPlainDescription(form)
    ? { description, description_markdown: null }
    : { description: plainText, description_markdown: description };
}

/** What the API takes, or messages by its field names. Names of values that are not the category's are left out. */
export function toContent(
  form: ProductForm,
  category: FormCategory | null,
): { readonly content: WireContent; readonly problems: Readonly<Record<string, string>> } {
  const problems: Record<string, string> = {};
  const read = (text: string, field: string): number => {
    const price = readDollars(text, BAD_PRICE);
    if (!price.ok) problems[field] = price.problem;
    return price.ok ? price.value : 0;
  };
  for (const [field, message] of REQUIRED) if (form[field].trim() === '') problems[field] = message;
  const known = (category?.properties ?? []).flatMap((property) => property.values.map(({ id }) => id));
  const chosen = known.flatMap((id) => {
    const value = form.values[id];
    return value === undefined ? [] : [{ id, ...value }];
  });
  const content: WireContent = {
    name: form.name,
    slug: form.slug,
    article: form.article,
    category_id: form.categoryId,
    brand_id: form.brandId,
    base_price_usd: read(form.price, 'base_price_usd'),
    ...toDescription(form),
    sub_description: form.summary,
    tax_class: form.taxClass,
    serial_kind: form.serialKind ?? 'none',
    weight_grams: readWeight(form.weight, 'weight_grams', problems),
    safety: toGivenSafety(form.safety ?? NO_SAFETY),
    energy_label: readEnergyForm(form.energy ?? NO_ENERGY_LABEL, problems),
    in_the_box: form.inTheBox ?? '',
    chapters: readChaptersForm(form.chapters ?? [], listOwnPictures(form, category), problems),
    specifications: form.specifications.map(({ name, value }) => ({ name, value })),
    pictures: form.pictures,
    values: chosen.map(({ id, increase, pictures }, index) => ({
      id,
      increase_usd: read(increase, `values.${index}.increase_usd`),
      pictures,
    })),
    variants: listVariants(category, form).map(({ key, valueIds }, index) => {
      const { price, sku, gtin, weight, pictures, isPublished } = form.variants[key] ?? NEW_VARIANT;
      const own_price_usd = price.trim() === '' ? null : read(price, `variants.${index}.own_price_usd`);
      const weight_grams = readWeight(weight, `variants.${index}.weight_grams`, problems);
      return { value_ids: valueIds, own_price_usd, sku, gtin, weight_grams, pictures, is_published: isPublished };
    }),
  };
  return { content, problems };
}

/** The values offered by a form, without those of other categories. */
export const keepValues = (category: FormCategory | null, values: ProductForm['values']): ProductForm['values'] => {
  const known = new Set((category?.properties ?? []).flatMap((property) => property.values.map(({ id }) => id)));
  return Object.fromEntries(Object.entries(values).filter(([id]) => known.has(id)));
};

/** Pictures of the product, of its values and of its variants, once each. Chapters show some of them. */
export function listOwnPictures(
  form: Pick<ProductForm, 'pictures' | 'price' | 'values' | 'variants'>,
  category: FormCategory | null,
): readonly FormPicture[] {
  const all = [
    ...form.pictures,
    ...Object.values(keepValues(category, form.values)).flatMap(({ pictures }) => pictures),
    ...listVariants(category, form).flatMap(({ key }) => form.variants[key]?.pictures ?? []),
  ];
  return [...new Map(all.map((picture) => [picture.path, picture])).values()];
}
