/** A shop on a primary with a streaming standby: it follows switchovers and failovers by itself. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import './support/built-pages.ts';
import { LiveClient } from './support/live-client.ts';
import { textAt } from './support/read-json.ts';
import { assertRefused, startUntilEnd } from './support/operator.ts';
import { startReplicatedPostgres } from './support/replicated-postgres.ts';
import type { ReplicatedServer } from './support/replicated-postgres.ts';
import { createApiClient } from './support/api-client.ts';
import type { ApiResponse } from './support/api-client.ts';
import { startShopProcess } from './support/shop-process.ts';
import type { ShopProcess } from './support/shop-process.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { makeTemporaryDirectory } from './support/template.ts';
import { waitUntil } from './support/wait-until.ts';

const ORDERS_AGAIN_WITHIN_MS = 10_000;
const BUYERS = 3;
const dataDir = makeTemporaryDirectory();
/** Orders are in the first one. */
let servers: readonly [ReplicatedServer, ReplicatedServer];
let shop: ShopProcess;
let api: ReturnType<typeof createApiClient>;
let product: string;
/** A live channel that was opened before the failover. */
let follower: { readonly client: LiveClient; readonly token: string } | null = null;

before(async () => {
  servers = await startReplicatedPostgres();
  const [primary, standby] = servers;
  await primary.waitForStandby();
  // The first host is the standby.
  const DATABASE_URL = `postgres://${primary.login}@${standby.host},${primary.host}/crypto_market?target_session_attrs=read-write`;
  shop = await startShopProcess(dataDir, { DATABASE_URL });
  api = createApiClient(shop.url);
  product = textAt((await api('GET', '/products?limit=1')).body, 0, 'id');
});
after(async () => {
  follower?.client.close();
  await shop?.kill9();
  for (const server of servers ?? []) server.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

const readStatus = async (path: string): Promise<number> => {
  const response = await fetch(`${shop.url}${path}`);
  await response.arrayBuffer();
  return response.status;
};

/** Buyers who repeat each checkout with the same key until it succeeds, as a client does after a 503. */
class Buyers {
  readonly orderIds = new Map<string, string>();
  /** Number of responses with 503. */
  refusals = 0;
  readonly #tokens: string[] = [];
  #isStopped = false;
  #running: Promise<unknown> = Promise.resolve();
  /** When each order was acknowledged. */
  readonly acknowledgedMs: number[] = [];

  async start(): Promise<void> {
    for (let index = 0; index < BUYERS; index += 1) {
      this.#tokens.push(await createStockBuyer({ api }, `failover${Date.now()}${index}`, product));
    }
    this.#running = Promise.all(this.#tokens.map((token, index) => this.#buy(token, index)));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #buy(token: string, index: number): Promise<void> {
    for (let round = 0; !this.#isStopped; round += 1) {
      const key = `${index}-${round}-${Date.now()}`;
      const headers = { 'idempotency-key': key };
      const { body } = await this.#repeat([201], () =>
        api('POST', '/cart/checkout', { token, body: BILLING, headers }),
      );
      const id = textAt(body, 'order', 'id');
      this.orderIds.set(key, id);
      this.acknowledgedMs.push(performance.now());
      // 409: the response to the first attempt was lost.
      await this.#repeat([200, 409], () => api('POST', `/orders/${id}/cancel`, { token, body: {} }));
      const line = { product_id: product, quantity: 1 };
      await this.#repeat([200], () => api('POST', '/cart/add', { token, body: line }));
    }
  }

  async #repeat(expected: readonly number[], call: () => Promise<ApiResponse>): Promise<ApiResponse> {
    for (;;) {
      const response = await call();
      if (expected.includes(response.status)) return response;
      assert.equal(response.status, 503, JSON.stringify(response.body));
      assert.ok(Number(response.headers.get('retry-after')) > 0, 'Retry-After');
      assert.equal(textAt(response.body, 'error', 'code'), 'unavailable');
      this.refusals += 1;
      // Sooner than Retry-After says, to see more of the gap.
      await sleep(100);
    }
  }
}

async function listNewOrders(server: ReplicatedServer, since: string): Promise<string[]> {
  const rows = await server.query<{ id: string }>(`select id from orders where created_at > '${since}' order by id`);
  return rows.map(({ id }) => id);
}

const readNow = async (server: ReplicatedServer): Promise<string> =>
  (await server.query<{ now: string }>('select clock_timestamp()::text as now'))[0]?.now ?? '';

/** Runs `change` while buyers order. @returns how long no order was acknowledged, in ms */
async function orderDuring(from: ReplicatedServer, to: ReplicatedServer, change: () => Promise<void>): Promise<number> {
  const since = await readNow(from);
  const buyers = new Buyers();
  await buyers.start();
  await waitUntil(() => buyers.orderIds.size >= BUYERS * 2);
  await change();
  const changedMs = performance.now();
  const isLater = (atMs: number): boolean => atMs > changedMs;
  await waitUntil(() => buyers.acknowledgedMs.filter(isLater).length >= BUYERS * 2);
  await buyers.stop();
  const orders = await listNewOrders(to, since);
  assert.deepEqual([...buyers.orderIds.values()].toSorted(), orders, 'each order once');
  return (buyers.acknowledgedMs.find(isLater) ?? Infinity) - changedMs;
}

const listConnections = (server: ReplicatedServer): Promise<unknown[]> =>
  server.query(`select from pg_stat_activity where application_name like 'crypto-market%'`);

test('[OPS-24] uses the primary although the first host is a standby', async () => {
  const [primary, standby] = servers;
  const onlyStandby = `postgres://${standby.login}@${standby.host}/crypto_market?target_session_attrs=primary`;
  assertRefused(await startUntilEnd({ DATABASE_URL: onlyStandby }), /^DATABASE_URL: no server accepts writes/);
  assert.equal((await listConnections(standby)).length, 0);
  assert.ok((await listConnections(primary)).length > 0);
});

test('[OPS-24] follows a switchover after which the old primary is a standby', async (context) => {
  const [first, second] = servers;
  assert.equal(await readStatus('/'), 200);
  const gapMs = await orderDuring(first, second, async () => {
    await first.stop();
    assert.equal(await readStatus('/'), 200, 'from cache');
    assert.equal(await readStatus('/healthz'), 200);
    await waitUntil(async () => (await readStatus('/readyz')) === 503);
    await second.promote();
    await first.start(second);
  });
  context.diagnostic(`orders again ${Math.round(gapMs)} ms after the promotion`);
  assert.ok(gapMs < ORDERS_AGAIN_WITHIN_MS, `${gapMs} ms`);
  await waitUntil(async () => (await readStatus('/readyz')) === 200);
  servers = [second, first];
});

test('[OPS-24] loses no acknowledged order when the primary is killed', async (context) => {
  const [primary, standby] = servers;
  await primary.waitForStandby();
  const token = await createStockBuyer({ api }, `follower${Date.now()}`, product);
  follower = { client: await new LiveClient(shop.url).signIn(token), token };
  let killedMs = 0;
  const gapMs = await orderDuring(primary, standby, async () => {
    killedMs = performance.now();
    primary.kill9();
    await standby.promote();
    killedMs = performance.now() - killedMs;
  });
  context.diagnostic(`promoted after ${Math.round(killedMs)} ms, orders again ${Math.round(gapMs)} ms later`);
  assert.ok(gapMs + killedMs < ORDERS_AGAIN_WITHIN_MS, `${gapMs + killedMs} ms`);
  await waitUntil(async () => (await readStatus('/readyz')) === 200);
});

test('[OPS-24] elects a leader, and pushes and runs jobs after a failover', async () => {
  const [, primary] = servers;
  await waitUntil(async () => {
    const [lease] = await primary.query<{ held: boolean }>(`
      select expires_at > now() and exists (
        select from pg_stat_activity where pid = holder_pid and backend_start = holder_since) as held from leases`);
    return lease?.held === true;
  });
  const since = await readNow(primary);
  const { client, token } = follower ?? assert.fail('no live client');
  const { body } = await api('POST', '/cart/checkout', { token, body: BILLING });
  const id = textAt(body, 'order', 'id');
  await api('POST', '/dev/pay', { body: { order_id: id } });
  await waitUntil(() => client.listStates(id).includes('seen'));
  await waitUntil(async () => {
    const rows = await primary.query(`select from pgboss.job where state = 'completed' and completed_on > '${since}'`);
    return rows.length > 0;
  });
});
