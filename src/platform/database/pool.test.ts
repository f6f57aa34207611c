import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../tests/support/database.ts';
import type { TestDatabase } from '../../../tests/support/database.ts';
import { DatabaseProxy } from '../../../tests/support/database-proxy.ts';
import { isDatabaseUnavailable, openDatabase, transact } from './database.ts';
import { readDatabaseUrl } from './database-url.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
let shared: TestDatabase;
const proxies: DatabaseProxy[] = [];
before(async () => {
  shared = await createTestDatabase();
});
after(async () => {
  for (const proxy of proxies) await proxy.close();
});

const openProxy = async (): Promise<DatabaseProxy> => {
  const proxy = await DatabaseProxy.open(shared.connection);
  proxies.push(proxy);
  return proxy;
};
const formatUrl = (...hosts: readonly DatabaseProxy[]): string => {
  const { user, password, database } = shared.connection;
  const list = hosts.map(({ connection }) => `${connection.host}:${connection.port}`).join(',');
  return `postgres://${user}:${encodeURIComponent(password)}@${list}/${database}`;
};
const catchError = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('[OPS-24] leaves a server that stops responding without closing connections', async (context) => {
  const [first, second] = [await openProxy(), await openProxy()];
  const database = openDatabase({ connection: readDatabaseUrl(formatUrl(first, second)), log, poolSize: 4 });
  context.after(() => database.close());
  await sql`select 1`.execute(database.db);
  // Either may be the first to respond.
  const [port] = database.pool.totalCount === 1 ? [await readPort(database)] : [];
  const used = first.connection.port === port ? first : second;
  used.stall();
  const stalledMs = performance.now();
  const errors = await Promise.all([1, 2].map(() => catchError(sql`select pg_sleep(0.01)`.execute(database.db))));
  assert.ok(
    errors.some((error) => isDatabaseUnavailable(error)),
    String(errors),
  );
  await sql`select 1`.execute(database.db);
  const lostMs = performance.now() - stalledMs;
  context.diagnostic(`works again after ${Math.round(lostMs)} ms`);
  assert.ok(lostMs < 10_000, `${lostMs} ms`);
});

async function readPort({ pool }: ReturnType<typeof openDatabase>): Promise<number> {
  const client = await pool.connect();
  client.release();
  return client.port;
}

test('[OPS-24] a long statement on a server that responds is not interrupted', async (context) => {
  const database = openDatabase({ connection: readDatabaseUrl(formatUrl(await openProxy())), log, poolSize: 1 });
  context.after(() => database.close());
  const { rows } = await sql`select pg_sleep(6)`.execute(database.db);
  assert.equal(rows.length, 1);
});

test('[OPS-24] replaces all connections at the first write that a standby refuses', async (context) => {
  const database = openDatabase({ connection: shared.connection, log, poolSize: 3 });
  context.after(() => database.close());
  const clients = await Promise.all([1, 2, 3].map(() => database.pool.connect()));
  for (const client of clients) {
    await client.query('set default_transaction_read_only = on');
    client.release();
  }
  const write = () => sql`create table written${sql.raw(String(Date.now()))} ()`.execute(database.db);
  const refused = await catchError(write());
  assert.ok(isDatabaseUnavailable(refused), String(refused));
  await Promise.all([1, 2, 3].map(() => sql`select txid_current(), pg_sleep(0.1)`.execute(database.db)));
  await write();
});

test('[OPS-24] repeats a transaction once if its connection is lost before the commit', async (context) => {
  const proxy = await openProxy();
  const database = openDatabase({ connection: readDatabaseUrl(formatUrl(proxy)), log, poolSize: 1 });
  context.after(() => database.close());
  let runs = 0;
  const work = (lostRuns: number) =>
    transact(database.db, async (tx) => {
      runs += 1;
      const end = runs <= lostRuns ? sql`select pg_terminate_backend(pg_backend_pid())` : sql`select 1`;
      await end.execute(tx);
      return runs;
    });
  assert.equal(await work(1), 2);
  runs = 0;
  assert.ok(isDatabaseUnavailable(await catchError(work(9))));
  assert.equal(runs, 2);
});
