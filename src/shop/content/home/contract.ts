import { z } from 'zod';
import { filledText, id, instant, rowVersion, text } from '#src/shop/codecs.ts';
import { DELIVERY_UNITS } from '#src/shop/delivery-times.ts';
import { findRegion, regionNames } from '#src/shop/regions.ts';
import type { Contract } from '#src/shop/codecs.ts';

/** Trimmed text that may be empty. */
const optionalText = (maximum: number) => text(maximum).trim();

/** A page of the shop, so that no button leads to a foreign site. */
const pagePath = filledText(200).regex(/^\/(?:[^\s/\\][^\s\\]*)?$/, {
  message: 'must be a path of this shop, such as /catalog',
});
/** A picture that the shop serves; browsers load pictures of the shop only. */
const picturePath = optionalText(200).regex(/^(?:\/[\w.-][\w./-]*\.(?:avif|webp|png|jpe?g|svg))?$/i, {
  message: 'must be the path of a picture of this shop, such as /images/hero.avif',
});
const picture = z.object({
  path: picturePath,
  /** What the picture shows; empty if it is decoration. */
  alt: optionalText(200),
  /** Widths in px that exist as `name-640.avif` beside an AVIF picture below `/images`. */
  widths: z.array(z.int().min(1).max(9999)).max(8),
});
export type ShownPicture = z.input<typeof picture>;

const MAX_BUTTONS = 2;
const MAX_ROWS = 12;
const MAX_ROW_LENGTH = 12;
const MAX_CATEGORIES = 20;
const MAX_CARDS = 6;
const MAX_LOGOS = 24;
const MAX_AREAS = 20;
const MAX_COUNTRIES = 250;
const button = z.object({ text: filledText(40), to: pagePath });

const search = z.object({
  /** In search results and browser tabs. Empty: the name of the shop. */
  title: optionalText(70),
  /** One sentence for search results, link previews and the web app manifest. */
  description: optionalText(200),
});
const hero = z.object({
  headline: filledText(100),
  subtitle: optionalText(160),
  line: optionalText(100),
  buttons: z.array(button).max(MAX_BUTTONS),
  picture,
  /** Slug of the product that the picture links to and `{from_usd}` quotes; empty: the cheapest, without a link. */
  product: optionalText(120).regex(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/, {
    message: 'must be the last part of a product’s address, such as blue-mug',
  }),
});
const rows = z.object({
  rows: z
    .array(
      z.object({
        title: filledText(80),
        /** Empty: the first products of the shop. */
        categories: z.array(id).max(MAX_CATEGORIES),
        count: z.int().min(1).max(MAX_ROW_LENGTH),
      }),
    )
    .max(MAX_ROWS),
});
const advantages = z.object({
  title: filledText(80),
  subtitle: optionalText(160),
  cards: z
    .array(
      z.object({
        title: filledText(60),
        text: optionalText(160),
        picture,
        /** Shown on the picture. Both empty: none. */
        overlay_title: optionalText(40),
        overlay_text: optionalText(80),
      }),
    )
    .max(MAX_CARDS),
});
const banner = z.object({ title: filledText(100), text: optionalText(300), button });
const partners = z.object({
  title: filledText(160),
  text: optionalText(160),
  logos: z
    .array(z.object({ name: filledText(60), picture: picturePath.min(1, { message: 'is required' }) }))
    .max(MAX_LOGOS),
});
const COUNT = z.int().min(0).max(999);
const range = z
  .object({ from: COUNT, to: COUNT.min(1), unit: z.enum(DELIVERY_UNITS) })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'must not be less than the first number' });
const country = z.string().refine((code) => findRegion(code) !== undefined, { message: 'is not a country' });
const area = z
  .object({
    area: filledText(60),
    /** The places in which visitors see the time in the header and on product pages. */
    regions: z.array(z.enum(regionNames)).max(regionNames.length),
    countries: z.array(country).max(MAX_COUNTRIES),
    range: range.nullable(),
    /** After the time, or instead of it. */
    note: optionalText(120),
  })
  .refine((one) => one.range !== null || one.note !== '', { path: ['note'], message: 'is required without a time' });
const delivery = z.object({
  lead: optionalText(160),
  coverage: optionalText(200),
  /** After the time until dispatch, such as a faster service near the shop. */
  exception: optionalText(160),
  packaging: optionalText(200),
  /** Beside the button of product pages, such as `Two-year warranty` and `14 days to return it`. */
  warranty: optionalText(60).default(''),
  returns: optionalText(60).default(''),
  /** From the payment to the dispatch. */
  dispatch: range.nullable(),
  /** Nearest first: the first area with the country or region of a visitor applies. */
  times: z.array(area).max(MAX_AREAS),
});

export const SECTION_SCHEMAS = { search, hero, rows, advantages, banner, partners, delivery };
export type SectionName = keyof typeof SECTION_SCHEMAS;

const sections = z.object(SECTION_SCHEMAS).partial();
/** The sections that are shown. */
export type ShownSections = z.input<typeof sections>;
export type SearchTexts = z.input<typeof search>;
export type Hero = z.input<typeof hero>;
export type Advantages = z.input<typeof advantages>;
export type PromoBanner = z.input<typeof banner>;
export type Partners = z.input<typeof partners>;
export type DeliveryTexts = z.input<typeof delivery>;

const stored = <Body extends z.ZodType>(body: Body) =>
  z.object({
    /** Sent with a change, which is refused if the section was changed meanwhile. 0: never stored. */
    version: z.int().nonnegative(),
    is_shown: z.boolean(),
    body: body.nullable(),
    updated_at: instant.nullable(),
    updated_by: z.string().nullable(),
  });
const storedSections = z.object({
  search: stored(search),
  hero: stored(hero),
  rows: stored(rows),
  advantages: stored(advantages),
  banner: stored(banner),
  partners: stored(partners),
  delivery: stored(delivery),
});
export type StoredSections = z.input<typeof storedSections>;

const change = <Body extends z.ZodType>(summary: string, body: Body) => ({
  summary: `Staff: changes ${summary}, unless it was changed meanwhile`,
  body: z.object({ version: rowVersion(0), is_shown: z.boolean(), body }),
  response: storedSections,
  refusals: { 403: 'forbidden', 409: 'changed-meanwhile' },
});

export const homeApi = {
  'GET /home': {
    summary: 'The merchant’s texts of the home page, with prices; sections that are not shown are left out',
    response: sections.omit({ delivery: true }),
  },
  'GET /delivery': {
    summary: 'The merchant’s texts about delivery, or null',
    response: z.object({ delivery: delivery.nullable() }),
  },
  'GET /content/home': {
    summary: 'Staff: the texts of the home page and about delivery as stored, with their versions',
    response: storedSections,
    refusals: { 403: 'forbidden' },
  },
  'PUT /content/home/search': change('title and description of the home page', search),
  'PUT /content/home/hero': change('the top of the home page', hero),
  'PUT /content/home/rows': change('the rows of products', rows),
  'PUT /content/home/advantages': change('the advantages', advantages),
  'PUT /content/home/banner': change('the banner', banner),
  'PUT /content/home/partners': change('the partners', partners),
  'PUT /content/home/delivery': change('the texts about delivery', delivery),
  'POST /content/home/preview': {
    summary: 'Staff: these sections as the home page would show them, with prices',
    body: sections.omit({ search: true, rows: true, delivery: true }),
    response: sections.omit({ search: true, rows: true, delivery: true }),
    refusals: { 403: 'forbidden' },
  },
} as const satisfies Contract;
