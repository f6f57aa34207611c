/** Whoever of the staff reads personal data of a customer leaves a record of it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import sharp from 'sharp';
import { z } from 'zod';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Database } from '#src/platform/database/database.ts';
import { ACCESS_RULES } from '#src/shop/access-rules.ts';
import type { AccessRuleName } from '#src/shop/access-rules.ts';
import { shopApi } from '#src/shop/api.ts';
import { accessTable } from './support/access-table.ts';
import { toMethod } from './support/audit-walk.ts';
import { silentLog } from './support/database.ts';
import { createOrder } from './support/new-order.ts';
import { listAt, textAt } from './support/read-json.ts';
import { readRoutes } from './support/shop-routes.ts';
import { PERSONAL_FIELDS, STAFF_READS, WITHOUT_PERSONAL_DATA } from './support/staff-reads.ts';
import type { ReadIds, StaffRead } from './support/staff-reads.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { enterPassword } from './support/totp-app.ts';
import { LABEL_PDF, uploadBytes } from './support/upload-picture.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let database: Database;
let ids: ReadIds;
before(async () => {
  shop = await startTestShop({ settings: { LOG_LEVEL: 'info' } });
  database = openDatabase({ connection: await shop.getConnection(), log: silentLog, poolSize: 1 });
  ids = await createData();
});
after(async () => {
  await database.close();
  await shop.stop();
});

const logIn = async (username: string) => {
  const { body } = await enterPassword(shop, username);
  return { id: textAt(body, 'user', 'id'), token: textAt(body, 'tokens', 'accessToken') };
};

/** A customer with a shipped order, its invoice and return, a ticket and a contact message. */
async function createData(): Promise<ReadIds> {
  const { id: order, token, due } = await createOrder(shop, 'read-customer');
  const paid = await shop.api('POST', '/dev/pay', { body: { order_id: order, amount_btc: due } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 2 } });
  const listInvoices = async () =>
    listAt((await shop.api('GET', `/orders/${order}/invoices`, { token })).body, 'invoices');
  await waitUntil(async () => (await listInvoices()).length > 0);
  const draft = { title: 'Question', theme: 'Delivery', description: 'Where is it?' };
  const ticket = await shop.api('POST', '/tickets/create', { token, body: draft });
  const contact = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@reads.example', message: 'Hello' };
  await shop.api('POST', '/contact', { body: contact });
  // Not the reader of the test: repeats within 15 minutes are one reading.
  const owner = await logIn('owner');
  assert.equal((await shop.api('POST', `/orders/${order}/ship`, { token: owner.token, body: {} })).status, 200);
  const returned = await shop.api('POST', `/orders/${order}/returns`, {
    token,
    body: { cause: 'defect', lines: [{ position: 0, quantity: 1 }], reason: 'It does not start' },
  });
  const returnId = textAt(returned.body, 'return', 'id');
  const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer();
  const picture = await uploadBytes(shop, `/returns/${returnId}/pictures`, token, photo);
  assert.equal(picture.status, 201, JSON.stringify(picture.body));
  const approved = await shop.api('POST', `/support/returns/${returnId}/approve`, {
    token: owner.token,
    body: { version: 1 },
  });
  assert.equal(approved.status, 200, JSON.stringify(approved.body));
  const label = await uploadBytes(shop, `/support/returns/${returnId}/label-file?version=2`, owner.token, LABEL_PDF);
  assert.equal(label.status, 200, JSON.stringify(label.body));
  const read = async (path: string) => (await shop.api('GET', path, { token: owner.token })).body;
  return {
    customer: textAt((await shop.api('GET', '/users/user', { token })).body, 'id'),
    order,
    txid: textAt(paid.body, 'txid'),
    invoice: textAt((await listInvoices())[0], 'id'),
    ticket: textAt(ticket.body, 'id'),
    message: textAt(await read('/support/contact-messages'), 'messages', 0, 'id'),
    returned: returnId,
    picture: textAt(picture.body, 'id'),
    promotion: textAt(await read('/support/promotions'), 'promotions', 0, 'id'),
  };
}

type Line = Readonly<Record<string, unknown>>;
const isLine = (value: unknown): value is Line => typeof value === 'object' && value !== null;
const listEvents = (requestId: string | null): readonly Line[] =>
  shop
    .readOutput()
    .split('\n')
    .filter((text) => text.includes(`"request_id":"${requestId}"`))
    .map((text): unknown => JSON.parse(text))
    .filter(isLine)
    .filter((line) => 'security_event' in line)
    .map(({ security_event: kind, user_id: userId, call, target_id: target, result }) => ({
      kind,
      userId,
      call,
      target,
      result,
    }));

const UUID = /^[\da-f-]{36}$/;
const entries = async (): Promise<readonly string[]> => {
  const { rows } = await sql<{ entry: string }>`select action || ' ' || subject_kind || ' ' || subject_id as entry
    from audit_entries where action = 'report.exported' order by id`.execute(database.db);
  return rows.map(({ entry }) => entry);
};

test('[OPS-26] each staff read of personal data is one security event', async () => {
  const [manager, owner] = [await logIn('staff'), await logIn('owner')];
  const reads: readonly (readonly [string, StaffRead])[] = Object.entries(STAFF_READS);
  for (const [key, { params = () => ({}), query = () => '', body, event, exported }] of reads) {
    const [method = '', template = ''] = key.split(' ');
    const values: Readonly<Record<string, string>> = params(ids);
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? assert.fail(key)) + query(ids);
    const reader = event === undefined ? manager : owner;
    const former = await entries();
    const request = { token: reader.token, ...(body === undefined ? {} : { body }) };
    const { status, headers } = await shop.api(toMethod(method), path, request);
    assert.ok(status < 300, `${key}: ${String(status)}`);
    const requestId = headers.get('x-request-id');
    const target = Object.values(values).find((value) => UUID.test(value));
    const expected = { kind: event ?? 'staff_read', userId: reader.id, call: key, target, result: 'ok' };
    assert.deepEqual(listEvents(requestId), [expected], key);
    const added = exported === undefined ? [] : [`report.exported report ${exported}`];
    assert.deepEqual(await entries(), [...former, ...added], key);
  }
});

/** Names of all fields of a response. */
function listFields(schema: z.ZodType): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), (key, value: unknown) => {
    if (key === 'properties' && isLine(value)) for (const name of Object.keys(value)) names.add(name);
    return value;
  });
  return names;
}

const isRuleName = (who: string): who is AccessRuleName => Object.hasOwn(ACCESS_RULES, who);

test('[OPS-26] each reading call of staff is recorded or without personal data', async () => {
  const routes = await readRoutes();
  const rows: Readonly<Record<string, object>> = accessTable('unused');
  const listed = Object.entries(shopApi).flatMap(([key, endpoint]) => {
    const route = routes[key] ?? assert.fail(key);
    const isOfStaff = isRuleName(route.who) && ACCESS_RULES[route.who].isForStaff;
    const isShared = Object.hasOwn(rows[key] ?? {}, 'staffReach');
    const isReading = key.startsWith('GET ') && (isOfStaff || isShared);
    if (!isReading && route.hasPersonalData !== true) return [];
    if (WITHOUT_PERSONAL_DATA.has(key)) {
      const personal = [...listFields(endpoint.response)].filter((name) => PERSONAL_FIELDS.has(name));
      assert.deepEqual(personal, [], `${key} returns personal data`);
    }
    return [key];
  });
  const known = [...Object.keys(STAFF_READS), ...WITHOUT_PERSONAL_DATA];
  assert.deepEqual(listed.toSorted(), known.toSorted());
});
