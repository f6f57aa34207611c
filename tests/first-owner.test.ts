/** The link that creates the first owner of a live shop, printed by `npm start`. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import './support/built-pages.ts';
import type { ApiResponse } from './support/api-client.ts';
import { fetchPage } from './support/fetch-page.ts';
import { startLiveShop } from './support/live-shop.ts';
import type { LiveShop } from './support/live-shop.ts';
import { textAt } from './support/read-json.ts';
import { findFreePort, startShopProcess } from './support/shop-process.ts';
import type { ShopProcess } from './support/shop-process.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

const PASSWORD = 'crypto-market';

let live: LiveShop;
before(async () => {
  live = await startLiveShop();
});
after(() => live.stop());
beforeEach(() =>
  runWithShopDatabase(live.shop, async (db) => {
    await sql`update users set role = 'customer'`.execute(db);
    await sql`delete from first_owner_link`.execute(db);
  }),
);

const LINK = /^(\S+)\/first-owner\/([\w-]{43})$/gm;
const listLinks = ({ readOutput }: Pick<ShopProcess, 'readOutput'>): string[] =>
  [...readOutput().matchAll(LINK)].map(([, url, token = '']) => {
    assert.equal(url, live.shop.url, 'the link starts with PUBLIC_URL');
    return token;
  });

/** Starts a further process on the database of the shop, which prints everything that it logs. */
const startBeside = async (): Promise<ShopProcess> =>
  startShopProcess(live.shop.dataDir, {
    ...live.settings,
    ...live.shop.place,
    LOG_LEVEL: 'debug',
    PORT: String(await findFreePort()),
  });

async function printLink(): Promise<string> {
  const started = await startBeside();
  // The last line of the start follows the link.
  await waitUntil(() => started.readOutput().includes('It works once'));
  const [token = '', ...more] = listLinks(started);
  assert.deepEqual(more, []);
  // Opened, and sent with a body that is refused: neither is logged.
  const page = await fetchPage(`${started.url}/first-owner/${token}`);
  assert.deepEqual([page.status, page.headers.get('referrer-policy')], [200, 'strict-origin']);
  const form = { method: 'POST', body: new URLSearchParams({ username: '', email: '', password: '' }) };
  assert.equal((await fetchPage(`${started.url}/first-owner/${token}`, form)).status, 400);
  await started.stop();
  assert.equal(started.readOutput().split(token).length, 2, 'the log does not contain it');
  return token;
}

const read = async (token: string): Promise<number> =>
  (await live.shop.api('POST', '/first-owner/read', { body: { token } })).status;
const register = (token: string, username: string, password = PASSWORD): Promise<ApiResponse> =>
  live.shop.api('POST', '/first-owner/register', {
    body: { token, username, email: `${username}@first.example`, password },
  });
const readError = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;

async function listOwners(): Promise<string[]> {
  const { rows } = await runWithShopDatabase(live.shop, (db) =>
    sql<{ username: string }>`select username from users where role = 'owner' order by username`.execute(db),
  );
  return rows.map(({ username }) => username);
}

test('[OPS-01] the link of a start creates the first owner once', async () => {
  const token = await printLink();
  assert.equal(await read(token), 200);
  assert.equal((await register(token, 'short', 'eleven-char')).status, 400);
  const page = await fetchPage(`${live.shop.url}/first-owner/${token}`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /Create the owner account/);
  const created = await Promise.all(['ada', 'bert', 'carl'].map((name) => register(token, name)));
  assert.deepEqual(
    created.map(({ status }) => status).toSorted((one, other) => one - other),
    [201, 404, 404],
  );
  const owners = await listOwners();
  assert.equal(owners.length, 1);
  const [username = ''] = owners;
  assert.equal(await read(token), 404);
  assert.equal(readError(await register(token, 'late')), '404 not-found');
  assert.equal((await fetchPage(`${live.shop.url}/first-owner/${token}`)).status, 404);
  const signedIn = await live.shop.api('POST', '/users/login', { body: { username, password: PASSWORD } });
  assert.equal(textAt(signedIn.body, 'user', 'role'), 'owner');
  const { rows } = await runWithShopDatabase(live.shop, (db) =>
    sql<{ action: string; accounts: number }>`
      select action, (select count(*)::int from users where username in ('ada', 'bert', 'carl')) as accounts
      from audit_entries where subject_id = (select id::text from users where username = ${username})
    `.execute(db),
  );
  assert.deepEqual(rows, [{ action: 'account.first-owner-created', accounts: 1 }]);
});

test('[OPS-01] of two starts at once one link is valid', async () => {
  const started = await Promise.all([startBeside(), startBeside()]);
  await waitUntil(() => started.every((one) => one.readOutput().includes('It works once')));
  await Promise.all(started.map((one) => one.stop()));
  const tokens = started.flatMap(listLinks);
  assert.equal(new Set(tokens).size, 2);
  assert.deepEqual(
    (await Promise.all(tokens.map(read))).toSorted((one, other) => one - other),
    [200, 404],
  );
  const next = await printLink();
  assert.deepEqual(await Promise.all([...tokens, next].map(read)), [404, 404, 200]);
});

test('[OPS-01] a link expires after 24 hours, and is stored as a hash', async () => {
  const token = await printLink();
  const { rows } = await runWithShopDatabase(live.shop, (db) =>
    sql<{ row: string; hours: number }>`
      select first_owner_link::text as row, round(extract(epoch from expires_at - now()) / 3600)::int as hours
      from first_owner_link
    `.execute(db),
  );
  assert.deepEqual([rows[0]?.row.includes(token), rows[0]?.hours], [false, 24]);
  await runWithShopDatabase(live.shop, (db) => sql`update first_owner_link set expires_at = now()`.execute(db));
  assert.equal(await read(token), 404);
  assert.equal(readError(await register(token, 'expired')), '404 not-found');
  assert.equal(readError(await register('wrong', 'wrong')), '404 not-found');
  assert.deepEqual(await listOwners(), []);
});

test('[OPS-01] a link ends with an owner, and a shop with one prints none', async () => {
  const token = await printLink();
  const body = { username: 'owned', email: 'owned@first.example', password: PASSWORD };
  assert.equal((await live.shop.api('POST', '/users/register', { body })).status, 201);
  await runWithShopDatabase(live.shop, (db) =>
    sql`update users set role = 'owner' where username = 'owned'`.execute(db),
  );
  assert.equal(await read(token), 404);
  assert.equal(readError(await register(token, 'second')), '404 not-found');
  const started = await startBeside();
  await waitUntil(() => started.readOutput().includes('Data: '));
  await started.stop();
  assert.deepEqual(listLinks(started), []);
});
