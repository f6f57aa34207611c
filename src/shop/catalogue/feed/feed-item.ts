/** An item of the product feed: RSS 2.0 with the namespace of Google Merchant Center. */
import type { Cents } from '#src/shop/money.ts';
import type { CatalogueProduct } from '../build-catalogue-data.ts';
import { selectPictures } from '../pictures/select-pictures.ts';
import { chooseValues } from '../products/choose-values.ts';
import type { OfferedProperty, OfferedValue } from '../products/choose-values.ts';
import { formatVariantPath } from '../products/variant-path.ts';
import { computeVariantPriceCents } from '../products/unit-price.ts';
import { findReduction } from '../sale-prices/present-prices.ts';
import { escapeXmlText, truncateText } from './xml-text.ts';
import type { FeedVariant } from '../feed-variant.ts';

/** Name of an element and its text. */
type Tag = readonly [name: string, text: string];

/** Limits of Merchant Center, in characters. */
const MAX_ID = 50;
const MAX_TITLE = 150;
const MAX_DESCRIPTION = 5000;
const MAX_VALUE = 100;
const MAX_MORE_PICTURES = 10;

/** Properties that have an attribute of their own. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  color: 'g:color',
  colour: 'g:color',
  size: 'g:size',
  material: 'g:material',
  pattern: 'g:pattern',
};

const formatUsd = (amount: Cents): string => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')} USD`;

interface ChosenVariant {
  readonly values: readonly OfferedValue[];
  readonly valueIds: readonly string[];
}

/** To the minute, as Merchant Center reads moments. */
const formatMinute = (moment: Date): string => `${moment.toISOString().slice(0, 16)}Z`;

/** Everything about the price of a variant; with a reduction also the prior one and the time of the sale price. */
function listPriceTags(product: CatalogueProduct, chosen: ChosenVariant): readonly Tag[] {
  const present = formatUsd(computeVariantPriceCents(product, chosen));
  const reduction = findReduction(product, chosen.valueIds);
  if (reduction === null) return [['g:price', present]];
  const { priorCents, startsAt, endsAt } = reduction;
  const prices: readonly Tag[] = [
    ['g:price', formatUsd(priorCents)],
    ['g:sale_price', present],
  ];
  if (endsAt === null) return prices;
  return [...prices, ['g:sale_price_effective_date', `${formatMinute(startsAt)}/${formatMinute(endsAt)}`]];
}

/**
 * Path of a picture as JPEG, which Merchant Center reads; null if there is none. Uploaded pictures
 * and the main picture of a product have one.
 */
const findJpeg = (path: string, { mainImage }: CatalogueProduct): string | null =>
  path.startsWith('/images/uploads/') || path === mainImage ? path.replace(/\.avif$/, '.jpg') : null;

function listPictureTags(product: CatalogueProduct, variant: FeedVariant, origin: string): readonly Tag[] {
  const { images, valueImages, mainImage } = product;
  const shown = variant.images.length > 0 ? variant.images : selectPictures(images, valueImages, variant.valueIds);
  const pictures = [...shown, mainImage].flatMap((path) => (path === '' ? [] : (findJpeg(path, product) ?? [])));
  const urls = [...new Set(pictures)].map((path) => `${origin}/api${path}`);
  return urls
    .slice(0, 1 + MAX_MORE_PICTURES)
    .map((url, at) => [at === 0 ? 'g:image_link' : 'g:additional_image_link', url]);
}

/** Attributes of the values; those without one of their own as details. */
function renderValues(offered: readonly OfferedProperty[], { values }: ChosenVariant): string {
  return offered
    .map(({ name }, at) => {
      const value = values[at]?.value ?? '';
      const attribute = ATTRIBUTES[name.toLowerCase()];
      if (attribute !== undefined) return renderTag([attribute, truncateText(value, MAX_VALUE)]);
      return `<g:product_detail>${renderTag(['g:attribute_name', name])}${renderTag(['g:attribute_value', value])}</g:product_detail>`;
    })
    .join('');
}

/** Class and registration of the energy label; empty without one. */
function renderEnergy({ energy_label: label }: CatalogueProduct): string {
  if (label === null) return '';
  const range: readonly Tag[] = [
    ['g:energy_efficiency_class', label.class],
    ['g:min_energy_efficiency_class', 'G'],
    ['g:max_energy_efficiency_class', 'A'],
  ];
  const registered: readonly Tag[] = [
    ['g:certification_authority', 'EC'],
    ['g:certification_name', 'EPREL'],
    ['g:certification_code', label.eprel_number],
  ];
  const certification =
    label.eprel_number === '' ? '' : `<g:certification>${registered.map(renderTag).join('')}</g:certification>`;
  return range.map(renderTag).join('') + certification;
}

const renderTag = ([name, text]: Tag): string => `<${name}>${escapeXmlText(text)}</${name}>`;

/** An item per variant; none for a combination of former values. */
export function renderFeedItems(product: CatalogueProduct, variants: readonly FeedVariant[], origin: string): string {
  const { offered, description, subDescription, name } = product;
  const common = [
    ['g:description', truncateText(description || subDescription || name, MAX_DESCRIPTION)] as const,
    ['g:condition', 'new'] as const,
    ['g:brand', product.brand.name] as const,
    ['g:product_type', product.category.name] as const,
  ]
    .map(renderTag)
    .join('')
    .concat(renderEnergy(product));
  return variants
    .map((variant) => {
      const chosen = chooseValues(offered, variant.valueIds);
      if (!chosen.ok || chosen.valueIds.length !== variant.valueIds.length) return '';
      const own = [...listOwnTags(product, variant, chosen, origin)].map(renderTag).join('');
      return `<item>${own}${common}${renderValues(offered, chosen)}</item>\n`;
    })
    .join('');
}

function* listOwnTags(
  product: CatalogueProduct,
  variant: FeedVariant,
  chosen: ChosenVariant,
  origin: string,
): Iterable<Tag> {
  const { name, slug } = product;
  const { sku, gtin } = variant;
  const valueNames = chosen.values.map(({ value }) => value).join(', ');
  yield ['g:id', sku.length <= MAX_ID ? sku : variant.id];
  if (valueNames !== '') yield ['g:item_group_id', product.id];
  yield ['g:title', truncateText(valueNames === '' ? name : `${name} (${valueNames})`, MAX_TITLE)];
  yield ['g:link', origin + formatVariantPath(slug, sku)];
  yield* listPictureTags(product, variant, origin);
  yield* listPriceTags(product, chosen);
  yield ['g:availability', variant.isAvailable ? 'in_stock' : 'out_of_stock'];
  if (gtin !== null && gtin !== '') yield ['g:gtin', gtin];
  const grams = variant.weightGrams ?? product.weightGrams;
  if (grams !== undefined) yield ['g:shipping_weight', `${grams} g`];
}

export interface FeedShop {
  readonly name: string;
  readonly description: string;
  readonly origin: string;
}

/** Without a name of the shop: the host. */
export const renderFeedStart = ({ name, description, origin }: FeedShop): string => {
  const title = name || new URL(origin).host;
  const about: readonly Tag[] = [
    ['title', title],
    ['link', origin],
    ['description', description || title],
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>${about.map(renderTag).join('')}\n`;
};

export const FEED_END = '</channel>\n</rss>\n';
