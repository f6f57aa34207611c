/** Returns over HTTP: requested by the buyer, received and inspected by staff, refunded with a credit note. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { GERMAN_TAX, PAID_SHIPPING, logInAs, putSettings } from './support/charge-settings.ts';
import { testKey } from './support/devchain.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { Buyer, RefundShop } from './support/refund-shop.ts';
import { openReturns } from './support/returns.ts';
import type { ReturnCalls } from './support/returns.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: RefundShop;
let owner: string;
let calls: ReturnCalls;
before(async () => {
  shop = await openRefundShop();
  owner = await logInAs(shop.shop, 'owner');
  assert.equal((await putSettings(shop.shop, 'tax', GERMAN_TAX, owner)).status, 200);
  assert.equal((await putSettings(shop.shop, 'shipping', PAID_SHIPPING, owner)).status, 200);
  calls = openReturns(shop);
});
after(() => shop.shop.stop());

const toCents = (dollars: number): number => Math.round(dollars * 100);
const waitForMail = (buyer: Buyer, pattern: RegExp): Promise<void> =>
  waitUntil(async () => (await shop.listMailsTo(buyer)).some((mail) => pattern.test(mail)));
const listCreditNotes = async (id: string): Promise<readonly number[]> =>
  listAt(
    (await shop.shop.api('GET', `/support/orders/${id}/invoices`, { token: shop.staff })).body,
    'invoices',
  ).flatMap((one) => (textAt(one, 'kind') === 'credit_note' ? [toCents(numberAt(one, 'total_usd'))] : []));
const record = async (refundId: string, byte: string): Promise<void> => {
  const recorded = await shop.post(`/refunds/${refundId}/record`, { txid: byte.repeat(32) });
  assert.equal(recorded.status, 200, JSON.stringify(recorded.body));
};
const findRefund = async (orderId: string): Promise<unknown> =>
  listAt(await shop.readRefunds(orderId), 'refunds').at(-1);
const CONDITION = { restocked: 0, damaged: 0, sent_back: 0, condition: '', deduction_usd: 0, deduction_reason: '' };

test('[RET-06] [RET-07] a return is refunded with a deduction, a credit note and stock', async () => {
  await shop.setStock(50);
  const { buyer, id } = await calls.createShippedOrder(3);
  const stock = await shop.readStock();
  const requested = await calls.request(buyer, id, 3);
  assert.equal(requested.status, 201, JSON.stringify(requested.body));
  const returnId = textAt(requested.body, 'return', 'id');
  assert.match(textAt(requested.body, 'return', 'reference'), /^R-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
  await waitForMail(buyer, /Return R-.*: we received your request/);
  assert.equal((await calls.request(buyer, id, 1)).status, 409, 'all units are in a return');

  const approved = await calls.step(returnId, 'approve');
  assert.deepEqual(textAt(approved.body, 'return', 'state'), 'approved');
  await waitForMail(buyer, /Send the items to: /);
  assert.equal((await shop.post(`/returns/${returnId}/sent`, { proof: 'RR 123' }, buyer.token)).status, 200);
  await waitForMail(buyer, /on its way[^]*RR 123/);
  const sku = textAt(approved.body, 'return', 'lines', 0, 'sku');
  assert.equal((await calls.step(returnId, 'receive', { code: 'NO-SUCH-SKU' })).status, 409);
  for (const more of [{ code: sku.toLowerCase() }, { position: 0 }, { position: 0 }])
    assert.equal((await calls.step(returnId, 'receive', more)).status, 200);
  assert.equal((await calls.step(returnId, 'receive', { code: sku })).status, 409, 'no more units are expected');

  // One goes on sale again, one is scratched, one goes back to the buyer.
  const line = { position: 0, ...CONDITION, restocked: 1, damaged: 1, sent_back: 1 };
  const without = await calls.step(returnId, 'inspect', { lines: [{ ...line, deduction_usd: 100 }] });
  assert.equal(without.status, 400, 'a deduction needs a reason');
  const few = await calls.step(returnId, 'inspect', { lines: [{ ...line, sent_back: 0 }] });
  assert.equal(textAt(few.body, 'error', 'code'), 'units-differ');
  const deducted = { deduction_usd: 100, deduction_reason: 'Scratched screen' };
  const tooMuch = await calls.step(returnId, 'inspect', { lines: [{ ...line, ...deducted, deduction_usd: 1998.01 }] });
  assert.equal(textAt(tooMuch.body, 'error', 'code'), 'deduction-too-large');
  const inspected = await calls.step(returnId, 'inspect', { lines: [{ ...line, ...deducted }] });
  assert.equal(inspected.status, 200, JSON.stringify(inspected.body));
  assert.equal(numberAt(inspected.body, 'refund', 'value_usd'), 1898);
  assert.equal(valueAt(inspected.body, 'refund', 'shipping'), false, 'no withdrawal from everything');
  await waitForMail(buyer, /Deduction[^]*\$100\.00: Scratched screen/);

  const refunded = await calls.step(returnId, 'refund', calls.anyWallet);
  assert.equal(refunded.status, 200, JSON.stringify(refunded.body));
  assert.equal(textAt(refunded.body, 'return', 'state'), 'closed');
  const refund = await findRefund(id);
  assert.equal(numberAt(refund, 'value_usd'), 1898);
  assert.match(textAt(refund, 'lines', 'reason'), /Return R-.*Scratched screen/);
  await waitForMail(buyer, /Return R-.*: refund created/);
  await record(textAt(refund, 'id'), 'd1');
  await waitUntil(async () => (await listCreditNotes(id)).length === 1);
  assert.deepEqual(await listCreditNotes(id), [189_800]);
  assert.equal((await shop.readStock()).available, stock.available + 1);

  // The unit that went back can be returned again, with its whole price.
  const again = await calls.request(buyer, id, 1);
  assert.equal(again.status, 201, JSON.stringify(again.body));
  assert.equal((await calls.request(buyer, id, 1)).status, 409);
  const second = textAt(again.body, 'return', 'id');
  await calls.receiveAndInspect(second, 1, { ...CONDITION, restocked: 1 });
  const last = await calls.step(second, 'refund', calls.anyWallet);
  assert.equal(last.status, 200, JSON.stringify(last.body));
  assert.equal(numberAt(await findRefund(id), 'value_usd'), 999);
});

test('[RET-07] a return whose refund is withdrawn is open again, and is refunded once', async () => {
  const { buyer, id } = await calls.createShippedOrder(2);
  const returnId = textAt((await calls.request(buyer, id, 2)).body, 'return', 'id');
  await calls.receiveAndInspect(returnId, 2, { ...CONDITION, restocked: 1, sent_back: 1 });
  assert.equal((await calls.step(returnId, 'refund', calls.anyWallet)).status, 200);
  const refund = textAt(await findRefund(id), 'id');
  assert.equal((await shop.post(`/refunds/${refund}/withdraw`)).status, 200);
  const open = await calls.read(returnId);
  assert.equal(textAt(open, 'return', 'state'), 'inspected');
  assert.deepEqual(
    listAt(open, 'return', 'actions'),
    ['refund', 'exchange', 'close'],
    'the unit that went back stays there',
  );
  assert.equal((await calls.step(returnId, 'refund', calls.anyWallet)).status, 200);
  await record(textAt(await findRefund(id), 'id'), 'd2');
  await waitUntil(async () => (await listCreditNotes(id)).length === 1);
  assert.deepEqual(await listCreditNotes(id), [99_900]);
});

test('[RET-07] staff who press at once make one refund', async () => {
  const { buyer, id } = await calls.createShippedOrder(2);
  const returnId = textAt((await calls.request(buyer, id, 2)).body, 'return', 'id');
  await calls.receiveAndInspect(returnId, 2, { ...CONDITION, restocked: 2 });
  const version = numberAt(await calls.read(returnId), 'return', 'version');
  const press = (action: string, more: object) =>
    shop.post(`/support/returns/${returnId}/${action}`, { version, ...more });
  const pressed = await Promise.all([
    press('refund', calls.anyWallet),
    press('refund', calls.anyWallet),
    press('close', { reason: 'Never arrived' }),
  ]);
  assert.equal(pressed.filter(({ status }) => status === 200).length, 1);
  const refunds = listAt(await shop.readRefunds(id), 'refunds');
  const isRefunded = textAt(await calls.read(returnId), 'return', 'outcome') === 'refunded';
  assert.equal(refunds.length, isRefunded ? 1 : 0);
});

test('[RET-05] a refused or cancelled return gives its units back', async () => {
  const { buyer, id } = await calls.createShippedOrder(1);
  const other = await shop.createBuyer();
  const first = textAt((await calls.request(buyer, id, 1)).body, 'return', 'id');
  assert.equal((await shop.shop.api('GET', `/returns/${first}`, { token: other.token })).status, 404);
  assert.equal((await shop.post(`/returns/${first}/cancel`, {}, other.token)).status, 404);
  const refused = await calls.step(first, 'refuse', { reason: 'Water damage is not covered' });
  assert.equal(textAt(refused.body, 'return', 'state'), 'refused');
  await waitForMail(buyer, /not accepted[^]*Water damage is not covered/);
  assert.equal((await calls.step(first, 'approve')).status, 409);
  const second = textAt((await calls.request(buyer, id, 1)).body, 'return', 'id');
  assert.equal((await shop.post(`/returns/${second}/cancel`, {}, buyer.token)).status, 200);
  assert.equal((await shop.post(`/returns/${second}/cancel`, {}, buyer.token)).status, 409);
  assert.equal((await calls.request(buyer, id, 1)).status, 201);
});

test('[RET-05] returns by courtesy follow the setting of the shop', async () => {
  const { buyer, id } = await calls.createShippedOrder(1);
  const listCauses = async () =>
    listAt((await shop.shop.api('GET', `/orders/${id}/returns`, { token: buyer.token })).body, 'causes');
  assert.deepEqual(await listCauses(), ['defect']);
  assert.equal(textAt((await calls.request(buyer, id, 1, 'courtesy')).body, 'error', 'code'), 'not-returnable');
  const settings = await shop.shop.api('GET', '/shop/settings', { token: owner });
  const body = {
    version: numberAt(settings.body, 'returns', 'version'),
    courtesy_days: 30,
    return_address: 'Returns, Dock 4\nElm Street 45',
  };
  assert.equal((await shop.shop.api('PUT', '/shop/settings/returns', { token: owner, body })).status, 200);
  assert.deepEqual(await listCauses(), ['defect', 'courtesy']);
  const requested = await calls.request(buyer, id, 1, 'courtesy');
  assert.equal(textAt(requested.body, 'return_address'), 'Returns, Dock 4\nElm Street 45');
});

test('[OPS-28] [RET-06] the queue, the first page and a mail know the returns that are due', async () => {
  const { buyer, id } = await calls.createShippedOrder(1);
  const requested = await calls.request(buyer, id, 1);
  const [returnId, reference] = [textAt(requested.body, 'return', 'id'), textAt(requested.body, 'return', 'reference')];
  const list = async (query: string): Promise<readonly string[]> => {
    const { body } = await shop.shop.api('GET', `/support/returns?${query}`, { token: shop.staff });
    return listAt(body, 'returns').map((one) => textAt(one, 'return', 'reference'));
  };
  assert.ok((await list('view=waiting')).includes(reference));
  assert.deepEqual(await list(`q=${reference.toLowerCase().replaceAll('-', ' ')}`), [reference]);
  const number = textAt((await shop.shop.api('GET', `/orders/${id}`, { token: buyer.token })).body, 'order', 'number');
  assert.deepEqual(await list(`q=${number}`), [reference]);
  assert.deepEqual(await list('q=R-2222-2222'), []);
  const todo = await shop.shop.api('GET', '/support/todo', { token: shop.staff });
  assert.ok(numberAt(todo.body, 'returns') >= 1);

  await calls.step(returnId, 'approve');
  const isDue = async () => (await list('view=due')).includes(reference);
  await runWithShopDatabase(shop.shop, (db) =>
    sql`update returns set refund_due_at = now() where id = ${returnId}`.execute(db),
  );
  assert.ok(!(await isDue()), 'withheld until the goods or a proof of sending arrive');
  assert.equal((await calls.step(returnId, 'sent', { proof: 'RR 9' })).status, 200);
  assert.ok(await isDue());
});

test('[RET-05] a return has one ticket, whoever opens it twice', async () => {
  const { buyer, id } = await calls.createShippedOrder(1);
  const returnId = textAt((await calls.request(buyer, id, 1)).body, 'return', 'id');
  const opened = await Promise.all([1, 2, 3].map(() => shop.post(`/returns/${returnId}/ticket`, {}, buyer.token)));
  const ids = new Set(opened.map(({ body }) => textAt(body, 'ticket_id')));
  assert.equal(ids.size, 1);
  const [ticketId = ''] = ids;
  assert.equal(textAt(await calls.read(returnId), 'return', 'ticket_id'), ticketId);
  // The ticket leads back to the return, for its buyer only.
  const readReturn = async ({ token }: Buyer) =>
    valueAt((await shop.shop.api('GET', `/tickets/${ticketId}/return`, { token })).body, 'return');
  assert.equal(textAt(await readReturn(buyer), 'id'), returnId);
  assert.equal(await readReturn(await shop.createBuyer()), null);
  const { body } = await shop.shop.api('GET', `/users/${await calls.readUserId(buyer)}/data`, { token: buyer.token });
  const exported = listAt(body, 'orders').find((one) => textAt(one, 'id') === id);
  assert.equal(textAt(exported, 'returns', 0, 'reason'), 'It does not start');
});

const ship = (id: string) => shop.post(`/orders/${id}/ship`, {});
const listActions = async (id: string) => listAt(await calls.read(id), 'return', 'actions');

test('[RET-06] no unit is no arrival', async () => {
  const { buyer, id } = await calls.createShippedOrder(1);
  const returnId = textAt((await calls.request(buyer, id, 1)).body, 'return', 'id');
  assert.equal((await calls.step(returnId, 'approve')).status, 200);
  const counted = await calls.step(returnId, 'receive', { position: 0, units: 0 });
  assert.equal(counted.status, 400);
  assert.match(textAt(counted.body, 'error', 'fields', 'units'), /must not be 0/);
  assert.equal(textAt(await calls.read(returnId), 'return', 'state'), 'approved');
});

test('[RET-06] a withdrawal whose units are paid is not closed without its refund', async () => {
  const { buyer, id } = await calls.createPaidOrder(2);
  const returnId = await calls.withdraw(buyer, id);
  assert.equal(textAt((await calls.step(returnId, 'close', { reason: 'No' })).body, 'error', 'code'), 'not-possible');
  assert.deepEqual(await listActions(returnId), ['refund', 'void']);
  assert.equal(textAt((await ship(id)).body, 'error', 'code'), 'contract-withdrawn');
  // Refunded otherwise: nothing is left, and the units stay stopped.
  const lines = {
    units: [{ position: 0, shipped: false, quantity: 2 }],
    shipping: true,
    restock: true,
    reason: 'By phone',
  };
  const body = { covers: 'lines', lines, ...calls.anyWallet };
  const made = await shop.post(`/orders/${id}/refunds`, body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.deepEqual(await listActions(returnId), ['close'], 'its units are not refunded twice');
  assert.equal((await calls.step(returnId, 'close', { reason: 'Refunded by phone' })).status, 200);
  await waitForMail(buyer, /closed your withdrawal[^]*Refunded by phone/);
  assert.notEqual((await ship(id)).status, 200);
  // The refund by hand is given up: the withdrawal is owed again.
  assert.equal((await shop.post(`/refunds/${textAt(made.body, 'refund', 'id')}/withdraw`)).status, 200);
  assert.deepEqual(await listActions(returnId), ['refund', 'void']);
});

test('[RET-06] a withdrawal that too little was left of goes on when its price is there again', async () => {
  const { buyer, id } = await calls.createPaidOrder(1);
  const returnId = await calls.withdraw(buyer, id);
  const price = numberAt(await calls.read(returnId), 'refund', 'value_usd');
  // A goodwill refund takes all but ten cents, which no wallet sends.
  const amount = { usd: toCents(price - 0.1) / 100, reason: 'For the trouble' };
  const made = await shop.post(`/orders/${id}/refunds`, { covers: 'amount', amount, ...calls.anyWallet });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const taken = textAt(made.body, 'refund', 'id');
  await record(taken, 'd9');
  await waitUntil(async () => (await listActions(returnId)).includes('close'));
  const closed = await calls.step(returnId, 'close', { reason: 'Refunded already' });
  assert.equal(textAt(closed.body, 'return', 'outcome'), 'too-little', JSON.stringify(closed.body));
  // Recorded by mistake, it will still be sent: it takes the price as before.
  assert.equal((await shop.post(`/refunds/${taken}/undo-record`, { reason: 'Not sent' })).status, 200);
  assert.equal(textAt(await calls.read(returnId), 'return', 'state'), 'closed');
  // It is given up: the shop owes the price of the withdrawal.
  assert.equal((await shop.post(`/refunds/${taken}/withdraw`)).status, 200);
  assert.equal(textAt(await calls.read(returnId), 'return', 'state'), 'approved');
  assert.deepEqual(await listActions(returnId), ['refund', 'void']);
  assert.ok((await shop.readTimeline(buyer, id)).kinds.includes('return_reopened'));
  await waitForMail(buyer, /Return R-.*: open again[^]*owed to you/);
  assert.equal((await calls.step(returnId, 'refund', calls.anyWallet)).status, 200);
  assert.equal(numberAt(await findRefund(id), 'value_usd'), price);
});

test('[RET-06] a withdrawal that was closed goes on when the record of a whole refund is undone', async () => {
  const { buyer, id } = await calls.createPaidOrder(1);
  const returnId = await calls.withdraw(buyer, id);
  const sent = { covers: 'whole', txid: 'da'.repeat(32), address: testKey().address, reason: 'By hand' };
  const recorded = await shop.post(`/orders/${id}/refunds/elsewhere`, sent);
  assert.equal(recorded.status, 201, JSON.stringify(recorded.body));
  assert.equal((await calls.step(returnId, 'close', { reason: 'Refunded by hand' })).status, 200);
  const refund = textAt(recorded.body, 'refund', 'id');
  await runWithShopDatabase(shop.shop, (db) =>
    sql`update returns set warned_at = now() where id = ${returnId}`.execute(db),
  );
  assert.equal((await shop.post(`/refunds/${refund}/undo-record`, { reason: 'Another order' })).status, 200);
  const isWarned = await runWithShopDatabase(shop.shop, async (db) => {
    const { rows } = await sql`select from returns where id = ${returnId} and warned_at is not null`.execute(db);
    return rows.length > 0;
  });
  assert.equal(isWarned, false, 'staff are warned of its deadline again');
  assert.equal(textAt(await calls.read(returnId), 'return', 'state'), 'approved');
  assert.deepEqual(await listActions(returnId), ['refund', 'void']);
});

test('[RET-06] more steps at once than database connections have one winner, and none fails', async () => {
  const { buyer, id } = await calls.createShippedOrder(1);
  const returnId = await calls.withdraw(buyer, id);
  assert.equal((await calls.step(returnId, 'sent', { proof: 'RR 0' })).status, 200);
  const version = numberAt(await calls.read(returnId), 'return', 'version');
  const send = (proof: string) => shop.post(`/support/returns/${returnId}/sent`, { version, proof });
  const done = await Promise.all(Array.from({ length: 24 }, (_, at) => send(`RR ${at + 1}`)));
  const count = (status: number) => done.filter((one) => one.status === status).length;
  assert.deepEqual([count(200), count(409)], [1, 23], done.map((one) => one.status).join());
});

test('[RET-06] buyer and shop agree that a withdrawal is void, and its units can be shipped', async () => {
  const { buyer, id } = await calls.createPaidOrder(1);
  const returnId = await calls.withdraw(buyer, id);
  const support = await logInAs(shop.shop, 'owner');
  assert.equal((await calls.step(returnId, 'void', { reason: ' ' })).status, 400);
  const voided = await calls.step(returnId, 'void', { reason: 'You wrote that you want the phone after all' });
  assert.equal(voided.status, 200, JSON.stringify(voided.body));
  assert.equal(textAt(voided.body, 'return', 'outcome'), 'void');
  await waitForMail(buyer, /is void[^]*You wrote that you want the phone after all/);
  const audit = await shop.shop.api('GET', '/support/audit?kind=return', { token: support });
  assert.ok(listAt(audit.body, 'entries').some((one) => textAt(one, 'action') === 'return.voided'));
  assert.equal((await ship(id)).status, 200);
  // The contract goes on, so it can be withdrawn from.
  const again = await calls.withdraw(buyer, id);
  assert.deepEqual(await listActions(again), ['send', 'receive', 'void']);
  // What the buyer gets back is not refunded.
  assert.equal((await calls.step(again, 'receive', { position: 0 })).status, 200);
  assert.deepEqual(await listActions(again), ['receive', 'inspect', 'void']);
  const line = { position: 0, ...CONDITION, sent_back: 1 };
  assert.equal((await calls.step(again, 'inspect', { lines: [line] })).status, 200);
  assert.equal((await calls.step(again, 'close', { reason: 'Not our phone' })).status, 200);
  // Only withdrawals are void.
  const other = textAt((await calls.request(buyer, id, 1)).body, 'return', 'id');
  await calls.step(other, 'approve');
  assert.equal(textAt((await calls.step(other, 'void', { reason: 'No' })).body, 'error', 'code'), 'not-possible');
});

const listSupportMails = async (): Promise<readonly string[]> => {
  const { body } = await shop.shop.api('GET', '/dev/mail?to=support@shop.example');
  return listAt(body).map((mail) => `${textAt(mail, 'subject')}\n${textAt(mail, 'text')}`);
};

test('[RET-06] staff get one mail about each return and each withdrawal', async () => {
  const { buyer, id } = await calls.createShippedOrder(2);
  const references = [
    textAt((await calls.request(buyer, id, 1)).body, 'return', 'reference'),
    textAt(await calls.read(await calls.withdraw(buyer, id)), 'return', 'reference'),
  ];
  const listAbout = async (reference: string) => (await listSupportMails()).filter((mail) => mail.includes(reference));
  await waitUntil(async () => (await Promise.all(references.map(listAbout))).every(({ length }) => length > 0));
  const [requested = [], withdrawn = []] = await Promise.all(references.map(listAbout));
  assert.match(requested.join(), /^Return of order \S+ requested\n[^]*Defect[^]*1 × iPhone/);
  assert.match(withdrawn.join(), /^Withdrawal from order \S+\n[^]*Refund by/);
  assert.deepEqual([requested.length, withdrawn.length], [1, 1]);
  const number = /order (\S+)\n/.exec(withdrawn.join())?.[1] ?? '';
  const about = (await listSupportMails()).filter((mail) => mail.includes(number) && /withdrew from/.test(mail));
  assert.equal(about.length, 1, 'the task of the order has no mail of its own');
});

test('[OPS-28] a mail to the support address names the refunds that are due', async () => {
  const { buyer, id } = await calls.createShippedOrder(1);
  const requested = await calls.request(buyer, id, 1);
  const [returnId, reference] = [textAt(requested.body, 'return', 'id'), textAt(requested.body, 'return', 'reference')];
  await calls.step(returnId, 'approve');
  await calls.step(returnId, 'sent', { proof: 'RR 10' });
  await runWithShopDatabase(shop.shop, async (db) => {
    await sql`update returns set refund_due_at = now() + interval '1 day' where id = ${returnId}`.execute(db);
    // The hourly tasks run at a start; those of this hour may have run.
    await sql`delete from pgboss.job where name = 'hourly'`.execute(db);
  });
  await shop.shop.restart();
  await waitUntil(async () => {
    const { body } = await shop.shop.api('GET', '/dev/mail?to=support@shop.example');
    return listAt(body).some((mail) => textAt(mail, 'text').includes(reference) && /due/.test(textAt(mail, 'subject')));
  });
});
