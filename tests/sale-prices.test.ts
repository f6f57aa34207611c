/** Sale prices over HTTP, with a second process on the same database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { CatalogueEditor, readErrorCode } from './support/catalogue-editor.ts';
import type { EditorContent } from './support/catalogue-editor.ts';
import { findJsonLd } from './support/json-ld.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import type { ShopProcess } from './support/shop-process.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let second: ShopProcess;
let staff: CatalogueEditor;
before(async () => {
  shop = await startTestShop();
  second = await startSecondProcess(shop);
  staff = await CatalogueEditor.open(shop);
});
after(async () => {
  await second.stop();
  await shop.stop();
});

interface Sale {
  readonly reduction?: object;
  readonly starts_at?: string | null;
  readonly ends_at?: string | null;
}
const percent = (amount: number) => ({ kind: 'percent', percent: amount });
const amount = (usd: number) => ({ kind: 'amount', price_usd: usd, variant_prices: [] });
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const toBody = (sale: Sale) => ({ reduction: percent(10), starts_at: null, ends_at: null, ...sale });

const schedule = (productId: string, sale: Sale): Promise<ApiResponse> =>
  staff.call('POST', `/products/${productId}/sale-prices`, toBody(sale));
/** The sale price that starts last. */
async function scheduleFirst(
  productId: string,
  sale: Sale,
): Promise<{ readonly id: string; readonly version: number }> {
  const { status, body } = await schedule(productId, sale);
  assert.equal(status, 201, JSON.stringify(body));
  const first = valueAt(body, 'sale_prices', 0);
  return { id: textAt(first, 'id'), version: numberAt(first, 'version') };
}
async function publish(changes: Partial<EditorContent> = {}) {
  const content = await staff.createContent({ base_price_usd: 100, ...changes });
  return { ...(await staff.publish(content)), content };
}
const readProduct = async (slug: string, url = shop.url): Promise<unknown> => {
  const response: unknown = await (await fetch(`${url}/api/products/${slug}`)).json();
  return response;
};
const readPrices = async (slug: string, url = shop.url): Promise<readonly unknown[]> => {
  const product = await readProduct(slug, url);
  return ['base_price_in_usd', 'was_price_usd', 'lowest_price_30_days_usd'].map((key) => valueAt(product, key));
};
const fetchPage = async (slug: string, url = shop.url): Promise<string> =>
  (await fetch(`${url}/catalog/product/${slug}`)).text();

test('[OPS-09] a sale price starts and ends by the clock in every process', async () => {
  const { id, content } = await publish();
  const { slug, category_id: category } = content;
  for (const url of [shop.url, second.url]) assert.ok((await fetchPage(slug, url)).includes('$100.00'));
  // Long enough for a busy machine to see each state.
  const [start, end] = [inSeconds(5), inSeconds(15)];
  await scheduleFirst(id, { starts_at: start, ends_at: end });
  // The other process reads the schedule, and no other signal follows.
  for (const url of [shop.url, second.url]) assert.deepEqual(await readPrices(slug, url), [100, null, null]);
  const isReduced = async (url: string): Promise<boolean> => (await fetchPage(slug, url)).includes('$90.00');
  await Promise.all(
    [shop.url, second.url].map(async (url) => {
      await waitUntil(() => isReduced(url));
      assert.ok(Date.now() >= Date.parse(start));
      assert.deepEqual(await readPrices(slug, url), [90, 100, 100]);
      const found: unknown = await (
        await fetch(`${url}/api/products?category=${category}&price_max=95&sort=price_asc`)
      ).json();
      assert.equal(listAt(found).length, 1);
      await waitUntil(async () => !(await isReduced(url)));
      assert.ok(Date.now() >= Date.parse(end));
      assert.deepEqual(await readPrices(slug, url), [100, null, null]);
    }),
  );
});

test('[OPS-09] page, card, cart and JSON-LD show the reduction', async () => {
  const { id, content } = await publish();
  const { slug } = content;
  const end = inSeconds(86_400);
  await scheduleFirst(id, { reduction: amount(79.5), ends_at: end });
  const html = await fetchPage(slug);
  assert.ok(html.includes('$79.50'));
  assert.ok(html.includes('Was <s translate="no">$100.00</s>, the lowest price in the 30 days before'));
  assert.ok(html.includes('Sale ends'));
  const offer = valueAt(findJsonLd(html, 'Product'), 'offers');
  assert.equal(textAt(offer, 'price'), '79.50');
  assert.equal(textAt(offer, 'priceValidUntil'), end);
  assert.equal(textAt(offer, 'priceSpecification', 'priceType'), 'https://schema.org/StrikethroughPrice');
  assert.equal(textAt(offer, 'priceSpecification', 'price'), '100.00');
  const list = await (await fetch(`${shop.url}/search-results?query=${encodeURIComponent(content.name)}`)).text();
  assert.ok(list.includes('Was <s translate="no">$100.00</s>'), 'the search results show the reduction');
  const token = await createStockBuyer(shop, 'reduced-buyer', id);
  const item = valueAt((await shop.api('GET', '/cart', { token })).body, 'cart_items', 0);
  assert.deepEqual(
    ['price_usd', 'was_price_usd', 'lowest_price_30_days_usd', 'total_usd'].map((key) => valueAt(item, key)),
    [79.5, 100, 100, 79.5],
  );
});

test('[OPS-09] the lowest price includes earlier sale prices and normal prices', async () => {
  const { id, version, content } = await publish();
  const first = await scheduleFirst(id, { reduction: amount(60) });
  assert.deepEqual(await readPrices(content.slug), [60, 100, 100]);
  assert.equal((await staff.call('POST', `/sale-prices/${first.id}/end`, { version: first.version })).status, 200);
  const dearer = { ...content, base_price_usd: 120 };
  assert.equal((await staff.save(id, { version, publish: true, content: dearer })).status, 200);
  await scheduleFirst(id, { reduction: amount(90) });
  assert.deepEqual(await readPrices(content.slug), [90, null, null]);
  assert.doesNotMatch(await fetchPage(content.slug), /Was <s/);
});

test('[OPS-09] a normal price entered during a sale is never shown as earlier', async () => {
  const { id, version, content } = await publish();
  await scheduleFirst(id, { reduction: amount(80), ends_at: inSeconds(86_400) });
  const dearer = { ...content, base_price_usd: 150 };
  assert.equal((await staff.save(id, { version, publish: true, content: dearer })).status, 200);
  assert.deepEqual(await readPrices(content.slug), [80, 100, 100]);
  const html = await fetchPage(content.slug);
  assert.ok(html.includes('Was <s translate="no">$100.00</s>'));
  assert.doesNotMatch(html, /150\.00/);
  const offer = valueAt(findJsonLd(html, 'Product'), 'offers');
  assert.equal(textAt(offer, 'priceSpecification', 'price'), '100.00');
  const feed = await (await fetch(`${shop.url}/products.xml`)).text();
  const item = feed.split('<item>').find((text) => text.includes(content.slug));
  assert.match(item ?? '', /<g:price>100\.00 USD<\/g:price><g:sale_price>80\.00 USD<\/g:sale_price>/);
});

test('[OPS-09] sale prices without a break keep the price before the first', async () => {
  const { id, content } = await publish();
  // All three are scheduled before the first ends.
  const [firstEnd, secondEnd] = [inSeconds(8), inSeconds(9)];
  await scheduleFirst(id, { reduction: amount(90), ends_at: firstEnd });
  await scheduleFirst(id, { reduction: amount(80), starts_at: firstEnd, ends_at: secondEnd });
  const last = await scheduleFirst(id, { reduction: amount(70), starts_at: secondEnd });
  await waitUntil(async () => (await readPrices(content.slug))[0] === 70);
  for (const url of [shop.url, second.url]) assert.deepEqual(await readPrices(content.slug, url), [70, 100, 100]);
  const { body } = await staff.call('GET', `/products/${id}/sale-prices`);
  const shown = listAt(body, 'sale_prices').map((of) => [textAt(of, 'state'), valueAt(of, 'lowest_price_30_days_usd')]);
  assert.deepEqual(shown, [
    ['running', 100],
    ['ended', null],
    ['ended', null],
  ]);
  assert.equal((await staff.call('POST', `/sale-prices/${last.id}/end`, { version: last.version })).status, 200);
});

test('[OPS-09] a checkout after a sale price ended or began asks again', async () => {
  const { id } = await publish();
  const sale = await scheduleFirst(id, { ends_at: inSeconds(86_400) });
  const token = await createStockBuyer(shop, 'late-buyer', id);
  const order = (expected: number) =>
    shop.api('POST', '/cart/checkout', { token, body: { ...BILLING, expected_total_usd: expected } });
  assert.equal((await staff.call('POST', `/sale-prices/${sale.id}/end`, { version: sale.version })).status, 200);
  assert.equal(readErrorCode(await order(90)), '409 repriced');
  await shop.api('POST', '/cart/accept-prices', { token });
  await scheduleFirst(id, { reduction: percent(25) });
  assert.equal(readErrorCode(await order(100)), '409 repriced');
  const placed = await order(75);
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  assert.match(JSON.stringify(placed.body), /"price_usd":75,/);
});

test('[OPS-09] sale prices of a product never overlap, even in parallel', async () => {
  const { id } = await publish();
  const times = { starts_at: inSeconds(100), ends_at: inSeconds(200) };
  const responses = await Promise.all(Array.from({ length: 8 }, () => schedule(id, times)));
  const codes = responses.map(readErrorCode).toSorted();
  assert.deepEqual(codes, ['201', ...Array.from({ length: 7 }, () => '409 overlap')]);
  const touching = { starts_at: times.ends_at, ends_at: inSeconds(300) };
  assert.equal((await schedule(id, touching)).status, 201);
  const justBefore = new Date(Date.parse(touching.ends_at) - 1_000).toISOString();
  assert.equal(readErrorCode(await schedule(id, { starts_at: justBefore })), '409 overlap');
});

test('[OPS-09] a running sale price keeps its price and start', async () => {
  const { id } = await publish();
  const running = await scheduleFirst(id, { ends_at: inSeconds(1000) });
  const put = (version: number, sale: Sale) =>
    staff.call('PUT', `/sale-prices/${running.id}`, { ...toBody(sale), version });
  assert.equal(readErrorCode(await put(1, { reduction: percent(20) })), '409 running');
  assert.equal(readErrorCode(await put(1, { starts_at: inSeconds(50) })), '409 running');
  assert.equal(readErrorCode(await staff.call('DELETE', `/sale-prices/${running.id}`, { version: 1 })), '409 running');
  assert.equal(readErrorCode(await put(1, { ends_at: inSeconds(-50) })), '400 invalid');
  assert.equal((await put(1, { ends_at: inSeconds(50) })).status, 200);
  assert.equal(readErrorCode(await put(1, { ends_at: null })), '409 changed-meanwhile');
  const end = (version: number) => staff.call('POST', `/sale-prices/${running.id}/end`, { version });
  assert.equal((await end(2)).status, 200);
  assert.equal(readErrorCode(await end(3)), '409 ended');
});

test('[OPS-09] a scheduled sale price can be changed and deleted', async () => {
  const { id, content } = await publish();
  const scheduled = await scheduleFirst(id, { starts_at: inSeconds(1000) });
  const path = `/sale-prices/${scheduled.id}`;
  const changed = await staff.call('PUT', path, { ...toBody({ reduction: amount(50) }), version: 1 });
  assert.equal(changed.status, 200);
  assert.deepEqual(await readPrices(content.slug), [50, 100, 100]);
  const next = await publish();
  const later = await scheduleFirst(next.id, { starts_at: inSeconds(1000) });
  assert.equal((await staff.call('DELETE', `/sale-prices/${later.id}`, { version: 1 })).status, 200);
  assert.equal(readErrorCode(await staff.call('DELETE', `/sale-prices/${later.id}`, { version: 1 })), '404 not-found');
});

test('[OPS-09] a price that a sale price would not reduce is refused', async () => {
  const { id, version, content } = await publish();
  for (const reduction of [amount(100), amount(100.01), percent(0.001), percent(100)]) {
    assert.equal(readErrorCode(await schedule(id, { reduction })), '400 invalid', JSON.stringify(reduction));
  }
  assert.equal(readErrorCode(await schedule(id, { starts_at: inSeconds(-3600) })), '400 invalid');
  assert.equal(readErrorCode(await schedule(id, { ends_at: inSeconds(-1) })), '400 invalid');
  await scheduleFirst(id, { reduction: amount(80), starts_at: inSeconds(1000) });
  const cheaper = await staff.save(id, { version, publish: true, content: { ...content, base_price_usd: 80 } });
  assert.equal(readErrorCode(cheaper), '400 invalid');
  assert.match(textAt(cheaper.body, 'error', 'fields', 'base_price_usd'), /sale price \(\$80\.00\)/);
  const change = { kind: 'price-set', usd: 79 };
  const preview = await staff.call('POST', '/bulk-edits/preview', { ids: [id], change });
  assert.match(textAt(preview.body, 'skipped', 0, 'reason'), /sale price/);
});

test('[OPS-09] variants with their own price are reduced by their own sale price', async () => {
  const content = await staff.createContent({ base_price_usd: 100 });
  const [values = []] = await staff.addProperties(content.category_id, [3]);
  const [a = '', b = '', c = ''] = values;
  const variant = { own_price_usd: null, sku: '', gtin: '', pictures: [], is_published: true };
  const { id } = await staff.publish({
    ...content,
    values: values.map((value, index) => ({ id: value, increase_usd: index * 10, pictures: [] })),
    variants: [{ ...variant, value_ids: [c], own_price_usd: 200 }],
  });
  const priced = { ...amount(90), variant_prices: [{ value_ids: [c], price_usd: 150 }] };
  const wrong = { ...amount(90), variant_prices: [{ value_ids: [a], price_usd: 50 }] };
  assert.equal(readErrorCode(await schedule(id, { reduction: wrong })), '400 invalid');
  const sale = await scheduleFirst(id, { reduction: priced });
  const readVariants = async () => {
    const variants = listAt(await readProduct(content.slug), 'variants');
    return [a, b, c].map((value) => {
      const found = variants.find((one) => textAt(one, 'property_value_ids', 0) === value);
      return [valueAt(found, 'price_usd'), valueAt(found, 'was_price_usd')];
    });
  };
  assert.deepEqual(await readVariants(), [
    [90, 100],
    [100, 110],
    [150, 200],
  ]);
  await staff.call('POST', `/sale-prices/${sale.id}/end`, { version: sale.version });
  await scheduleFirst(id, { reduction: percent(50) });
  // The lowest price before is now that of the first sale.
  assert.deepEqual(await readVariants(), [
    [50, 90],
    [55, 100],
    [100, 150],
  ]);
});

test('[OPS-09] the list of products finds those with a sale price now', async () => {
  const { id, content } = await publish();
  const other = await publish();
  await scheduleFirst(id, { reduction: percent(15) });
  await scheduleFirst(other.id, { starts_at: inSeconds(1000) });
  const found = await staff.call('GET', '/products?state=reduced');
  const listed = listAt(found.body, 'products');
  assert.equal(
    numberAt(
      listed.find((product) => textAt(product, 'id') === id),
      'sale_price_usd',
    ),
    85,
  );
  assert.ok(!listed.some((product) => textAt(product, 'id') === other.id));
  const named = await staff.call('GET', `/products?state=reduced&q=${content.article}`);
  assert.equal(numberAt(named.body, 'total'), 1);
});

test('[OPS-09] customers may not see or change sale prices', async () => {
  const { id } = await publish();
  const customer = await CatalogueEditor.open(shop, 'alice');
  assert.equal(readErrorCode(await customer.call('GET', `/products/${id}/sale-prices`)), '403 forbidden');
  assert.equal(readErrorCode(await customer.call('POST', `/products/${id}/sale-prices`, toBody({}))), '403 forbidden');
});

/** Prices of a product and its variants, with the end of the sale price. */
const listPrices = (product: unknown): readonly unknown[] => [
  valueAt(product, 'base_price_in_usd'),
  valueAt(product, 'was_price_usd'),
  valueAt(product, 'lowest_price_30_days_usd'),
  valueAt(product, 'sale_ends_at'),
  ...listAt(product, 'variants').map((of) => [valueAt(of, 'price_usd'), valueAt(of, 'was_price_usd')]),
];

test('[OPS-09] the preview of a draft has the sale price in force', async () => {
  const { id, version, content } = await publish();
  await scheduleFirst(id, { reduction: percent(10), ends_at: inSeconds(3600) });
  await scheduleFirst(id, { reduction: percent(50), starts_at: inSeconds(7200) });
  const edited = { ...content, base_price_usd: 120 };
  const saved = await staff.save(id, { version, publish: false, content: edited });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  const preview = await staff.call('GET', `/products/${id}/preview`);
  const previewed = listPrices(valueAt(preview.body, 'product'));
  // Dearer than the sale price was before: no reduction to announce.
  assert.deepEqual(previewed.slice(0, 2), [108, null]);
  const published = await staff.save(id, { version: version + 1, publish: true, content: edited });
  assert.equal(published.status, 200, JSON.stringify(published.body));
  assert.deepEqual(listPrices(await readProduct(content.slug)), previewed);
});
