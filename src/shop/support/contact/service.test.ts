import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { noRateLimits, createRateLimits } from '#src/platform/http/rate-limits.ts';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import { Contact } from './service.ts';

const START = Date.parse('2026-03-04T05:06:07Z');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MESSAGE = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  message: 'Do you deliver to Ockham?',
  isSuspect: false,
  ip: '192.0.2.1',
};

async function open({ isLimited = false } = {}) {
  const { db, pool } = await createTestDatabase();
  const clock = { at: START, now: () => new Date(clock.at) };
  return { db, clock, contact: new Contact({ db, clock, limits: isLimited ? createRateLimits(pool) : noRateLimits }) };
}

async function listStored(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ message: string }>`select message from contact_messages order by id`.execute(db);
  return rows.map(({ message }) => message);
}

test('[PAGE-02] stores a trimmed message with its sender and marks spam', async () => {
  const { db, contact } = await open();
  await contact.submit({ ...MESSAGE, firstName: ' Ada ', message: ' One\r\ntwo ' });
  await contact.submit({ ...MESSAGE, message: 'Cheap pills', isSuspect: true });
  const { rows } = await sql`
    select first_name, last_name, email, message, is_suspect, created_at from contact_messages order by id`.execute(db);
  const writer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', created_at: new Date(START) };
  assert.deepEqual(rows, [
    { ...writer, message: 'One\ntwo', is_suspect: false },
    { ...writer, message: 'Cheap pills', is_suspect: true },
  ]);
});

test('[PAGE-02] stores a message sent repeatedly within an hour once', async () => {
  const { db, clock, contact } = await open();
  const sent = await Promise.all(Array.from({ length: 10 }, () => contact.submit(MESSAGE)));
  assert.deepEqual(new Set(sent.map(({ ok }) => ok)), new Set([true]));
  clock.at += 59 * MINUTE_MS;
  await contact.submit({ ...MESSAGE, email: 'ADA@example.com', ip: '192.0.2.2' });
  assert.equal((await listStored(db)).length, 1);
  await contact.submit({ ...MESSAGE, email: 'byron@example.com' });
  await contact.submit({ ...MESSAGE, message: 'And to Venice?' });
  assert.equal((await listStored(db)).length, 3);
  clock.at += MINUTE_MS;
  await contact.submit(MESSAGE);
  assert.equal((await listStored(db)).length, 4);
});

test('[PAGE-02] limits five new messages per address', async () => {
  const { db, contact } = await open({ isLimited: true });
  for (let number = 1; number <= 5; number += 1) {
    const message = `${number}`;
    assert.deepEqual(await contact.submit({ ...MESSAGE, message }), { ok: true });
    assert.deepEqual(await contact.submit({ ...MESSAGE, message }), { ok: true }, 'already stored');
  }
  const refused = await contact.submit({ ...MESSAGE, message: '6' });
  assert.ok(!refused.ok && refused.retryAfterSeconds >= 1 && refused.retryAfterSeconds <= 600);
  assert.deepEqual(await contact.submit({ ...MESSAGE, message: '7', ip: '192.0.2.2' }), { ok: true });
  assert.deepEqual(await listStored(db), ['1', '2', '3', '4', '5', '7']);
});

test('[PAGE-02] deletes messages after three years and spam after 30 days', async () => {
  const { db, clock, contact } = await open();
  const deleteAfter = async (days: number): Promise<readonly string[]> => {
    clock.at = START + days * DAY_MS;
    await contact.deleteOld(new Date(clock.at - 3 * 365 * DAY_MS));
    return listStored(db);
  };
  await contact.submit(MESSAGE);
  await contact.submit({ ...MESSAGE, message: 'Cheap pills', isSuspect: true });
  assert.equal((await deleteAfter(30)).length, 2);
  assert.deepEqual(await deleteAfter(31), [MESSAGE.message]);
  assert.deepEqual(await deleteAfter(3 * 365), [MESSAGE.message]);
  assert.deepEqual(await deleteAfter(3 * 365 + 1), []);
});
