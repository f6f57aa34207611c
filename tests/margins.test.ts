/** The margin of what was sold, and what the stock cost, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { CatalogueEditor, logInAs } from './support/catalogue-editor.ts';
import { GERMAN_TAX, PAID_SHIPPING, putSettings } from './support/charge-settings.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer, runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let staff: CatalogueEditor;
let owner: string;
before(async () => {
  shop = await startTestShop();
  staff = await CatalogueEditor.open(shop);
  owner = await logInAs(shop, 'owner');
});
after(() => shop.stop());

const read = async (path: string): Promise<unknown> => {
  const { status, body } = await shop.api('GET', path, { token: staff.token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

async function publish(price: number, cost: number | null): Promise<string> {
  const { id } = await staff.publish(await staff.createContent({ base_price_usd: price }));
  if (cost === null) return id;
  const variant = textAt((await staff.call('GET', `/products/${id}/costs`)).body, 'variants', 0, 'id');
  const body = { version: 0, costs: [{ variant_id: variant, cost_usd: cost }] };
  assert.equal((await staff.call('PUT', `/products/${id}/costs`, body)).status, 200);
  return id;
}

async function order(productId: string, username: string, billing: object = BILLING): Promise<string> {
  const token = await createStockBuyer(shop, username, productId);
  const { status, body } = await shop.api('POST', '/cart/checkout', { token, body: billing });
  assert.equal(status, 201, JSON.stringify(body));
  return textAt(body, 'order', 'id');
}

async function pay(orderId: string): Promise<void> {
  await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  await waitUntil(async () => textAt(await read(`/support/orders/${orderId}`), 'order', 'payment_status') === 'paid');
}

const setStock = async (product: string, quantity: number): Promise<void> => {
  const variant = textAt((await staff.call('GET', `/products/${product}/costs`)).body, 'variants', 0, 'id');
  const changed = await shop.api('PUT', `/inventory/${variant}`, {
    token: staff.token,
    body: { of: 'on_hand', quantity, seen: null, reason: 'counted' },
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
};

const readGroups = (group = 'product'): Promise<unknown> => read(`/support/sales/groups?period=7d&group=${group}`);
const findGroup = (found: unknown, key: string): unknown =>
  listAt(found, 'groups').find((one) => valueAt(one, 'key') === key);

test('[OPS-05] a margin is goods without tax and delivery, less the cost of their day', async () => {
  await putSettings(shop, 'tax', GERMAN_TAX, owner);
  await putSettings(shop, 'shipping', PAID_SHIPPING, owner);
  const [costed, dear, unknown] = [await publish(119, 60), await publish(50, 50.01), await publish(80, null)];
  for (const [index, product] of [costed, dear, unknown].entries())
    await pay(await order(product, `margin-${index}`, { ...BILLING, country: 'DE', postcode: '10115' }));
  // What is sold later costs more, which changes nothing of the past.
  const { body } = await staff.call('GET', `/products/${costed}/costs`);
  const raised = [{ variant_id: textAt(body, 'variants', 0, 'id'), cost_usd: 99 }];
  assert.equal((await staff.call('PUT', `/products/${costed}/costs`, { version: 1, costs: raised })).status, 200);

  const found = await readGroups();
  // Prices contain 19 % tax.
  assert.deepEqual(valueAt(findGroup(found, costed), 'margin'), {
    units: 1,
    goods_usd: 100,
    cost_usd: 60,
    margin_usd: 40,
  });
  assert.equal(numberAt(findGroup(found, dear), 'margin', 'goods_usd'), 42.02);
  assert.equal(numberAt(findGroup(found, dear), 'margin', 'margin_usd'), -7.99);
  assert.equal(valueAt(findGroup(found, unknown), 'margin'), null);
  assert.equal(numberAt(found, 'units'), 3);
  assert.deepEqual(valueAt(found, 'margin'), { units: 2, goods_usd: 142.02, cost_usd: 110.01, margin_usd: 32.01 });
  assert.deepEqual(valueAt(await readGroups('category'), 'margin'), valueAt(found, 'margin'));
  for (const group of ['country', 'promotion']) {
    const other = await readGroups(group);
    assert.deepEqual([valueAt(other, 'units'), valueAt(other, 'margin')], [null, null], group);
  }
  const csv = await fetch(`${shop.url}/api/exports/sales?period=7d&group=product`, {
    headers: { authorization: `Bearer ${staff.token}` },
  });
  const lines = (await csv.text()).split('\r\n');
  assert.match(lines[0] ?? '', /,units_with_cost,goods_without_tax_usd,cost_usd,margin_usd$/);
  assert.match(lines.find((line) => line.includes(dear)) ?? '', /,1,42\.02,50\.01,-7\.99$/);
  assert.match(lines.find((line) => line.includes(unknown)) ?? '', /,,,,$/);
});

test('[OPS-05] what staff waived lowers a margin by its share', async () => {
  await putSettings(shop, 'tax', { ...GERMAN_TAX, rates: [], has_reverse_charge: false }, owner);
  const product = await publish(90, 30);
  const id = await order(product, 'waived');
  await pay(id);
  await runWithShopDatabase(shop, (db) =>
    sql`update orders set settled_sats = div(due_sats, 3) where id = ${id}`.execute(db),
  );
  const goods = numberAt(findGroup(await readGroups(), product), 'margin', 'goods_usd');
  assert.ok(Math.abs(goods - 30) <= 0.02, String(goods));
});

test('[OPS-05] an API key reads sales without margins', async () => {
  const created = await shop.api('POST', '/api-keys', {
    token: owner,
    body: { name: 'figures', scopes: ['reports:read'], expires_in_days: 30, password: 'crypto-market' },
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const key = textAt(created.body, 'key');
  const { body } = await shop.api('GET', '/support/sales/groups?period=7d&group=product', { token: key });
  assert.ok(listAt(body, 'groups').length > 0);
  assert.ok(listAt(body, 'groups').every((one) => valueAt(one, 'margin') === null));
  assert.equal(valueAt(body, 'margin'), null);
  assert.equal((await shop.api('GET', '/support/stock-value', { token: key })).status, 403);
});

test('[OPS-05] the stock has the cost of its units on hand, reserved ones included', async () => {
  const earlier = await read('/support/stock-value');
  const [costed, unknown] = [await publish(100, 12.34), await publish(100, null)];
  await setStock(costed, 7);
  await setStock(unknown, 2);
  await order(costed, 'reserver');
  const now = await read('/support/stock-value');
  const difference = (name: string): number =>
    (Math.round(numberAt(now, name) * 100) - Math.round(numberAt(earlier, name) * 100)) / 100;
  assert.deepEqual(
    ['value_usd', 'units', 'variants', 'unknown_units', 'unknown_variants'].map(difference),
    [86.38, 7, 1, 2, 1],
  );
});
