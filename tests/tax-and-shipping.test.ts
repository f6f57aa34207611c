/** Tax and shipping over HTTP: settings, the estimate of a cart, orders, and other processes. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import './support/built-pages.ts';
import { CatalogueEditor } from './support/catalogue-editor.ts';
import { GERMAN_TAX, logInAs, PAID_SHIPPING, putSettings } from './support/charge-settings.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

const NO_TAX = { ...GERMAN_TAX, rates: [], has_reverse_charge: false };
const FREE = {
  zones: [
    { name: 'Worldwide', countries: [], basis: 'value', tiers: [{ from: 0, price_usd: 0 }], free_from_usd: null },
  ],
  excluded_countries: [],
};
const GERMANY = { ...BILLING, country: 'DE', postcode: '10115' };
const FRANCE = { ...BILLING, country: 'FR', postcode: '75001' };
const VAT_NUMBER = 'FR83404833048';
const cents = (usd: number): number => Math.round(usd * 100);

let shop: TestShop;
let owner: string;
let productId: string;
before(async () => {
  shop = await startTestShop();
  owner = await logInAs(shop, 'owner');
  productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
});
after(() => shop.stop());
beforeEach(async () => {
  await set('tax', NO_TAX);
  await set('shipping', FREE);
});

const set = async (kind: 'tax' | 'shipping', settings: object): Promise<void> =>
  void readBody(await putSettings(shop, kind, settings, owner));
const readBody = ({ status, body }: ApiResponse, expected = 200): unknown => {
  assert.equal(status, expected, JSON.stringify(body));
  return body;
};
let buyers = 0;
const createBuyer = (): Promise<string> => createStockBuyer(shop, `taxed-${(buyers += 1)}`, productId);
const readCart = async (token: string): Promise<unknown> => readBody(await shop.api('GET', '/cart', { token }));
const setCountry = async (token: string, country: string, vat_number?: string): Promise<unknown> =>
  readBody(await shop.api('PUT', '/cart/delivery', { token, body: { country, vat_number } }));
const checkout = (token: string, body: object): Promise<ApiResponse> =>
  shop.api('POST', '/cart/checkout', { token, body });
const placeOrder = async (token: string, body: object): Promise<unknown> =>
  valueAt(readBody(await checkout(token, body), 201), 'order');
const codeOf = ({ body }: ApiResponse): string => textAt(body, 'error', 'code');

/** Asserts that the parts of an order add up to its total, in both currencies. */
function assertSums(order: unknown): void {
  const [usd, btc] = (['usd', 'btc'] as const).map((unit) => {
    const scale = unit === 'usd' ? 100 : 1e8;
    const read = (...path: string[]): number => Math.round(numberAt(order, ...path) * scale);
    const hasTax = valueAt(order, 'tax') !== null;
    const added = hasTax ? read('tax', `added_${unit}`) : 0;
    const deducted = hasTax ? read('tax', `deducted_${unit}`) : 0;
    const parts = read(`total_price_${unit}`) - read(`discount_${unit}`) + read(`shipping_${unit}`) + added - deducted;
    return { parts, total: read(`total_${unit}_after`) };
  });
  assert.equal(usd?.parts, usd?.total);
  assert.equal(btc?.parts, btc?.total);
  assert.equal(btc?.total, Math.round(numberAt(order, 'payment', 'amount_btc') * 1e8));
  if (valueAt(order, 'tax') === null) return;
  const rates = listAt(order, 'tax', 'rates');
  const sum = (name: string): number => rates.reduce<number>((all, rate) => all + cents(numberAt(rate, name)), 0);
  assert.equal(sum('gross_usd'), usd?.total);
  assert.equal(sum('net_usd') + sum('tax_usd'), usd?.total);
  assert.equal(sum('tax_usd'), cents(numberAt(order, 'tax', 'total_usd')));
}

test('[OPS-15] ships free everywhere and taxes nothing by default', async () => {
  const token = await createBuyer();
  assert.equal(valueAt(await readCart(token), 'delivery'), null);
  const order = await placeOrder(token, GERMANY);
  assert.equal(numberAt(order, 'shipping_usd'), 0);
  assert.equal(valueAt(order, 'tax'), null);
  assert.equal(numberAt(order, 'total_usd_after'), numberAt(order, 'total_price_usd'));
  assert.equal(textAt(readBody(await shop.api('GET', '/shop')), 'shipping'), 'free-worldwide');
});

test('[OPS-15] owners change tax and shipping, staff read them, customers neither', async () => {
  const [staff, customer] = [await logInAs(shop, 'staff'), await logInAs(shop, 'alice')];
  for (const kind of ['tax', 'shipping'] as const) {
    const read = readBody(await shop.api('GET', `/${kind}/settings`, { token: staff }));
    assert.equal((await shop.api('PUT', `/${kind}/settings`, { token: staff, body: read })).status, 403);
    assert.equal((await shop.api('GET', `/${kind}/settings`, { token: customer })).status, 403);
    const put = (): Promise<ApiResponse> => shop.api('PUT', `/${kind}/settings`, { token: owner, body: read });
    const responses = await Promise.all([put(), put()]);
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
      'of two owners the second gets 409',
    );
  }
});

for (const [name, kind, settings] of [
  ['a rate twice', 'tax', { ...GERMAN_TAX, rates: [GERMAN_TAX.rates[0], GERMAN_TAX.rates[0]] }],
  ['a country without a standard rate', 'tax', { ...GERMAN_TAX, rates: [GERMAN_TAX.rates[1]] }],
  ['reverse charge outside the European Union', 'tax', { ...GERMAN_TAX, home_country: 'US' }],
  ['a country that does not exist', 'tax', { ...GERMAN_TAX, home_country: 'XX' }],
  ['a rate above 100 %', 'tax', { ...GERMAN_TAX, rates: [{ ...GERMAN_TAX.rates[0], basis_points: 10_001 }] }],
  ['no zone', 'shipping', { ...FREE, zones: [] }],
  ['two zones for all others', 'shipping', { ...FREE, zones: [FREE.zones[0], { ...FREE.zones[0], name: 'B' }] }],
  [
    'tiers that do not start at 0',
    'shipping',
    { ...FREE, zones: [{ ...FREE.zones[0], tiers: [{ from: 1, price_usd: 1 }] }] },
  ],
  ['a negative price', 'shipping', { ...FREE, zones: [{ ...FREE.zones[0], tiers: [{ from: 0, price_usd: -1 }] }] }],
] as const) {
  test(`[OPS-15] refuses ${name}`, async () => {
    const stored = readBody(await shop.api('GET', `/${kind}/settings`, { token: owner }));
    assert.equal((await putSettings(shop, kind, settings, owner)).status, 400);
    assert.deepEqual(readBody(await shop.api('GET', `/${kind}/settings`, { token: owner })), stored);
  });
}

test('[OPS-15] [OPS-16] rates need the tax number of the seller', async () => {
  const setTaxNumber = async (tax_number: string): Promise<ApiResponse> => {
    const legal = valueAt(readBody(await shop.api('GET', '/shop/settings', { token: owner })), 'legal');
    return shop.api('PUT', '/shop/settings/legal', { token: owner, body: Object.assign({}, legal, { tax_number }) });
  };
  const putTax = async (): Promise<ApiResponse> => {
    const version = valueAt(readBody(await shop.api('GET', '/tax/settings', { token: owner })), 'version');
    return shop.api('PUT', '/tax/settings', { token: owner, body: { ...GERMAN_TAX, version } });
  };
  readBody(await setTaxNumber(''));
  const refused = await putTax();
  assert.equal(refused.status, 400);
  assert.match(textAt(refused.body, 'error', 'fields', 'rates'), /tax number/);
  assert.deepEqual(listAt(readBody(await shop.api('GET', '/tax/settings', { token: owner })), 'rates'), []);
  readBody(await setTaxNumber('DE123456789'));
  readBody(await putTax());
  const removed = await setTaxNumber('');
  assert.equal(removed.status, 400);
  assert.match(textAt(removed.body, 'error', 'fields', 'tax_number'), /rates/);
  readBody(await setTaxNumber('DE987654321'));
});

test('[OPS-15] a tax number is not removed while rates are added', async () => {
  for (let round = 0; round < 5; round += 1) {
    await set('tax', NO_TAX);
    const settings = readBody(await shop.api('GET', '/shop/settings', { token: owner }));
    const legal = Object.assign({}, valueAt(settings, 'legal'), { tax_number: '' });
    const version = valueAt(readBody(await shop.api('GET', '/tax/settings', { token: owner })), 'version');
    const responses = await Promise.all([
      shop.api('PUT', '/tax/settings', { token: owner, body: { ...GERMAN_TAX, version } }),
      shop.api('PUT', '/shop/settings/legal', { token: owner, body: legal }),
    ]);
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [200, 400]);
  }
});

test('[OPS-15] leaves shipping open until the country is known', async () => {
  await set('shipping', PAID_SHIPPING);
  const token = await createBuyer();
  const cart = await readCart(token);
  assert.equal(valueAt(cart, 'delivery', 'shipping_usd'), null);
  assert.equal(numberAt(cart, 'totalCartValue'), numberAt(cart, 'subtotal_usd'));
  const german = await setCountry(token, 'DE');
  assert.equal(numberAt(german, 'delivery', 'shipping_usd'), 4.9);
  assert.equal(cents(numberAt(german, 'totalCartValue')), cents(numberAt(cart, 'subtotal_usd')) + 490);
  assert.equal(numberAt(await setCountry(token, 'US'), 'delivery', 'shipping_usd'), 20);
  const order = await placeOrder(token, GERMANY);
  assert.equal(numberAt(order, 'shipping_usd'), 4.9);
  assertSums(order);
  assert.equal(textAt(readBody(await shop.api('GET', '/shop')), 'shipping'), 'paid');
});

test('[OPS-15] orders nothing for a country without delivery', async () => {
  await set('shipping', PAID_SHIPPING);
  const token = await createBuyer();
  assert.equal(valueAt(await setCountry(token, 'JP'), 'delivery', 'is_delivered'), false);
  const refused = await checkout(token, { ...BILLING, region: 'Asia', country: 'JP', postcode: '100-0001' });
  assert.equal(refused.status, 400);
  assert.equal(codeOf(refused), 'not-delivered');
  assert.equal(valueAt(readBody(await shop.api('GET', '/orders', { token })), 'order'), null);
  const countries = listAt(readBody(await shop.api('GET', '/shipping')), 'countries');
  assert.ok(countries.includes('DE') && !countries.includes('JP'));
});

const taxOf = (gross: number): number => Math.round((gross * 19) / 119);

test('[OPS-15] names the tax that gross prices contain', async () => {
  await set('tax', GERMAN_TAX);
  await set('shipping', PAID_SHIPPING);
  const token = await createBuyer();
  const order = await placeOrder(token, GERMANY);
  assertSums(order);
  const total = cents(numberAt(order, 'total_usd_after'));
  assert.equal(numberAt(order, 'tax', 'added_usd'), 0);
  // By line: the product and its shipping are rounded on their own.
  assert.equal(cents(numberAt(order, 'tax', 'total_usd')), taxOf(total - 490) + taxOf(490));
});

test('[OPS-15] adds the tax to net prices', async () => {
  await set('tax', { ...GERMAN_TAX, price_mode: 'net' });
  const token = await createBuyer();
  assert.equal(textAt(await readCart(token), 'delivery', 'unknown_tax'), 'VAT');
  const subtotal = cents(numberAt(await setCountry(token, 'FR'), 'subtotal_usd'));
  const order = await placeOrder(token, FRANCE);
  assertSums(order);
  assert.equal(cents(numberAt(order, 'tax', 'added_usd')), Math.round(subtotal * 0.2));
  const untaxed = await placeOrder(await createBuyer(), BILLING);
  assert.equal(valueAt(untaxed, 'tax'), null, 'no rate for the United Kingdom');
});

test('[OPS-15] charges no tax to a business with a VAT number', async () => {
  await set('tax', GERMAN_TAX);
  const token = await createBuyer();
  const estimated = await setCountry(token, 'FR', 'fr 83 404 833 048');
  assert.equal(valueAt(estimated, 'delivery', 'tax', 'is_reverse_charge'), true);
  const body = {
    ...FRANCE,
    vatNumber: ` ${VAT_NUMBER.toLowerCase()} `,
    expected_total_usd: numberAt(estimated, 'totalCartValue'),
  };
  const order = await placeOrder(token, body);
  assertSums(order);
  assert.equal(textAt(order, 'tax', 'buyer_vat_number'), VAT_NUMBER);
  assert.equal(textAt(order, 'billing', 'vatNumber'), VAT_NUMBER);
  const gross = cents(numberAt(order, 'total_price_usd'));
  assert.equal(cents(numberAt(order, 'total_usd_after')), gross - Math.round((gross * 20) / 120));
  const other = await createBuyer();
  const refused = await checkout(other, { ...FRANCE, vatNumber: 'DE123456789' });
  assert.equal(refused.status, 400);
  assert.equal(codeOf(refused), 'vat-number');
  assert.equal(textAt(refused.body, 'error', 'fields', 'vatNumber').length > 0, true);
});

test('[OPS-15] taxes EU countries without a rate at home, except businesses', async () => {
  await set('tax', GERMAN_TAX);
  const austria = { ...BILLING, country: 'AT', postcode: '1010' };
  const consumer = await placeOrder(await createBuyer(), austria);
  assertSums(consumer);
  const gross = cents(numberAt(consumer, 'total_usd_after'));
  assert.equal(cents(numberAt(consumer, 'tax', 'total_usd')), taxOf(gross));
  const token = await createBuyer();
  const estimated = await setCountry(token, 'AT', 'ATU12345678');
  assert.equal(valueAt(estimated, 'delivery', 'allows_reverse_charge'), true);
  const business = await placeOrder(token, { ...austria, vatNumber: 'ATU12345678' });
  assertSums(business);
  assert.equal(valueAt(business, 'tax', 'is_reverse_charge'), true);
  assert.equal(cents(numberAt(business, 'total_usd_after')), gross - taxOf(gross));
  assert.equal(numberAt(estimated, 'totalCartValue'), numberAt(business, 'total_usd_after'));
});

test('[PROD-11] prices say whether they include tax, and link shipping', async () => {
  const product = valueAt((await shop.api('GET', '/products?limit=1')).body, 0);
  const [slug, name] = [textAt(product, 'slug'), textAt(product, 'name')];
  const added = await shop.api('POST', '/cart/add', { body: { product_id: productId, quantity: 1 } });
  assert.equal(added.status, 200);
  const cookie = added.headers.get('set-cookie')?.split(';')[0] ?? '';
  const read = async (path: string): Promise<readonly string[]> => {
    const html = await (await fetch(shop.url + path, { headers: { cookie } })).text();
    const notes = html.matchAll(
      /((?:All prices )?(?:incl\. VAT|plus)[^<>]*)<a [^>]*href="\/free-shipping"[^>]*>([^<]*)</g,
    );
    return [...notes].map(([, text = '', link]) => `${text}[${link}]`);
  };
  const lists = [
    '/',
    '/catalog',
    `/search-results?query=${encodeURIComponent(name)}`,
    `/compare?products=${slug}`,
    '/cart',
  ];
  const readAll = async () => {
    const [own, ...listed] = await read(`/catalog/product/${slug}`);
    const others = await Promise.all(lists.map(read));
    for (const notes of others) assert.ok(notes.length > 0 || own === undefined);
    return [own, ...new Set([...listed, ...others.flat()])];
  };
  assert.deepEqual(await readAll(), [undefined]);
  await set('tax', GERMAN_TAX);
  assert.deepEqual(await readAll(), ['incl. VAT, [free shipping]', 'All prices incl. VAT, [free shipping]']);
  await set('tax', { ...GERMAN_TAX, price_mode: 'net' });
  await set('shipping', PAID_SHIPPING);
  assert.deepEqual(await readAll(), ['plus VAT and [shipping costs]', 'All prices plus VAT and [shipping costs]']);
  await set('tax', NO_TAX);
  assert.deepEqual(await readAll(), ['plus [shipping costs]', 'All prices plus [shipping costs]']);
});

test('[OPS-15] takes tax class and weight of each product', async () => {
  const editor = await CatalogueEditor.open(shop);
  const content = await editor.createContent({ base_price_usd: 107, tax_class: 'reduced', weight_grams: 700 });
  const { id, product } = await editor.publish(content);
  assert.equal(textAt(product, 'content', 'tax_class'), 'reduced');
  assert.equal(numberAt(product, 'content', 'weight_grams'), 700);
  await set('tax', GERMAN_TAX);
  const tiers = [
    { from: 0, price_usd: 5 },
    { from: 1400, price_usd: 9 },
  ];
  await set('shipping', { ...FREE, zones: [{ ...FREE.zones[0], basis: 'weight', tiers }] });
  const token = await createStockBuyer(shop, 'weighed', id);
  assert.equal(numberAt(await setCountry(token, 'DE'), 'delivery', 'shipping_usd'), 5);
  readBody(await shop.api('PUT', '/cart/update', { token, body: { product_id: id, quantity: 2 } }));
  const order = await placeOrder(token, GERMANY);
  assertSums(order);
  assert.equal(numberAt(order, 'shipping_usd'), 9, '1,400 g');
  const rates = listAt(order, 'tax', 'rates').map((rate) => [textAt(rate, 'tax_class'), numberAt(rate, 'tax_usd')]);
  assert.deepEqual(rates, [
    ['standard', 1.44],
    ['reduced', 14],
  ]);
});

test('[OPS-15] refuses an order whose total changed meanwhile', async () => {
  const token = await createBuyer();
  const expected_total_usd = numberAt(await readCart(token), 'totalCartValue');
  await set('shipping', PAID_SHIPPING);
  const refused = await checkout(token, { ...GERMANY, expected_total_usd });
  assert.equal(refused.status, 409);
  assert.equal(codeOf(refused), 'repriced');
});

test('[OPS-15] keeps tax and shipping of a placed order', async () => {
  await set('tax', GERMAN_TAX);
  await set('shipping', PAID_SHIPPING);
  const token = await createBuyer();
  const order = await placeOrder(token, GERMANY);
  await set('tax', NO_TAX);
  await set('shipping', FREE);
  const read = valueAt(readBody(await shop.api('GET', `/orders/${textAt(order, 'id')}`, { token })), 'order');
  for (const field of ['tax', 'shipping_usd', 'total_usd_after']) {
    assert.deepEqual(valueAt(read, field), valueAt(order, field), field);
  }
});

test('[OPS-15] the accounting export has the sums of every order', async () => {
  await set('shipping', PAID_SHIPPING);
  const placed = new Map<string, unknown>();
  for (const [priceMode, billing] of [
    ['gross', GERMANY],
    ['net', GERMANY],
    ['net', { ...FRANCE, vatNumber: VAT_NUMBER }],
    ['gross', BILLING],
  ] as const) {
    await set('tax', { ...GERMAN_TAX, price_mode: priceMode });
    const order = await placeOrder(await createBuyer(), billing);
    placed.set(textAt(order, 'number'), order);
    readBody(await shop.api('POST', '/dev/pay', { body: { order_id: textAt(order, 'id') } }));
  }
  readBody(await shop.api('POST', '/dev/mine', { body: { blocks: 6 } }));
  const exported = textAt(readBody(await shop.api('GET', '/exports/books', { token: owner })), 'csv');
  const [head = [], ...lines] = exported
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const read = (line: readonly string[], column: string): string => line[head.indexOf(column)] ?? '';
  let found = 0;
  for (const line of lines) {
    const order = placed.get(read(line, 'order'));
    if (order === undefined) continue;
    found += 1;
    const total = cents(numberAt(order, 'total_usd_after'));
    const tax = valueAt(order, 'tax') === null ? 0 : cents(numberAt(order, 'tax', 'total_usd'));
    assert.equal(cents(Number(read(line, 'order_usd'))), total);
    assert.equal(cents(Number(read(line, 'tax_usd'))), tax);
    assert.equal(cents(Number(read(line, 'net_usd'))) + tax, total);
  }
  assert.equal(found, placed.size);
});

test('[OPS-15] every process shows new settings within a second', async () => {
  const second = await startSecondProcess(shop);
  try {
    await set('shipping', PAID_SHIPPING);
    await waitUntil(async () => {
      const response = await fetch(`${second.url}/api/shipping`);
      return valueAt(await response.json(), 'is_free_everywhere') === false;
    });
    const page = await (await fetch(`${second.url}/free-shipping`)).text();
    assert.match(page, /<h1[^>]*>Shipping</);
    assert.match(page, /\$4\.90/);
    assert.doesNotMatch(page, /Free worldwide shipping/);
  } finally {
    await second.stop();
  }
});
