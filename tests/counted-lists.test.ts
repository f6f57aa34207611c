/** Lists of the back office with more matches than they count, their searches, and exports without a client. */
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import './support/built-pages.ts';
import { fillBackOffice } from './support/fill-back-office.ts';
import { fillOrders } from './support/fill-orders.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

/** Two for each buyer and ticket; more than 10,000 tickets are closed. */
const ORDERS = 20_400;
const MAX_COUNTED = 10_000;

let shop: TestShop;
let token: string;
let cookie: string;
before(async () => {
  shop = await startTestShop();
  await runWithShopDatabase(shop, async (db) => {
    await fillOrders(db, ORDERS);
    await fillBackOffice(db);
  });
  const login = await shop.api('POST', '/users/login', {
    headers: { 'sec-fetch-site': 'same-origin' },
    body: { username: 'owner', password: 'crypto-market' },
  });
  token = textAt(login.body, 'tokens', 'accessToken');
  cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
});
after(() => shop.stop());

async function read(path: string): Promise<unknown> {
  const { status, body } = await shop.api('GET', path, { token, cookie });
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
  return body;
}

/** @param rows name of the rows in the response */
async function checkCounted(path: string, rows: string, filters: { readonly many: string; readonly few: string }) {
  const all = await read(path);
  assert.ok(numberAt(all, 'total') > MAX_COUNTED, 'all are counted without a filter');
  assert.equal(valueAt(all, 'has_more'), false);
  const lastOfAll = await read(`${path}?page=${Math.ceil(numberAt(all, 'total') / 25)}`);
  assert.ok(listAt(lastOfAll, rows).length > 0, 'all are listed without a filter');
  const many = await read(`${path}?${filters.many}`);
  assert.deepEqual([numberAt(many, 'total'), valueAt(many, 'has_more')], [MAX_COUNTED, true]);
  assert.equal(listAt(await read(`${path}?${filters.many}&page=400`), rows).length, 25);
  const beyond = await read(`${path}?${filters.many}&page=401`);
  assert.deepEqual([listAt(beyond, rows).length, numberAt(beyond, 'total')], [0, MAX_COUNTED]);
  const few = await read(`${path}?${filters.few}`);
  assert.ok(numberAt(few, 'total') > 0 && numberAt(few, 'total') < MAX_COUNTED);
  assert.equal(valueAt(few, 'has_more'), false);
}

test('[OPS-03] a filtered list of orders ends after 10,000', async () => {
  await checkCounted('/support/orders', 'orders', { many: 'status=paid', few: 'status=expired' });
  await checkCounted('/support/orders', 'orders', { many: 'q=made', few: 'q=ximenes' });
});

test('[OPS-04] a filtered list of tickets or messages ends after 10,000', async () => {
  await checkCounted('/support/tickets', 'tickets', { many: 'status=closed', few: 'status=open' });
  await checkCounted('/support/tickets', 'tickets', { many: 'q=parcel&sort=waiting', few: 'q=case777' });
  await checkCounted('/support/contact-messages', 'messages', { many: 'state=not-spam', few: 'state=spam' });
});

test('[OPS-14] [OPS-16] a filtered list of customers or invoices ends after 10,000', async () => {
  for (const sort of ['newest', 'oldest', 'name']) {
    await checkCounted('/support/customers', 'customers', { many: `q=made&sort=${sort}`, few: `q=r-777&sort=${sort}` });
  }
  await checkCounted('/support/customers', 'customers', { many: 'show=with-orders', few: 'q=made-4711@' });
  await checkCounted('/support/invoices', 'invoices', { many: 'kind=invoice', few: 'kind=credit_note' });
});

test('[OPS-06] a filtered list of audit entries ends after 10,000', async () => {
  await checkCounted('/support/audit', 'entries', { many: 'q=parcel', few: 'kind=promotion' });
});

test('[OPS-03] [OPS-04] pages show 10,000+ and that further matches are not listed', async () => {
  for (const path of [
    '/admin/orders?status=paid',
    '/admin/tickets?show=closed',
    '/admin/messages?state=not-spam',
    '/admin/customers?show=with-orders',
    '/admin/invoices?kind=invoice',
  ]) {
    const response = await fetch(`${shop.url}${path}`, { headers: { cookie, connection: 'close' } });
    const html = (await response.text()).replaceAll('<!-- -->', '');
    assert.match(html, />10,000\+</, path);
    assert.match(html, /Only the first 10,000 are listed/, path);
  }
});

test('[OPS-30] orders sorted by total or time keep their order on every page', async () => {
  const sortings = [
    ['highest', 'total_usd', -1],
    ['lowest', 'total_usd', 1],
    ['oldest', 'created_at', 1],
  ] as const;
  for (const [sort, key, direction] of sortings)
    for (const filter of ['', '&status=paid', '&q=made', '&queue=to-ship']) {
      const pages = await Promise.all(
        [1, 2, 3].map((page) => read(`/support/orders?sort=${sort}${filter}&page=${page}`)),
      );
      const orders = pages.flatMap((found) => listAt(found, 'orders'));
      assert.equal(new Set(orders.map((one) => textAt(one, 'id'))).size, 75, `${sort}${filter}: each is listed once`);
      const values = orders.map((one) => (key === 'created_at' ? Date.parse(textAt(one, key)) : numberAt(one, key)));
      assert.deepEqual(
        values,
        values.toSorted((a, b) => (a - b) * direction),
        `${sort}${filter}`,
      );
    }
});

/** The first three pages. */
async function listTickets(query: string): Promise<unknown[]> {
  const pages = await Promise.all([1, 2, 3].map((page) => read(`/support/tickets?${query}&page=${page}`)));
  return pages.flatMap((found) => listAt(found, 'tickets'));
}

test('[OPS-04] tickets keep their order on every page', async () => {
  const waits = (await listTickets('sort=waiting')).map((one) => valueAt(one, 'waiting_since'));
  const waiting = waits.filter((since) => since !== null);
  assert.ok(waiting.length > 25 && waiting.length <= waits.length);
  assert.deepEqual(waits.slice(0, waiting.length), waiting.map(String).toSorted(), 'the longest waiting first');
  const newest = (await listTickets('status=closed')).map((one) => textAt(one, 'last_message_at'));
  assert.deepEqual(newest, newest.toSorted().toReversed());
});

const countMessages = async (q: string): Promise<number> =>
  numberAt(await read(`/support/contact-messages?${new URLSearchParams({ q }).toString()}`), 'total');

test('[OPS-04] messages are found by beginnings of all words', async () => {
  const batteries = await countMessages('battery');
  assert.ok(batteries > 1_000 && batteries < ORDERS / 5);
  assert.equal(await countMessages('BATT'), batteries);
  assert.equal(await countMessages('attery'), 0, 'not the middle of a word');
  assert.equal(await countMessages('battery parcel'), batteries);
  assert.equal(await countMessages('battery typewriter'), 0);
  assert.equal(await countMessages('writer-20377@letters.example'), 1);
  assert.equal(await countMessages('%_'), 0);
});

const LOCK_TIMEOUT_MS = 5_000;
/** Statements of the shop that wait for a lock. */
async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where application_name = 'crypto-market' and wait_event_type = 'Lock' and query like '%sale_lines%'`.execute(db);
  return rows[0]?.count ?? 0;
}

test('[OPS-05] the statement of an export ends when its client leaves', async () => {
  await runWithShopDatabase(shop, (db) =>
    runWithShopDatabase(shop, (observer) =>
      db.transaction().execute(async (tx) => {
        await sql`lock table sale_lines in access exclusive mode`.execute(tx);
        const url = `${shop.url}/api/exports/sales?period=12m&group=product`;
        const request = get(url, { headers: { authorization: `Bearer ${token}`, cookie }, agent: false });
        request.on('error', () => {});
        await waitUntil(async () => (await countWaiting(observer)) === 1);
        const leftAt = performance.now();
        request.destroy();
        await waitUntil(async () => (await countWaiting(observer)) === 0);
        assert.ok(performance.now() - leftAt < LOCK_TIMEOUT_MS / 2, 'it ended before the lock timeout');
      }),
    ),
  );
  assert.ok(listAt(await read('/support/sales/groups?period=12m&group=product'), 'groups').length > 0);
});
