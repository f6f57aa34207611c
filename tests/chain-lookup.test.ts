/** Transaction look-up and rescans by staff, over HTTP, with a devchain. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createOrder } from './support/new-order.ts';
import { listAt, numberAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { getStaffToken } from './support/staff-fixtures.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

const NOWHERE = 'ab'.repeat(32);
const DUST_BTC = 0.000002;

let shop: TestShop;
let token: string;
before(async () => {
  shop = await startTestShop();
  token = await getStaffToken(shop);
});
after(() => shop.stop());

async function callDemoTool(path: string, body: object): Promise<unknown> {
  const response = await shop.api('POST', `/dev/${path}`, { body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}
const pay = async (id: string, amount?: number): Promise<string> =>
  textAt(await callDemoTool('pay', { order_id: id, ...(amount === undefined ? {} : { amount_btc: amount }) }), 'txid');
async function lookUp(txid: string): Promise<unknown> {
  const { body, status } = await shop.api('GET', `/payments/transactions/${txid}`, { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
const readVerdict = async (txid: string): Promise<string> => textAt(await lookUp(txid), 'payments', 0, 'verdict');
async function rescanFrom(height: number): Promise<unknown> {
  const requested = await shop.api('POST', '/payments/rescans', { token, body: { from_height: height } });
  assert.equal(requested.status, 200, JSON.stringify(requested.body));
  const id = textAt(requested.body, 'rescan', 'id');
  const readRescan = async (): Promise<unknown> => {
    const { body } = await shop.api('GET', '/support/chain', { token });
    return listAt(body, 'rescans').find((one) => textAt(one, 'id') === id);
  };
  await waitUntil(async () => textAt(await readRescan(), 'state') === 'done');
  return readRescan();
}

const countDustOrders = (list: unknown): number => numberAt(list, 'dust', 'orders');

test('[OPS-25] looks up a payment from the mempool to its last confirmation', async () => {
  const { id, number } = await createOrder(shop, 'seeker');
  const txid = await pay(id);
  const seen = await lookUp(txid.toUpperCase());
  assert.equal(textAt(seen, 'network', 'state'), 'mempool');
  assert.deepEqual(
    [textAt(seen, 'payments', 0, 'number'), textAt(seen, 'payments', 0, 'verdict')],
    [number, 'unconfirmed'],
  );
  await callDemoTool('mine', { blocks: 1 });
  assert.equal(await readVerdict(txid), 'confirming');
  await callDemoTool('mine', { blocks: 5 });
  assert.equal(await readVerdict(txid), 'counts');
  assert.equal(textAt(await lookUp(txid), 'network', 'state'), 'block');
});

test('[OPS-25] explains why a payment was not counted', async () => {
  const { id } = await createOrder(shop, 'replacer');
  const txid = await pay(id);
  await callDemoTool('replace', { txid });
  await waitUntil(async () => (await readVerdict(txid)) === 'replaced');
  const { id: cancelled, token: buyer, due } = await createOrder(shop, 'canceller');
  assert.equal((await shop.api('POST', `/orders/${cancelled}/cancel`, { token: buyer })).status, 200);
  const paidAfter = await pay(cancelled, due);
  await callDemoTool('mine', { blocks: 5 });
  assert.equal(await readVerdict(paidAfter), 'order-cancelled');
});

test('[OPS-25] reports an unknown transaction and refuses an invalid id', async () => {
  const unknown = await lookUp(NOWHERE);
  assert.deepEqual(
    [textAt(unknown, 'network', 'state'), listAt(unknown, 'payments').length, numberAt(unknown, 'others_total')],
    ['unknown', 0, 0],
  );
  for (const nonsense of ['x', NOWHERE.slice(1), `${NOWHERE}0`]) {
    const { status } = await shop.api('GET', `/payments/transactions/${nonsense}`, { token });
    assert.ok(status === 400 || status === 404, String(status));
  }
});

test('[OPS-25] a rescan adds a payment missing from the ledger once', async () => {
  const { id, number, due } = await createOrder(shop, 'forgotten');
  const txid = await pay(id, Math.round((due / 2) * 1e8) / 1e8);
  const height = numberAt(await callDemoTool('mine', { blocks: 1 }), 'height');
  await callDemoTool('mine', { blocks: 4 });
  const deleteOutputs = sql`delete from payment_outputs where order_id = ${id}`;
  await runWithShopDatabase(shop, (db) => deleteOutputs.execute(db));
  const lost = await lookUp(txid);
  assert.equal(listAt(lost, 'payments').length, 0);
  assert.equal(textAt(lost, 'others', 0, 'order', 'number'), number, 'it pays an address of the shop');
  assert.equal(numberAt(lost, 'network', 'height'), height);

  assert.equal(numberAt(await rescanFrom(height), 'found'), 1);
  assert.equal(await readVerdict(txid), 'counts');
  assert.equal(numberAt(await rescanFrom(height), 'found'), 0);
  const { rows } = await runWithShopDatabase(shop, (db) =>
    sql`select from payment_outputs where order_id = ${id}`.execute(db),
  );
  assert.equal(rows.length, 1);
});

test('[OPS-25] refuses a rescan from a height that does not exist', async () => {
  for (const [height, status] of [
    [9_999_999, 409],
    [-1, 400],
    [1.5, 400],
    [3e9, 400],
  ] as const) {
    const requested = await shop.api('POST', '/payments/rescans', { token, body: { from_height: height } });
    assert.equal(requested.status, status, `${height}: ${JSON.stringify(requested.body)}`);
  }
});

test('[OPS-03] paginates more than 2,000 staff tasks', async () => {
  const { id, due } = await createOrder(shop, 'copied');
  await pay(id, Math.round((due / 2) * 1e8) / 1e8);
  await callDemoTool('mine', { blocks: 5 });
  const copies = 2100;
  // Expired, partly paid orders, each with its own address and output.
  await runWithShopDatabase(shop, async (db) => {
    await sql`create table copied as select *, null::uuid as copy_id from orders where false`.execute(db);
    await sql`
      insert into copied select orders.*, gen_random_uuid() from orders, generate_series(1, ${copies}::integer) where id = ${id}
    `.execute(db);
    await sql`update copied set id = copy_id, number = nextval('order_number'), is_open = false,
      link_token = sha256(copy_id::text::bytea), payment_status = 'expired', expired_at = now(), recorded_state = 'underpaid'`.execute(
      db,
    );
    await sql`alter table copied drop column copy_id`.execute(db);
    // Generated columns are computed again.
    const { rows } = await sql<{ columns: string }>`
      select string_agg(format('%I', attname), ', ') as columns from pg_attribute
      where attrelid = 'orders'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    `.execute(db);
    const columns = sql.raw(rows[0]?.columns ?? '');
    await sql`insert into orders (${columns}) select ${columns} from copied`.execute(db);
    await sql`
      insert into order_addresses (script, address, order_id, account, derivation_index, issued_at)
      select sha256(id::text::bytea), id::text, id, (select account from wallets limit 1),
        1000000 + row_number() over (), now() from copied
    `.execute(db);
    await sql`
      insert into payment_outputs (txid, vout, order_id, amount_sats, is_coinbase, is_live, first_seen, raw_tx)
      select sha256(id::text::bytea), 0, id, recorded_received_sats, false, true, now(), '' from copied
    `.execute(db);
  });
  const last = Math.ceil(copies / 25);
  const { body } = await shop.api('GET', `/payments/attention?page=${last}`, { token });
  const others = numberAt(body, 'total') - copies;
  assert.ok(others >= 0 && others < 5, `${others} of the tests before`);
  assert.equal(listAt(body, 'orders').length, 25);
  // Dust for a cancelled order is counted but creates no staff task.
  const dustBefore = countDustOrders(body);
  await runWithShopDatabase(shop, async (db) => {
    await sql`update orders set payment_status = 'cancelled', recorded_state = 'expired', recorded_received_sats = 200
      where id in (select id from copied)`.execute(db);
    await sql`update payment_outputs set amount_sats = 200 where order_id in (select id from copied)`.execute(db);
  });
  const flooded = (await shop.api('GET', '/payments/attention', { token })).body;
  assert.deepEqual([numberAt(flooded, 'total'), countDustOrders(flooded) - dustBefore], [others, copies]);
  assert.ok(Math.abs(numberAt(flooded, 'dust', 'amount_btc') - copies * DUST_BTC) < 1e-9);
});
