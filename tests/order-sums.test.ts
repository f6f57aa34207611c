/**
 * Random orders over HTTP: the lines of an order add up to its total, its invoice and its rows of both
 * exports, to the cent.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { parse } from 'csv-parse/sync';
import type { InvoiceContent } from '#src/shop/invoices/invoice-content.ts';
import { CatalogueEditor } from './support/catalogue-editor.ts';
import { GERMAN_TAX, logInAs, PAID_SHIPPING, putSettings } from './support/charge-settings.ts';
import { isThorough } from './support/extent.ts';
import { VAT_NUMBERS } from './support/random-charges.ts';
import { numberAt, textAt, valueAt } from './support/read-json.ts';
import { SeededRandom } from './support/seeded-random.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer, runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

const POSTCODES: Readonly<Record<string, string>> = { DE: '10115', FR: '75001', GB: 'W8 4QG' };

const BUYERS = 8;
const ROUNDS = Number(process.env['ORDER_SUM_ROUNDS'] ?? (isThorough ? 25 : 10));
const PRICES = [0.01, 0.07, 19.99, 33.33, 107, 999.95];
const CLASSES = ['standard', 'reduced', 'super-reduced', 'zero'];
const CODES = ['', 'WELCOME10', 'SPRING15', 'MINUS50', 'EXTRA5', 'GIFT'];
const BASIS_POINTS = [0, 550, 700, 1900, 2000, 2555];

type Row = Readonly<Record<string, string>>;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const toCents = (usd: number | string | undefined): number => Math.round(Number(usd) * 100);

/** The same orders each time; another seed makes others. */
const seed = Number(process.env['ORDER_SUM_SEED'] ?? 20_091_031);
const random = new SeededRandom(seed);
let shop: TestShop;
let owner: string;
const products: string[] = [];
const buyers: string[] = [];
const orders = new Map<string, unknown>();

before(async () => {
  shop = await startTestShop();
  owner = await logInAs(shop, 'owner');
  const editor = await CatalogueEditor.open(shop);
  for (const [index, base_price_usd] of PRICES.entries()) {
    const tax_class = CLASSES[index % CLASSES.length] ?? '';
    const content = await editor.createContent({ base_price_usd, tax_class, weight_grams: 100 * (index + 1) });
    products.push((await editor.publish(content)).id);
  }
  for (let index = 0; index < BUYERS; index += 1) {
    buyers.push(await createStockBuyer(shop, `sums-${index}`, random.pick(products)));
  }
});
after(() => shop.stop());

async function changeSettings(): Promise<void> {
  const rates = ['DE', 'FR'].flatMap((country) =>
    CLASSES.slice(0, 3).map((tax_class) => ({ country, tax_class, basis_points: random.pick(BASIS_POINTS) })),
  );
  const price_mode = random.pick(['gross', 'net']);
  const tax = { ...GERMAN_TAX, price_mode, shipping_class: random.pick(CLASSES), rates };
  assert.equal((await putSettings(shop, 'tax', tax, owner)).status, 200);
  // At least a dollar: the network relays no smaller payment than the dust limit.
  const tiers = [{ from: 0, price_usd: (100 + random.pickBelow(3000)) / 100 }];
  const zones = PAID_SHIPPING.zones.map((zone) => ({ ...zone, tiers }));
  assert.equal((await putSettings(shop, 'shipping', { zones, excluded_countries: [] }, owner)).status, 200);
}

async function order(token: string): Promise<void> {
  for (let lines = 1 + random.pickBelow(4); lines > 0; lines -= 1) {
    const body = { product_id: random.pick(products), quantity: 1 + random.pickBelow(4) };
    assert.equal((await shop.api('POST', '/cart/add', { token, body })).status, 200);
  }
  const code = random.pick(CODES);
  // A code may be refused, such as one of $50 for a small cart.
  if (code !== '') await shop.api('POST', '/promocodes/apply', { token, body: { code } });
  const country = random.pick(['DE', 'FR', 'GB']);
  const vat = country !== 'GB' && random.isOneIn(4) ? { vatNumber: VAT_NUMBERS[country] } : {};
  const { body, status } = await shop.api('POST', '/cart/checkout', {
    token,
    body: { ...BILLING, country, postcode: POSTCODES[country], ...vat },
  });
  assert.equal(status, 201, JSON.stringify(body));
  orders.set(textAt(body, 'order', 'number'), valueAt(body, 'order'));
  const paid = await shop.api('POST', '/dev/pay', { body: { order_id: textAt(body, 'order', 'id') } });
  assert.equal(paid.status, 200, JSON.stringify(paid.body));
}

async function readExport(path: string): Promise<readonly Row[]> {
  const response = await fetch(`${shop.url}/api${path}`, { headers: { authorization: `Bearer ${owner}` } });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return parse(text.startsWith('{') ? textAt(JSON.parse(text), 'csv') : text, { columns: true });
}

/** Contents of the invoices by order number, once all are issued. */
async function readInvoices(): Promise<ReadonlyMap<string, InvoiceContent>> {
  return runWithShopDatabase(shop, async (db) => {
    const read = () => sql<{ content: InvoiceContent }>`select content from invoices`.execute(db);
    await waitUntil(async () => (await read()).rows.length >= orders.size);
    return new Map((await read()).rows.map(({ content }) => [content.orderNumber, content]));
  });
}

/** Total, tax and net of an order, whose parts add up in dollars and bitcoin. */
function readSums(made: unknown): readonly [total: number, tax: number, net: number] {
  const hasTax = valueAt(made, 'tax') !== null;
  for (const [unit, scale] of [
    ['usd', 100],
    ['btc', 1e8],
  ] as const) {
    const read = (...path: string[]): number => Math.round(numberAt(made, ...path) * scale);
    const change = hasTax ? read('tax', `added_${unit}`) - read('tax', `deducted_${unit}`) : 0;
    const parts = read(`total_price_${unit}`) - read(`discount_${unit}`) + read(`shipping_${unit}`) + change;
    assert.equal(parts, read(`total_${unit}_after`));
  }
  const total = toCents(numberAt(made, 'total_usd_after'));
  const tax = hasTax ? toCents(numberAt(made, 'tax', 'total_usd')) : 0;
  return [total, tax, total - tax];
}

test('[OPS-15] [OPS-16] lines, order, invoice and exports of random orders agree', async (t) => {
  t.diagnostic(`seed ${seed}`);
  for (let round = 0; round < ROUNDS; round += 1) {
    await changeSettings();
    for (const token of buyers) await order(token);
    assert.equal((await shop.api('POST', '/dev/mine', { body: { blocks: 6 } })).status, 200);
  }
  const [invoices, books, sales] = [
    await readInvoices(),
    await readExport('/exports/books'),
    await readExport('/exports/invoices'),
  ];
  assert.equal(orders.size, ROUNDS * BUYERS);
  for (const [number, made] of orders) {
    const sums = readSums(made);
    const invoice = invoices.get(number) ?? assert.fail(`${number} has no invoice`);
    const { grossCents, lines, netCents, rates, taxCents } = invoice;
    assert.deepEqual([grossCents, taxCents, netCents].map(Number), sums, number);
    for (const parts of [lines, ...(rates.length === 0 ? [] : [rates])]) {
      const add = (name: 'grossCents' | 'taxCents' | 'netCents'): number =>
        sum(parts.map((part) => Number(part[name])));
      assert.deepEqual([add('grossCents'), add('taxCents'), add('netCents')], sums, number);
    }
    const invoiced = sales.filter((row) => row['order'] === number);
    const add = (name: string): number => sum(invoiced.map((row) => toCents(row[name])));
    assert.deepEqual([add('gross_usd'), add('tax_usd'), add('net_usd')], sums, number);
    const [booked, ...others] = books.filter((row) => row['order'] === number);
    assert.equal(others.length, 0, 'one payment');
    assert.deepEqual(
      ['order_usd', 'tax_usd', 'net_usd'].map((name) => toCents(booked?.[name])),
      sums,
      number,
    );
    assert.equal(Number(booked?.['sats']), Math.round(numberAt(made, 'payment', 'amount_btc') * 1e8), number);
  }
});
