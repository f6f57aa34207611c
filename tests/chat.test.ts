/** Live ticket conversations: recipients, order, several processes, and access. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { stressChat } from './support/chat-stress.ts';
import { LiveClient } from './support/live-client.ts';
import { keysAt, textAt, valueAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import type { ShopProcess } from './support/shop-process.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

const ABSENT = '019a0000-0000-7000-8000-000000000000';

let shop: TestShop;
let other: ShopProcess;
const clients: LiveClient[] = [];
before(async () => {
  shop = await startTestShop();
  other = await startSecondProcess(shop);
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
after(async () => {
  await other.stop();
  await shop.stop();
});

async function signIn(username: string): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } });
  return textAt(body, 'tokens', 'accessToken');
}
let users = 0;
async function createUser(): Promise<{ token: string; name: string }> {
  const name = `talker-${(users += 1)}`;
  const account = { username: name, password: 'crypto-market', email: `${name}@chat.example` };
  await shop.api('POST', '/users/register', { body: account });
  return { token: await signIn(name), name };
}
async function createTicket(token: string): Promise<string> {
  const body = { title: 'A parcel', theme: 'Delivery', description: 'Where is it?' };
  return textAt((await shop.api('POST', '/tickets/create', { token, body })).body, 'id');
}
async function write(token: string, ticketId: string, message: string): Promise<unknown> {
  const response = await shop.api('POST', '/tickets/messages', { token, body: { ticket_id: ticketId, message } });
  assert.equal(response.status, 201, JSON.stringify(response.body));
  return response.body;
}
async function listen(token: string, url = shop.url): Promise<LiveClient> {
  const client = new LiveClient(url);
  clients.push(client);
  return client.signIn(token);
}
async function join(token: string, ticketId: string, url = shop.url): Promise<LiveClient> {
  const client = await listen(token, url);
  client.send({ type: 'join_ticket', ticketId });
  await waitUntil(() => client.types.includes('joined_ticket'));
  return client;
}
const listFrames = (client: LiveClient, type: string): unknown[] =>
  client.frames.filter((frame) => textAt(frame, 'type') === type);
const listTexts = (client: LiveClient): string[] =>
  listFrames(client, 'new_message').map((frame) => textAt(frame, 'data', 'message'));

test('[WS-02] [TKT-05] delivers messages to both sides once and in order', async () => {
  const [{ token }, staff] = [await createUser(), await signIn('staff')];
  const id = await createTicket(token);
  await write(token, id, 'before');
  const listeners = [await join(token, id), await join(token, id, other.url), await join(staff, id, other.url)];
  const bystander = await listen(token);
  listeners[0]?.send({ type: 'join_ticket', ticketId: id });
  for (let index = 0; index < 10; index += 1) await write(index % 2 ? token : staff, id, String(index));
  for (const client of listeners) {
    await waitUntil(() => listTexts(client).length === 10);
    assert.deepEqual(listTexts(client).join(''), '0123456789');
    const [frame] = listFrames(client, 'new_message');
    assert.deepEqual(keysAt(frame, 'data'), ['id', 'ticket_id', 'sender_type', 'message', 'created_at']);
    assert.equal(valueAt(frame, 'data', 'sender_type'), 'support');
  }
  assert.deepEqual(bystander.types, ['authenticated'], 'a socket that has not joined receives nothing');
  listeners[0]?.send({ type: 'leave_ticket', ticketId: id });
  await waitUntil(async () => {
    // Leaving has no response, so the test checks that no further message arrives.
    const receivedCount = listeners[0] ? listTexts(listeners[0]).length : 0;
    const sent = listeners[1] ? listTexts(listeners[1]).length : 0;
    await write(staff, id, 'after');
    await waitUntil(() => (listeners[1] ? listTexts(listeners[1]).length : 0) > sent);
    return listeners[0] !== undefined && listTexts(listeners[0]).length === receivedCount;
  });
});

test('[WS-02] forbids foreign, missing and invalid tickets identically', async () => {
  const [owner, stranger] = [await createUser(), await createUser()];
  const id = await createTicket(owner.token);
  const client = await listen(stranger.token);
  for (const ticketId of [id, ABSENT, 'x', '', null, 1, [id], undefined]) {
    const count = client.frames.length;
    client.send({ type: 'join_ticket', ticketId });
    await waitUntil(() => client.frames.length > count);
    assert.deepEqual(client.frames.at(-1), { type: 'error', code: 'forbidden' });
  }
  client.send({ type: 'typing', ticketId: id });
  const ownerClient = await join(owner.token, id);
  await write(owner.token, id, 'Secret');
  await waitUntil(() => listTexts(ownerClient).length === 1);
  assert.deepEqual(listFrames(client, 'new_message'), []);
  assert.deepEqual(listFrames(ownerClient, 'typing'), []);
});

test('[WS-02] limits a socket to twenty tickets', async () => {
  const staff = await signIn('staff');
  const ids: string[] = [];
  for (let index = 0; index < 21; index += 1) ids.push(await createTicket((await createUser()).token));
  const client = await listen(staff);
  for (const ticketId of ids) client.send({ type: 'join_ticket', ticketId });
  await waitUntil(() => client.frames.length === 22);
  assert.equal(listFrames(client, 'joined_ticket').length, 20);
  assert.deepEqual(listFrames(client, 'error'), [{ type: 'error', code: 'too-many-tickets' }]);
  assert.ok(client.isOpen);
});

test('[WS-02] [TKT-05] sends ticket_closed after the last message and ends delivery', async () => {
  const [{ token }, staff] = [await createUser(), await signIn('staff')];
  const id = await createTicket(token);
  const listeners = [await join(token, id), await join(token, id, other.url)];
  await write(staff, id, 'Good bye');
  await shop.api('POST', `/support/tickets/${id}/close`, { token: staff });
  for (const client of listeners) {
    await waitUntil(() => client.types.includes('ticket_closed'));
    assert.deepEqual(client.types, ['authenticated', 'joined_ticket', 'new_message', 'ticket_closed']);
    assert.deepEqual(valueAt(client.frames.at(-1), 'data'), { ticketId: id });
  }
  // A client that joins later receives the status immediately.
  const late = await join(token, id, other.url);
  await waitUntil(() => late.types.includes('ticket_closed'));
});

test('[WS-02] [TKT-05] sends status and messages of a reopened ticket to its members', async () => {
  const [{ token }, staff] = [await createUser(), await signIn('staff')];
  const id = await createTicket(token);
  const member = await join(token, id);
  await shop.api('POST', `/support/tickets/${id}/close`, { token: staff });
  await waitUntil(() => member.types.includes('ticket_closed'));
  const late = await join(token, id, other.url);
  await waitUntil(() => late.types.includes('ticket_closed'));
  await shop.api('POST', `/support/tickets/${id}/reopen`, { token: staff });
  for (const client of [member, late]) await waitUntil(() => client.types.includes('ticket_in_progress'));
  await write(staff, id, 'One more thing');
  await shop.api('POST', `/support/tickets/${id}/close`, { token: staff });
  for (const client of [member, late]) {
    await waitUntil(() => listFrames(client, 'ticket_closed').length === 2);
    const [, ...types] = client.types;
    const since = ['joined_ticket', 'ticket_closed', 'ticket_in_progress', 'new_message', 'ticket_closed'];
    assert.deepEqual(types, since);
  }
});

test('[WS-02] [TKT-05] sends ticket_in_progress once to each member', async () => {
  const [{ token }, staff] = [await createUser(), await signIn('staff')];
  const id = await createTicket(token);
  const listeners = [await join(token, id), await join(token, id, other.url)];
  for (let times = 0; times < 2; times += 1) {
    await shop.api('POST', `/support/tickets/${id}/in-progress`, { token: staff });
  }
  const late = await join(token, id, other.url);
  for (const client of [...listeners, late]) await waitUntil(() => client.types.includes('ticket_in_progress'));
  await write(staff, id, 'We look into it');
  for (const client of [...listeners, late]) {
    await waitUntil(() => listTexts(client).length === 1);
    assert.deepEqual(client.types, ['authenticated', 'joined_ticket', 'ticket_in_progress', 'new_message']);
    assert.deepEqual(valueAt(listFrames(client, 'ticket_in_progress')[0], 'data'), { ticketId: id });
  }
});

test('[WS-02] sends typing to the other side at most once a second', async () => {
  const [{ token }, staff] = [await createUser(), await signIn('staff')];
  const id = await createTicket(token);
  const [customer, support] = [await join(token, id), await join(staff, id, other.url)];
  const startedAt = performance.now();
  for (let index = 0; index < 5; index += 1) support.send({ type: 'typing', ticketId: id });
  await waitUntil(() => customer.types.includes('typing'));
  assert.deepEqual(listFrames(customer, 'typing')[0], {
    type: 'typing',
    data: { ticketId: id, sender_type: 'support' },
  });
  customer.send({ type: 'typing', ticketId: id });
  await waitUntil(() => support.types.includes('typing'));
  assert.deepEqual(listFrames(support, 'typing'), [{ type: 'typing', data: { ticketId: id, sender_type: 'user' } }]);
  const typingCount = listFrames(customer, 'typing').length;
  const seconds = Math.floor((performance.now() - startedAt) / 1000);
  assert.ok(typingCount <= 1 + seconds, `${typingCount} times in ${seconds} s`);
});

test('[WS-02] sends nothing after logout or loss of the staff role', async () => {
  const [{ token }, second, helper] = [await createUser(), await createUser(), await createUser()];
  await runWithShopDatabase(shop, (db) =>
    sql`update users set role = 'support' where username = ${helper.name}`.execute(db),
  );
  const id = await createTicket(token);
  const [customer, support] = [await join(token, id), await join(helper.token, id, other.url)];
  await write(token, id, 'one');
  await waitUntil(() => listTexts(support).length === 1);
  await runWithShopDatabase(shop, (db) =>
    sql`update users set role = 'customer' where username = ${helper.name}`.execute(db),
  );
  await write(token, id, 'two');
  await waitUntil(() => support.types.includes('error'));
  assert.deepEqual(listTexts(support), ['one']);
  support.send({ type: 'join_ticket', ticketId: id });
  await waitUntil(() => listFrames(support, 'error').length === 2);

  const secondTicket = await createTicket(second.token);
  const staff = await signIn('staff');
  const leaving = await join(second.token, secondTicket, other.url);
  // Without a notification, like a restored database.
  await runWithShopDatabase(shop, (db) =>
    sql`delete from sessions using users where user_id = users.id and username = ${second.name}`.execute(db),
  );
  await write(staff, secondTicket, 'Secret');
  // A heartbeat before the message closes the socket.
  await waitUntil(() => leaving.types.includes('error') || !leaving.isOpen);
  assert.deepEqual(listTexts(leaving), []);
  await waitUntil(() => listTexts(customer).length === 2);
  await shop.api('POST', '/users/logout', { token });
  assert.equal(await customer.waitForClose(), 4401);
});

test('[TKT-05] [WS-02] delivers exactly once in order across processes and reconnects', async (t) => {
  const report = await stressChat([shop.url, other.url], {
    conversations: 3,
    messages: 300,
    reconnects: 12,
    staff: { username: 'staff', password: 'crypto-market' },
    seed: 7,
  });
  t.diagnostic(JSON.stringify(report.figures));
  assert.deepEqual(report.findings, []);
  assert.equal(report.figures.acknowledged, 300);
  assert.ok(report.figures.reconnects >= 12);
});
