import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createTestDatabase } from '../../../tests/support/database.ts';
import type { Actor } from './actor.ts';
import {
  eraseCustomerFromAuditLog,
  eraseOldAuditDetails,
  exportAuditLog,
  listAuditEntries,
  hasAuditHash,
  recordChange,
  reportNewestHash,
  verifyAuditLog,
} from './service.ts';

const anna: Actor = {
  kind: 'staff',
  userId: '0198b000-0000-7000-8000-000000000001',
  username: 'anna',
  ip: '192.0.2.7',
  userAgent: 'Test/1.0',
};
const at = new Date('2026-03-01T10:00:00.123Z');

let db: Db;
beforeEach(async () => {
  ({ db } = await createTestDatabase());
});

const record = (tx: Db, id: string, by: Actor = anna): Promise<void> =>
  recordChange(tx, {
    at,
    by,
    action: 'promotion.edited',
    subject: { kind: 'promotion', id },
    before: { uses: 1, code: id },
    after: { uses: 2, code: id },
  });
const list = async () => (await listAuditEntries(db, {}, { limit: 200, offset: 0 })).entries;
/** Changes rows as somebody with access to the database could. */
const forge = (statement: ReturnType<typeof sql>) =>
  transact(db, async (tx) => {
    await sql`alter table audit_entries disable trigger user`.execute(tx);
    await sql`alter table audit_details disable trigger user`.execute(tx);
    await statement.execute(tx);
  });

test('[OPS-06] an entry says who, what, when, from where, before and after', async () => {
  await transact(db, (tx) => record(tx, 'SPRING'));
  const [entry] = await list();
  assert.equal(entry?.id, 1n);
  assert.deepEqual(
    { at: entry.at, actorId: entry.actorId, action: entry.action, subject: entry.subject, details: entry.details },
    {
      at,
      actorId: anna.userId,
      action: 'promotion.edited',
      subject: { kind: 'promotion', id: 'SPRING' },
      details: {
        actorName: 'anna',
        subjectName: null,
        ip: '192.0.2.7',
        userAgent: 'Test/1.0',
        before: { uses: 1 },
        after: { uses: 2 },
      },
    },
  );
});

test('[OPS-06] an entry keeps at most 512 characters of the user agent', async () => {
  await transact(db, (tx) => record(tx, 'SPRING', { ...anna, userAgent: 'x'.repeat(16_000) }));
  const [entry] = await list();
  assert.equal(entry?.details?.userAgent?.length, 512);
});

test('[OPS-06] an entry is rolled back with its change', async () => {
  await assert.rejects(
    transact(db, async (tx) => {
      await record(tx, 'SPRING');
      throw new Error('the change fails');
    }),
    /the change fails/,
  );
  assert.deepEqual(await list(), []);
  await assert.rejects(record(db, 'SPRING'), /belongs to the transaction/);
});

test('[OPS-06] parallel changes form one chain without gaps', async () => {
  await Promise.all(Array.from({ length: 60 }, (_, index) => transact(db, (tx) => record(tx, `P${String(index)}`))));
  const check = await verifyAuditLog(db);
  assert.deepEqual({ ...check, hash: '' }, { ok: true, entries: 60n, erased: 0, hash: '' });
  const ids: string[] = [];
  for await (const [id = ''] of exportAuditLog(db, {})) ids.push(id);
  assert.deepEqual(ids, ['id', ...Array.from({ length: 60 }, (_, index) => String(index + 1))]);
});

test('[OPS-06] entries can be neither changed nor deleted', async () => {
  await transact(db, (tx) => record(tx, 'SPRING'));
  for (const statement of [
    sql`update audit_entries set action = 'x'`,
    sql`delete from audit_entries`,
    sql`truncate audit_entries cascade`,
    sql`update audit_details set details = '{}'`,
  ]) {
    await assert.rejects(statement.execute(db), /append-only/);
  }
});

test('[OPS-06] the check finds forged, removed and rewritten entries', async () => {
  const forgeries = [
    ['changed', 2n, sql`update audit_entries set action = 'x' where id = 2`],
    ['changed', 2n, sql`update audit_entries set actor_id = gen_random_uuid() where id = 2`],
    ['details-changed', 3n, sql`update audit_details set details = replace(details, 'anna', 'eve') where entry_id = 3`],
    [
      'missing',
      2n,
      sql`with gone as (delete from audit_details where entry_id = 2) delete from audit_entries where id = 2`,
    ],
    [
      'missing',
      4n,
      sql`with gone as (delete from audit_details where entry_id = 4) delete from audit_entries where id = 4`,
    ],
    ['head-differs', 4n, sql`update audit_head set hash = decode(repeat('11', 32), 'hex')`],
    ['unlinked', 1n, sql`update audit_entries set previous_hash = decode(repeat('22', 32), 'hex') where id = 1`],
  ] as const;
  for (const [problem, entryId, statement] of forgeries) {
    ({ db } = await createTestDatabase());
    for (const code of ['A', 'B', 'C', 'D']) await transact(db, (tx) => record(tx, code));
    assert.ok((await verifyAuditLog(db)).ok);
    await forge(statement);
    const check = await verifyAuditLog(db);
    assert.deepEqual(check, { ok: false, problem, entryId });
  }
});

const ORDER = '0198b000-0000-7000-8000-0000000000aa';
const recordAbout = (tx: Db, action: string, hasCustomerData: boolean): Promise<void> =>
  recordChange(tx, {
    at,
    by: anna,
    action,
    subject: { kind: 'order', id: ORDER },
    before: { street: 'Elm Road' },
    after: { street: 'Oak Road' },
    hasCustomerData,
  });

test('[OPS-06] [PRIV-02] an erased customer leaves who acted and the chain', async () => {
  await transact(db, (tx) => recordAbout(tx, 'order.address_changed', true));
  await transact(db, (tx) => recordAbout(tx, 'order.delivered', false));
  const search = async () => (await listAuditEntries(db, { text: 'oak' }, { limit: 9, offset: 0 })).total;
  assert.equal(await search(), 2);
  assert.deepEqual((await list())[1]?.details?.after, { street: 'Oak Road' });
  const before = await verifyAuditLog(db);
  assert.ok(before.ok && before.erased === 0);
  await transact(db, (tx) => eraseCustomerFromAuditLog(tx, [ORDER]));
  const [kept, erased] = await list();
  assert.deepEqual([kept?.details?.after, kept?.areFieldsErased], [{ street: 'Oak Road' }, false]);
  assert.deepEqual([erased?.details?.actorName, erased?.details?.ip], ['anna', '192.0.2.7']);
  assert.deepEqual([erased?.details?.before, erased?.details?.after, erased?.areFieldsErased], [null, null, true]);
  assert.equal(await search(), 1);
  const check = await verifyAuditLog(db);
  assert.deepEqual(check, { ...before, erased: 1 });
});

test('[OPS-06] [PRIV-02] entries of earlier releases lose an address with their details', async () => {
  await transact(db, (tx) => recordAbout(tx, 'order.address_changed', false));
  await transact(db, (tx) => eraseCustomerFromAuditLog(tx, [ORDER]));
  assert.equal((await list())[0]?.details, null);
  assert.ok((await verifyAuditLog(db)).ok);
});

test('[OPS-06] the check finds forged fields about a customer', async () => {
  await transact(db, (tx) => recordAbout(tx, 'order.address_changed', true));
  await forge(sql`alter table audit_customer_details disable trigger user`);
  await forge(sql`update audit_customer_details set details = replace(details, 'Oak', 'Ash')`);
  assert.deepEqual(await verifyAuditLog(db), { ok: false, problem: 'details-changed', entryId: 1n });
  await assert.rejects(forge(sql`update audit_customer_details set salt = 'x'::bytea, entry_id = 2`));
});

test('[OPS-06] details are erased from before a moment', async () => {
  await transact(db, (tx) => record(tx, 'SPRING'));
  await transact(db, (tx) => recordAbout(tx, 'order.address_changed', true));
  await eraseOldAuditDetails(db, at);
  assert.ok((await list()).every(({ details }) => details !== null));
  await eraseOldAuditDetails(db, new Date(at.getTime() + 1));
  assert.deepEqual(
    (await list()).map(({ details }) => details),
    [null, null],
  );
  const check = await verifyAuditLog(db);
  assert.ok(check.ok && check.erased === 2);
});

test('[OPS-06] entries are found by actor, action, subject, time and text', async () => {
  await transact(db, (tx) => record(tx, 'SPRING'));
  await transact(db, (tx) => record(tx, 'SUM_MER', { kind: 'command', name: 'stock' }));
  const count = async (filter: Parameters<typeof listAuditEntries>[1]) =>
    (await listAuditEntries(db, filter, { limit: 10, offset: 0 })).total;
  assert.equal(await count({ actorId: anna.userId }), 1);
  assert.equal(await count({ action: 'promotion.edited' }), 2);
  assert.equal(await count({ action: 'promotion.created' }), 0);
  assert.equal(await count({ subjectKind: 'promotion', subjectId: 'SPRING' }), 1);
  assert.equal(await count({ from: at, to: new Date(at.getTime() + 1) }), 2);
  assert.equal(await count({ to: at }), 0);
  assert.equal(await count({ text: 'ANNA' }), 1);
  assert.equal(await count({ text: 'anna tes' }), 1, 'each word begins one of the entry');
  assert.equal(await count({ text: 'SUM_M' }), 1);
  assert.equal(await count({ text: 'pring' }), 0);
  assert.equal(await count({ text: 'sum%' }), 0);
  assert.equal(await count({ text: '%' }), 0);
});

test('[OPS-06] the newest hash is reported once a day, by one of two processes', async () => {
  const mailed: string[] = [];
  const report = (now: Date) =>
    reportNewestHash(db, now, (_, { hash }) => {
      mailed.push(hash);
      return Promise.resolve();
    });
  assert.equal(await report(at), null, 'an empty log');
  await transact(db, (tx) => record(tx, 'SPRING'));
  const both = await Promise.all([report(at), report(at)]);
  assert.deepEqual([both.filter((one) => one !== null).length, mailed.length], [1, 1]);
  await transact(db, (tx) => record(tx, 'SUMMER'));
  assert.equal(await report(new Date('2026-03-01T23:59:59Z')), null, 'the same day');
  const next = await report(new Date('2026-03-02T00:00:01Z'));
  assert.equal(next?.entryId, 2n);
  assert.equal(await report(new Date('2026-03-03T00:00:01Z')), null, 'nothing new');
});

test('[OPS-06] a rewritten log does not contain a reported hash', async () => {
  await transact(db, (tx) => record(tx, 'SPRING'));
  await transact(db, (tx) => record(tx, 'SUMMER'));
  const reported = await reportNewestHash(db, at, () => Promise.resolve());
  const hash = reported?.hash ?? '';
  assert.ok(await hasAuditHash(db, hash));
  await forge(sql`
    with gone as (delete from audit_details where entry_id = 2) delete from audit_entries where id = 2`);
  await forge(sql`update audit_head set entry_id = 1, hash = (select hash from audit_entries where id = 1)`);
  await transact(db, (tx) => record(tx, 'AUTUMN'));
  assert.ok((await verifyAuditLog(db)).ok, 'the chain itself is intact');
  assert.equal(await hasAuditHash(db, hash), false);
});
