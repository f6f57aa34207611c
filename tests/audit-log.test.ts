/** The audit log over HTTP and from the command line: list, filters, export, erasure, check. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { listAuditEntries } from '#src/shop/audit-log/service.ts';
import { logInAs } from './support/catalogue-editor.ts';
import { createPromotionFields } from './support/promotion-fields.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { RefundShop } from './support/refund-shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { createTicket } from './support/support-fixtures.ts';
import { makeTemporaryDirectory } from './support/template.ts';

let refunds: RefundShop;
let shop: TestShop;
let staff: string;
let owner: string;
const folder = makeTemporaryDirectory();
before(async () => {
  refunds = await openRefundShop();
  ({ shop } = refunds);
  [staff, owner] = [await logInAs(shop, 'staff'), await logInAs(shop, 'owner')];
});
after(async () => {
  await shop.stop();
  await rm(folder, { recursive: true, force: true });
});

const createPromotion = (changes: Parameters<typeof createPromotionFields>[0]): Promise<ApiResponse> =>
  shop.api('POST', '/support/promotions', { token: staff, body: createPromotionFields(changes) });
const read = async (query = ''): Promise<unknown> => {
  const { status, body } = await shop.api('GET', `/support/audit${query}`, { token: owner });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const count = async (query: string): Promise<number> => numberAt(await read(query), 'total');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}
function run(script: string, args: readonly string[], place = shop.place): Promise<Ended> {
  const child = spawn(process.execPath, ['scripts/run.mjs', script, ...args], {
    env: { PATH: process.env['PATH'], ...place },
    timeout: 120_000,
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}
/** Changes rows as somebody with access to the database could. */
const forge = (statement: ReturnType<typeof sql>) =>
  runWithShopDatabase(shop, (db) =>
    db.transaction().execute(async (tx) => {
      await sql`alter table audit_entries disable trigger user`.execute(tx);
      await sql`alter table audit_details disable trigger user`.execute(tx);
      await statement.execute(tx);
      await sql`alter table audit_entries enable trigger user`.execute(tx);
      await sql`alter table audit_details enable trigger user`.execute(tx);
    }),
  );
const readHash = (out: string): string => /Newest hash: ([0-9a-f]{64})/.exec(out)?.[1] ?? assert.fail(out);

test('[OPS-06] owners see who changed what, with values before and after', async () => {
  const created = await createPromotion({ code: 'LISTED' });
  const id = textAt(created.body, 'promotion', 'id');
  const body = { ...createPromotionFields({ code: 'LISTED', max_uses: 5 }), version: 1 };
  assert.equal((await shop.api('PUT', `/support/promotions/${id}`, { token: staff, body })).status, 200);
  const [edited, first] = listAt(await read('?q=LISTED'), 'entries');
  assert.deepEqual(
    [textAt(edited, 'title'), textAt(edited, 'actor'), textAt(edited, 'subject', 'path')],
    ['Promotion: edited', 'staff', `/admin/promotions/${id}`],
  );
  assert.deepEqual(valueAt(edited, 'changes'), [{ field: 'Max uses', before: 'None', after: '5' }]);
  assert.equal(textAt(first, 'title'), 'Promotion: created');
  assert.ok(listAt(first, 'changes').every((change) => valueAt(change, 'before') === null));
});

test('[OPS-06] entries are found by person, subject, day and text', async () => {
  await createPromotion({ code: 'FOUND' });
  const entry = listAt(await read('?q=found'), 'entries')[0];
  const actor = textAt(
    listAt(await read(), 'actors').find((one) => textAt(one, 'username') === 'staff'),
    'id',
  );
  const day = textAt(entry, 'at').slice(0, 10);
  assert.equal(await count(`?q=found&actor=${actor}&kind=promotion&from=${day}&to=${day}`), 1);
  assert.equal(await count('?q=found&actor=command'), 0);
  assert.equal(await count('?q=found&kind=product'), 0);
  assert.equal(await count('?q=found&to=2020-01-01'), 0);
  assert.equal(await count('?page=99999&q=found'), 1);
  for (const query of ['?kind=nonsense', '?actor=x', '?from=yesterday', '?page=0', '?from=2026-02-31']) {
    assert.equal((await shop.api('GET', `/support/audit${query}`, { token: owner })).status, 400, query);
  }
});

test('[OPS-06] entries about orders and tickets have their numbers and pages', async () => {
  const buyer = await refunds.createBuyer();
  const orderId = await refunds.createPaidOrder(buyer, 0.02);
  const order = textAt((await shop.api('GET', `/orders/${orderId}`, { token: buyer.token })).body, 'order', 'number');
  assert.equal((await refunds.post(`/orders/${orderId}/notes`, { text: 'Called' })).status, 201);
  const ticketId = await createTicket(shop, buyer.token);
  assert.equal((await refunds.post(`/support/tickets/${ticketId}/close`, {})).status, 200);
  const { body } = await shop.api('GET', `/support/tickets/${ticketId}`, { token: staff });
  const ticket = `#${String(valueAt(body, 'ticket', 'number'))}`;
  for (const [number, name, path] of [
    [order, `Order ${order}`, `/admin/orders/${orderId}`],
    [ticket, `Ticket ${ticket}`, `/admin/tickets/${ticketId}`],
  ] as const) {
    const [entry] = listAt(await read(`?q=${encodeURIComponent(number)}`), 'entries');
    assert.deepEqual([textAt(entry, 'subject', 'name'), textAt(entry, 'subject', 'path')], [name, path]);
  }
  const names = listAt(await read(), 'entries').map((entry) => textAt(entry, 'subject', 'name'));
  assert.ok(
    names.every((name) => !/[0-9a-f]{8}-[0-9a-f]{4}-/.test(name)),
    names.join(', '),
  );
});

test('[OPS-06] the export is complete, safe in spreadsheets, and recorded', async () => {
  const product = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
  const faq = { question: '=cmd|calc', answer: 'A "quoted", answer' };
  assert.equal((await shop.api('POST', '/content/faq', { token: staff, body: faq })).status, 201);
  assert.ok(product !== '');
  assert.equal((await shop.api('GET', '/exports/audit', { token: staff })).status, 403);
  const total = await count('');
  const response = await shop.api('GET', '/exports/audit', { token: owner });
  assert.equal(response.status, 200);
  const lines = String(response.body).trimEnd().split('\r\n');
  assert.match(lines[0] ?? '', /^id,at,actor_kind,actor_id,actor,ip,user_agent,action,/);
  assert.equal(lines.length, 1 + total + 1, 'all entries with that of the export');
  assert.match(lines.at(-1) ?? '', /report\.exported/);
  assert.ok(lines.every((line) => !/(?:^|,)"?[=+@]/.test(line)));
  const [newest] = listAt(await read(), 'entries');
  assert.deepEqual([textAt(newest, 'action'), textAt(newest, 'actor')], ['report.exported', 'owner']);
});

/** Calls an export and returns which reports it recorded. */
async function listExported(path: string): Promise<string[]> {
  const earlier = await count('');
  assert.equal((await shop.api('GET', path, { token: owner })).status, 200, path);
  const added = listAt(await read(), 'entries').slice(0, (await count('')) - earlier);
  return added.filter((one) => textAt(one, 'action') === 'report.exported').map((one) => textAt(one, 'subject', 'id'));
}

test('[OPS-06] exports with personal data are recorded, those without are not', async () => {
  assert.deepEqual(await listExported('/exports/audit'), ['audit-log']);
  assert.deepEqual(await listExported('/exports/invoices'), ['invoices']);
  assert.deepEqual(await listExported('/exports/books'), ['books']);
  for (const path of ['/exports/sales?period=12m', '/exports/sales?period=12m&group=country', '/exports/products']) {
    assert.deepEqual(await listExported(path), [], path);
  }
});

test('[OPS-06] the timeline names the person who acted, for staff only', async () => {
  const buyer = await refunds.createBuyer();
  const id = await refunds.createPaidOrder(buyer, 0.005);
  const reason = 'The rest is not worth a mail';
  assert.equal((await refunds.post(`/orders/${id}/settle`, { reason })).status, 200);
  const shown = await shop.api('GET', `/support/orders/${id}`, { token: staff });
  const events = listAt(shown.body, 'timeline');
  assert.equal(
    textAt(
      events.find((event) => textAt(event, 'kind') === 'settled'),
      'by',
    ),
    'staff',
  );
  const own = await shop.api('GET', `/orders/${id}/timeline`, { token: buyer.token });
  assert.equal(own.status, 200);
  for (const secret of ['"by"', '"staff"', reason]) assert.ok(!JSON.stringify(own.body).includes(secret), secret);
});

test('[OPS-06] [PRIV-02] deleting an account leaves what staff did with its orders', async () => {
  const buyer = await refunds.createBuyer();
  const id = await refunds.createCancelledPaidOrder(buyer, 0.009);
  const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
  const record = { covers: 'whole', txid: 'ab'.repeat(32), address, reason: 'Reported by phone' };
  assert.equal((await refunds.post(`/orders/${id}/refunds/elsewhere`, record)).status, 201);
  assert.equal(await count('?q=reported%20by%20phone'), 1);
  const { body } = await shop.api('POST', '/users/login', {
    body: { username: buyer.name, password: 'crypto-market' },
  });
  const [userId, token] = [textAt(body, 'user', 'id'), textAt(body, 'tokens', 'accessToken')];
  const erased = await shop.api('DELETE', `/users/${userId}`, { token, body: { username: buyer.name } });
  assert.equal(erased.status, 200, JSON.stringify(erased.body));
  assert.equal(await count('?q=reported%20by%20phone'), 1);
  const entries = await runWithShopDatabase(shop, (db) =>
    listAuditEntries(db, { subjectKind: 'order', subjectId: id }, { limit: 10, offset: 0 }),
  );
  assert.deepEqual(
    entries.entries.map(({ action, details }) => [action, details?.after?.['reason'], details?.after?.['address']]),
    [['order.refund_recorded', record.reason, address]],
  );
  assert.match((await run('audit', ['verify'])).out, /\d entries\. The chain is intact\./);
});

test('[OPS-06] commands verify the chain and export the log', async () => {
  assert.equal((await run('stock', ['set', 'iphone-air', '7'])).code, 0);
  assert.ok((await count('?actor=command&kind=variant')) >= 1);
  const { code, out } = await run('audit', ['verify']);
  assert.deepEqual([code, out.split('\n').length], [0, 3], out);
  const hash = readHash(out);
  await createPromotion({ code: 'LATER' });
  const later = await run('audit', ['verify', '--expect', hash]);
  assert.equal(later.code, 0, later.err);
  assert.notEqual(readHash(later.out), hash);
  const unknown = await run('audit', ['verify', '--expect', 'ab'.repeat(32)]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /does not contain the expected hash/);
  const file = join(folder, 'log.csv');
  assert.match((await run('audit', ['export', file])).out, /^Wrote \d+ entries to /);
  assert.match(await readFile(file, 'utf8'), /npm run stock/);
  assert.equal((await run('audit', ['export', file])).code, 1, 'an existing file stays');
});

test('[OPS-06] a restored backup has the same verified chain', async () => {
  const noted = await run('audit', ['verify']);
  const backup = join(folder, 'shop.backup');
  const saved = await run('db', ['backup', backup]);
  assert.equal(saved.code, 0, saved.err);
  const directory = makeTemporaryDirectory();
  const empty = { DATA_DIR: directory, DATABASE_URL: '' };
  const restored = await run('db', ['restore', backup], empty);
  assert.equal(restored.code, 0, restored.err);
  const verified = await run('audit', ['verify', '--expect', readHash(noted.out)], empty);
  assert.deepEqual([verified.code, verified.out], [0, noted.out], verified.err);
  await rm(directory, { recursive: true, force: true });
});

test('[OPS-06] the check fails after somebody changed the database', async () => {
  await forge(
    sql`update audit_details set details = replace(details, 'LISTED', 'FORGED') where details like '%LISTED%'`,
  );
  const changed = await run('audit', ['verify']);
  assert.equal(changed.code, 1);
  assert.match(changed.err, /^The audit log is damaged: entry \d+ has changed details\.$/m);
  await forge(
    sql`update audit_details set details = replace(details, 'FORGED', 'LISTED') where details like '%FORGED%'`,
  );
  assert.equal((await run('audit', ['verify'])).code, 0);
  await forge(sql`update audit_entries set action = 'promotion.deleted' where id = 2`);
  assert.match((await run('audit', ['verify'])).err, /entry 2 was changed\./);
});

test('wrong arguments of the audit command print the usage', async () => {
  for (const args of [[], ['--help'], ['verify', 'x'], ['verify', '--expect', 'x'], ['export'], ['export', 'a', 'b']]) {
    const { code, out, err } = await run('audit', args);
    assert.deepEqual([code, out, err.slice(0, 7)], [2, '', 'Usage: '], args.join(' '));
  }
});
