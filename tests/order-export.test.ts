/** Orders as CSV, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { createOrder } from './support/new-order.ts';
import type { NewOrder } from './support/new-order.ts';
import { numberAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { BILLING } from './support/stress-buyer.ts';
import { signIn } from './support/support-fixtures.ts';

let shop: TestShop;
let owner: string;
let order: NewOrder;
before(async () => {
  shop = await startTestShop();
  owner = textAt((await signIn(shop, 'owner')).body, 'tokens', 'accessToken');
  order = await createOrder(shop, 'exported', { ...BILLING, firstName: '=1+1', lastName: 'Łukasz; "Ada"' }, 2);
  await shop.api('POST', '/dev/pay', { body: { order_id: order.id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
});
after(() => shop.stop());

const download = (query: string, token = owner) =>
  fetch(`${shop.url}/api/exports/orders${query}`, { headers: { authorization: `Bearer ${token}` } });
async function readRows(query: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const response = await download(query);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const [head = [], ...rows]: string[][] = parse(text);
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])));
}

test('[OPS-03] exports a row for each order, with amounts and safe cells', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const rows = await readRows(`?from=${today}&to=${today}`);
  const row = rows.find((one) => one['order'] === order.number);
  assert.ok(row);
  const { body } = await shop.api('GET', `/orders/${order.id}`, { token: order.token });
  assert.equal(row['ordered_on'], today);
  assert.equal(row['payment_status'], 'paid');
  assert.equal(row['first_name'], "'=1+1");
  assert.equal(row['last_name'], 'Łukasz; "Ada"');
  assert.equal(row['units'], '2');
  assert.match(row['items'] ?? '', /^2 × \S.* \([\w-]+\)$/);
  assert.equal(Number(row['total_with_tax_and_shipping_usd']), numberAt(body, 'order', 'total_usd_after'));
  assert.equal(Number(row['total_with_tax_and_shipping_btc']), numberAt(body, 'order', 'payment', 'amount_btc'));
  assert.match(row['total_with_tax_and_shipping_btc'] ?? '', /^\d+\.\d{8}$/);
  assert.deepEqual(await readRows('?to=2020-01-01'), []);
  assert.ok((await readRows('?status=paid&country=GB')).length >= 1);
  assert.deepEqual(await readRows('?status=paid&country=AQ'), []);
});

test('[OPS-03] has a name of its own, for managers and owners only', async () => {
  const response = await download('?from=2026-11-01&to=2026-11-30');
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="orders-2026-11.csv"');
  await response.text();
  assert.equal((await download('', order.token)).status, 403);
  assert.equal((await download('?from=yesterday')).status, 400);
});
