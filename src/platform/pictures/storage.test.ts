/** Both storages keep the same promises. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { BUCKET_KEYS, startBucketServer } from '../../../tests/support/bucket-server.ts';
import type { BucketServer } from '../../../tests/support/bucket-server.ts';
import { BucketStorage } from './bucket-storage.ts';
import { DiskStorage } from './disk-storage.ts';
import { StorageUnavailableError } from './storage.ts';
import type { PictureStorage } from './storage.ts';

const directory = mkdtempSync(join(tmpdir(), 'pictures-'));
let server: BucketServer;
before(async () => {
  server = await startBucketServer();
});
after(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

const createBucket = (secretAccessKey = BUCKET_KEYS.secretAccessKey): PictureStorage =>
  new BucketStorage({
    ...BUCKET_KEYS,
    secretAccessKey,
    bucket: 'shop',
    prefix: 'live/pictures/',
    endpoint: server.endpoint,
    region: 'eu-central-1',
    isPathStyle: true,
  });
const listNames = async (storage: PictureStorage): Promise<string[]> => {
  const names: string[] = [];
  for await (const { name } of storage.list()) names.push(name);
  return names.toSorted();
};
const hash = 'ab'.repeat(20);

for (const [kind, create] of [
  ['a directory', () => new DiskStorage(join(directory, 'new'))],
  ['a bucket', () => createBucket()],
] as const) {
  describe(kind, () => {
    test(`[OPS-02] ${kind} returns what was stored, and null before`, async () => {
      const storage = create();
      assert.deepEqual([await storage.read(`${hash}.avif`), await storage.has(`${hash}.avif`)], [null, false]);
      const bytes = Buffer.from([0, 1, 2, 255]);
      await storage.put(`${hash}.avif`, bytes);
      await storage.put(`${hash}.avif`, bytes);
      assert.deepEqual(await create().read(`${hash}.avif`), bytes);
      assert.equal(await storage.has(`${hash}.avif`), true);
      assert.equal(await storage.hasSpace(), true);
      await storage.remove(`${hash}.avif`);
      await storage.remove(`${hash}.avif`);
      assert.equal(await storage.read(`${hash}.avif`), null);
    });

    test(`[OPS-02] ${kind} lists all files with their times`, async () => {
      const storage = create();
      const names = Array.from({ length: 8 }, (_, index) => `${String(index).repeat(40)}.avif`);
      for (const name of names) await storage.put(name, Buffer.from('x'));
      assert.deepEqual(await listNames(storage), names);
      for await (const { changedAt } of storage.list()) assert.ok(Math.abs(Date.now() - changedAt.getTime()) < 60_000);
    });
  });
}

test('[OPS-02] a directory contains whole files only after a crash', async () => {
  const path = join(directory, 'crashed');
  mkdirSync(path);
  // What a process killed in the middle of a write leaves.
  writeFileSync(join(path, '0b3c.part'), 'half');
  const storage = new DiskStorage(path);
  await storage.put(`${hash}.avif`, Buffer.from('whole'));
  assert.deepEqual(readdirSync(path).toSorted(), ['0b3c.part', `${hash}.avif`]);
  const old = new Date('2020-01-01T00:00:00Z');
  utimesSync(join(path, `${hash}.avif`), old, old);
  await storage.put(`${hash}.avif`, Buffer.from('whole'));
  for await (const { name, changedAt } of storage.list()) {
    if (name.endsWith('.avif')) assert.ok(changedAt > old, 'storing it again renews the time');
  }
});

test('[OPS-02] a bucket with wrong keys or failures is unavailable', async () => {
  const wrong = createBucket('another secret');
  await assert.rejects(wrong.put(`${hash}.avif`, Buffer.from('x')), StorageUnavailableError);
  await assert.rejects(wrong.read(`${hash}.avif`), /403 SignatureDoesNotMatch/);
  assert.equal(server.rejected.length, 2);
  server.failure = 503;
  await assert.rejects(createBucket().read(`${hash}.avif`), StorageUnavailableError);
  server.failure = null;
});

test('[OPS-02] a bucket is a part of the host name unless set otherwise', async () => {
  const endpoint = server.endpoint.replace('127.0.0.1', 'localhost');
  const settings = { ...BUCKET_KEYS, bucket: 'shop', prefix: '', endpoint, region: 'r', isPathStyle: false };
  // shop.localhost does not exist here, or is this machine: then its path lacks the bucket.
  await new BucketStorage(settings).put(`${hash}.avif`, Buffer.from('x')).catch(() => {});
  assert.ok(!server.objects.has(`/shop/${hash}.avif`));
});
