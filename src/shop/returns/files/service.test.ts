/** Pictures of returns that are added at the same time, and storage that fails. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { noRateLimits } from '#src/platform/http/rate-limits.ts';
import { DiskStorage } from '#src/platform/pictures/disk-storage.ts';
import { StorageUnavailableError } from '#src/platform/pictures/storage.ts';
import { silentLog } from '../../../../tests/support/database.ts';
import { testKey } from '../../../../tests/support/devchain.ts';
import { makePng } from '../../../../tests/support/hostile-pictures.ts';
import { openOrderRefunds } from '../../../../tests/support/order-refunds.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { LABEL_PDF } from '../../../../tests/support/upload-picture.ts';
import { ReturnFiles } from './service.ts';
import type { ReturnFilesOptions } from './service.ts';

const FILE_BYTES = 100;
const PNG = makePng(10, 10, Buffer.alloc(310, 1));

let shop: OrderShop;
let directory: string;
let user: string;
let returnId: string;
const removals: string[] = [];
beforeEach(async () => {
  const refunding = await openOrderRefunds();
  ({ shop } = refunding);
  await shop.setStock(5);
  const order = await refunding.createPaidOrder(testKey().address, 0n, 1);
  ({ user } = order);
  returnId = uuidv7();
  await sql`insert into returns (id, reference, order_id, cause, state, requested_at, reason)
    values (${returnId}, 'R-7K2M-9QTX', ${order.id}, 'defect', 'requested', ${shop.now}, 'Broken')`.execute(shop.db);
  directory = mkdtempSync(join(tmpdir(), 'return-files-'));
  removals.length = 0;
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Files with a converter that needs no time. */
function open(options: Partial<ReturnFilesOptions> = {}): ReturnFiles {
  const files = [1, 2].map((byte) => Buffer.alloc(FILE_BYTES, byte));
  return new ReturnFiles({
    db: shop.db,
    clock: { now: () => shop.now },
    log: silentLog,
    limits: noRateLimits,
    jobs: { enqueueAll: async (_tx, _name, jobs) => void removals.push(...jobs.map(({ data }) => data['id'] ?? '')) },
    storage: new DiskStorage(directory),
    converter: { convert: () => Promise.resolve({ ok: true, picture: { width: 10, height: 10, files } }) },
    maxBytes: 1_000_000n,
    ...options,
  });
}
const add = async (files: ReturnFiles): Promise<string> => {
  const added = await files.addPicture(user, returnId, PNG);
  return added.ok ? 'added' : added.reason;
};
const listStored = async (): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select id from return_files order by created_at, place`.execute(shop.db);
  return rows.map(({ id }) => id);
};

test('[RET-05] of eight pictures at once in two processes five are stored', async () => {
  const [first, second] = [open(), open()];
  const results = await Promise.all([1, 2, 3, 4].flatMap(() => [add(first), add(second)]));
  assert.equal(results.filter((result) => result === 'added').length, 5, results.join());
  assert.equal(results.filter((result) => result === 'too-many').length, 3);
  assert.equal((await listStored()).length, 5);
  assert.equal(readdirSync(directory).length, 10, 'refused ones leave no files');
});

test('[RET-05] the database takes no sixth picture, whoever writes it', async () => {
  const files = open();
  for (let count = 0; count < 5; count += 1) assert.equal(await add(files), 'added');
  for (const place of [5, 6])
    await assert.rejects(
      sql`insert into return_files (id, return_id, kind, place, type, width, height, bytes, created_at)
        values (gen_random_uuid(), ${returnId}, 'picture', ${place}, 'image/jpeg', 1, 1, 1, now())`.execute(shop.db),
    );
});

test('[RET-05] pictures above the sum of all returns, or on a full disk, are refused', async () => {
  const files = open({ maxBytes: BigInt(3 * FILE_BYTES) });
  assert.equal(await add(files), 'added');
  assert.equal(await add(files), 'storage-full', 'the second one exceeds the sum');
  assert.equal(readdirSync(directory).length, 2);
  const storage = new DiskStorage(directory);
  storage.hasSpace = () => Promise.resolve(false);
  assert.equal(await add(open({ storage })), 'disk-full');
  storage.hasSpace = () => Promise.resolve(true);
  storage.put = () => Promise.reject(new StorageUnavailableError('no answer'));
  assert.equal(await add(open({ storage })), 'storage-unavailable');
  assert.equal((await listStored()).length, 1);
});

test('[RET-05] a picture that finds no room or no time costs no upload of the day', async () => {
  const counted: string[] = [];
  const limits = {
    ...noRateLimits,
    consume: (...call: Parameters<typeof noRateLimits.consume>) => {
      counted.push(call[0]);
      return noRateLimits.consume(...call);
    },
    restore: async () => void counted.pop(),
  };
  assert.equal(await add(open({ limits, maxBytes: 0n })), 'storage-full');
  const storage = new DiskStorage(directory);
  storage.hasSpace = () => Promise.resolve(false);
  assert.equal(await add(open({ limits, storage })), 'disk-full');
  const busy = { convert: () => Promise.resolve({ ok: false, reason: 'busy' } as const) };
  assert.equal(await add(open({ limits, converter: busy })), 'busy');
  assert.deepEqual(counted, []);
  const label = await open({ limits, storage }).prepareLabel(LABEL_PDF, user);
  assert.equal(label.ok ? 'stored' : label.reason, 'disk-full', 'a document needs room, too');
  assert.equal(await add(open({ limits })), 'added');
  assert.deepEqual(counted, ['return pictures per day']);
});

test('[RET-05] files without a row go after a day, and no others', async () => {
  const files = open();
  assert.equal(await add(files), 'added');
  const [kept = ''] = await listStored();
  const storage = new DiskStorage(directory);
  const orphan = 'private-0b6f5a8e-4c1d-4a57-9d57-0f7c8c1f3b21.jpg';
  const library = `${'a'.repeat(40)}.avif`;
  for (const name of [orphan, library]) await storage.put(name, Buffer.from('x'));
  const age = (ms: number): void => {
    const at = new Date(shop.now.getTime() - ms);
    for (const name of readdirSync(directory)) utimesSync(join(directory, name), at, at);
  };
  age(86_400_000 - 1_000);
  await files.removeOrphans();
  assert.equal(readdirSync(directory).length, 4);
  age(86_400_000 + 1_000);
  await files.removeOrphans();
  const left = readdirSync(directory).toSorted();
  assert.deepEqual(left, [library, `private-${kept}-320.jpg`, `private-${kept}.jpg`].toSorted());

  // A job that runs twice, or before its row is deleted, removes nothing else.
  await files.remove(kept);
  assert.equal(readdirSync(directory).length, 3);
  assert.equal(await files.removePicture(user, returnId, kept), null);
  assert.deepEqual(removals, [kept]);
  await files.remove(kept);
  await files.remove(kept);
  assert.deepEqual(readdirSync(directory), [library]);
});
