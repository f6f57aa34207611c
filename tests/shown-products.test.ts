/** A product has the same price, reduction, stock and rating wherever it is shown. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { CatalogueEditor } from './support/catalogue-editor.ts';
import { findJsonLd } from './support/json-ld.ts';
import { keysAt, listAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let staff: CatalogueEditor;
let category: { readonly id: string; readonly slug: string };
let values: readonly string[];
before(async () => {
  shop = await startTestShop({ settings: { RATE_LIMITS: 'off' } });
  staff = await CatalogueEditor.open(shop);
  category = await staff.createCategory();
  [values = []] = await staff.addProperties(category.id, [3]);
});
after(() => shop.stop());

const percent = (amount: number) => ({ kind: 'percent', percent: amount });
const amount = (usd: number, variantPrices: readonly object[] = []) => ({
  kind: 'amount',
  price_usd: usd,
  variant_prices: variantPrices,
});
const inSeconds = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : new Date(Date.now() + seconds * 1000).toISOString();

interface Row {
  readonly title: string;
  /** Prices of the variants A1, A2 and A3 in dollars; a single one: a product without variants. */
  readonly prices: readonly number[];
  /** With its start and end in seconds from its creation; without a start now. */
  readonly sale?: { readonly reduction: object; readonly startsIn?: number; readonly endsIn?: number };
  readonly isEnded?: true;
  /** By position of the variant; others are not tracked. */
  readonly stock?: Readonly<Record<number, number>>;
  /** What a card and the page behind it show. */
  readonly shown: Shown;
}

interface Shown {
  /** Position of the variant. */
  readonly variant: number;
  readonly usd: number;
  readonly was: number | null;
  readonly isSoldOut: boolean;
}

const show = (variant: number, usd: number, was: number | null = null, isSoldOut = false): Shown => ({
  variant,
  usd,
  was,
  isSoldOut,
});

const rows = (): readonly Row[] => [
  { title: 'Plain', prices: [20], shown: show(0, 20) },
  {
    title: 'Reduced',
    prices: [40],
    sale: { reduction: percent(25), endsIn: 9000 },
    shown: show(0, 30, 40),
  },
  {
    title: 'Formerly reduced',
    prices: [40],
    sale: { reduction: percent(25), endsIn: 2 },
    isEnded: true,
    shown: show(0, 40),
  },
  {
    title: 'Later reduced',
    prices: [40],
    sale: { reduction: percent(25), startsIn: 9000 },
    shown: show(0, 40),
  },
  { title: 'Last one', prices: [20], stock: { 0: 1 }, shown: show(0, 20) },
  { title: 'None left', prices: [20], stock: { 0: 0 }, shown: show(0, 20, null, true) },
  { title: 'Equal variants', prices: [50, 50, 50], shown: show(0, 50) },
  { title: 'Rising prices', prices: [50, 60, 70], shown: show(0, 50) },
  { title: 'Falling prices', prices: [70, 60, 50], shown: show(2, 50) },
  { title: 'First sold out', prices: [50, 60, 70], stock: { 0: 0 }, shown: show(1, 60) },
  { title: 'First of equals sold out', prices: [50, 50, 50], stock: { 0: 0, 1: 2 }, shown: show(1, 50) },
  { title: 'Cheapest last sold out', prices: [70, 60, 50], stock: { 2: 0 }, shown: show(1, 60) },
  { title: 'Dearest sold out', prices: [50, 60, 70], stock: { 2: 0 }, shown: show(0, 50) },
  { title: 'All sold out', prices: [70, 60, 50], stock: { 0: 0, 1: 0, 2: 0 }, shown: show(2, 50, null, true) },
  {
    title: 'One variant reduced',
    prices: [100, 110, 200],
    sale: { reduction: amount(99, [{ value_ids: values.slice(2), price_usd: 60 }]), endsIn: 9000 },
    shown: show(2, 60, 200),
  },
  {
    title: 'Cheapest not reduced',
    prices: [30, 110, 200],
    sale: { reduction: amount(90, [{ value_ids: values.slice(2), price_usd: 100 }]), endsIn: 9000 },
    shown: show(0, 30),
  },
  {
    title: 'Reduced variant sold out',
    prices: [100, 110, 200],
    sale: { reduction: amount(99, [{ value_ids: values.slice(2), price_usd: 60 }]), endsIn: 9000 },
    stock: { 2: 0 },
    shown: show(0, 99, 100),
  },
];

interface Created {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly skus: readonly string[];
}

async function setStock(sku: string, quantity: number): Promise<void> {
  const found = await shop.api('GET', `/inventory?q=${sku}`, { token: staff.token });
  const row = listAt(found.body, 'variants').find((one) => textAt(one, 'sku') === sku);
  const body = { of: 'available', quantity, seen: valueAt(row, 'available'), reason: 'counted' };
  const path = `/inventory/${textAt(row, 'variant_id')}`;
  assert.equal((await shop.api('PUT', path, { token: staff.token, body })).status, 200, sku);
}

/** The variants have prices of their own. */
async function create({ title, prices, sale, stock = {} }: Row): Promise<Created> {
  const slug = title.toLowerCase().replaceAll(' ', '-');
  const skus = prices.map((_, at) => `${slug}-${at + 1}`.toUpperCase());
  const offered = prices.length === 1 ? [] : values;
  const draft = await staff.createContent({
    name: title,
    slug,
    category_id: category.id,
    base_price_usd: prices.length === 1 ? (prices[0] ?? 0) : 100,
    values: offered.map((id) => ({ id, increase_usd: 0, pictures: [] })),
    variants: prices.map((usd, at) => ({
      value_ids: offered.slice(at, at + 1),
      own_price_usd: prices.length === 1 || usd === 100 ? null : usd,
      sku: skus[at] ?? '',
      gtin: '',
      pictures: [],
      is_published: true,
    })),
  });
  const { id } = await staff.publish(draft);
  for (const [at, quantity] of Object.entries(stock)) await setStock(skus[Number(at)] ?? '', quantity);
  if (sale !== undefined) {
    const { reduction, startsIn, endsIn } = sale;
    const body = { reduction, starts_at: inSeconds(startsIn), ends_at: inSeconds(endsIn) };
    const scheduled = await staff.call('POST', `/products/${id}/sale-prices`, body);
    assert.equal(scheduled.status, 201, JSON.stringify(scheduled.body));
  }
  return { id, slug, name: title, skus };
}

const fetchText = async (path: string): Promise<string> => {
  const response = await fetch(shop.url + path);
  assert.equal(response.status, 200, path);
  return response.text();
};

interface Read {
  readonly usd: number;
  readonly was: number | null;
  readonly isSoldOut: boolean;
}

const readDollars = (html: string, pattern: RegExp): number | null => {
  const found = pattern.exec(html)?.[1];
  return found === undefined ? null : Number(found.replaceAll(',', ''));
};

/** Price, reduction and stock of a part of a page. */
const readPart = (html: string): Read & { readonly isFrom: boolean } => ({
  usd: readDollars(html, /or (?:<!-- -->)?<span translate="no">\$([\d,.]+)/) ?? assert.fail(html.slice(0, 600)),
  was: readDollars(html, /Was (?:<!-- -->)?<s translate="no">\$([\d,.]+)/),
  isSoldOut: />Sold out</.test(html),
  isFrom: />From </.test(html),
});

/** The card with this name, and the path of its link. */
function readCard(html: string, { name, slug }: Created) {
  const card = html.split('<article').find((part) => part.includes(`>${name}</a></h3>`)) ?? assert.fail(name);
  const link = new RegExp(`href="(/catalog/product/${slug}(?:\\?[^"]*)?)"`).exec(card)?.[1];
  return { ...readPart(card.split('</article>')[0] ?? ''), path: link ?? assert.fail(name) };
}

/** The column of the comparison of this product alone. */
async function readComparison({ slug }: Created) {
  const html = await fetchText(`/compare?products=${slug}`);
  const head = html.split('<thead>')[1]?.split('</thead>')[0] ?? assert.fail(slug);
  return { ...readPart(head), path: /href="([^"]+)"/.exec(head)?.[1] };
}

/** The page of a product, and its structured data. */
async function readProductPage(path: string) {
  const html = await fetchText(path);
  const part = html.split('aria-live="polite"')[1]?.split('<h2')[0] ?? assert.fail(path);
  const box = part.split('</form>')[0] ?? assert.fail(path);
  // What is sold out cannot be added.
  assert.equal(/<button[^>]* disabled=""[^>]*>/.test(box), />Sold out</.test(box), path);
  const structured = findJsonLd(html, 'Product');
  const offer = valueAt(structured, 'offers');
  const isReduced = keysAt(offer).includes('priceSpecification');
  return {
    // The reduction stands below the button.
    shown: { ...readPart(box), was: readPart(part).was },
    described: {
      usd: Number(textAt(offer, 'price')),
      was: isReduced ? Number(textAt(offer, 'priceSpecification', 'price')) : null,
      isSoldOut: textAt(offer, 'availability').endsWith('/OutOfStock'),
    },
    sku: textAt(structured, 'sku'),
    path: new URL(textAt(offer, 'url')).pathname + new URL(textAt(offer, 'url')).search,
    hasEnd: html.includes('Sale ends'),
    isLimited: keysAt(offer).includes('priceValidUntil'),
    from: readDollars(html, /<meta name="description" content="[^"]*From [^"]*\$([\d,.]+)\."/),
  };
}

/** Items of the feed by SKU. */
async function readFeed(): Promise<ReadonlyMap<string, Read & { readonly hasEnd: boolean }>> {
  const items = (await fetchText('/products.xml')).split('<item>').slice(1);
  return new Map(
    items.map((item) => {
      const read = (tag: string): string | undefined => item.split(`<g:${tag}>`)[1]?.split('</')[0];
      const [full, sale] = [read('price'), read('sale_price')].map((text) => text && Number(text.split(' ')[0]));
      const shown = {
        usd: Number(sale ?? full),
        was: sale === undefined ? null : Number(full),
        isSoldOut: read('availability') === 'out_of_stock',
        hasEnd: read('sale_price_effective_date') !== undefined,
      };
      return [read('id') ?? '', shown] as const;
    }),
  );
}

/** What the API lists of a product. */
function readListed(product: unknown): Read {
  if (!keysAt(product).includes('matching_variant')) {
    return {
      usd: Number(valueAt(product, 'lowest_price_usd')),
      was: toNumber(valueAt(product, 'was_price_usd')),
      isSoldOut: valueAt(product, 'is_sold_out') === true,
    };
  }
  const variant = valueAt(product, 'matching_variant');
  return {
    usd: Number(valueAt(variant, 'price_usd')),
    was: toNumber(valueAt(variant, 'was_price_usd')),
    isSoldOut: valueAt(variant, 'is_available') !== true,
  };
}
const toNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);

test('[PROD-12] [OPS-08] [OPS-09] cards, pages, comparison, API and feed agree on each product', async () => {
  const table = rows();
  const products: Created[] = [];
  for (const row of table) products.push(await create(row));
  const ended = products[table.findIndex(({ isEnded }) => isEnded === true)] ?? assert.fail();
  const listPath = `/catalog/category/${category.slug}`;
  await waitUntil(async () => readCard(await fetchText(listPath), ended).was === null);
  // Processes notice changes of stock soon, not at once.
  await waitUntil(async () => (await fetchText(listPath)).split('>Sold out<').length >= 3);
  const [list, feed] = [await fetchText(listPath), await readFeed()];
  const byApi = listAt((await shop.api('GET', `/products?category=${category.slug}`)).body);
  const found: object[] = [];
  const expected: object[] = [];
  for (const [at, row] of table.entries()) {
    const product = products[at] ?? assert.fail(row.title);
    const { variant, ...shown } = row.shown;
    const sku = product.skus[variant] ?? '';
    const card = readCard(list, product);
    const search = readCard(await fetchText(`/search-results?query=${encodeURIComponent(product.name)}`), product);
    const comparison = await readComparison(product);
    const page = await readProductPage(card.path);
    const plain = await readProductPage(`/catalog/product/${product.slug}`);
    const recent = await shop.api('GET', `/product-cards?ids=${product.id}`);
    const suggested = await shop.api('GET', `/search/suggestions?q=${encodeURIComponent(product.name)}`);
    const nearest = listAt(suggested.body, 'nearest').find((one) => textAt(one, 'id') === product.id);
    const { isFrom, path, ...onCard } = card;
    const { shown: onPage, described } = page;
    const item = feed.get(sku) ?? assert.fail(sku);
    found.push({
      title: row.title,
      card: onCard,
      isFrom,
      search: search.usd === card.usd && search.was === card.was && search.path === path && !search.isFrom,
      comparison: { usd: comparison.usd, was: comparison.was, isSoldOut: comparison.isSoldOut },
      comparisonLink: comparison.path === path && !comparison.isFrom,
      page: { usd: onPage.usd, was: onPage.was, isSoldOut: onPage.isSoldOut },
      described,
      sku: page.sku,
      offered: page.path === path,
      feed: { usd: item.usd, was: item.was, isSoldOut: item.isSoldOut },
      ends: [page.hasEnd, page.isLimited],
      from: page.from,
      recent: readListed(listAt(recent.body)[0]),
      nearest: readListed(nearest),
      api: readListed(byApi.find((one) => textAt(one, 'id') === product.id)),
      // Without a variant in the URL the page shows the first one that can be ordered.
      plain: [plain.shown.usd, plain.shown.was, plain.shown.isSoldOut, plain.hasEnd],
    });
    const ofPlain = feed.get(plain.sku) ?? assert.fail(plain.sku);
    expected.push({
      title: row.title,
      card: shown,
      isFrom: false,
      search: true,
      comparison: shown,
      comparisonLink: true,
      page: shown,
      described: shown,
      sku,
      offered: true,
      feed: shown,
      ends: [item.hasEnd, item.hasEnd],
      from: shown.usd,
      recent: shown,
      nearest: shown,
      api: shown,
      plain: [ofPlain.usd, ofPlain.was, ofPlain.isSoldOut, ofPlain.hasEnd],
    });
  }
  assert.deepEqual(found, expected);
});

/** Buys and pays one of each product; returns the token of the buyer. */
async function buy(username: string, products: readonly Created[]): Promise<string> {
  const [first, ...others] = products;
  const token = await createStockBuyer(shop, username, first?.id ?? '');
  for (const { id } of others) {
    assert.equal((await shop.api('POST', '/cart/add', { token, body: { product_id: id, quantity: 1 } })).status, 200);
  }
  const { body } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  const order = textAt(body, 'order', 'id');
  await shop.api('POST', '/dev/pay', { body: { order_id: order } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  const readStatus = async () =>
    textAt((await shop.api('GET', `/orders/${order}`, { token })).body, 'order', 'payment_status');
  await waitUntil(async () => (await readStatus()) === 'paid');
  return token;
}

/** Rating and number of reviews, as the page shows and describes them. */
async function readRatings({ slug }: Created) {
  const html = await fetchText(`/catalog/product/${slug}`);
  const [, mean, count] = /<span>([\d.]+)<\/span>(?:<!-- -->)? out of 5, from (\d+) review/.exec(html) ?? [];
  const structured = findJsonLd(html, 'Product');
  const described = keysAt(structured).includes('aggregateRating') ? valueAt(structured, 'aggregateRating') : null;
  return {
    shown: mean === undefined ? null : [Number(mean), Number(count)],
    described: described && [valueAt(described, 'ratingValue'), valueAt(described, 'reviewCount')],
    listed: listAt((await shop.api('GET', `/reviews/product/${slug}`)).body).length,
  };
}

const submit = async (token: string, { id }: Created, rating: number): Promise<string> => {
  const body = { product_id: id, rating, text: 'Works' };
  return textAt((await shop.api('POST', '/reviews', { token, body })).body, 'id');
};
const decide = async (id: string, action: string): Promise<void> => {
  const { status } = await shop.api('POST', `/support/reviews/${id}/${action}`, { token: staff.token });
  assert.equal(status, 200);
};

const rated = (mean: number, count: number) => ({ shown: [mean, count], described: [mean, count], listed: count });

test('[PROD-07] page and structured data count the reviews that are shown', async () => {
  const plain = { prices: [20], shown: show(0, 20) };
  const titles = ['Not reviewed', 'Reviewed once', 'Reviewed often'];
  const [none, once, often] = await Promise.all(titles.map((title) => create({ ...plain, title })));
  assert.ok(none && once && often);
  const tokens: string[] = [];
  for (const username of ['rater-one', 'rater-two', 'rater-three']) tokens.push(await buy(username, [once, often]));
  const ids = await Promise.all([5, 4, 1].map((rating, at) => submit(tokens[at] ?? '', often, rating)));
  await submit(tokens[1] ?? '', once, 1);
  await decide(await submit(tokens[0] ?? '', once, 3), 'approve');
  for (const id of ids) await decide(id, 'approve');
  const unrated = { shown: null, described: null, listed: 0 };
  assert.deepEqual(await Promise.all([none, once, often].map(readRatings)), [unrated, rated(3, 1), rated(3.3, 3)]);
  await decide(ids[2] ?? '', 'reject');
  assert.deepEqual(await readRatings(often), rated(4.5, 2));
});
