/** Mails as jobs: with the database, the queue and a real SMTP server that misbehaves. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { silentLog, createTestDatabase } from '../../../tests/support/database.ts';
import type { TestDatabase } from '../../../tests/support/database.ts';
import { parseMail, SmtpServer } from '../../../tests/support/smtp-server.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import type { Db } from '#src/platform/database/database.ts';
import { openJobs } from '#src/platform/jobs/jobs.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { noRateLimits, createRateLimits } from '#src/platform/http/rate-limits.ts';
import { Mailbox } from '#src/shop/demo/service.ts';
import { MAIL_JOB, Mails } from './mails.ts';
import type { MailWriter } from './mails.ts';
import { createSmtpTransport } from './smtp-transport.ts';
import type { MailTransport } from './smtp-transport.ts';

const server = new SmtpServer();
const NOW = new Date('2026-03-01T12:00:00Z');
const reports: { readonly level: string; readonly fields: object; readonly message: string }[] = [];
const note = (level: string) => (fields: object, message: string) => void reports.push({ level, fields, message });
const log = { ...silentLog, warn: note('warn'), error: note('error') };

interface Office {
  readonly database: TestDatabase;
  readonly jobs: Jobs;
  readonly mails: Mails;
}
const offices: Office[] = [];

const writers: Readonly<Record<string, MailWriter>> = {
  note: ({ to = '', words = '' }) => Promise.resolve({ to, subject: words, text: words, html: `<p>${words}</p>` }),
  gone: () => Promise.resolve(null),
  broken: () => Promise.reject(new Error('the writer fails')),
};

async function openOffice(options: { readonly isSending: boolean; readonly isKeeping?: boolean }): Promise<Office> {
  const database = await createTestDatabase();
  const jobs = openJobs({ connection: database.connection, queues: [MAIL_JOB, 'other'], log, pollSeconds: 0.5 });
  const from = { name: 'Shop', address: 'no-reply@shop.example' };
  const patient = createSmtpTransport({ url: server.url, getSender: () => from, responseTimeoutMs: 60_000 });
  const hasty = createSmtpTransport({ url: server.url, getSender: () => from, responseTimeoutMs: 500 });
  // Short enough for a test with a stalled server, long enough for a slow machine.
  const sending: MailTransport = {
    send: (event, mail) => (server.behaviour.stallsAt === undefined ? patient : hasty).send(event, mail),
  };
  const transport = options.isSending ? sending : null;
  const isKeeping = options.isKeeping ?? true;
  const mails = new Mails({
    db: database.db,
    limits: noRateLimits,
    clock: { now: () => NOW },
    log,
    jobs,
    transport,
    isStoringContent: isKeeping,
  });
  await jobs.start();
  await mails.start(jobs, writers);
  const office = { database, jobs, mails };
  offices.push(office);
  return office;
}

let sending: Office;
before(async () => {
  await server.listen();
  sending = await openOffice({ isSending: true });
});
after(async () => {
  await Promise.all(offices.map(({ jobs }) => jobs.stop()));
  await server.close();
});

const runInTransaction = (db: Db, work: (tx: Db) => Promise<void>): Promise<void> => db.transaction().execute(work);
const createNote = ({ database: { db }, mails }: Office, event: string, to = `${event}@buyer.example`): Promise<void> =>
  runInTransaction(db, (tx) => mails.enqueue(tx, [{ kind: 'note', event, data: { to, words: `about ${event}` } }]));
const listReceivedBy = (to: string) => server.received.filter((letter) => letter.to.includes(to));
const openMailbox = ({ database }: Office): Mailbox => new Mailbox(database.db);
const listSubjects = async (of: Office, to: string | null): Promise<string[]> =>
  (await openMailbox(of).list(to)).map(({ subject }) => subject);
/** Makes jobs that wait for a retry run immediately. */
const runRetriesNow = ({ database: { db } }: Office): Promise<unknown> =>
  sql`update pgboss.job set start_after = now() where name = ${MAIL_JOB} and state = 'retry'`.execute(db);
async function listStates({ database: { db } }: Office): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`select state::text from pgboss.job where name = ${MAIL_JOB}
    and state <> 'completed'`.execute(db);
  return rows.map(({ state }) => state);
}

test('[MAIL-01] a mail is sent once, only after its transaction commits', async () => {
  const { database, mails } = sending;
  await assert.rejects(
    runInTransaction(database.db, async (tx) => {
      await mails.enqueue(tx, [{ kind: 'note', event: 'undone', data: { to: 'undone@buyer.example', words: 'x' } }]);
      throw new Error('rolled back on purpose');
    }),
    /rolled back on purpose/,
  );
  await createNote(sending, 'done');
  await waitUntil(() => listReceivedBy('done@buyer.example').length > 0);
  // The same event again, before and after it was sent: nothing.
  await Promise.all([createNote(sending, 'done'), createNote(sending, 'done'), createNote(sending, 'next')]);
  await waitUntil(() => listReceivedBy('next@buyer.example').length > 0);
  await mails.deliver({ kind: 'note', event: 'done', to: 'done@buyer.example', words: 'x' }, writers);
  assert.equal(listReceivedBy('done@buyer.example').length, 1);
  assert.equal(listReceivedBy('undone@buyer.example').length, 0);
  assert.deepEqual(await listSubjects(sending, 'DONE@buyer.example'), ['about done']);
});

test('[MAIL-01] a temporary refusal is retried with the same Message-ID', async () => {
  server.behaviour = { replies: { RCPT: '451 later' } };
  await createNote(sending, 'later');
  await waitUntil(async () => (await listStates(sending)).includes('retry'));
  assert.deepEqual(await listSubjects(sending, 'later@buyer.example'), []);
  // Accepted, but without a response: a second copy with the same id.
  server.behaviour = { cutsAt: '.' };
  await runRetriesNow(sending);
  await waitUntil(() => listReceivedBy('later@buyer.example').length === 1);
  await waitUntil(async () => (await listStates(sending)).includes('retry'));
  server.behaviour = {};
  await runRetriesNow(sending);
  await waitUntil(async () => (await listSubjects(sending, 'later@buyer.example')).length === 1);
  const ids = listReceivedBy('later@buyer.example').map(({ raw }) => parseMail(raw).headers.get('message-id'));
  assert.deepEqual(ids, [['<later@shop.example>'], ['<later@shop.example>']]);
});

test('[MAIL-01] a permanent refusal is logged once without the address, not retried', async () => {
  server.behaviour = { replies: { RCPT: '550 <never@buyer.example> unknown' } };
  reports.length = 0;
  await createNote(sending, 'never');
  await waitUntil(() => reports.some(({ message }) => message === 'a mail could not be sent and will not be retried'));
  await waitUntil(async () => (await listStates(sending)).length === 0);
  server.behaviour = {};
  await sending.mails.deliver({ kind: 'note', event: 'never', to: 'never@buyer.example', words: 'x' }, writers);
  assert.equal(listReceivedBy('never@buyer.example').length, 0);
  assert.deepEqual(await listSubjects(sending, 'never@buyer.example'), []);
  assert.doesNotMatch(JSON.stringify(reports), /buyer\.example/);
});

test('[MAIL-01] an invalid or double address is not sent to the server', async () => {
  const { connections } = server;
  for (const [index, to] of ['x', 'a@b.example,c@d.example', 'a@b.example\r\nBcc: c@d.example'].entries()) {
    await sending.mails.deliver({ kind: 'note', event: `bad-${index}`, to, words: 'x' }, writers);
  }
  await sending.mails.deliver({ kind: 'gone', event: 'nobody' }, writers);
  assert.equal(server.connections, connections);
});

test('[MAIL-01] other jobs run during a mail outage; every mail arrives later', async () => {
  server.behaviour = { stallsAt: 'HELLO' };
  for (let index = 0; index < 15; index += 1) await createNote(sending, `patient-${index}`);
  let others = 0;
  await sending.jobs.work('other', () => {
    others += 1;
    return Promise.resolve();
  });
  await runInTransaction(sending.database.db, (tx) => sending.jobs.enqueue(tx, 'other', {}));
  await waitUntil(() => others === 1);
  await waitUntil(async () => (await listStates(sending)).includes('retry'));
  server.behaviour = {};
  await waitUntil(async () => {
    await runRetriesNow(sending);
    return (await listStates(sending)).length === 0;
  });
  for (let index = 0; index < 15; index += 1) assert.ok(listReceivedBy(`patient-${index}@buyer.example`).length > 0);
});

test('[MAIL-01] events enqueued several times in parallel are sent once each', async () => {
  const office = await openOffice({ isSending: true, isKeeping: false });
  const events = Array.from({ length: 30 }, (_, index) => `crowd-${index}`);
  // Parallel in one batch, so none sees that another was sent.
  const thrice = events.flatMap((event) => [event, event, event]);
  await runInTransaction(office.database.db, async (tx) => {
    await office.mails.enqueue(
      tx,
      thrice.map((event) => ({ kind: 'note', event, data: { to: `${event}@buyer.example`, words: 'x' } })),
    );
  });
  await Promise.all(thrice.map((event) => createNote(office, event)));
  await waitUntil(() => server.received.filter(({ to }) => to[0]?.startsWith('crowd-')).length >= events.length);
  await waitUntil(async () => (await listStates(office)).length === 0);
  for (const event of events) assert.equal(listReceivedBy(`${event}@buyer.example`).length, 1, event);
  const { rows } = await sql`select * from mails where recipient is not null`.execute(office.database.db);
  assert.deepEqual(rows, [], 'a live shop stores no content');
});

test('[MAIL-03] without a server mails are stored for a month, newest first', async () => {
  const office = await openOffice({ isSending: false });
  // A mail whose writer fails does not delay the others.
  await runInTransaction(office.database.db, (tx) =>
    office.mails.enqueue(tx, [{ kind: 'broken', event: 'broken', data: {} }]),
  );
  await waitUntil(async () => (await listStates(office)).includes('retry'));
  for (const event of ['first', 'second', 'third']) {
    await createNote(office, event, event === 'second' ? 'bob@buyer.example' : 'Ada@buyer.example');
    await waitUntil(async () => (await listSubjects(office, null)).includes(`about ${event}`));
  }
  assert.deepEqual(await listSubjects(office, 'ada@BUYER.example'), ['about third', 'about first']);
  assert.deepEqual(await listSubjects(office, null), ['about third', 'about second', 'about first']);
  assert.deepEqual(await listSubjects(office, '%'), []);
  const [newest] = await openMailbox(office).list(null);
  assert.deepEqual(await openMailbox(office).find(newest?.id ?? 0n), newest);
  assert.equal(await openMailbox(office).find(999_999n), null);
  await office.mails.deleteOld();
  assert.equal((await openMailbox(office).list(null)).length, 3);
  const later = new Mails({
    db: office.database.db,
    limits: noRateLimits,
    clock: { now: () => new Date(NOW.getTime() + 31 * 24 * 3600_000) },
    log,
    jobs: office.jobs,
    transport: null,
    isStoringContent: true,
  });
  await later.deleteOld();
  assert.deepEqual(await openMailbox(office).list(null), []);
});

test('[OPS-26] an unconfirmed address gets at most forty mails a day', async () => {
  const { db, pool } = await createTestDatabase();
  const sent: string[] = [];
  const transport: MailTransport = { send: (_event, { to }) => (sent.push(to), Promise.resolve({ ok: true })) };
  const limits = createRateLimits(pool);
  const jobs = { enqueue: () => Promise.resolve(), enqueueAll: () => Promise.resolve() };
  const mails = new Mails({ db, limits, clock: { now: () => NOW }, log, jobs, transport, isStoringContent: false });
  const mail = { subject: 's', text: 't', html: 'h' };
  const noted: Readonly<Record<string, MailWriter>> = {
    stranger: () => Promise.resolve({ ...mail, to: 'Victim@else.example', isUnconfirmed: true }),
    owner: () => Promise.resolve({ ...mail, to: 'owner@else.example' }),
  };
  for (let at = 0; at < 45; at += 1) {
    for (const kind of ['stranger', 'owner']) await mails.deliver({ kind, event: `${kind}.${at}` }, noted);
  }
  assert.equal(sent.filter((to) => to === 'Victim@else.example').length, 40);
  assert.equal(sent.filter((to) => to === 'owner@else.example').length, 45);
});

test('[PAY-01] whether a mail was delivered to an address is known until it is erased', async () => {
  const { mails, database } = sending;
  await createNote(sending, 'receipt', 'Ada@buyer.example');
  await waitUntil(async () => mails.isDeliveredTo('receipt', 'ada@buyer.example'));
  assert.equal(await mails.isDeliveredTo('receipt', 'bob@buyer.example'), false);
  assert.equal(await mails.isDeliveredTo('other', 'ada@buyer.example'), false);
  // No other record of the address is needed.
  await database.db.transaction().execute((tx) => mails.eraseContentTo(tx, ['ADA@buyer.example']));
  assert.equal(await mails.isDeliveredTo('receipt', 'ada@buyer.example'), false);
  server.behaviour = { replies: { RCPT: '550 unknown' } };
  await createNote(sending, 'refused', 'eve@buyer.example');
  await waitUntil(async () => (await listStates(sending)).length === 0);
  server.behaviour = {};
  assert.equal(await mails.isDeliveredTo('refused', 'eve@buyer.example'), false);
});
