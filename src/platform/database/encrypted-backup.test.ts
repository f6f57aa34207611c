import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import { decryptBackup } from './backup-encryption.ts';
import type { Db } from './database.ts';
import { openEncryptedBackup } from './encrypted-backup.ts';

const PASSPHRASE = 'a long enough passphrase';
/** More than what is buffered between the database and the client. */
const ROWS = 600;

let db: Db;
before(async () => {
  ({ db } = await createTestDatabase());
  await sql`create table noise (id integer primary key, text text not null)`.execute(db);
  await sql`
    insert into noise select row, (select string_agg(md5(row::text || '-' || part::text), '') from generate_series(1, 200) part)
    from generate_series(1, ${ROWS}::integer) row
  `.execute(db);
});

let completed = 0;
const open = (stallMs?: number) =>
  openEncryptedBackup(db, {
    now: new Date(),
    passphrase: PASSPHRASE,
    onComplete: () => Promise.resolve((completed += 1)),
    ...(stallMs !== undefined && { stallMs }),
  });

const countOpen = async (): Promise<number> => {
  const { rows } = await sql<{ open: number }>`
    select count(*)::integer as open from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
  `.execute(db);
  return rows[0]?.open ?? -1;
};

async function readRows(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const plain: Buffer[] = [];
  for await (const piece of decryptBackup(pieces, PASSPHRASE)) plain.push(piece);
  const lines = gunzipSync(Buffer.concat(plain)).toString().trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^\{"backup":"crypto-market"/);
  assert.match(lines.at(-1) ?? '', /^E [0-9a-f]{64} \d+$/);
  return lines.filter((line) => line.startsWith('R{"id": ') && line.includes('"text"')).length;
}

test('[PAY-07] a second backup is refused until the first one ends', async () => {
  const first = await open();
  assert.ok(first !== null);
  assert.equal(await open(), null);
  assert.equal(await readRows(first.pieces), ROWS);
  assert.equal(completed, 1);
  const next = await open();
  assert.ok(next !== null);
  await next.cancel();
  assert.equal(await countOpen(), 0);
});

test('[PAY-07] a client that leaves ends the backup and its transaction', async () => {
  const earlier = completed;
  const backup = await open();
  assert.ok(backup !== null);
  for await (const piece of backup.pieces) {
    assert.ok(piece.length > 0);
    break;
  }
  assert.equal(await countOpen(), 0);
  assert.equal(completed, earlier, 'it is not recorded as a backup');
});

test('[PAY-07] a client that stops reading ends the backup too', async () => {
  const backup = await open(20);
  assert.ok(backup !== null);
  await waitUntil(async () => (await countOpen()) === 0);
  await assert.rejects(readRows(backup.pieces));
});

test('[PAY-07] a failure of the database makes the file incomplete', async () => {
  const earlier = completed;
  const backup = await open();
  assert.ok(backup !== null);
  const read = readRows(backup.pieces);
  await sql`
    select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())
  `.execute(db);
  await assert.rejects(read);
  assert.equal(completed, earlier);
});
