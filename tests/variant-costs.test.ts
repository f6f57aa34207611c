/** What units cost the shop: who sees and changes it, what orders keep of it, and that no buyer gets it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import './support/built-pages.ts';
import type { ApiResponse } from './support/api-client.ts';
import { CatalogueEditor, logInAs, readErrorCode } from './support/catalogue-editor.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer, runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let staff: CatalogueEditor;
before(async () => {
  shop = await startTestShop();
  staff = await CatalogueEditor.open(shop);
});
after(() => shop.stop());

const MEMBERS = { support: 'costs-helper', shipping: 'costs-packer' } as const;
/** A cost that occurs nowhere else. */
const SECRET = 7331.73;
const SECRETS = /7[,.]?331[.,]73|733173|"cost|_cost/i;

interface Costs {
  readonly version: number;
  readonly ids: readonly string[];
  readonly costs: readonly (number | null)[];
}
function toCosts({ status, body }: ApiResponse): Costs {
  assert.equal(status, 200, JSON.stringify(body));
  const variants = listAt(body, 'variants');
  return {
    version: numberAt(body, 'version'),
    ids: variants.map((variant) => textAt(variant, 'id')),
    costs: variants.map((variant) => (valueAt(variant, 'cost_usd') === null ? null : numberAt(variant, 'cost_usd'))),
  };
}
const readCosts = async (id: string): Promise<Costs> => toCosts(await staff.call('GET', `/products/${id}/costs`));
const put = (id: string, body: object, token = staff.token): Promise<ApiResponse> =>
  shop.api('PUT', `/catalogue/products/${id}/costs`, { token, body });
async function setCost(id: string, cost: number | null): Promise<Costs> {
  const { version, ids } = await readCosts(id);
  return toCosts(await put(id, { version, costs: ids.map((variant) => ({ variant_id: variant, cost_usd: cost })) }));
}
async function publish() {
  const content = await staff.createContent({ base_price_usd: 9000 });
  return { ...(await staff.publish(content)), content };
}
async function createMember(role: 'support' | 'shipping'): Promise<string> {
  const username = MEMBERS[role];
  const account = { username, password: 'crypto-market' };
  await shop.api('POST', '/users/register', { body: { ...account, email: `${username}@costs.example` } });
  const changed = await shop.api('PUT', '/staff/role', {
    token: await logInAs(shop, 'owner'),
    body: { username, role },
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  return logInAs(shop, username);
}
const listLineCosts = (orderId: string): Promise<readonly string[]> =>
  runWithShopDatabase(shop, async (db) => {
    const { rows } = await sql<{ cost: string }>`
      select cost_cents::text as cost from order_line_costs where order_id = ${orderId} order by position`.execute(db);
    return rows.map(({ cost }) => cost);
  });
async function order(productId: string, username: string): Promise<{ readonly id: string; readonly token: string }> {
  const token = await createStockBuyer(shop, username, productId);
  const { status, body } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  assert.equal(status, 201, JSON.stringify(body));
  return { id: textAt(body, 'order', 'id'), token };
}

test('[OPS-05] managers and owners read and change costs, other roles neither', async () => {
  const { id } = await publish();
  assert.deepEqual((await readCosts(id)).costs, [null]);
  const { version, ids } = await setCost(id, 12.34);
  assert.equal(version, 1);
  const owner = await logInAs(shop, 'owner');
  const changed = toCosts(await put(id, { version, costs: [{ variant_id: ids[0], cost_usd: 0 }] }, owner));
  assert.deepEqual(changed, { version: 2, ids, costs: [0] });
  const path = `/catalogue/products/${id}/costs`;
  const others = [await createMember('support'), await createMember('shipping'), await logInAs(shop, 'alice')];
  for (const token of others) {
    assert.equal(readErrorCode(await shop.api('GET', path, { token })), '403 forbidden');
    const refused = await put(id, { version: 2, costs: [{ variant_id: ids[0], cost_usd: 1 }] }, token);
    assert.equal(readErrorCode(refused), '403 forbidden');
  }
  assert.equal((await shop.api('GET', path)).status, 401);
  assert.deepEqual(await readCosts(id), changed);
});

test('[OPS-05] saving a product keeps its costs', async () => {
  const { id, version, content } = await publish();
  const stored = await setCost(id, 12.34);
  const saved = await staff.save(id, { version, publish: true, content: { ...content, name: 'Renamed' } });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  assert.deepEqual(await readCosts(id), stored);
});

test('[OPS-05] only managers and owners get a CSV, which has costs', async () => {
  const { id, content } = await publish();
  await setCost(id, 12.34);
  const get = (token: string) =>
    fetch(`${shop.url}/api/exports/products?q=${content.article}`, { headers: { authorization: `Bearer ${token}` } });
  for (const username of ['owner', 'staff']) {
    const text = await (await get(await logInAs(shop, username))).text();
    assert.match(text, /,Cost per item,/, username);
    assert.match(text, /,12\.34,/, username);
  }
  for (const username of Object.values(MEMBERS))
    assert.equal((await get(await logInAs(shop, username))).status, 403, username);
});

test('[OPS-05] a change of an older version names who changed the costs', async () => {
  const { id } = await publish();
  const { ids } = await setCost(id, 5);
  const refused = await put(id, { version: 0, costs: [{ variant_id: ids[0], cost_usd: 6 }] });
  assert.equal(readErrorCode(refused), '409 changed-meanwhile');
  assert.equal(textAt(refused.body, 'error', 'conflict', 'by'), 'staff');
  assert.equal(textAt(refused.body, 'error', 'conflict', 'fields', 0, 'label'), 'Cost per item');
  assert.deepEqual((await readCosts(id)).costs, [5]);
  const results = await Promise.all(
    [7, 8].map((cost) => put(id, { version: 1, costs: [{ variant_id: ids[0], cost_usd: cost }] })),
  );
  assert.deepEqual(new Set(results.map(({ status }) => status)), new Set([200, 409]));
});

test('[OPS-05] costs are whole cents from 0 of variants of the product', async () => {
  const { id } = await publish();
  const [variant] = (await readCosts(id)).ids;
  for (const cost of [-0.01, 1.234, 10_000_000, '5', Number.MAX_SAFE_INTEGER]) {
    const refused = await put(id, { version: 0, costs: [{ variant_id: variant, cost_usd: cost }] });
    assert.equal(refused.status, 400, String(cost));
  }
  const twice = [1, 2].map((cost) => ({ variant_id: variant, cost_usd: cost }));
  for (const [costs, field] of [
    [[{ variant_id: v7(), cost_usd: 1 }], 'costs.0.variant_id'],
    [twice, 'costs.1.variant_id'],
  ] as const) {
    const refused = await put(id, { version: 0, costs });
    assert.equal(refused.status, 400);
    assert.match(textAt(refused.body, 'error', 'fields', field), /no variant of this product, or named twice/);
  }
  assert.deepEqual(await readCosts(id), { version: 0, ids: [variant], costs: [null] });
  await setCost(id, 9_999_999.99);
  assert.deepEqual((await setCost(id, null)).costs, [null]);
});

test('[OPS-05] an order keeps the cost of its day, whatever it becomes', async () => {
  const { id } = await publish();
  const first = await order(id, 'before-cost');
  assert.deepEqual(await listLineCosts(first.id), []);
  await setCost(id, SECRET);
  const placed = await order(id, 'with-cost');
  const lines = [{ product_id: id, property_value_ids: [], quantity: 2 }];
  const token = await logInAs(shop, 'staff');
  const preview = await shop.api('POST', '/support/orders/preview', { token, body: { lines, country: 'GB' } });
  const manual = await shop.api('POST', '/support/orders', {
    token,
    body: {
      email: 'costs@phone.example',
      name: 'Phone',
      lines,
      billing: BILLING,
      window: '24h',
      expected_total_usd: numberAt(preview.body, 'totalCartValue'),
    },
  });
  assert.equal(manual.status, 201, JSON.stringify(manual.body));
  await setCost(id, 1);
  assert.deepEqual(await listLineCosts(first.id), []);
  assert.deepEqual(await listLineCosts(placed.id), ['733173']);
  assert.deepEqual(await listLineCosts(textAt(manual.body, 'order_id')), ['733173']);
});

test('[OPS-05] no response, page, feed, mail or export of a buyer contains a cost', async () => {
  const { id, content } = await publish();
  await setCost(id, SECRET);
  const { id: orderId, token } = await order(id, 'curious');
  await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  const mails = async () => JSON.stringify((await shop.api('GET', '/dev/mail?to=curious%40stock.example')).body);
  await waitUntil(async () => (await mails()).includes('subject'));
  const user = textAt((await shop.api('GET', '/users/user', { token })).body, 'id');
  const members = { support: await logInAs(shop, MEMBERS.support), shipping: await logInAs(shop, MEMBERS.shipping) };
  const reads: readonly (readonly [path: string, token: string | undefined])[] = [
    [`/products/${content.slug}`, undefined],
    ['/products?limit=500', undefined],
    ['/search?q=cable', undefined],
    ['/cart', token],
    [`/orders/${orderId}`, token],
    [`/users/${user}/data`, token],
    [`/support/orders/${orderId}`, members.support],
    ['/support/orders', members.support],
    ['/inventory?q=cable', members.shipping],
  ];
  for (const [path, bearer] of reads) {
    const { status, body } = await shop.api('GET', path, bearer === undefined ? {} : { token: bearer });
    if (!path.startsWith('/search')) assert.equal(status, 200, path);
    assert.doesNotMatch(JSON.stringify(body), SECRETS, path);
  }
  for (const path of [`/catalog/product/${content.slug}`, `/catalog/${content.slug}`, '/products.xml', '/']) {
    assert.doesNotMatch(await (await fetch(shop.url + path)).text(), /7[,.]?331[.,]73|733173|cost_/i, path);
  }
  const { body: history } = await shop.api('POST', '/orders/history', { token });
  assert.doesNotMatch(JSON.stringify(history), SECRETS);
  assert.doesNotMatch(await mails(), /7[,.]?331[.,]73|733173/);
});
