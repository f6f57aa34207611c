/** Orders and invoices after the years of the settings: the list of what would go, and what goes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { findTraces } from './support/find-traces.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { Buyer, RefundShop } from './support/refund-shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: RefundShop;
let owner: string;
before(async () => {
  shop = await openRefundShop();
  owner = await logIn();
});
after(() => shop.shop.stop());

async function logIn(): Promise<string> {
  const body = { username: 'owner', password: 'crypto-market' };
  return textAt((await shop.shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
}

const asOwner = async (path: string): Promise<unknown> => (await shop.shop.api('GET', path, { token: owner })).body;

interface PaidOrder {
  readonly buyer: Buyer;
  readonly id: string;
  /** In every text about the buyer. */
  readonly mark: string;
  readonly number: string;
  readonly invoice: { readonly id: string; readonly number: string };
}

let count = 0;

/** A paid order with an invoice, a note and a delivery address of somebody that no other order names. */
async function createOrder({ isShipped }: { readonly isShipped: boolean }): Promise<PaidOrder> {
  const buyer = await shop.createBuyer();
  const mark = `Retained${(count += 1)}deniateR`;
  const checkout = { token: buyer.token, body: { ...BILLING, lastName: mark } };
  const id = textAt((await shop.shop.api('POST', '/cart/checkout', checkout)).body, 'order', 'id');
  await shop.callDemoTool('pay', { order_id: id, amount_btc: 0.009 });
  await shop.mine(2);
  const { token } = buyer;
  await waitUntil(
    async () => listAt((await shop.shop.api('GET', `/orders/${id}/invoices`, { token })).body, 'invoices').length === 1,
  );
  const [invoice] = listAt((await shop.shop.api('GET', `/orders/${id}/invoices`, { token })).body, 'invoices');
  await runWithShopDatabase(shop.shop, async (db) => {
    if (isShipped) await sql`update orders set fulfilment_status = 'shipped' where id = ${id}`.execute(db);
  });
  const note = await shop.shop.api('POST', `/orders/${id}/notes`, {
    token: owner,
    body: { text: `Calls ${mark}` },
  });
  assert.ok(note.status < 300, JSON.stringify(note.body));
  const { body } = await shop.shop.api('GET', `/orders/${id}`, { token });
  const number = textAt(body, 'order', 'number');
  return { buyer, id, mark, number, invoice: { id: textAt(invoice, 'id'), number: textAt(invoice, 'number') } };
}

/** Changes invoices as nobody can. */
const forge = (query: ReturnType<typeof sql>): Promise<unknown> =>
  runWithShopDatabase(shop.shop, (db) =>
    db.transaction().execute(async (tx) => {
      await sql`alter table invoices disable trigger user`.execute(tx);
      await query.execute(tx);
      await sql`alter table invoices enable trigger user`.execute(tx);
    }),
  );

/** Moves all that happened to an order into the past. */
async function age({ id }: PaidOrder, years: number): Promise<void> {
  const interval = sql.lit(`${years} years`);
  await forge(sql`update invoices set issued_at = issued_at - ${interval}::interval where order_id = ${id}`);
  await runWithShopDatabase(shop.shop, async (db) => {
    await sql`update orders set created_at = created_at - ${interval}::interval where id = ${id}`.execute(db);
    await sql`update order_events set at = at - ${interval}::interval where order_id = ${id}`.execute(db);
    // Mails are deleted after 30 days.
    await sql`update mails set at = at - ${interval}::interval`.execute(db);
  });
}

/** Runs the tasks of the hour again. */
async function runTasks(): Promise<void> {
  await runWithShopDatabase(shop.shop, (db) => sql`delete from pgboss.job where name = 'hourly'`.execute(db));
  await shop.shop.restart();
  await waitUntil(() =>
    runWithShopDatabase(shop.shop, async (db) => {
      const { rows } = await sql<{ done: number }>`
        select count(*)::integer as done from pgboss.job
        where name = 'hourly' and state = 'completed' and data ->> 'task' = 'old-orders'
      `.execute(db);
      return rows[0]?.done === 1;
    }),
  );
}

const listNumbers = (preview: unknown, what: string, key = 'examples'): string[] =>
  listAt(preview, what, key).map((one) => textAt(one, 'number'));

test('[OPS-26] lists what would go, erases it after its years, and keeps what is open', async () => {
  const [ended, open, recent] = await Promise.all([
    createOrder({ isShipped: true }),
    createOrder({ isShipped: false }),
    createOrder({ isShipped: true }),
  ]);
  await age(ended, 8);
  await age(open, 8);
  // The seventh year is kept in full: six years after the end of its year.
  await age(recent, 6);

  const preview = await asOwner('/shop/retention');
  assert.equal(valueAt(preview, 'erases_orders'), true);
  assert.deepEqual(listNumbers(preview, 'orders'), [ended.number]);
  assert.deepEqual(listNumbers(preview, 'invoices'), [ended.invoice.number]);
  assert.deepEqual(listNumbers(preview, 'orders', 'kept_examples'), [open.number]);
  assert.equal(textAt(preview, 'orders', 'kept_examples', 0, 'reason'), 'order-unshipped');
  assert.ok(numberAt(preview, 'orders', 'next_total') >= 1);
  assert.deepEqual(listNumbers(await asOwner('/shop/retention?order_years=10&invoice_years=10'), 'orders'), []);

  await runTasks();
  owner = await logIn();
  await runWithShopDatabase(shop.shop, async (db) => {
    assert.deepEqual(await findTraces(db, ended.mark), []);
    assert.notDeepEqual(await findTraces(db, open.mark), []);
    assert.notDeepEqual(await findTraces(db, recent.mark), []);
    const { rows } = await sql<{ text: string; sum: bigint }>`
      select invoices::text as text, gross_cents as sum from invoices where order_id = ${ended.id}
    `.execute(db);
    assert.ok(rows[0] && !rows[0].text.includes(ended.mark) && rows[0].sum > 0n);
  });
  const pdfs = [ended, open, recent].map(async ({ invoice }) => {
    const response = await shop.shop.api('GET', `/support/invoices/${invoice.id}/pdf`, { token: owner });
    return response.status;
  });
  assert.deepEqual(await Promise.all(pdfs), [404, 200, 200]);
  const listed = listAt(await asOwner(`/support/invoices?q=${ended.invoice.number}`), 'invoices');
  assert.deepEqual(
    listed.map((one) => [valueAt(one, 'is_erased'), textAt(one, 'buyer')]),
    [[true, '']],
  );
  const left = await asOwner('/shop/retention');
  assert.deepEqual([listNumbers(left, 'orders'), listNumbers(left, 'invoices')], [[], []]);

  const entries = listAt(await asOwner('/support/audit?subject_kind=settings'), 'entries').filter((one) =>
    textAt(one, 'action').startsWith('retention.'),
  );
  assert.deepEqual(entries.map((one) => textAt(one, 'action')).toSorted(), [
    'retention.invoices_erased',
    'retention.orders_erased',
  ]);
  assert.ok(JSON.stringify(entries).includes('Job: retention'));
});

test('[OPS-26] an issued document changes only by its erasure after five years', async () => {
  const { invoice } = await createOrder({ isShipped: true });
  const erase = (at: string, more = '') =>
    runWithShopDatabase(shop.shop, (db) =>
      sql`update invoices set buyer_name = '', content = '{}', erased_at = issued_at + ${sql.lit(at)}::interval
        ${sql.raw(more)} where id = ${invoice.id}`.execute(db),
    );
  await assert.rejects(erase('4 years'), /cannot be changed/);
  await assert.rejects(erase('6 years', ', gross_cents = 1, net_cents = 1, tax_cents = 0'), /cannot be changed/);
  await erase('6 years');
  await assert.rejects(erase('7 years'), /cannot be changed/);
  await assert.rejects(
    runWithShopDatabase(shop.shop, (db) => sql`delete from invoices where id = ${invoice.id}`.execute(db)),
    /cannot be changed/,
  );
});

test('[OPS-26] nothing of orders and invoices goes while the erasure is off', async () => {
  const old = await createOrder({ isShipped: true });
  await age(old, 20);
  const version = numberAt(await asOwner('/shop/settings'), 'retention', 'version');
  const years = { order_years: 6, invoice_years: 6, message_years: 3, staff_record_years: 6 };
  const body = { ...years, version, erases_orders: false };
  const saved = await shop.shop.api('PUT', '/shop/settings/retention', { token: owner, body });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  assert.deepEqual(listNumbers(await asOwner('/shop/retention'), 'orders'), [old.number]);
  await runTasks();
  await runWithShopDatabase(shop.shop, async (db) => assert.notDeepEqual(await findTraces(db, old.mark), []));
  const page = await fetch(`${shop.shop.url}/api/legal/privacy`);
  assert.match(await page.text(), /when you delete your account/);
});
