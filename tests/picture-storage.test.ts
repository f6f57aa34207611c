/** Where uploaded pictures are stored: a bucket for several machines, a directory that survives kill -9. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SUFFIXES } from '#src/platform/pictures/picture-files.ts';
import './support/built-pages.ts';
import { readPictureSize } from './support/picture-size.ts';
import { BUCKET_KEYS, startBucketServer } from './support/bucket-server.ts';
import type { BucketServer } from './support/bucket-server.ts';
import { makePicture } from './support/hostile-pictures.ts';
import { listAt, numberAt, textAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import type { Settings } from './support/shop-process.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { getStaffToken } from './support/staff-fixtures.ts';
import { uploadPicture } from './support/upload-picture.ts';

let bucket: BucketServer;
let inBucket: SpawnedShop;
let settings: Settings;
before(async () => {
  bucket = await startBucketServer();
  settings = {
    UPLOADS_URL: 's3://shop-pictures/live',
    UPLOADS_ENDPOINT: bucket.endpoint,
    UPLOADS_PATH_STYLE: 'on',
    UPLOADS_ACCESS_KEY_ID: BUCKET_KEYS.accessKeyId,
    UPLOADS_SECRET_ACCESS_KEY: BUCKET_KEYS.secretAccessKey,
  };
  inBucket = await startSpawnedShop({ settings });
});
after(async () => {
  await inBucket.stop();
  await bucket.close();
});

test('[OPS-02] stores pictures in a bucket that all processes serve', async () => {
  const token = await getStaffToken(inBucket);
  const { status, body } = await uploadPicture(inBucket, token, await makePicture('png', { width: 400, height: 300 }));
  assert.equal(status, 201, JSON.stringify(body));
  const path = textAt(body, 'path');
  const names = [...bucket.objects.keys()];
  assert.equal(names.length, SUFFIXES.length);
  assert.ok(
    names.every((name) => name.startsWith('/shop-pictures/live/')),
    names.join(),
  );
  assert.deepEqual(bucket.rejected, []);
  assert.ok(!readdirSync(inBucket.dataDir).includes('uploads'));
  const second = await startSecondProcess(inBucket, settings);
  try {
    for (const { url } of [inBucket, second]) {
      const response = await fetch(`${url}/api${path}`);
      assert.equal(response.headers.get('content-type'), 'image/avif');
      const size = readPictureSize(path, Buffer.from(await response.arrayBuffer()));
      assert.deepEqual(size, { width: 400, height: 300 });
    }
  } finally {
    await second.stop();
  }
});

test('[OPS-02] a bucket that fails stores nothing and causes no 500', async () => {
  const token = await getStaffToken(inBucket);
  const total = async () => numberAt((await inBucket.api('GET', '/pictures', { token })).body, 'total');
  const stored = await total();
  bucket.failure = 503;
  try {
    const { status, body } = await uploadPicture(inBucket, token, await makePicture('png', { seed: 2 }));
    assert.equal(`${status} ${textAt(body, 'error', 'code')}`, '503 unavailable');
    const response = await fetch(`${inBucket.url}/api/images/uploads/${'a'.repeat(40)}.avif`);
    assert.deepEqual([response.status, Number(response.headers.get('retry-after')) > 0], [503, true]);
  } finally {
    bucket.failure = null;
  }
  assert.equal(await total(), stored);
});

test('[OPS-02] the keys of a bucket are masked', async () => {
  const login = { username: 'owner', password: 'crypto-market' };
  const { body } = await inBucket.api('POST', '/users/login', { body: login });
  const shown = await inBucket.api('GET', '/settings', { token: textAt(body, 'tokens', 'accessToken') });
  const text = JSON.stringify(shown.body);
  assert.match(text, /"UPLOADS_SECRET_ACCESS_KEY","value":"…"/);
  assert.match(text, /"UPLOADS_URL","value":"s3:\/\/shop-pictures\/live"/);
  for (const secret of Object.values(BUCKET_KEYS)) assert.ok(!`${text}${inBucket.readOutput()}`.includes(secret));
});

test('[OPS-02] after kill -9 each picture of the library has all its files', { timeout: 300_000 }, async () => {
  const shop = await startSpawnedShop();
  try {
    const directory = join(shop.dataDir, 'uploads');
    for (let round = 0; round < 4; round += 1) {
      const token = await getStaffToken(shop);
      const bytes = await makePicture('png', { width: 300, height: 200, seed: 100 + round });
      const uploading = [0, 1].map((index) =>
        uploadPicture(shop, token, Buffer.concat([bytes, Buffer.from([index])])).catch(() => null),
      );
      // At any moment of the upload: while it is converted, written or answered.
      await sleep(150 + round * 350);
      await shop.kill9();
      await Promise.all(uploading);
      await shop.restart();
    }
    const token = await getStaffToken(shop);
    const again = await uploadPicture(shop, token, await makePicture('png', { width: 300, height: 200, seed: 100 }));
    assert.equal(again.status, 201);
    const library = listAt((await shop.api('GET', '/pictures', { token })).body, 'pictures');
    const files = readdirSync(directory);
    for (const picture of library) {
      const [hash = ''] = /[0-9a-f]{40}/.exec(textAt(picture, 'path')) ?? [];
      for (const suffix of SUFFIXES) assert.ok(files.includes(`${hash}${suffix}`), `${hash}${suffix}`);
    }
    for (const name of files.filter((file) => file.endsWith('.avif'))) {
      assert.ok(readPictureSize(name, readFileSync(join(directory, name))).width > 0, name);
    }
  } finally {
    await shop.stop();
  }
});
