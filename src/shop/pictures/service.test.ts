import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '#src/platform/database/database.ts';
import { createRateLimits } from '#src/platform/http/rate-limits.ts';
import { DiskStorage } from '#src/platform/pictures/disk-storage.ts';
import { SUFFIXES } from '#src/platform/pictures/picture-files.ts';
import { StorageFullError, StorageUnavailableError } from '#src/platform/pictures/storage.ts';
import type { PictureStorage } from '#src/platform/pictures/storage.ts';
import { createTestDatabase, silentLog } from '../../../tests/support/database.ts';
import type { TestDatabase } from '../../../tests/support/database.ts';
import { makePng } from '../../../tests/support/hostile-pictures.ts';
import { Pictures } from './service.ts';
import type { PicturesOptions } from './service.ts';
import { createStaffActor, staffActor } from '../../../tests/support/staff-actor.ts';

const DAY_MS = 86_400_000;
const FILE_BYTES = 100;
const PICTURE_BYTES = FILE_BYTES * SUFFIXES.length;

let database: TestDatabase;
let db: Db;
let userId: string;
let directory: string;
beforeEach(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  userId = uuidv7();
  await sql`insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    values (${userId}, 'editor', 'editor', 'e@example.com', 'e@example.com', 'x', now())`.execute(db);
  directory = mkdtempSync(join(tmpdir(), 'uploads-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Pictures with a converter that needs no time. */
function openPictures(options: Partial<PicturesOptions> = {}): Pictures {
  return new Pictures({
    db,
    clock: { now: () => new Date() },
    log: silentLog,
    limits: createRateLimits(database.pool),
    storage: new DiskStorage(directory),
    converter: {
      convert: () => {
        const files = SUFFIXES.map(() => Buffer.alloc(FILE_BYTES, 1));
        return Promise.resolve({ ok: true, picture: { width: 10, height: 10, files } });
      },
    },
    maxBytes: 1_000_000n,
    findUses: () => Promise.resolve(new Map()),
    ...options,
  });
}
const makeBytes = (seed: number): Buffer => makePng(10, 10, Buffer.alloc(310, seed));
const upload = (pictures: Pictures, seed: number) => pictures.upload(makeBytes(seed), createStaffActor(userId));
async function uploadOk(pictures: Pictures, seed: number) {
  const uploaded = await upload(pictures, seed);
  assert.ok(uploaded.ok, readReason(uploaded));
  return uploaded.picture;
}
const readReason = (result: Awaited<ReturnType<typeof upload>>): string => (result.ok ? 'ok' : result.reason);
const listHashes = (): string[] => [...new Set(readdirSync(directory).map((name) => name.slice(0, 40)))];

function age(days: number): void {
  const then = new Date(Date.now() - days * DAY_MS);
  for (const name of readdirSync(directory)) utimesSync(join(directory, name), then, then);
}

/** A storage that does something else in places. */
const changeStorage = (changes: Partial<PictureStorage>): PictureStorage => {
  const disk = new DiskStorage(directory);
  return {
    put: (name, bytes) => disk.put(name, bytes),
    read: (name) => disk.read(name),
    has: (name) => disk.has(name),
    remove: (name) => disk.remove(name),
    list: () => disk.list(),
    hasSpace: () => disk.hasSpace(),
    ...changes,
  };
};

test('[OPS-02] removes files without a row after a day', async () => {
  const pictures = openPictures();
  const stored = await uploadOk(pictures, 1);
  const orphan = await uploadOk(pictures, 2);
  await sql`delete from pictures where id = ${orphan.id}`.execute(db);
  await new DiskStorage(directory).put('0b3c.part', Buffer.from('half'));
  await pictures.removeOrphans();
  assert.equal(readdirSync(directory).length, 2 * SUFFIXES.length + 1, 'new files stay');
  age(2);
  await pictures.removeOrphans();
  assert.deepEqual(listHashes(), [stored.hash]);
  assert.equal(readdirSync(directory).length, SUFFIXES.length);
});

test('[OPS-02] an upload survives the removal of its files as orphans', async () => {
  const other = openPictures({ clock: { now: () => new Date(Date.now() + 2 * DAY_MS) } });
  let isRemoved = false;
  const storage = changeStorage({
    put: async (name, bytes) => {
      await new DiskStorage(directory).put(name, bytes);
      // Between the last file and the row.
      if (isRemoved || !name.endsWith('.jpg')) return;
      isRemoved = true;
      await other.removeOrphans();
      assert.deepEqual(readdirSync(directory), []);
    },
  });
  const picture = await uploadOk(openPictures({ storage }), 3);
  assert.ok(isRemoved);
  assert.deepEqual(listHashes(), [picture.hash]);
});

test('[OPS-02] concurrent uploads stay within the limit of all pictures', async () => {
  const pictures = openPictures({ maxBytes: BigInt(3 * PICTURE_BYTES + 1) });
  const results = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => upload(pictures, seed)));
  const reasons = results.map(readReason).toSorted();
  assert.deepEqual(reasons, ['ok', 'ok', 'ok', 'storage-full', 'storage-full', 'storage-full']);
});

test('[OPS-02] the same picture at the same time is one picture', async () => {
  const pictures = openPictures();
  const ids = await Promise.all([1, 1, 1, 1].map(async () => (await uploadOk(pictures, 7)).id));
  assert.equal(new Set(ids).size, 1);
});

test('[OPS-02] an account uploads 2,000 new pictures a day', async () => {
  const pictures = openPictures();
  const known = await uploadOk(pictures, 0);
  await sql`update rate_limits set points = 2000`.execute(db);
  const refused = await upload(pictures, 1);
  assert.equal(readReason(refused), 'too-many-pictures');
  assert.ok(!refused.ok && 'retryAfterSeconds' in refused && refused.retryAfterSeconds > 3_600);
  assert.equal((await uploadOk(pictures, 0)).id, known.id, 'a known picture does not count');
});

test('[OPS-02] a full disk or a silent bucket stores no row', async () => {
  const count = async () => (await openPictures().list(1)).totals.count;
  const low = openPictures({ storage: changeStorage({ hasSpace: () => Promise.resolve(false) }) });
  assert.equal(readReason(await upload(low, 1)), 'disk-full');
  const full = openPictures({ storage: changeStorage({ put: () => Promise.reject(new StorageFullError('full')) }) });
  assert.equal(readReason(await upload(full, 1)), 'disk-full');
  const silent = changeStorage({ put: () => Promise.reject(new StorageUnavailableError('silent')) });
  assert.equal(readReason(await upload(openPictures({ storage: silent }), 1)), 'storage-unavailable');
  assert.equal(await count(), 0n);
});

test('[OPS-02] deletes no picture that a product shows', async () => {
  const used = new Set<string>();
  const findUses: PicturesOptions['findUses'] = (_db, paths) =>
    Promise.resolve(
      new Map(
        paths.filter((path) => used.has(path)).map((path) => [path, [{ kind: 'product', name: 'Phone', url: null }]]),
      ),
    );
  const pictures = openPictures({ findUses });
  const { id, path } = await uploadOk(pictures, 1);
  used.add(path);
  const [listed] = (await pictures.list(1)).pictures;
  assert.deepEqual([listed?.useCount, listed?.uses[0]?.name], [1, 'Phone']);
  assert.equal(await pictures.delete(id, staffActor), 'in-use');
  used.clear();
  assert.equal(await pictures.delete(id, staffActor), 'deleted');
  assert.deepEqual(readdirSync(directory), []);
  assert.equal(await pictures.delete(id, staffActor), 'not-found');
});
