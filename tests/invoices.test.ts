/** Invoices and credit notes over HTTP. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { Invoices } from '#src/shop/invoices/service.ts';
import { silentLog } from './support/database-server.ts';
import { fillSales } from './support/fill-sales.ts';
import { testKey } from './support/devchain.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { Buyer, RefundShop } from './support/refund-shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: RefundShop;
let owner: string;
before(async () => {
  shop = await openRefundShop();
  const body = { username: 'owner', password: 'crypto-market' };
  owner = textAt((await shop.shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
});
after(() => shop.shop.stop());

const listInvoices = async ({ token }: Buyer, orderId: string): Promise<readonly unknown[]> =>
  listAt((await shop.shop.api('GET', `/orders/${orderId}/invoices`, { token })).body, 'invoices');

/** The documents of an order once there are this many: kind and total. */
async function waitForInvoices(buyer: Buyer, orderId: string, count: number) {
  await waitUntil(async () => (await listInvoices(buyer, orderId)).length >= count);
  const invoices = await listInvoices(buyer, orderId);
  return invoices.map((one) => ({
    id: textAt(one, 'id'),
    kind: textAt(one, 'kind'),
    number: textAt(one, 'number'),
    total: numberAt(one, 'total_usd'),
  }));
}

/** Waits until all requested documents are issued. */
const waitForIssuing = (): Promise<void> =>
  waitUntil(() =>
    runWithShopDatabase(shop.shop, async (db) => {
      const { rows } = await sql<{ waiting: boolean }>`
        select exists (select from invoice_requests) or exists (select from order_events where not is_told) as waiting
      `.execute(db);
      return rows[0]?.waiting === false;
    }),
  );

const openInvoices = (db: Db, now = new Date()): Invoices =>
  new Invoices({
    db,
    log: silentLog,
    clock: { now: () => now },
    shopSettings: { timeZone: 'UTC', formatOrderNumber: String },
    pdf: { render: () => Promise.reject(new Error('nothing is printed')) },
    onIssued: () => {},
    onChanged: () => {},
  });

async function download(path: string, token: string): Promise<{ readonly response: Response; readonly bytes: Buffer }> {
  const response = await fetch(`${shop.shop.url}/api${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('[OPS-16] a paid order gets one invoice, as the same PDF each time', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.009);
  const [invoice, ...others] = await waitForInvoices(buyer, id, 1);
  assert.ok(invoice && others.length === 0);
  assert.deepEqual([invoice.kind, invoice.total], ['invoice', 999]);
  assert.match(invoice.number, /^CM-INV-\d{4}-\d{6}$/);
  const { response, bytes } = await download(`/invoices/${invoice.id}/pdf`, buyer.token);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/pdf');
  assert.equal(response.headers.get('content-disposition'), `attachment; filename="invoice-${invoice.number}.pdf"`);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
  const again = await download(`/support/invoices/${invoice.id}/pdf`, shop.staff);
  assert.ok(again.bytes.equals(bytes));

  // The payment is reorganised out and confirmed again.
  await shop.callDemoTool('reorg', { depth: 2 });
  await shop.mine(2);
  assert.equal((await shop.order(buyer, id)).status, 'paid');
  await waitForIssuing();
  assert.equal((await listInvoices(buyer, id)).length, 1);
});

test('[OPS-16] other customers get 404 for an order’s invoices', async () => {
  const [buyer, other] = [await shop.createBuyer(), await shop.createBuyer()];
  const id = await shop.createPaidOrder(buyer, 0.009);
  const [invoice] = await waitForInvoices(buyer, id, 1);
  assert.equal((await shop.shop.api('GET', `/orders/${id}/invoices`, { token: other.token })).status, 404);
  const foreign = await shop.shop.api('GET', `/invoices/${invoice?.id}/pdf`, { token: other.token });
  const absent = await shop.shop.api('GET', `/invoices/${id}/pdf`, { token: other.token });
  assert.deepEqual([foreign.status, foreign.body], [404, absent.body]);
  assert.equal((await shop.shop.api('GET', `/invoices/${invoice?.id}/pdf`, { token: shop.staff })).status, 404);
  const asCustomer = await shop.shop.api('GET', `/support/invoices/${invoice?.id}/pdf`, { token: buyer.token });
  assert.equal(asCustomer.status, 403);
});

test('[OPS-32] a buyer who downloads many invoices delays others by about one', async () => {
  const [flooding, other] = [await shop.createBuyer(), await shop.createBuyer()];
  const paths = new Map<Buyer, string>();
  for (const buyer of [flooding, other]) {
    const [invoice] = await waitForInvoices(buyer, await shop.createPaidOrder(buyer, 0.009), 1);
    paths.set(buyer, `/invoices/${invoice?.id}/pdf`);
  }
  const finished: { readonly buyer: Buyer; readonly status: number }[] = [];
  const print = async (buyer: Buyer): Promise<Response> => {
    const { response } = await download(paths.get(buyer) ?? '', buyer.token);
    finished.push({ buyer, status: response.status });
    return response;
  };
  const flood = Array.from({ length: 9 }, () => print(flooding));
  // The first one is printed, so the others of the flood wait already.
  await waitUntil(() => finished.some(({ status }) => status === 200));
  assert.equal((await print(other)).status, 200);
  const printed = finished.filter(({ status }) => status === 200).map(({ buyer }) => buyer);
  // One that was being printed, and one that may have started while the request arrived.
  assert.ok(printed.indexOf(other) <= 3, `it was number ${printed.indexOf(other) + 1}`);
  const responses = await Promise.all(flood);
  const refused = responses.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0 && refused.length <= 3);
  for (const { status, headers } of refused) assert.deepEqual([status, headers.has('retry-after')], [429, true]);
});

test('[OPS-16] a refunded order gets a credit note, a surplus none', async () => {
  const { buyer, id } = await shop.createOverpaidOrder(testKey().address);
  const refund = async (covers: string): Promise<void> => {
    const made = await shop.createRefund(id, { covers });
    const signed = shop.sign(made);
    assert.equal((await shop.post(`/refunds/${textAt(made, 'id')}/broadcast`, { psbt: signed.psbt })).status, 200);
    await shop.mine(2);
  };
  await refund('surplus');
  await waitForIssuing();
  assert.deepEqual(
    (await waitForInvoices(buyer, id, 1)).map(({ kind }) => kind),
    ['invoice'],
  );
  await refund('whole');
  assert.equal((await shop.order(buyer, id)).status, 'refunded');
  const [invoice, note, ...others] = await waitForInvoices(buyer, id, 2);
  assert.deepEqual([note?.kind, note?.total, others.length], ['credit_note', invoice?.total, 0]);
  assert.match(note?.number ?? '', /^CM-CN-\d{4}-\d{6}$/);
  const { response, bytes } = await download(`/invoices/${note?.id}/pdf`, buyer.token);
  assert.match(response.headers.get('content-disposition') ?? '', /filename="credit-note-CM-CN-/);
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
  // The refund loses its confirmations and gets them again.
  await shop.callDemoTool('reorg', { depth: 2 });
  await shop.mine(2);
  await waitForIssuing();
  assert.equal((await listInvoices(buyer, id)).length, 2);
});

test('[OPS-16] a credit note names the seller that issued its invoice', async () => {
  const setCompany = async (company: string): Promise<void> => {
    const { body } = await shop.shop.api('GET', '/shop/settings', { token: owner });
    const legal = Object.assign({}, valueAt(body, 'legal'), { company });
    assert.equal((await shop.shop.api('PUT', '/shop/settings/legal', { token: owner, body: legal })).status, 200);
  };
  await setCompany('First Seller Ltd');
  const { buyer, id } = await shop.createOverpaidOrder(testKey().address, 0.009);
  await waitForInvoices(buyer, id, 1);
  await setCompany('Second Seller Ltd');
  const refundId = textAt(await shop.createRefund(id, { covers: 'whole', from: 'any-wallet' }), 'id');
  const txid = randomBytes(32).toString('hex');
  assert.equal((await shop.post(`/refunds/${refundId}/record`, { txid })).status, 200);
  await waitForInvoices(buyer, id, 2);
  await runWithShopDatabase(shop.shop, async (db) => {
    const { rows } = await sql<{ company: string }>`
      select content -> 'seller' ->> 'company' as company from invoices where order_id = ${id} order by issued_at
    `.execute(db);
    assert.deepEqual(rows, [{ company: 'First Seller Ltd' }, { company: 'First Seller Ltd' }]);
  });
});

test('[OPS-16] an invoice reverses the credit note of a withdrawn refund', async () => {
  const { buyer, id } = await shop.createOverpaidOrder(testKey().address, 0.009);
  const refundId = textAt(await shop.createRefund(id, { covers: 'whole', from: 'any-wallet' }), 'id');
  const record = async (): Promise<void> => {
    const txid = randomBytes(32).toString('hex');
    assert.equal((await shop.post(`/refunds/${refundId}/record`, { txid })).status, 200);
  };
  await record();
  assert.equal((await waitForInvoices(buyer, id, 2)).at(-1)?.kind, 'credit_note');
  const undone = await shop.post(`/refunds/${refundId}/undo-record`, { reason: 'A wrong transaction' });
  assert.equal(undone.status, 200, JSON.stringify(undone.body));
  // Still to be sent: the credit note stays valid.
  await waitForIssuing();
  assert.equal((await listInvoices(buyer, id)).length, 2);
  await record();
  await waitForIssuing();
  assert.equal((await listInvoices(buyer, id)).length, 2);
  assert.equal((await shop.post(`/refunds/${refundId}/undo-record`, { reason: 'A wrong transaction' })).status, 200);
  const withdrawn = await shop.post(`/refunds/${refundId}/withdraw`);
  assert.equal(withdrawn.status, 200, JSON.stringify(withdrawn.body));
  const documents = await waitForInvoices(buyer, id, 3);
  assert.deepEqual(
    documents.map(({ kind }) => kind),
    ['invoice', 'credit_note', 'invoice'],
  );
  assert.deepEqual(new Set(documents.map(({ total }) => total)).size, 1);
});

test('[OPS-16] an invoice reverses the credit note of a cancelled order paid again', async () => {
  const buyer = await shop.createBuyer();
  const id = textAt((await shop.checkout(buyer)).body, 'order', 'id');
  const txid = textAt(await shop.callDemoTool('pay', { order_id: id }), 'txid');
  await shop.mine(2);
  await waitForInvoices(buyer, id, 1);
  await shop.callDemoTool('reorg', { depth: 2 });
  await shop.callDemoTool('replace', { txid });
  await shop.mine(2);
  const reason = 'Paid with other coins';
  const cancelled = await shop.post(`/orders/${id}/give-up`, { reason });
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
  assert.equal((await waitForInvoices(buyer, id, 2)).at(-1)?.kind, 'credit_note');

  await shop.callDemoTool('pay', { order_id: id });
  await shop.mine(2);
  await waitForIssuing();
  assert.equal((await listInvoices(buyer, id)).length, 2, 'still cancelled');
  assert.equal((await shop.post(`/orders/${id}/settle`, { reason })).status, 200);
  await waitForIssuing();
  const documents = await waitForInvoices(buyer, id, 3);
  assert.deepEqual(
    documents.map(({ kind, total }) => [kind, total === documents[0]?.total]),
    [
      ['invoice', true],
      ['credit_note', true],
      ['invoice', true],
    ],
  );
});

test('[OPS-16] requests documents only for orders that were ever paid', async () => {
  const paid = await shop.createPaidOrder(await shop.createBuyer(), 0.009);
  const buyer = await shop.createBuyer();
  const unpaid = textAt((await shop.checkout(buyer)).body, 'order', 'id');
  assert.equal((await shop.post(`/orders/${unpaid}/cancel`, {}, buyer.token)).status, 200);
  await waitForIssuing();
  await runWithShopDatabase(shop.shop, async (db) => {
    // Rolled back, so the shop does not issue them.
    const tx = await db.startTransaction().execute();
    const request = async (): Promise<readonly string[]> => {
      const events = [paid, unpaid].map((id) => ({ kind: 'cancelled' as const, order_id: id }));
      await openInvoices(tx).request(tx, events);
      const { rows } = await sql<{ id: string }>`delete from invoice_requests returning order_id as id`.execute(tx);
      return rows.map(({ id }) => id);
    };
    try {
      assert.deepEqual(await request(), [paid]);
      // As after its payment was double-spent.
      await sql`
        update orders set payment_status = 'cancelled', cancelled_at = paid_at, paid_at = null where id = ${paid}
      `.execute(tx);
      assert.deepEqual(await request(), [paid]);
    } finally {
      await tx.rollback().execute();
    }
  });
});

test('[OPS-16] issued invoices cannot be changed, deleted or emptied', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.009);
  const [invoice] = await waitForInvoices(buyer, id, 1);
  const changes = [
    sql`update invoices set gross_cents = 1 where id = ${invoice?.id}`,
    sql`update invoices set content = '{}' where id = ${invoice?.id}`,
    sql`delete from invoices where id = ${invoice?.id}`,
    sql`truncate invoices cascade`,
  ];
  await runWithShopDatabase(shop.shop, async (db) => {
    for (const change of changes) await assert.rejects(change.execute(db), /cannot be changed or deleted/);
  });
  assert.equal((await listInvoices(buyer, id)).length, 1);
});

test('[OPS-16] staff find invoices by kind, year, number, order and buyer', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.009);
  const [invoice] = await waitForInvoices(buyer, id, 1);
  const find = async (query: string): Promise<{ readonly numbers: readonly string[]; readonly total: number }> => {
    const { body, status } = await shop.shop.api('GET', `/support/invoices${query}`, { token: shop.staff });
    assert.equal(status, 200, JSON.stringify(body));
    return { numbers: listAt(body, 'invoices').map((one) => textAt(one, 'number')), total: numberAt(body, 'total') };
  };
  const number = invoice?.number ?? assert.fail('no invoice');
  const year = number.slice(7, 11);
  const all = await find('');
  assert.equal(all.numbers[0], number, 'newest first');
  assert.deepEqual(await find(`?q=${number.toLowerCase()}`), { numbers: [number], total: 1 });
  assert.deepEqual(await find(`?year=${year}&q=${number}`), { numbers: [number], total: 1 });
  assert.deepEqual(await find(`?kind=credit_note&q=${number}`), { numbers: [], total: 0 });
  assert.deepEqual(await find('?year=2001'), { numbers: [], total: 0 });
  assert.equal((await find('?q=lovelace')).total, all.total);
  assert.equal((await find('?q=100%25')).total, 0, 'a wildcard is a plain character');
  for (const bad of ['kind=receipt', 'year=x', 'year=1', 'page=0']) {
    assert.equal((await shop.shop.api('GET', `/support/invoices?${bad}`, { token: shop.staff })).status, 400, bad);
  }
  const staff = await shop.shop.api('GET', `/support/orders/${id}/invoices`, { token: shop.staff });
  assert.equal(textAt(listAt(staff.body, 'invoices')[0], 'number'), number);
});

test('[OPS-16] the sales export has the tax of each document', async () => {
  const { buyer, id } = await shop.createOverpaidOrder(testKey().address, 0.009);
  const made = await shop.createRefund(id, { covers: 'whole', from: 'any-wallet' });
  const txid = randomBytes(32).toString('hex');
  assert.equal((await shop.post(`/refunds/${textAt(made, 'id')}/record`, { txid })).status, 200);
  const [invoice, note] = await waitForInvoices(buyer, id, 2);
  const { response, bytes } = await download('/exports/invoices', owner);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
  const [head = '', ...lines] = bytes.toString('utf8').trimEnd().split('\r\n');
  const columns = head.split(',');
  const readCells = (number: string | undefined, ...names: readonly string[]): (string | undefined)[] => {
    const cells = lines.find((line) => line.startsWith(`${number},`))?.split(',') ?? [];
    return names.map((name) => cells[columns.indexOf(name)]);
  };
  const names = ['kind', 'net_usd', 'tax_usd', 'gross_usd', 'due_btc', 'refunded_btc', 'corrects'] as const;
  assert.deepEqual(readCells(invoice?.number, ...names), ['invoice', '999.00', '0.00', '999.00', '0.00900000', '', '']);
  assert.deepEqual(readCells(note?.number, ...names), [
    'credit_note',
    '-999.00',
    '0.00',
    '-999.00',
    '',
    '0.00900000',
    invoice?.number,
  ]);
  const { bytes: none } = await download('/exports/invoices?to=2020-01-01', owner);
  assert.equal(none.toString('utf8').trimEnd(), head);
  const { bytes: today } = await download(`/exports/invoices?from=${new Date().toISOString().slice(0, 10)}`, owner);
  assert.ok(today.includes(invoice?.number ?? ''));
  assert.equal((await download('/exports/invoices?from=yesterday', owner)).response.status, 400);
  assert.equal((await download('/exports/invoices', shop.staff)).response.status, 403);
});

test('[OPS-16] [PRIV-02] a deleted account’s invoices stay as they are', async () => {
  const { buyer, id } = await shop.createOverpaidOrder(testKey().address, 0.009);
  const made = await shop.createRefund(id, { covers: 'whole', from: 'any-wallet' });
  const txid = randomBytes(32).toString('hex');
  assert.equal((await shop.post(`/refunds/${textAt(made, 'id')}/record`, { txid })).status, 200);
  const [invoice] = await waitForInvoices(buyer, id, 2);
  const { body: me } = await shop.shop.api('GET', '/users/user', { token: buyer.token });
  const userId = textAt(me, 'id');
  const exported = await shop.shop.api('GET', `/users/${userId}/data`, { token: buyer.token });
  assert.equal(textAt(listAt(exported.body, 'invoices')[0], 'number'), invoice?.number);
  assert.equal(textAt(listAt(exported.body, 'invoices')[0], 'buyer', 'name'), 'Ada Lovelace');
  const earlier = await download(`/support/invoices/${invoice?.id}/pdf`, shop.staff);
  const deleted = await shop.shop.api('DELETE', `/users/${userId}`, {
    token: buyer.token,
    body: { username: buyer.name },
  });
  assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
  const later = await download(`/support/invoices/${invoice?.id}/pdf`, shop.staff);
  assert.ok(later.bytes.equals(earlier.bytes));
});

test('[OPS-16] a year continues its numbers when the time zone changes back', async () => {
  const now = new Date('2098-12-31T12:00:00Z');
  const setTimeZone = async (zone: string): Promise<void> => {
    const version = numberAt((await shop.shop.api('GET', '/shop/settings', { token: owner })).body, 'time', 'version');
    const changed = await shop.shop.api('PUT', '/shop/settings/time', {
      token: owner,
      body: { time_zone: zone, version },
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
  };
  await waitForIssuing();
  await runWithShopDatabase(shop.shop, async (db) => {
    await fillSales(db, 12, new Date());
    const { rows: orders } = await sql<{ id: string }>`
      select id from orders where payment_status = 'paid' and rate_cents_per_btc = 9000000 and billing ->> 'firstName' = 'Alice'
    `.execute(db);
    const invoices = openInvoices(db, now);
    const issueIn = async (zone: string): Promise<string | undefined> => {
      await setTimeZone(zone);
      const { id = '' } = orders.pop() ?? {};
      // Due for the clock of this test only.
      await sql`insert into invoice_requests values (${id}, ${now}, 0, ${now})`.execute(db);
      assert.ok(await invoices.issueNext());
      const { rows } = await sql<{ number: string }>`
        select full_number as number from invoices where order_id = ${id}
      `.execute(db);
      return rows[0]?.number;
    };
    assert.equal(await issueIn('UTC'), 'CM-INV-2098-000001');
    assert.equal(await issueIn('Pacific/Kiritimati'), 'CM-INV-2099-000001');
    assert.equal(await issueIn('Pacific/Honolulu'), 'CM-INV-2098-000002');
    assert.equal(await issueIn('Pacific/Kiritimati'), 'CM-INV-2099-000002');
  });
  await setTimeZone('UTC');
});
