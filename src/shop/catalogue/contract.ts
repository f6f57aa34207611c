import { z } from 'zod';
import { btc, filledText, id, instant, queryInteger, slug, text, textTokens, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { MAX_SPECIFICATION_NAME, MAX_SPECIFICATION_TEXT } from './editing/product-limits.ts';
import { chapters } from './chapters/contract.ts';
import { energyLabel, productSafety } from './compliance/contract.ts';
import { MAX_CARD_COLORS } from './products/card-colors.ts';

/** Of a product, as staff enter it. */
export const enteredSpecification = z.object({
  name: filledText(MAX_SPECIFICATION_NAME),
  value: filledText(MAX_SPECIFICATION_TEXT),
});

/** Null without a rate: prices are then in dollars only, and nothing can be ordered. */
const pricedBtc = btc.nullable();

export const brand = z.object({ id, name: z.string() });

export const category = z.object({
  id,
  name: z.string(),
  slug,
  properties: z.array(
    z.object({
      id,
      name: z.string(),
      values: z.array(
        z.object({ id, value: z.string(), price_in_usd_increase: usd, price_in_btc_increase: pricedBtc }),
      ),
    }),
  ),
});

/** The reduction of a price by a sale price in force. Null without one, and if it was not higher in these days. */
const reduction = {
  /** The lowest price in the 30 days before the reduction. */
  was_price_usd: usd.nullable(),
  /** The same as `was_price_usd`. */
  lowest_price_30_days_usd: usd.nullable(),
};

export const product = z.object({
  id,
  name: z.string(),
  slug,
  article: z.string(),
  category_id: id,
  brand_id: id,
  base_price_in_usd: usd,
  base_price_in_btc: pricedBtc,
  ...reduction,
  /** End of the sale price; null without one, and for one without an end. */
  sale_ends_at: instant.nullable(),
  /** Of the cheapest variant that is sold. */
  lowest_price_usd: usd,
  lowest_price_btc: pricedBtc,
  /** Whether the variant that is chosen first costs more. */
  is_price_from: z.boolean(),
  /** No variant that is sold can be ordered. */
  is_sold_out: z.boolean(),
  sold_units: z.int().nonnegative(),
  description: z.string(),
  sub_description: z.string(),
  specifications: z.record(z.string(), z.string()),
  images: z.array(z.string()),
  main_image: z.string(),
  selected_property_values: z.array(id),
  category_name: z.string(),
  /**
   * Null for a product without one, and in a shop that does not sell to consumers in the EU. Absent from processes of
   * the former release.
   */
  energy_label: energyLabel.nullable().optional(),
});

/** What a card means: its price, link and button are those of this variant. */
export const matchingVariant = z.object({
  /** One value of each property, sorted. */
  property_value_ids: z.array(id),
  /** Its values, without those that all variants of the product have. */
  name: z.string(),
  sku: z.string(),
  price_usd: usd,
  price_btc: pricedBtc,
  was_price_usd: usd.nullable(),
  /** A picture of its own; null: the main picture. */
  image: z.string().nullable(),
  is_available: z.boolean(),
});

/**
 * The cheapest variant that matches the filter and can be ordered, else the cheapest that matches. Absent if the
 * product has one variant, and without a filter if it is the variant that is chosen first.
 */
const shownVariant = { matching_variant: matchingVariant.optional() };

/** A colour of a card. */
const cardColor = z.object({
  name: z.string(),
  /** As `#rrggbb`. */
  color: z.string(),
  /** The variant that the card means once the colour is chosen. */
  sku: z.string(),
  /** Whether this variant can be ordered. */
  is_available: z.boolean(),
});

/** Absent with fewer than two colours. */
const cardColors = {
  colors: z.array(cardColor).max(MAX_CARD_COLORS).optional(),
  /** Number of all colours that are sold. */
  color_count: z.int().optional(),
};

/** A product of a list. */
const listedProduct = product.extend({ ...shownVariant, ...cardColors });

const productCard = listedProduct.pick({
  id: true,
  name: true,
  slug: true,
  sub_description: true,
  main_image: true,
  base_price_in_usd: true,
  base_price_in_btc: true,
  was_price_usd: true,
  lowest_price_30_days_usd: true,
  sale_ends_at: true,
  lowest_price_usd: true,
  lowest_price_btc: true,
  is_price_from: true,
  is_sold_out: true,
  energy_label: true,
  matching_variant: true,
  colors: true,
  color_count: true,
});

export const amounts = z.object({ usd, btc: pricedBtc });

export const productVariant = z.object({
  /** One value of each property, sorted. */
  property_value_ids: z.array(id),
  sku: z.string(),
  gtin: z.string().nullable(),
  price_usd: usd,
  price_btc: pricedBtc,
  ...reduction,
  /** Pictures of its own; usually none. */
  images: z.array(z.string()),
  /** False: sold out. */
  is_available: z.boolean(),
});

export const productDetail = product.extend({
  ...shownVariant,
  /**
   * The description as parsed Markdown; `description` is its plain text. Null for plain text only. Absent from processes
   * of the former release.
   */
  description_elements: textTokens.nullable().optional(),
  /**
   * Manufacturer, responsible person in the EU and warnings: its own, else those of its brand. Null if none is given.
   * Absent from processes of the former release.
   */
  safety: productSafety.nullable().optional(),
  /** What is in the box. Absent from processes of the former release. */
  in_the_box: z.array(z.string()).optional(),
  /** Large figures about the product, each with one of its pictures or none. Absent from processes of the former release. */
  chapters: chapters.optional(),
  /** Combinations of values that are sold, in display order; a combination that is not listed is not sold. */
  variants: z.array(productVariant),
  /** Increases of the values of this product by value id. */
  value_increases: z.record(id, amounts),
  /** Pictures of the product by value id; other values are shown by `images`. */
  value_images: z.record(id, z.array(z.string())),
  /** Alternative texts by path, of those pictures that have one. */
  picture_alts: z.record(z.string(), z.string()),
});

const count = z.int().nonnegative();

/**
 * Options of a filter panel. Each count is the number of products if only this option of its group
 * is selected.
 */
export const filterOptions = z.object({
  total: count,
  /** Price range of the products that match the other filters; null if none match. */
  prices: z.object({ minimum: usd, maximum: usd }).nullable(),
  categories: z.array(z.object({ id, slug, name: z.string(), count })),
  brands: z.array(z.object({ id, slug, name: z.string(), count })),
  properties: z.array(
    z.object({ id, category_id: id, name: z.string(), values: z.array(z.object({ id, value: z.string(), count })) }),
  ),
});

const suggestions = z.object({
  /** Products with the closest names. */
  nearest: z.array(listedProduct),
  /** Best-selling products that are not among the nearest. */
  popular: z.array(listedProduct),
});

export type Suggestions = z.input<typeof suggestions>;
export type FilterOptions = z.input<typeof filterOptions>;
export type Brand = z.input<typeof brand>;
export type Category = z.input<typeof category>;
export type Product = z.input<typeof product>;
export type ListedProduct = z.input<typeof listedProduct>;
export type ProductCard = z.input<typeof productCard>;
export type ProductDetail = z.input<typeof productDetail>;

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const slugOrId = text(120);
const oneOrMore = z.union([slugOrId, z.array(slugOrId).max(50)]);
const price = z.codec(z.string().regex(/^\d{1,7}(?:\.\d{1,2})?$/), z.number().min(0).max(9_999_999.99), {
  decode: Number,
  encode: String,
});

const MAX_CARDS = 8;
const sku = text(255);
/** One to eight comma-separated ids. */
const idList = text(37 * MAX_CARDS).regex(new RegExp(`^${UUID}(?:,${UUID}){0,${MAX_CARDS - 1}}$`));

export const productQuery = z
  .object({
    q: text(200),
    category: oneOrMore,
    brand: oneOrMore,
    price_min: price,
    price_max: price,
    values: text(4000).regex(/^[0-9a-f-]{36}(?:,[0-9a-f-]{36})*$/),
    sort: z.enum(['price_asc', 'price_desc', 'newest', 'best_sold']),
    limit: queryInteger(1, 500),
    offset: queryInteger(0, 999_999_999),
  })
  .partial();
/** As decoded. */
export type ProductQuery = z.output<typeof productQuery>;

const filterQuery = productQuery.omit({ sort: true, limit: true, offset: true });
/** As sent. */
export type SentFilter = z.input<typeof filterQuery>;

export const catalogueApi = {
  'GET /products': {
    summary:
      'Lists products on sale, filtered and sorted; exact matches of `q` precede fuzzy ones; X-Total-Count is the number of all matches',
    query: productQuery,
    response: z.array(listedProduct),
  },
  'GET /products/{slug}': {
    summary: 'Returns a product by its slug, or by one that it once had',
    params: z.object({ slug: text(120) }),
    response: productDetail,
    refusals: { 404: 'not-found' },
  },
  'GET /product-cards': {
    summary:
      'Lists card data of products in the order of the ids, without products that are not on sale; with `sku`, a card for each of these variants of the products',
    query: z.object({ ids: idList, sku: z.union([sku, z.array(sku).max(MAX_CARDS)]).optional() }),
    response: z.array(productCard),
  },
  'GET /filters': {
    summary: 'Counts matching products per category, brand and value, with their price range',
    query: filterQuery,
    response: filterOptions,
  },
  'GET /search/suggestions': {
    summary: 'Suggests products for a search without results',
    query: z.object({ q: text(200) }).partial(),
    response: suggestions,
  },
  'GET /categories': { summary: 'Lists all categories with their properties and values', response: z.array(category) },
  'GET /categories/{slug}': {
    summary: 'Returns a category by its slug, or by one that it once had',
    params: z.object({ slug: text(120) }),
    response: category,
    refusals: { 404: 'not-found' },
  },
  'GET /rate': {
    summary: 'Returns the display rate in US dollars per bitcoin, or null, and whether it is current, stale or missing',
    response: z.object({
      rate_usd: usd.nullable(),
      state: z.enum(['current', 'delayed', 'none']),
      /** Since when this rate is shown; null if there is none, and if it never changes. */
      updated_at: instant.nullable(),
    }),
  },
  'GET /brands': { summary: 'Lists all brands', response: z.array(brand) },
} as const satisfies Contract;
