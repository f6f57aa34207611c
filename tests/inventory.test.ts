/** Inventory: calls of staff and concurrent orders. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createOrder } from './support/new-order.ts';
import { keysAt, listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiRequest, ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer, runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let owner: string;
let staff: string;
before(async () => {
  shop = await startTestShop({ settings: { RATE_LIMITS: 'on', LOG_LEVEL: 'info' } });
  [owner, staff] = [await logInAs('owner'), await logInAs('staff')];
});
after(() => shop.stop());

async function logInAs(username: string): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } });
  return textAt(body, 'tokens', 'accessToken');
}
const readError = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const list = (query: string, token = staff) => shop.api('GET', `/inventory${query}`, { token });
const listNames = ({ body }: ApiResponse): string[] =>
  listAt(body, 'variants').map((one) => `${textAt(one, 'sku')} ${String(valueAt(one, 'available'))}`);

/** The first variant of a product of the demo. */
async function findVariant(
  slug: string,
): Promise<{ readonly id: string; readonly productId: string; readonly sku: string }> {
  const { rows } = await runWithShopDatabase(shop, (db) =>
    sql<{ id: string; productId: string; sku: string }>`
      select variant.id, product_id as "productId", sku from product_variants variant
      join products on products.id = product_id where slug = ${slug} order by variant.position limit 1
    `.execute(db),
  );
  return rows[0] ?? assert.fail(slug);
}
const put = (id: string, body: object, more: Partial<ApiRequest> = {}) =>
  shop.api('PUT', `/inventory/${id}`, { token: staff, body: { reason: 'counted', ...body }, ...more });
const adjust = (id: string, by: number, more: Partial<ApiRequest> = {}) =>
  shop.api('POST', `/inventory/${id}/adjustments`, { token: staff, body: { by, reason: 'received' }, ...more });
const listHistory = async (id: string): Promise<string[]> => {
  const { body } = await shop.api('GET', `/inventory/${id}/history`, { token: staff });
  return listAt(body, 'history').map((entry) =>
    [
      textAt(entry, 'reason'),
      valueAt(entry, 'available_before'),
      valueAt(entry, 'available_after'),
      valueAt(entry, 'by'),
      valueAt(entry, 'note'),
    ].join(' '),
  );
};

const saveSettings = (version: number) =>
  shop.api('PUT', '/low-stock', { token: staff, body: { threshold: 3, is_mailed: true, version } });

test('[OPS-10] a search of marks without letters finds nothing', async () => {
  for (const q of ['\u0301', '\u0e31', '\ufe0f']) {
    const found = await shop.api('GET', `/inventory?q=${encodeURIComponent(q)}`, { token: staff });
    assert.deepEqual([found.status, listAt(found.body, 'variants')], [200, []]);
  }
});

test('[OPS-10] owner and staff set and adjust stock; customers may not', async () => {
  const { id } = await findVariant('airtag');
  assert.deepEqual((await put(id, { of: 'on_hand', quantity: 8, seen: null, note: 'shelf 4' })).body, {
    available: 8,
    reserved: 0,
    committed: 0,
    on_hand: 8,
  });
  assert.equal(numberAt((await adjust(id, -3, { token: owner })).body, 'available'), 5);
  assert.deepEqual(await listHistory(id), ['received 8 5 owner ', 'counted  8 staff shelf 4']);
  const { token: customer } = await createOrder(shop, 'inventory-customer');
  for (const refused of [
    await list('', customer),
    await put(id, { of: 'on_hand', quantity: 1, seen: 5 }, { token: customer }),
    await adjust(id, 1, { token: customer }),
  ]) {
    assert.equal(readError(refused), '403 forbidden');
  }
});

test('[OPS-10] a stale number answers 409 with the present ones', async () => {
  const { id, productId } = await findVariant('airtag');
  const token = await createStockBuyer(shop, 'overtaking-buyer', productId);
  assert.equal((await shop.api('POST', '/cart/checkout', { token, body: BILLING })).status, 201);
  const stale = await put(id, { of: 'available', quantity: 20, seen: 5 });
  assert.equal(readError(stale), '409 changed-meanwhile');
  assert.match(textAt(stale.body, 'error', 'message'), /now 5 on hand, 4 available/);
  assert.equal(numberAt((await put(id, { of: 'available', quantity: 20, seen: 4 })).body, 'on_hand'), 21);
  assert.equal(readError(await adjust(id, -22)), '409 below-zero');
});

test('[OPS-10] a repeated adjustment with the same key counts once', async () => {
  const { id } = await findVariant('airtag');
  const headers = { 'idempotency-key': 'delivery-17' };
  const responses = await Promise.all(Array.from({ length: 8 }, () => adjust(id, 10, { headers })));
  assert.deepEqual(
    responses.map(({ status, body }) => [status, numberAt(body, 'available')]),
    responses.map(() => [200, 30]),
  );
  assert.equal(readError(await adjust(id, 1, { headers: { 'idempotency-key': 'x'.repeat(256) } })), '400 invalid');
});

test('[OPS-10] invalid changes name the field and store nothing', async () => {
  const { id } = await findVariant('airtag');
  const bodies: readonly [object, string][] = [
    [{ by: 0 }, 'by'],
    [{ by: 1.5 }, 'by'],
    [{ by: '1' }, 'by'],
    [{ by: 1_000_001 }, 'by'],
    [{ by: 1, reason: 'sold' }, 'reason'],
    [{ by: 1, note: 'x'.repeat(201) }, 'note'],
    [{ by: 1, note: '\u0000' }, 'note'],
    [{ by: 1, note: '\ud800' }, 'note'],
  ];
  const entries = (await listHistory(id)).length;
  for (const [body, field] of bodies) {
    const response = await shop.api('POST', `/inventory/${id}/adjustments`, {
      token: staff,
      body: { reason: 'received', ...body },
    });
    assert.equal(response.status, 400, JSON.stringify(body));
    assert.equal(typeof valueAt(response.body, 'error', 'fields', field), 'string');
  }
  assert.equal((await listHistory(id)).length, entries);
});

test('[OPS-10] tracking stops and starts by choice', async () => {
  const { id } = await findVariant('airtag');
  const stop = () => shop.api('POST', `/inventory/${id}/stop-tracking`, { token: staff, body: {} });
  assert.equal(valueAt((await stop()).body, 'available'), null);
  assert.equal(readError(await stop()), '409 not-tracked');
  assert.equal(readError(await adjust(id, 1)), '409 not-tracked');
  assert.equal(readError(await put(id, { of: 'on_hand', quantity: 3, seen: 30 })), '409 changed-meanwhile');
  // The open order from before keeps its unit.
  assert.equal(numberAt((await put(id, { of: 'on_hand', quantity: 3, seen: null })).body, 'available'), 2);
});

test('[OPS-10] lists variants by name, SKU and state', async () => {
  const { id, sku } = await findVariant('airtag');
  const other = await findVariant('magsafe-charger');
  await put(other.id, { of: 'on_hand', quantity: 1, seen: null });
  await adjust(other.id, -1);
  assert.deepEqual(
    listNames(await list('?q=airtag')).filter((line) => line.startsWith(sku)),
    [`${sku} 2`],
  );
  assert.ok(listNames(await list(`?q=${sku.toLowerCase()}`)).includes(`${sku} 2`));
  assert.deepEqual(listNames(await list('?show=sold_out')), [`${other.sku} 0`]);
  assert.deepEqual(listNames(await list('?show=low&sort=least_available')), [`${other.sku} 0`, `${sku} 2`]);
  assert.deepEqual(listNames(await list('?show=low&sort=most_available')), [`${sku} 2`, `${other.sku} 0`]);
  const threshold = (value: number | null) =>
    shop.api('PUT', `/inventory/${id}/threshold`, { token: staff, body: { threshold: value } });
  assert.equal((await threshold(1)).status, 200);
  assert.deepEqual(listNames(await list('?show=low')), [`${other.sku} 0`]);
  assert.equal((await threshold(null)).status, 200);
  assert.equal(listNames(await list('?show=low')).length, 2);
  assert.equal(numberAt((await list('?q=100%25_\\')).body, 'total'), 0);
  const untracked = await list('?show=untracked');
  assert.ok(numberAt(untracked.body, 'total') > 25 && listAt(untracked.body, 'variants').length === 25);
  assert.equal(listAt((await list('?page=100000')).body, 'variants').length, 0);
});

test('[OPS-10] a variant is listed as not tracked unless it has stock', async () => {
  const { id, sku } = await findVariant('magsafe-charger');
  const isListed = async (query: string): Promise<boolean> =>
    listNames(await list(`?show=untracked&q=${sku}${query}`)).includes(`${sku} null`);
  const listAll = async (): Promise<boolean[]> => {
    const sorts = ['name', 'sku', 'least_available', 'most_available'];
    return Promise.all([...sorts.map((sort) => isListed(`&sort=${sort}`)), isListed('')]);
  };
  assert.deepEqual(new Set(await listAll()), new Set([false]));
  assert.equal((await shop.api('POST', `/inventory/${id}/stop-tracking`, { token: staff, body: {} })).status, 200);
  assert.deepEqual(new Set(await listAll()), new Set([true]));
  for (const sort of ['least_available', 'most_available']) {
    assert.equal((await list(`?show=untracked&sort=${sort}`)).status, 200, sort);
  }
  await put(id, { of: 'on_hand', quantity: 0, seen: null });
  assert.deepEqual(new Set(await listAll()), new Set([false]));
  const { rows } = await runWithShopDatabase(shop, (db) =>
    sql`
      select coalesce(untracked.variant_id, variant.id) from product_variants variant
      left join variant_stock stock on stock.variant_id = variant.id
      full join untracked_variants untracked on untracked.variant_id = variant.id
      where variant.id is null or (untracked.variant_id is null) <> (stock.variant_id is not null)
    `.execute(db),
  );
  assert.deepEqual(rows, []);
});

test('[OPS-10] [OPS-02] a text of two characters finds the SKU that equals it', async () => {
  const { id, productId } = await findVariant('magsafe-charger');
  await runWithShopDatabase(shop, (db) => sql`update product_variants set sku = 'Q7' where id = ${id}`.execute(db));
  const findProducts = async (q: string): Promise<string[]> => {
    const { body } = await shop.api('GET', `/catalogue/products?q=${q}`, { token: staff });
    return listAt(body, 'products').map((product) => textAt(product, 'id'));
  };
  assert.equal(listNames(await list('?q=q7')).length, 1);
  assert.equal(
    listNames(await list('?q=q7')).some((name) => name.startsWith('Q7 ')),
    true,
  );
  assert.deepEqual(await findProducts('q7'), [productId]);
  assert.deepEqual(await findProducts('q'), []);
});

test('[OPS-10] a count below what orders promise is listed as short', async () => {
  const { id, sku, productId } = await findVariant('airtag');
  const token = await createStockBuyer(shop, 'short-buyer', productId);
  assert.equal(numberAt((await put(id, { of: 'on_hand', quantity: 0, seen: 3 })).body, 'available'), -1);
  assert.deepEqual(listNames(await list('?show=short')), [`${sku} -1`]);
  const { body } = await shop.api('GET', '/cart', { token });
  assert.equal(textAt(body, 'cart_items', 0, 'notices', 0, 'message'), 'Sold out');
  assert.equal((await shop.api('POST', '/cart/checkout', { token, body: BILLING })).status, 409);
});

test('[OPS-10] settings of low stock refuse an outdated form', async () => {
  const version = numberAt((await list('')).body, 'settings', 'version');
  const responses = await Promise.all([saveSettings(version), saveSettings(version)]);
  const sum = responses.reduce((total, { status }) => total + status, 0);
  assert.equal(sum, 200 + 409);
});

test('[OPS-10] a change of stock is a security event with its variant', async () => {
  const { id } = await findVariant('airtag');
  const requestId = (await adjust(id, 1)).headers.get('x-request-id') ?? '-';
  const findLine = (): string | undefined =>
    shop
      .readOutput()
      .split('\n')
      .find((line) => line.includes('"stock_changed"') && line.includes(requestId));
  await waitUntil(async () => findLine() !== undefined);
  assert.ok(findLine()?.includes(id));
});

test('[OPS-10] a count of several variants is saved whole or not at all', async () => {
  const [first, second] = [await findVariant('airpods-4'), await findVariant('homepod-mini')];
  const onHand = async ({ id }: { readonly id: string }) =>
    valueAt((await shop.api('GET', `/inventory/${id}`, { token: staff })).body, 'variant', 'on_hand');
  const count = (seen: readonly unknown[], quantities: readonly number[], key?: string) =>
    shop.api('PUT', '/inventory', {
      token: staff,
      body: {
        counts: [first, second].map(({ id }, at) => ({ variant_id: id, quantity: quantities[at], seen: seen[at] })),
        reason: 'counted',
        note: 'aisle 3',
      },
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    });
  const seen = [await onHand(first), await onHand(second)];
  assert.deepEqual(seen, [null, null], 'not tracked yet');
  const stale = await count([seen[0], 7], [30, 40]);
  assert.equal(readError(stale), '409 changed-meanwhile');
  assert.deepEqual(keysAt(stale.body, 'error', 'fields'), ['counts.1.quantity']);
  assert.deepEqual([await onHand(first), await onHand(second)], seen);
  const saved = await count(seen, [30, 40], 'count-1');
  assert.deepEqual(
    listAt(saved.body, 'variants').map((one) => [textAt(one, 'variant_id'), numberAt(one, 'on_hand')]),
    [
      [first.id, 30],
      [second.id, 40],
    ],
  );
  // The response was lost, and a unit was added before the request was repeated.
  await adjust(second.id, 1);
  assert.equal((await count(seen, [30, 40], 'count-1')).status, 200);
  assert.deepEqual([await onHand(first), await onHand(second)], [30, 41]);
  const twice = [first, first].map(({ id }) => ({ variant_id: id, quantity: 1, seen: 30 }));
  const doubled = await shop.api('PUT', '/inventory', { token: staff, body: { counts: twice, reason: 'counted' } });
  assert.equal(readError(doubled), '400 invalid');
  await shop.api('POST', `/inventory/${second.id}/stop-tracking`, { token: staff, body: {} });
});

/** On hand, and its own threshold. */
async function readNumbers({ id }: { readonly id: string }): Promise<readonly unknown[]> {
  const { body } = await shop.api('GET', `/inventory/${id}`, { token: staff });
  return [valueAt(body, 'variant', 'on_hand'), valueAt(body, 'variant', 'threshold')];
}
const saveNumbers = (thresholds: readonly unknown[], counts: readonly unknown[] = []) =>
  shop.api('PUT', '/inventory', { token: staff, body: { counts, thresholds, reason: 'counted' } });
const setThreshold = (id: string, threshold: number | null, seen: number | null) => ({
  variant_id: id,
  threshold,
  seen,
});

test('[OPS-10] counts and thresholds are saved together or not at all, and conflicts name their cells', async () => {
  const [first, second] = [await findVariant('airpods-4'), await findVariant('homepod-mini')];
  const [onHand] = await readNumbers(first);
  const counted = { variant_id: first.id, quantity: 77, seen: onHand };
  const stale = await saveNumbers([setThreshold(first.id, 9, null), setThreshold(second.id, 4, 8)], [counted]);
  assert.equal(readError(stale), '409 changed-meanwhile');
  assert.deepEqual(keysAt(stale.body, 'error', 'fields'), ['thresholds.1.threshold']);
  assert.deepEqual(await readNumbers(first), [onHand, null], 'nothing was saved');
  assert.equal((await saveNumbers([setThreshold(first.id, 9, null)], [counted])).status, 200);
  assert.deepEqual(await readNumbers(first), [77, 9]);
  // A repeated request finds its own number. Two at once: one wins.
  assert.equal((await saveNumbers([setThreshold(first.id, 9, null)])).status, 200);
  const both = await Promise.all([3, 4].map((wanted) => saveNumbers([setThreshold(second.id, wanted, null)])));
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409],
  );
  const [, present] = await readNumbers(second);
  assert.equal(
    (await saveNumbers([setThreshold(first.id, null, 9), setThreshold(second.id, null, Number(present))])).status,
    200,
  );
  assert.deepEqual([(await readNumbers(first))[1], (await readNumbers(second))[1]], [null, null]);
  const unknown = '00000000-0000-4000-8000-000000000000';
  assert.equal(
    readError(await saveNumbers([setThreshold(first.id, 1, null), setThreshold(unknown, 1, null)])),
    '404 not-found',
  );
  assert.deepEqual((await readNumbers(first))[1], null);
  for (const wrong of [
    [],
    [setThreshold(first.id, -1, null)],
    [setThreshold(first.id, 1, null), setThreshold(first.id, 2, null)],
  ]) {
    assert.equal(readError(await saveNumbers(wrong)), '400 invalid');
  }
});

test('[OPS-10] counts and orders of the same variants at once lose no unit', async () => {
  const variants = [await findVariant('airpods-4'), await findVariant('homepod-mini')];
  const [{ id: counted, productId } = assert.fail()] = variants;
  const stocked = numberAt(
    (await shop.api('GET', `/inventory/${counted}`, { token: staff })).body,
    'variant',
    'on_hand',
  );
  const buyers = await Promise.all(
    Array.from({ length: 4 }, (_, at) => createStockBuyer(shop, `counting-buyer-${at}`, productId)),
  );
  const body = (order: readonly { readonly id: string }[]) => ({
    counts: order.map(({ id }) => ({ variant_id: id, quantity: 500, seen: id === counted ? stocked : null })),
    reason: 'counted',
  });
  const counts = [variants, variants.toReversed()].map((order) =>
    shop.api('PUT', '/inventory', { token: staff, body: body(order) }),
  );
  const orders = buyers.map((token) => shop.api('POST', '/cart/checkout', { token, body: BILLING }));
  const statuses = (await Promise.all(counts)).map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 409],
    'one count wins, the other is based on old numbers',
  );
  for (const { status } of await Promise.all(orders)) assert.equal(status, 201);
  const { body: found } = await shop.api('GET', `/inventory/${counted}`, { token: staff });
  assert.equal(numberAt(found, 'variant', 'on_hand'), 500);
});
