/** The one way to change a document, with notes as the documents. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { readRevision } from '#src/platform/database/revisions.ts';
import { Refusal } from '#src/platform/http/call.ts';
import { listAuditEntries } from '#src/shop/audit-log/service.ts';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { createStaffActor } from '../../../tests/support/staff-actor.ts';
import { changeDocument, newDocument, OUTDATED } from './service.ts';

interface Note {
  readonly version: number;
  readonly title: string;
  readonly body: string;
}
type Texts = Omit<Note, 'version'>;

const TOPIC = 'notes';
const NO_TITLE = new Refusal(400, 'invalid', 'A note needs a title');
const STAFF = ['anna', 'bert'].map((name, index) =>
  createStaffActor(`0198b000-0000-7000-8000-00000000000${index}`, name),
);
const now = new Date('2026-03-01T10:00:00.000Z');

let db: Db;
let announced = 0;
before(async () => {
  ({ db } = await createTestDatabase());
  await sql`create table notes (id text primary key, version integer not null, title text not null, body text not null)`.execute(
    db,
  );
});

const read = async (tx: Db, id: string): Promise<Note | null> =>
  (await sql<Note>`select version, title, body from notes where id = ${id} for update`.execute(tx)).rows[0] ?? null;

const options = () => ({
  db,
  clock: { now: () => now },
  revisions: {
    announce: () => {
      announced += 1;
      return Promise.resolve();
    },
  },
});

function save(id: string, version: number | undefined, { title, body }: Texts, by = STAFF[0]) {
  assert.ok(by !== undefined);
  return changeDocument<Note | { readonly version: 0 }, number>(options(), {
    by,
    version,
    what: 'this note',
    subject: { kind: 'report', id },
    topics: [TOPIC],
    lock: version === undefined ? newDocument : (tx) => read(tx, id),
    write: async (tx, stored) => {
      const saved = stored.version + 1;
      await sql`
        insert into notes (id, version, title, body) values (${id}, ${saved}, ${title}, ${body})
        on conflict (id) do update set version = excluded.version, title = excluded.title, body = excluded.body
      `.execute(tx);
      // After the write, so that a refusal has something to undo.
      if (title === '') return NO_TITLE;
      if (title === 'late') return OUTDATED;
      const former = 'title' in stored ? { title: stored.title, body: stored.body } : null;
      return { saved, recorded: { action: 'report.edited', before: former, after: { title, body } } };
    },
  });
}

const describeState = async (id: string) => [
  await read(db, id),
  await readRevision(db, TOPIC),
  (await listAuditEntries(db, { subjectId: id }, { limit: 200, offset: 0 })).total,
  announced,
];

test('[OPS-06] a change stores the document, its revision and an audit entry, and is announced', async () => {
  const [revision, calls] = [await readRevision(db, TOPIC), announced];
  assert.equal(await save('one', undefined, { title: 'a', body: 'b' }), 1);
  assert.deepEqual(await describeState('one'), [{ version: 1, title: 'a', body: 'b' }, revision + 1n, 1, calls + 1]);
});

test('[OPS-06] a refused change stores nothing and announces nothing', async () => {
  await save('two', undefined, { title: 'a', body: 'b' });
  const state = await describeState('two');
  const refused = await save('two', 1, { title: '', body: 'lost' });
  assert.equal(refused, NO_TITLE);
  for (const outdated of [
    await save('two', 7, { title: 'c', body: 'd' }),
    await save('two', 1, { title: 'late', body: '' }),
  ]) {
    assert.ok(outdated instanceof Refusal);
    assert.deepEqual([outdated.code, outdated.conflict], ['changed-meanwhile', { by: null, at: null, fields: [] }]);
  }
  const missing = await save('none', 1, { title: 'a', body: 'b' });
  assert.ok(missing instanceof Refusal && missing.code === 'not-found');
  assert.deepEqual(await describeState('two'), state);
});

test('[OPS-06] of several changes of one version one is stored', async () => {
  await save('three', undefined, { title: 'a', body: 'b' });
  const results = await Promise.all(['c', 'd', 'e'].map((title) => save('three', 1, { title, body: 'b' })));
  assert.equal(results.filter((result) => result === 2).length, 1);
  assert.equal(results.filter((result) => result instanceof Refusal && result.conflict?.by === 'anna').length, 2);
});

test('[OPS-06] a refusal names the last editor and what differs from the version that was seen', async () => {
  const texts = fc.record({ title: fc.constantFrom('a', 'b'), body: fc.constantFrom('x', 'y', 'z') });
  const edits = fc.array(fc.record({ texts, editor: fc.constantFrom(0, 1) }), { minLength: 1, maxLength: 5 });
  let number = 0;
  await fc.assert(
    fc.asyncProperty(texts, edits, fc.nat(), async (first, later, drawn) => {
      number += 1;
      const id = `note ${number}`;
      await save(id, undefined, first);
      for (const [index, edit] of later.entries()) await save(id, index + 1, edit.texts, STAFF[edit.editor]);
      const seen = (drawn % later.length) + 1;
      const versions = [first, ...later.map((edit) => edit.texts)];
      const refused = await save(id, seen, { title: 'mine', body: 'mine' });
      assert.ok(refused instanceof Refusal);
      const [mine, stored] = [versions[seen - 1], versions.at(-1)];
      assert.equal(refused.conflict?.by, STAFF[later.at(-1)?.editor ?? 0]?.username);
      assert.deepEqual(
        refused.conflict?.fields.map(({ path }) => path).toSorted(),
        (['body', 'title'] as const).filter((name) => mine?.[name] !== stored?.[name]),
      );
    }),
    { numRuns: 25 },
  );
});
