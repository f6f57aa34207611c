/** What staff do with tickets, contact messages and reviews, over HTTP and in two processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createOrder } from './support/new-order.ts';
import { keysAt, listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import type { ShopProcess } from './support/shop-process.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import {
  createCustomer,
  createMessage,
  createReview,
  createTicket,
  readErrorCode,
  signIn,
} from './support/support-fixtures.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let other: ShopProcess;
let staff: string;
let staffId: string;
let owner: string;
let ownerId: string;
before(async () => {
  shop = await startTestShop();
  other = await startSecondProcess(shop);
  const [asStaff, asOwner] = [(await signIn(shop, 'staff')).body, (await signIn(shop, 'owner')).body];
  [staff, staffId] = [textAt(asStaff, 'tokens', 'accessToken'), textAt(asStaff, 'user', 'id')];
  [owner, ownerId] = [textAt(asOwner, 'tokens', 'accessToken'), textAt(asOwner, 'user', 'id')];
});
after(async () => {
  await other.stop();
  await shop.stop();
});

const get = (path: string, token = staff) => shop.api('GET', path, { token });
const post = (path: string, body?: unknown, token = staff) =>
  shop.api('POST', path, { token, ...(body === undefined ? {} : { body }) });
const write = (ticketId: string, message: string, token: string) =>
  post('/tickets/messages', { ticket_id: ticketId, message }, token);

/** A call to the second process. */
async function postToOther(path: string, token: string, body: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(`${other.url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.status;
}

/** Actions of the audit log about a subject, oldest first. */
async function listActions(subjectId: string): Promise<readonly string[]> {
  const { rows } = await runWithShopDatabase(shop, (db) =>
    sql<{ action: string }>`select action from audit_entries where subject_id = ${subjectId} order by id`.execute(db),
  );
  return rows.map(({ action }) => action);
}

async function listQueue(query: string, token = staff): Promise<string[]> {
  return listAt((await get(`/support/tickets?${query}`, token)).body, 'tickets').map((one) => textAt(one, 'id'));
}

test('[OPS-04] sorts the queue by the first unanswered message', async () => {
  const mark = `queue-${Date.now()}`;
  const [first, second] = [await createCustomer(shop), await createCustomer(shop)];
  const [a, b] = [await createTicket(shop, first.token, mark), await createTicket(shop, second.token, mark)];
  const query = `q=${mark}&sort=waiting`;
  assert.deepEqual(await listQueue(query), [a, b]);
  await write(a, 'Hello?', first.token);
  assert.deepEqual(await listQueue(query), [a, b], 'who writes again does not lose the place');
  await write(a, 'We look into it', staff);
  assert.deepEqual(await listQueue(query), [b, a], 'an answered ticket comes last');
  assert.deepEqual(await listQueue(`${query}&waiting=true`), [b]);
  assert.deepEqual(await listQueue(`${query}&waiting=false`), [a]);
  await post(`/support/tickets/${b}/close`);
  assert.deepEqual(await listQueue(`${query}&waiting=true`), [], 'a closed ticket waits for nothing');
  assert.deepEqual(await listQueue(`${query}&status=closed`), [b]);
});

test('[OPS-04] finds tickets by number, title, customer and order', async () => {
  const order = await createOrder(shop, `ticket-buyer-${Date.now()}`);
  const id = await createTicket(shop, order.token, 'A needle');
  const number = numberAt((await get(`/support/tickets/${id}`)).body, 'ticket', 'number');
  for (const q of [String(number), `#${number}`, 'NEEDLE', order.username, order.number]) {
    assert.ok((await listQueue(`q=${encodeURIComponent(q)}`)).includes(id), q);
  }
  assert.deepEqual(await listQueue('q=%25'), []);
  const { body } = await get(`/support/tickets/${id}`);
  assert.deepEqual(
    listAt(body, 'orders').map((one) => textAt(one, 'number')),
    [order.number],
  );
});

test('[OPS-04] assigns a ticket to one of two concurrent members of staff', async () => {
  const { token } = await createCustomer(shop);
  const id = await createTicket(shop, token);
  const path = `/support/tickets/${id}/assign`;
  const counts = (await get('/support/ticket-counts')).body;
  const results = await Promise.all([
    post(path, { assignee_id: staffId, seen_assignee_id: null }).then(({ status }) => status),
    postToOther(path, owner, { assignee_id: ownerId, seen_assignee_id: null }),
  ]);
  assert.deepEqual(results.toSorted(), [200, 409]);
  const taken = textAt((await get(`/support/tickets/${id}`)).body, 'ticket', 'assignee', 'id');
  assert.equal(taken, results[0] === 200 ? staffId : ownerId);
  const late = await post(path, { assignee_id: null, seen_assignee_id: null });
  assert.equal(readErrorCode(late), '409 assigned-meanwhile');
  assert.match(textAt(late.body, 'error', 'message'), / has taken this ticket$/);
  assert.equal((await post(path, { assignee_id: staffId, seen_assignee_id: taken })).status, 200);
  assert.ok((await listQueue('assignee=me')).includes(id));
  assert.ok(!(await listQueue('assignee=nobody')).includes(id));
  const mine = numberAt((await get('/support/ticket-counts')).body, 'mine');
  assert.equal(mine, numberAt(counts, 'mine') + 1);
  assert.deepEqual(await listActions(id), ['ticket.assigned', 'ticket.assigned']);
});

test('[OPS-04] assigns tickets to staff only, while they are open', async () => {
  const { id: customerId, token } = await createCustomer(shop);
  const id = await createTicket(shop, token);
  const path = `/support/tickets/${id}/assign`;
  const toCustomer = await post(path, { assignee_id: customerId, seen_assignee_id: null });
  assert.equal(readErrorCode(toCustomer), '409 not-staff');
  await post(`/support/tickets/${id}/close`);
  const closed = await post(path, { assignee_id: staffId, seen_assignee_id: null });
  assert.equal(readErrorCode(closed), '409 closed');
  assert.deepEqual(await listActions(id), ['ticket.closed']);
});

test('[OPS-04] reopens a closed ticket for 14 days while its customer has a slot', async () => {
  const { token } = await createCustomer(shop);
  const id = await createTicket(shop, token);
  const reopen = (ticketId = id) => post(`/support/tickets/${ticketId}/reopen`);
  await post(`/support/tickets/${id}/close`);
  assert.equal(textAt((await reopen()).body, 'status'), 'in_progress');
  assert.equal(textAt((await reopen()).body, 'status'), 'in_progress');
  assert.deepEqual(await listActions(id), ['ticket.closed', 'ticket.reopened']);
  await post(`/support/tickets/${id}/close`);
  // Of a new ticket and a reopened one, one gets the last slot.
  await createTicket(shop, token);
  const body = { title: 'Third', theme: 'Delivery', description: 'Text' };
  const [created, reopened] = await Promise.all([shop.api('POST', '/tickets/create', { token, body }), reopen()]);
  assert.notEqual(created.status < 300, reopened.status < 300);
  if (reopened.status === 200) await post(`/support/tickets/${id}/close`);
  else await post(`/support/tickets/${textAt(created.body, 'id')}/close`);
  const setClosed = (days: number) =>
    runWithShopDatabase(shop, (db) =>
      sql`update tickets set closed_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(db),
    );
  await setClosed(15);
  assert.equal(readErrorCode(await reopen()), '409 closed');
  await setClosed(13);
  assert.equal((await reopen()).status, 200);
  assert.equal((await write(id, 'Again', token)).status, 201);
});

test('[OPS-04] tickets of staff who may not answer them are unassigned', async () => {
  const [member, { token }] = [await createCustomer(shop), await createCustomer(shop)];
  const title = `moved-${Date.now()}`;
  const setRole = (role: string) =>
    runWithShopDatabase(shop, (db) => sql`update users set role = ${role} where id = ${member.id}`.execute(db));
  const id = await createTicket(shop, token, title);
  const assign = () => post(`/support/tickets/${id}/assign`, { assignee_id: member.id, seen_assignee_id: null });
  await setRole('support');
  assert.equal((await assign()).status, 200);
  await setRole('shipping');
  assert.deepEqual(await listQueue(`q=${title}&assignee=nobody`), [id]);
  assert.equal(readErrorCode(await assign()), '409 not-staff');
});

test('[OPS-04] a ticket has 200 internal notes at most', async () => {
  const id = await createTicket(shop, (await createCustomer(shop)).token);
  await runWithShopDatabase(shop, (db) =>
    sql`
      insert into ticket_notes (id, ticket_id, author_id, text, created_at)
      select gen_random_uuid(), ${id}, ${staffId}, 'Called', now() from generate_series(1, 199)
    `.execute(db),
  );
  const path = `/support/tickets/${id}/notes`;
  const added = await post(path, { text: 'The last one' });
  assert.equal(added.status, 201);
  assert.equal(readErrorCode(await post(path, { text: 'One more' })), '409 too-many');
});

test('[OPS-04] keeps internal notes from the customer and deletes them', async () => {
  const customer = await createCustomer(shop);
  const id = await createTicket(shop, customer.token);
  const added = await post(`/support/tickets/${id}/notes`, { text: ' A secret remark ' });
  assert.equal(added.status, 201);
  assert.equal(textAt(added.body, 'notes', 0, 'text'), 'A secret remark');
  assert.equal(textAt(added.body, 'notes', 0, 'author'), 'staff');
  for (const path of [`/tickets/${id}`, `/tickets/${id}/messages`, `/users/${customer.id}/data`]) {
    const { status, body } = await get(path, customer.token);
    assert.equal(status, 200);
    assert.ok(!JSON.stringify(body).includes('secret'), path);
  }
  const noteId = textAt(added.body, 'notes', 0, 'id');
  const path = `/support/tickets/${id}/notes/${noteId}`;
  assert.deepEqual((await shop.api('DELETE', path, { token: staff })).body, { notes: [] });
  assert.equal((await shop.api('DELETE', path, { token: staff })).status, 404);
  assert.equal(readErrorCode(await post(`/support/tickets/${id}/notes`, { text: ' ' })), '400 invalid');
  assert.deepEqual(await listActions(id), ['ticket.note_added', 'ticket.note_deleted']);
});

test('[OPS-04] records answers of staff without their text', async () => {
  const { token } = await createCustomer(shop);
  const id = await createTicket(shop, token);
  await write(id, 'Where is it?', token);
  await write(id, 'A private answer', staff);
  await post(`/support/tickets/${id}/in-progress`);
  await post(`/support/tickets/${id}/in-progress`);
  assert.deepEqual(await listActions(id), ['ticket.answered', 'ticket.started']);
  const { rows } = await runWithShopDatabase(shop, (db) =>
    sql`select from audit_details where details like '%A private answer%'`.execute(db),
  );
  assert.equal(rows.length, 0);
});

test('[OPS-04] links the mail about a ticket to the ticket', async () => {
  const { token } = await createCustomer(shop);
  const id = await createTicket(shop, token);
  await waitUntil(async () => JSON.stringify((await get('/dev/mail')).body).includes(`/admin/tickets/${id}`));
});

test('[OPS-04] creates, edits and deletes canned answers without conflicts', async () => {
  const title = `Greeting ${Date.now()}`;
  const created = await post('/support/canned-answers', { title, text: 'Hello {name}' });
  assert.equal(created.status, 201);
  const id = textAt(created.body, 'answer', 'id');
  const taken = await post('/support/canned-answers', { title: title.toUpperCase(), text: 'Hello' });
  assert.equal(readErrorCode(taken), '409 title-taken');
  const path = `/support/canned-answers/${id}`;
  const edit = (version: number, text: string) =>
    shop.api('PUT', path, { token: staff, body: { title, text, version } });
  const edits = await Promise.all([edit(1, 'One'), edit(1, 'Two')]);
  assert.deepEqual(new Set(edits.map(({ status }) => status)), new Set([200, 409]));
  const listed = listAt((await get('/support/canned-answers')).body, 'answers');
  assert.equal(
    numberAt(
      listed.find((one) => textAt(one, 'id') === id),
      'version',
    ),
    2,
  );
  assert.equal((await shop.api('DELETE', path, { token: staff })).status, 200);
  assert.equal((await edit(2, 'Three')).status, 404);
  assert.deepEqual(await listActions(id), ['canned_answer.created', 'canned_answer.edited', 'canned_answer.deleted']);
});

test('[OPS-04] [PAGE-02] answers a contact message by one mail', async () => {
  const id = await createMessage(shop, staff, `Do you deliver to Ockham ${Date.now()}?`);
  const path = `/support/contact-messages/${id}/answers`;
  const answer = (text: string) => post(path, { text, seen_answer_id: null });
  const answers = await Promise.all([answer('Yes, we do.\n\nGladly.'), answer('No, we don’t.')]);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 409]));
  const sent = answers.find(({ status }) => status === 201)?.body;
  assert.equal(textAt(sent, 'message', 'state'), 'answered');
  const email = textAt(sent, 'message', 'email');
  const listMails = async () => listAt((await get(`/dev/mail?to=${email}`)).body);
  await waitUntil(async () => (await listMails()).length > 0);
  const mails = await listMails();
  assert.equal(mails.length, 1);
  assert.equal(textAt(mails[0], 'subject'), 'Answer to your message to Crypto Market');
  const [firstLine = ''] = textAt(sent, 'message', 'answers', 0, 'text').split('\n');
  assert.ok(textAt(mails[0], 'text').includes(firstLine));
  assert.ok(!textAt(mails[0], 'text').includes('Ockham'), 'a stranger chooses no text of the mail');
  const next = { text: 'One more thing', seen_answer_id: textAt(sent, 'message', 'answers', 0, 'id') };
  assert.equal((await post(path, next)).status, 201);
  assert.deepEqual(await listActions(id), ['message.answered', 'message.answered']);
});

test('[OPS-04] moves contact messages through their states', async () => {
  const id = await createMessage(shop, staff, `A state ${Date.now()}`);
  const path = `/support/contact-messages/${id}`;
  const list = async (state: string) =>
    listAt((await get(`/support/contact-messages?state=${state}`)).body, 'messages').map((one) => textAt(one, 'id'));
  assert.ok((await list('new')).includes(id));
  const done = await post(`${path}/state`, { is_done: true });
  assert.equal(valueAt(done.body, 'message', 'state'), 'done');
  assert.ok((await list('done')).includes(id));
  assert.equal(valueAt((await post(`${path}/state`, { is_done: false })).body, 'message', 'state'), 'new');
  await post(`${path}/spam`, { is_spam: true });
  assert.ok((await list('spam')).includes(id));
  assert.ok(!(await list('not-spam')).includes(id));
  const refused = await post(`${path}/answers`, { text: 'Hello', seen_answer_id: null });
  assert.equal(readErrorCode(refused), '409 spam');
  await post(`${path}/spam`, { is_spam: false });
  assert.ok((await list('not-spam')).includes(id));
  assert.equal((await shop.api('DELETE', path, { token: staff })).status, 200);
  assert.equal((await get(path)).status, 404);
  const actions = ['message.done', 'message.reopened', 'message.marked_as_spam', 'message.marked_as_no_spam'];
  assert.deepEqual(await listActions(id), [...actions, 'message.deleted']);
});

const listReplies = (productId: string) => get(`/review-replies/product/${productId}`);

test('[OPS-04] [REV-03] publishes a reply to an approved review in every process', async () => {
  const review = await createReview(shop, `reviewer-${Date.now()}`, 'Quick and quiet');
  const path = `/support/reviews/${review.id}`;
  const reply = (text: string, seen: string | null): Promise<ApiResponse> =>
    shop.api('PUT', `${path}/reply`, { token: staff, body: { text, seen } });
  assert.equal(readErrorCode(await reply('Thank you', null)), '409 not-approved');
  await post(`${path}/approve`);
  assert.equal(textAt((await reply(' Thank you ', null)).body, 'reply'), 'Thank you');
  const shown = [{ review_id: review.id, text: 'Thank you' }];
  assert.deepEqual((await listReplies(review.productId)).body, shown);
  const readOther = async (): Promise<unknown> =>
    (await fetch(`${other.url}/api/review-replies/product/${review.productId}`)).json();
  await waitUntil(async () => JSON.stringify(await readOther()) === JSON.stringify(shown));
  // The fields of a review are fixed by API-13.
  const listed = listAt((await get(`/reviews/product/${review.productId}`)).body);
  const index = listed.findIndex((one) => textAt(one, 'id') === review.id);
  assert.deepEqual(keysAt(listed, index), ['id', 'name', 'text', 'rating', 'created']);
  assert.equal(readErrorCode(await reply('Another', null)), '409 changed-meanwhile');
  assert.equal(textAt((await reply('Thanks', 'Thank you')).body, 'reply'), 'Thanks');
  await post(`${path}/reject`);
  assert.deepEqual((await listReplies(review.productId)).body, [], 'a rejected review shows no reply');
  await post(`${path}/approve`);
  assert.equal((await post(`${path}/remove-reply`, { seen: 'Thanks' })).status, 200);
  assert.deepEqual((await listReplies(review.productId)).body, []);
  assert.deepEqual(await listActions(review.id), [
    'review.approved',
    'review.replied',
    'review.replied',
    'review.rejected',
    'review.approved',
    'review.reply_removed',
  ]);
});
