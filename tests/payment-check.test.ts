/** Cost of a payment check, since every waiting buyer polls every few seconds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { z } from 'zod';

import type { Db } from '#src/platform/database/database.ts';
import { createTestDatabase } from './support/database.ts';
import { textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import { startStatementProxy } from './support/statement-proxy.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';

const ORDERS = 100_000;
/** Rows per statement, inserted well within the timeout on a busy machine. */
const AT_ONCE = 10_000;
const CALLS = 20;

/** Orders of other users, each with an address and a payment. */
async function insertOrders(db: Db): Promise<void> {
  for (let made = 0; made < ORDERS; made += AT_ONCE) await insertSome(db);
  await sql`analyze orders, order_addresses, payment_outputs`.execute(db);
}

async function insertSome(db: Db): Promise<void> {
  await sql`
    with made as (
      insert into orders (id, user_id, payment_status, is_open, billing, total_cents, total_sats, total_after_cents,
        total_after_sats, due_sats, rate_cents_per_btc, rate_evidence, required_confirmations, created_at, expires_at)
      select gen_random_uuid(), (select id from users limit 1), 'paid', false, '{}', 100, 1000, 100, 1000, 1000, 10000000,
        '{}', 1, now(), now()
      from generate_series(1, ${AT_ONCE}::integer) returning id, number
    ), issued as (
      insert into order_addresses (script, address, order_id, account, derivation_index, issued_at)
      select decode(md5(number::text), 'hex'), number::text, id, (select account from wallets limit 1),
        (1000000 + number)::integer, now() from made
    )
    insert into payment_outputs (txid, vout, order_id, amount_sats, is_coinbase, is_live, height, block_hash, first_seen, raw_tx)
    select sha256(number::text::bytea), 0, id, 1000, false, true, 1, '\\x00', now(), '\\x00' from made
  `.execute(db);
}

const scan = z.object({ 'Node Type': z.string(), 'Relation Name': z.string() });

/** The tables that a plan reads, and how. */
function listScans(plan: unknown): { readonly type: string; readonly table: string }[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const own = scan.safeParse(plan);
  const read = own.success ? [{ type: own.data['Node Type'], table: own.data['Relation Name'] }] : [];
  return [...read, ...Object.values(plan).flatMap(listScans)];
}

test('[API-07] a payment check takes one indexed read besides the session’s', async (t) => {
  const { db, connection } = await createTestDatabase();
  const proxy = await startStatementProxy(connection);
  t.after(() => proxy.close());
  const shop = await startTestShop({ fresh: true, settings: { DATABASE_URL: proxy.url } });
  t.after(() => shop.stop());
  const productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
  const token = await createStockBuyer(shop, 'asker', productId);
  const { body } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  const path = `/payments/check/${textAt(body, 'order', 'id')}`;
  await insertOrders(db);

  const before = proxy.statements.length;
  for (let call = 0; call < CALLS; call += 1) {
    const response = await shop.api('GET', path, { token });
    assert.deepEqual([response.status, valueAt(response.body, 'isPaid')], [200, false]);
  }
  const counts = new Map<string, number>();
  for (const text of proxy.statements.slice(before)) counts.set(text, (counts.get(text) ?? 0) + 1);
  const ofEachCall = [...counts].filter(([, count]) => count >= CALLS).map(([text]) => text);
  assert.equal(ofEachCall.length, 2, ofEachCall.join('\n'));
  const [reading, ...others] = ofEachCall.filter((text) => /\border_addresses\b/.test(text));
  assert.ok(reading !== undefined && others.length === 0);
  assert.equal(counts.get(reading), CALLS);
  assert.ok(ofEachCall.some((text) => /\bsessions\b/.test(text)));

  const { rows } = await sql<{
    'QUERY PLAN': unknown;
  }>`explain (generic_plan, format json) ${sql.raw(reading)}`.execute(db);
  const scans = listScans(rows[0]?.['QUERY PLAN']);
  const tables = scans.map(({ table }) => table).toSorted();
  assert.deepEqual(tables, ['chain_cursor', 'fee_estimates', 'order_addresses', 'orders', 'payment_outputs']);
  // Tables with one row.
  const small = new Set(['chain_cursor', 'fee_estimates']);
  const slow = scans.filter(({ type, table }) => !small.has(table) && !/^(?:Index|Bitmap)/.test(type));
  assert.deepEqual(slow, []);
});
