/** Tickets over HTTP: calls of customers and staff, refusals, and mails to staff. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { keysAt, listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

const ABSENT = '019a0000-0000-7000-8000-000000000000';
const DRAFT = { title: 'A parcel', theme: 'Delivery', description: 'Where is it?' };

let shop: TestShop;
let staff: string;
before(async () => {
  shop = await startTestShop();
  staff = (await signIn('staff')).token;
});
after(() => shop.stop());

async function signIn(username: string): Promise<{ token: string; userId: string }> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } });
  return { token: textAt(body, 'tokens', 'accessToken'), userId: textAt(body, 'user', 'id') };
}
let users = 0;
async function createUser(): Promise<{ token: string; userId: string; name: string }> {
  const name = `asker-${(users += 1)}`;
  const account = { username: name, password: 'crypto-market', email: `${name}@tickets.example` };
  assert.equal((await shop.api('POST', '/users/register', { body: account })).status, 201);
  return { ...(await signIn(name)), name };
}
const create = (token: string, body: object = DRAFT): Promise<ApiResponse> =>
  shop.api('POST', '/tickets/create', { token, body });
const write = (token: string, body: object): Promise<ApiResponse> =>
  shop.api('POST', '/tickets/messages', { token, body });
const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;

test('[API-09] [API-13] creates and lists tickets and messages by contract', async () => {
  const { token, userId } = await createUser();
  const created = await create(token, { ...DRAFT, user_id: userId });
  assert.equal(created.status, 201);
  assert.deepEqual(keysAt(created.body), ['id', 'user_id', 'title', 'theme', 'description', 'status', 'created_at']);
  assert.deepEqual([valueAt(created.body, 'user_id'), valueAt(created.body, 'status')], [userId, 'open']);
  const id = textAt(created.body, 'id');
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  const written = await write(token, { ticket_id: id, sender_type: 'user', message: '  Hello  ' });
  assert.equal(written.status, 201);
  assert.deepEqual(keysAt(written.body), ['id', 'ticket_id', 'sender_type', 'message', 'created_at']);
  assert.equal(valueAt(written.body, 'message'), 'Hello');
  assert.deepEqual((await shop.api('GET', `/tickets/${id}`, { token })).body, created.body);
  assert.deepEqual((await shop.api('GET', `/tickets/user/${userId}`, { token })).body, [created.body]);
  assert.deepEqual((await shop.api('GET', `/tickets/${id}/messages`, { token })).body, [written.body]);
  assert.deepEqual(valueAt((await shop.api('GET', '/users/user', { token })).body, 'tickets'), [id]);
});

test('[TKT-01] [TKT-06] refuses a third ticket, foreign users, roles, closed tickets', async () => {
  const [{ token }, stranger] = [await createUser(), await createUser()];
  const responses = await Promise.all(Array.from({ length: 12 }, () => create(token)));
  const created = responses.filter(({ status }) => status === 201);
  assert.equal(created.length, 2);
  for (const response of responses.filter(({ status }) => status !== 201)) {
    assert.equal(readErrorCode(response), '409 too-many-open');
    assert.equal(textAt(response.body, 'error', 'message'), "You can't create more than 2 open tickets");
  }
  const foreign = await create(stranger.token, { ...DRAFT, user_id: ABSENT });
  assert.equal(readErrorCode(foreign), '400 invalid');
  assert.deepEqual(keysAt(foreign.body, 'error', 'fields'), ['user_id']);
  const id = textAt(created[0]?.body, 'id');
  const asSupport = await write(token, { ticket_id: id, sender_type: 'support', message: 'I am support' });
  assert.equal(readErrorCode(asSupport), '400 invalid');
  assert.deepEqual(keysAt(asSupport.body, 'error', 'fields'), ['sender_type']);
  const foreignResponse = await write(stranger.token, { ticket_id: id, message: 'Hello' });
  const absent = await write(stranger.token, { ticket_id: ABSENT, message: 'Hello' });
  assert.equal(foreignResponse.status, 404);
  assert.deepEqual(foreignResponse.body, absent.body);
  assert.equal(readErrorCode(await write(token, { ticket_id: id, message: ' \n ' })), '400 invalid');
  assert.equal(readErrorCode(await write(token, { ticket_id: id, message: 'x'.repeat(4001) })), '400 invalid');
  await shop.api('POST', `/support/tickets/${id}/close`, { token: staff });
  assert.equal(readErrorCode(await write(token, { ticket_id: id, message: 'Late' })), '409 closed');
  assert.equal(readErrorCode(await write(staff, { ticket_id: id, message: 'Late' })), '409 closed');
  assert.deepEqual((await shop.api('GET', `/tickets/${id}/messages`, { token })).body, []);
  assert.equal((await create(token)).status, 201, 'a closed ticket does not count');
});

test('[TKT-03] [API-09] returns the stored message for a repeated key', async () => {
  const { token } = await createUser();
  const headers = { 'idempotency-key': 'a ticket of mine' };
  const [first, second] = [
    await shop.api('POST', '/tickets/create', { token, body: DRAFT, headers }),
    await shop.api('POST', '/tickets/create', { token, body: DRAFT, headers }),
  ];
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.deepEqual(first.body, second.body);
  const otherDraft = { ...DRAFT, title: 'Another' };
  assert.equal(
    readErrorCode(await shop.api('POST', '/tickets/create', { token, body: otherDraft, headers })),
    '422 idempotency-key-reused',
  );
  const message = { ticket_id: textAt(first.body, 'id'), message: 'Hello', client_id: randomUUID() };
  const sent = await Promise.all([write(token, message), write(token, message), write(token, message)]);
  assert.equal(new Set(sent.map(({ body }) => textAt(body, 'id'))).size, 1);
  assert.equal(readErrorCode(await write(token, { ...message, message: 'Other' })), '422 idempotency-key-reused');
});

test('[OPS-04] lets only staff find, answer, progress and close tickets', async () => {
  const { token, userId, name } = await createUser();
  const id = textAt((await create(token, { ...DRAFT, title: 'Needle in the queue' })).body, 'id');
  const queue = async (query: string): Promise<readonly unknown[]> =>
    listAt((await shop.api('GET', `/support/tickets?${query}`, { token: staff })).body, 'tickets');
  const [queued] = await queue('q=needle&status=open&unread=true');
  assert.equal(textAt(queued, 'id'), id);
  assert.deepEqual([textAt(queued, 'username'), numberAt(queued, 'unread')], [name, 1]);
  assert.equal((await shop.api('GET', `/tickets/${id}/messages`, { token: staff })).status, 200);
  assert.deepEqual(await queue('q=needle&unread=true'), []);
  const reply = await write(staff, { ticket_id: id, sender_type: 'support', message: 'We look into it.' });
  assert.deepEqual([reply.status, valueAt(reply.body, 'sender_type')], [201, 'support']);
  const unread = await shop.api('GET', '/tickets/unread', { token });
  assert.deepEqual(unread.body, { count: 1, tickets: [{ ticket_id: id, count: 1 }] });
  const read = { message_id: textAt(reply.body, 'id') };
  assert.equal((await shop.api('POST', `/tickets/${id}/read`, { token, body: read })).status, 200);
  assert.equal(numberAt((await shop.api('GET', '/tickets/unread', { token })).body, 'count'), 0);
  for (const [action, status] of [
    ['in-progress', 'in_progress'],
    ['close', 'closed'],
  ] as const) {
    const path = `/support/tickets/${id}/${action}`;
    assert.equal((await shop.api('POST', path, { token })).status, 403);
    assert.equal((await shop.api('POST', path)).status, 401);
    const done = await shop.api('POST', path, { token: staff });
    assert.deepEqual([done.status, valueAt(done.body, 'status')], [200, status]);
    assert.equal((await shop.api('POST', `/support/tickets/${ABSENT}/${action}`, { token: staff })).status, 404);
  }
  assert.equal(
    readErrorCode(await shop.api('POST', `/support/tickets/${id}/in-progress`, { token: staff })),
    '409 closed',
  );
  assert.equal((await shop.api('POST', `/support/tickets/${id}/close`, { token: staff })).status, 200);
  assert.equal((await queue('q=needle&status=closed')).length, 1);
  // Even for staff, /tickets/user lists only the caller's own tickets.
  assert.equal((await shop.api('GET', `/tickets/user/${userId}`, { token: staff })).status, 404);
});

test('[OPS-04] [PAGE-02] mails staff about new tickets and contact messages', async () => {
  const { token, name } = await createUser();
  await create(token, { ...DRAFT, title: 'Told by mail' });
  const letter = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', message: 'To Ockham?' };
  await shop.api('POST', '/contact', { body: letter });
  await shop.api('POST', '/contact', { body: { ...letter, message: 'Cheap pills', website: 'x' } });
  const listMails = async (): Promise<readonly unknown[]> =>
    listAt((await shop.api('GET', '/dev/mail?to=support@shop.example')).body);
  const find = async (subject: string): Promise<unknown> =>
    (await listMails()).find((mail) => textAt(mail, 'subject') === subject);
  await waitUntil(async () => (await find('New ticket: Told by mail')) !== undefined);
  await waitUntil(async () => (await find('Message from Ada Lovelace')) !== undefined);
  assert.match(textAt(await find('New ticket: Told by mail'), 'text'), new RegExp(`${name}[\\s\\S]*Where is it\\?`));
  assert.match(textAt(await find('Message from Ada Lovelace'), 'text'), /ada@example\.com[\s\S]*To Ockham\?/);
  assert.doesNotMatch(JSON.stringify(await listMails()), /Cheap pills/);
  const listed = await shop.api('GET', '/support/contact-messages', { token: staff });
  const texts = listAt(listed.body, 'messages').map((row) => textAt(row, 'message'));
  assert.deepEqual([texts, numberAt(listed.body, 'total')], [['Cheap pills', 'To Ockham?'], 2]);
  assert.equal((await shop.api('GET', '/support/contact-messages', { token })).status, 403);
});
