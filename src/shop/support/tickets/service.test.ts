import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { noRateLimits, createRateLimits } from '#src/platform/http/rate-limits.ts';
import type { RateLimits } from '#src/platform/http/rate-limits.ts';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import { TicketDesk } from './desk.service.ts';
import { Tickets } from './service.ts';
import type { TicketCreationResult, Viewer, MessageResult } from './service.ts';

const START = Date.parse('2026-03-04T05:06:07Z');
const DRAFT = { title: 'A parcel', theme: 'Delivery', description: 'Where is it?' };

const IP = '192.0.2.1';
const STAFF = { kind: 'command', name: 'test' } as const;

async function open({ isLimited = false, limits }: { isLimited?: boolean; limits?: RateLimits } = {}) {
  const { db, pool } = await createTestDatabase();
  const clock = { at: START, now: () => new Date(clock.at) };
  const changed: string[] = [];
  const created: string[] = [];
  const tickets = new Tickets({
    db,
    clock,
    limits: limits ?? (isLimited ? createRateLimits(pool) : noRateLimits),
    onCreated: async (_tx, id) => void created.push(id),
    onWritten: async () => {},
    onChanged: (id) => changed.push(id),
    onSeen: () => {},
  });
  const desk = new TicketDesk({
    db,
    clock,
    shopSettings: { findOrderNumbers: () => [] },
    customers: { find: async () => null },
    orderList: { listOfCustomer: async () => [] },
    onClosed: async () => {},
    onReopened: async () => {},
    onChanged: (id) => changed.push(id),
  });
  return { db, clock, tickets, desk, changed, created };
}

async function createUser(db: Db, role: Viewer['role'] = 'customer'): Promise<Viewer> {
  const userId = uuidv7();
  await sql`insert into users (id, username, username_key, email, email_key, password_hash, role, created_at)
    values (${userId}, ${userId}, ${userId}, ${`${userId}@x.example`}, ${userId}, '-', ${role}, now())`.execute(db);
  return { userId, role };
}

const requireTicketId = (created: TicketCreationResult): string => {
  assert.ok(created.ok, JSON.stringify(created));
  return created.ticket.id;
};
const requireMessage = (written: MessageResult) => {
  assert.ok(written.ok, JSON.stringify(written));
  return written.message;
};
const to = (ticketId: string, key: string | null = null) => ({ ticketId, side: undefined, key, ip: IP });

test('[TKT-01] allows two open tickets under concurrency, until one is closed', async () => {
  const { db, tickets, desk, created } = await open();
  for (let round = 0; round < 5; round += 1) {
    const { userId } = await createUser(db);
    const results = await Promise.all(Array.from({ length: 20 }, () => tickets.create(userId, DRAFT, null, IP)));
    const ids = results.flatMap((result) => (result.ok ? [result.ticket.id] : []));
    assert.equal(ids.length, 2);
    for (const result of results) assert.ok(result.ok || result.reason === 'too-many-open');
    assert.equal((await desk.markInProgress(ids[0] ?? '', STAFF)) === 'missing', false);
    assert.deepEqual(await tickets.create(userId, DRAFT, null, IP), { ok: false, reason: 'too-many-open' });
    await desk.close(ids[0] ?? '', STAFF);
    const again = await Promise.all(Array.from({ length: 5 }, () => tickets.create(userId, DRAFT, null, IP)));
    assert.equal(again.filter(({ ok }) => ok).length, 1);
    assert.equal((await tickets.listTickets(userId)).length, 3);
    assert.equal((await tickets.listIds(userId)).length, 3);
  }
  assert.equal(new Set(created).size, 15);
});

test('[TKT-01] creates tickets concurrently without exhausting the connection pool', async () => {
  const counting = { ask: (): Promise<unknown> => Promise.resolve() };
  const { db, tickets } = await open({
    limits: { ...noRateLimits, consume: async () => (await counting.ask(), { ok: true as const }) },
  });
  counting.ask = () => sql`select 1`.execute(db);
  const { userId } = await createUser(db);
  const results = await Promise.all(Array.from({ length: 40 }, () => tickets.create(userId, DRAFT, null, IP)));
  assert.equal(results.filter(({ ok }) => ok).length, 2);
});

test('[TKT-01] creates one ticket per key and refuses other content', async () => {
  const { db, tickets } = await open();
  const { userId } = await createUser(db);
  const results = await Promise.all(Array.from({ length: 8 }, () => tickets.create(userId, DRAFT, 'once', IP)));
  assert.equal(new Set(results.map(requireTicketId)).size, 1);
  const reused = await tickets.create(userId, { ...DRAFT, title: 'Another' }, 'once', IP);
  assert.deepEqual(reused, { ok: false, reason: 'key-reused' });
  assert.deepEqual(await tickets.create(userId, DRAFT, 'ö', IP), { ok: false, reason: 'bad-key' });
  assert.equal((await tickets.listTickets(userId)).length, 1);
});

test('[TKT-03] orders concurrent messages by position, id and time', async () => {
  const { db, clock, tickets, changed } = await open();
  const [user, staff] = [await createUser(db), await createUser(db, 'support')];
  const id = requireTicketId(await tickets.create(user.userId, DRAFT, null, IP));
  for (let round = 0; round < 5; round += 1) {
    clock.at -= 60_000;
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => tickets.write(index % 2 ? user : staff, to(id), `${round}.${index}`)),
    );
  }
  const read = (await tickets.listMessages(user, id, {})) ?? [];
  assert.deepEqual(
    read.map(({ position }) => position),
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
  assert.deepEqual(
    read.map((row) => row.id).toSorted(),
    read.map((row) => row.id),
  );
  const times = read.map((row) => row.created_at.getTime());
  assert.deepEqual(
    times.toSorted((a, b) => a - b),
    times,
  );
  assert.equal(changed.length, 60);
  // The clock of another process may be ahead.
  const ahead = uuidv7({ msecs: Date.now() + 3_600_000 });
  await sql`update tickets set last_message_id = ${ahead} where id = ${id}`.execute(db);
  const next = requireMessage(await tickets.write(user, to(id), 'next')).id;
  const last = requireMessage(await tickets.write(staff, to(id), 'one more')).id;
  assert.ok(ahead < next && next < last);
});

test('[TKT-03] stores a repeated message once, even after the ticket closed', async () => {
  const { db, tickets, desk, changed } = await open();
  const [user, staff] = [await createUser(db), await createUser(db, 'support')];
  const id = requireTicketId(await tickets.create(user.userId, DRAFT, null, IP));
  const sent = await Promise.all(Array.from({ length: 10 }, () => tickets.write(user, to(id, 'k1'), ' Hello\r\n ')));
  assert.equal(new Set(sent.map((written) => requireMessage(written).id)).size, 1);
  assert.equal(requireMessage(await tickets.write(staff, to(id, 'k1'), 'Hello')).sender_type, 'support');
  assert.deepEqual(await tickets.write(user, to(id, 'k1'), 'Other'), { ok: false, reason: 'key-reused' });
  await desk.close(id, STAFF);
  assert.equal(requireMessage(await tickets.write(user, to(id, 'k1'), 'Hello')).position, 1);
  assert.deepEqual(await tickets.write(user, to(id, 'k2'), 'Late'), { ok: false, reason: 'closed' });
  assert.equal(((await tickets.listMessages(user, id, {})) ?? []).length, 2);
  assert.equal(changed.length, 3);
});

test('[TKT-06] rejects a message that races with closing the ticket', async () => {
  const { db, tickets, desk } = await open();
  const staff = await createUser(db, 'support');
  for (let round = 0; round < 15; round += 1) {
    const user = await createUser(db);
    const id = requireTicketId(await tickets.create(user.userId, DRAFT, null, IP));
    const writers = Array.from({ length: 8 }, (_, index) => tickets.write(user, to(id), `${index}`));
    const [closed, ...written] = await Promise.all([desk.close(id, STAFF), ...writers]);
    assert.equal(closed?.status, 'closed');
    for (const result of written) assert.ok(result.ok || result.reason === 'closed');
    const { rows } = await sql<{ last: Date | null; closed_at: Date; count: number }>`
      select closed_at, (select count(*)::integer from ticket_messages where ticket_id = tickets.id) as count
      from tickets where id = ${id}`.execute(db);
    assert.equal(rows[0]?.count, written.filter(({ ok }) => ok).length);
    assert.deepEqual(await tickets.write(staff, to(id), 'Late'), { ok: false, reason: 'closed' });
    assert.equal(await desk.markInProgress(id, STAFF), 'closed');
  }
});

test('[TKT-06] refuses a message that waited for a close in progress', async () => {
  const { db, tickets } = await open();
  const user = await createUser(db);
  const id = requireTicketId(await tickets.create(user.userId, DRAFT, null, IP));
  const written = await transact(db, async (tx) => {
    await sql`update tickets set status = 'closed', slot = null, closed_at = now() where id = ${id}`.execute(tx);
    const waiting = tickets.write(user, to(id), 'In between');
    await new Promise((done) => setTimeout(done, 100));
    return { waiting };
  });
  assert.deepEqual(await written.waiting, { ok: false, reason: 'closed' });
});

test('[TKT-06] hides foreign tickets, refuses foreign roles, writes staff as support', async () => {
  const { db, tickets } = await open();
  const [user, other, staff] = [await createUser(db), await createUser(db), await createUser(db, 'support')];
  const id = requireTicketId(await tickets.create(user.userId, DRAFT, null, IP));
  const missing = { ok: false, reason: 'missing' };
  assert.deepEqual(await tickets.write(other, to(id), 'Hello'), missing);
  assert.deepEqual(await tickets.write(other, { ticketId: id, side: 'support', key: null, ip: IP }, 'Hello'), missing);
  assert.deepEqual(await tickets.write(user, { ticketId: id, side: 'support', key: null, ip: IP }, 'Hello'), {
    ok: false,
    reason: 'wrong-sender',
  });
  assert.deepEqual(await tickets.write(staff, { ticketId: id, side: 'user', key: null, ip: IP }, 'Hello'), {
    ok: false,
    reason: 'wrong-sender',
  });
  assert.deepEqual(await tickets.write(user, to(id), ' \n '), { ok: false, reason: 'blank' });
  assert.equal(requireMessage(await tickets.write(staff, to(id), 'Hello')).sender_type, 'support');
  assert.equal(await tickets.find(other, id), null);
  assert.equal(await tickets.listMessages(other, id, {}), null);
  assert.equal(await tickets.markRead(other, id, uuidv7()), false);
  assert.equal((await tickets.find(staff, id))?.id, id);
});

test('[API-09] pages messages by cursor and ignores a foreign cursor', async () => {
  const { db, tickets } = await open();
  const [user, other] = [await createUser(db), await createUser(db)];
  const id = requireTicketId(await tickets.create(user.userId, DRAFT, null, IP));
  const foreign = requireTicketId(await tickets.create(other.userId, DRAFT, null, IP));
  const foreignMessage = requireMessage(await tickets.write(other, to(foreign), 'Secret')).id;
  const ids: string[] = [];
  for (let index = 1; index <= 9; index += 1)
    ids.push(requireMessage(await tickets.write(user, to(id), `${index}`)).id);
  const readTexts = async (page: object): Promise<string> =>
    ((await tickets.listMessages(user, id, page)) ?? []).map(({ message }) => message).join('');
  assert.equal(await readTexts({}), '123456789');
  assert.equal(await readTexts({ limit: 3 }), '789');
  assert.equal(await readTexts({ limit: 3, before: ids[6] }), '456');
  assert.equal(await readTexts({ limit: 3, after: ids[1] }), '345');
  assert.equal(await readTexts({ limit: 9, after: ids[1], before: ids[4] }), '34');
  assert.equal(await readTexts({ after: ids[8] }), '');
  assert.equal(await readTexts({ after: foreignMessage }), '123456789');
  assert.equal(await readTexts({ before: foreignMessage }), '123456789');
});

test('[API-09] counts unread messages for customers and staff', async () => {
  const { db, tickets, desk } = await open();
  const [user, staff] = [await createUser(db), await createUser(db, 'support')];
  const id = requireTicketId(await tickets.create(user.userId, { ...DRAFT, title: '50% off_' }, null, IP));
  const listQueued = async (query: object = {}) => (await desk.list(query)).tickets.map(({ unread }) => unread);
  assert.deepEqual(await listQueued(), [1], 'the ticket itself');
  const first = requireMessage(await tickets.write(user, to(id), 'one'));
  assert.deepEqual(await listQueued({ unread: true }), [2]);
  await tickets.listMessages(staff, id, {});
  assert.deepEqual(await listQueued(), [1]);
  await tickets.markRead(staff, id, first.id);
  assert.deepEqual(await listQueued({ unread: true }), []);
  assert.deepEqual(await listQueued({ unread: false }), [0]);
  const results = [await tickets.write(staff, to(id), 'two'), await tickets.write(staff, to(id), 'three')].map(
    requireMessage,
  );
  assert.deepEqual(await tickets.countUnread(user.userId), { count: 2, tickets: [{ ticket_id: id, count: 2 }] });
  assert.equal(await tickets.markRead(user, id, results[0]?.id ?? ''), true);
  assert.equal((await tickets.countUnread(user.userId)).count, 1);
  await tickets.markRead(user, id, results[1]?.id ?? '');
  await tickets.markRead(user, id, first.id);
  assert.deepEqual(
    await tickets.countUnread(user.userId),
    { count: 0, tickets: [] },
    'the read position never moves back',
  );
  for (const [query, count] of [
    [{ q: '50%' }, 1],
    [{ q: '50_' }, 0],
    [{ q: user.userId.slice(0, 20) }, 1],
    [{ q: 'nothing' }, 0],
    [{ status: 'open' }, 1],
    [{ status: 'closed' }, 0],
    [{ page: 2 }, 0],
  ] as const) {
    assert.equal((await desk.list(query)).tickets.length, count, JSON.stringify(query));
  }
});

test('[TKT-03] limits customers to ten new messages a minute', async () => {
  const { db, tickets } = await open({ isLimited: true });
  const [user, staff] = [await createUser(db), await createUser(db, 'support')];
  const id = requireTicketId(await tickets.create(user.userId, DRAFT, null, IP));
  for (let index = 0; index < 30; index += 1) {
    assert.ok((await tickets.write(user, to(id, `k${index}`), 'x')).ok);
    assert.ok((await tickets.write(user, to(id, `k${index}`), 'x')).ok);
    assert.ok((await tickets.write(staff, to(id), 'x')).ok);
  }
  const refused = await tickets.write(user, to(id, 'k31'), 'x');
  assert.ok(!refused.ok && refused.reason === 'too-often' && refused.retryAfterSeconds > 0);
  assert.ok((await tickets.write(staff, to(id), 'x')).ok);
});

test('[TKT-01] limits customers to five stored tickets an hour', async () => {
  const { db, tickets, desk } = await open({ isLimited: true });
  const { userId } = await createUser(db);
  for (let index = 0; index < 5; index += 1)
    await desk.close(requireTicketId(await tickets.create(userId, DRAFT, null, IP)), STAFF);
  const refused = await tickets.create(userId, DRAFT, null, IP);
  assert.ok(!refused.ok && refused.reason === 'too-often');
  assert.equal((await tickets.listTickets(userId)).length, 5);
});
