/** Pictures that staff upload, over HTTP. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import './support/built-pages.ts';
import { isThorough } from './support/extent.ts';
import { readPictureSize } from './support/picture-size.ts';
import { HIDDEN_TEXT, makeHostileFiles, makePicture, makePolyglots } from './support/hostile-pictures.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { TestShop } from './support/shop.ts';
import { getStaffToken } from './support/staff-fixtures.ts';
import { uploadPicture } from './support/upload-picture.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let staff: string;
before(async () => {
  shop = await startSpawnedShop({ settings: { LOG_LEVEL: 'info' } });
  staff = await getStaffToken(shop);
});
after(() => shop.stop());

const listFiles = (): string[] => {
  try {
    return readdirSync(join(shop.dataDir, 'uploads')).toSorted();
  } catch {
    return [];
  }
};
/** An upload whose body never comes. */
function openUpload(length = 10, headers: Readonly<Record<string, string>> = { authorization: `Bearer ${staff}` }) {
  const { hostname, port } = new URL(shop.url);
  const sent = request({
    hostname,
    port,
    method: 'POST',
    path: '/api/pictures',
    agent: false,
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': length,
      ...headers,
    },
  });
  sent.on('error', () => {});
  sent.flushHeaders();
  return sent;
}

/** Announces an upload. @returns the status of a response before the body, or null if there is none */
async function announceUpload(
  length: number,
  headers: Readonly<Record<string, string>> = {},
  withinMs = 10_000,
): Promise<number | null> {
  const sent = openUpload(length, headers);
  const answered = once(sent, 'response', { signal: AbortSignal.timeout(withinMs) });
  try {
    const response: unknown = (await answered)[0];
    return numberAt(response, 'statusCode');
  } catch {
    return null;
  } finally {
    sent.destroy();
  }
}
const read = (path: string): Promise<Response> => fetch(`${shop.url}/api${path}`);
const readBytes = async (path: string): Promise<Buffer> => Buffer.from(await (await read(path)).arrayBuffer());
const listLibrary = async () => (await shop.api('GET', '/pictures', { token: staff })).body;

test('[OPS-02] stores a picture in all widths under immutable names', async () => {
  const { status, body } = await uploadPicture(shop, staff, await makePicture('jpeg', { width: 2_400, height: 1_200 }));
  assert.equal(status, 201, JSON.stringify(body));
  const path = textAt(body, 'path');
  assert.match(path, /^\/images\/uploads\/[0-9a-f]{40}\.avif$/);
  assert.deepEqual([numberAt(body, 'width'), numberAt(body, 'height')], [1024, 512]);
  const stem = path.replace('.avif', '');
  for (const [file, width, type] of [
    [`${stem}-320.avif`, 320, 'image/avif'],
    [`${stem}-640.avif`, 640, 'image/avif'],
    [path, 1024, 'image/avif'],
    [`${stem}-2048.avif`, 2048, 'image/avif'],
    [`${stem}.jpg`, 640, 'image/jpeg'],
  ] as const) {
    const response = await read(file);
    assert.equal(response.status, 200, file);
    assert.equal(response.headers.get('content-type'), type);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    const size = readPictureSize(file, Buffer.from(await response.arrayBuffer()));
    assert.deepEqual(size, { width, height: width / 2 }, file);
  }
});

test('[OPS-02] shows and removes pictures of releases that stored at most 1600 pixels', async () => {
  const { body } = await uploadPicture(shop, staff, await makePicture('png', { seed: 41 }));
  const stem = textAt(body, 'path').replace('.avif', '');
  const bytes = await readBytes(`${stem}-2048.avif`);
  const locate = (width: number): string => join(shop.dataDir, `${stem.replace('/images/', '')}-${width}.avif`);
  renameSync(locate(2048), locate(1600));
  assert.deepEqual(await readBytes(`${stem}-1600.avif`), bytes);
  assert.deepEqual(await readBytes(`${stem}-2048.avif`), bytes);
  renameSync(locate(1600), locate(2048));
  // A text that was stored by that release names the former width.
  assert.deepEqual(await readBytes(`${stem}-1600.avif`), bytes);
  assert.equal((await read(`${stem.replace(/.{8}$/, '00000000')}-2048.avif`)).status, 404);
  renameSync(locate(2048), locate(1600));
  await shop.api('DELETE', `/pictures/${textAt(body, 'id')}`, { token: staff });
  const name = stem.split('/').at(-1) ?? '';
  assert.deepEqual(
    listFiles().filter((file) => file.startsWith(name)),
    [],
  );
});

test('[OPS-02] gives the same picture for the same file', async () => {
  const bytes = await makePicture('png', { seed: 2 });
  const [first, second] = [await uploadPicture(shop, staff, bytes), await uploadPicture(shop, staff, bytes)];
  assert.deepEqual(second, first);
  const atOnce = await makePicture('png', { seed: 3 });
  const responses = await Promise.all([1, 2, 3].map(() => uploadPicture(shop, staff, atOnce)));
  assert.equal(new Set(responses.map(({ body }) => textAt(body, 'id'))).size, 1);
});

test('[OPS-02] accepts JPEG, PNG, WebP, AVIF and GIF', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'avif', 'gif'] as const) {
    const { status, body } = await uploadPicture(shop, staff, await makePicture(format, { seed: 4 }));
    assert.equal(status, 201, `${format} ${JSON.stringify(body)}`);
    assert.deepEqual([numberAt(body, 'width'), numberAt(body, 'height')], [60, 40], format);
  }
});

test('[OPS-02] applies the orientation of a photo', async () => {
  const photo = await sharp(await makePicture('jpeg', { seed: 5 }))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const { body } = await uploadPicture(shop, staff, photo);
  assert.deepEqual([numberAt(body, 'width'), numberAt(body, 'height')], [40, 60]);
});

test('[OPS-02] keeps nothing of a polyglot but its pixels', async () => {
  for (const [name, bytes] of await makePolyglots()) {
    const { status, body } = await uploadPicture(shop, staff, bytes);
    assert.equal(status, 201, `${name} ${JSON.stringify(body)}`);
    const path = textAt(body, 'path');
    for (const file of [path, path.replace('.avif', '.jpg')]) {
      const stored = await readBytes(file);
      assert.ok(!stored.includes(HIDDEN_TEXT) && !stored.includes('PK\u0003\u0004'), `${name}: ${file}`);
    }
  }
});

/** Maximum memory of the process of the shop since its start, in MB. */
function readPeakMemory(): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const commands = pids.map((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      if (!environment.includes(`DATA_DIR=${shop.dataDir}\u0000`) || command.includes('postgres')) return 0;
      return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  });
  return Math.max(...commands);
}

test('[OPS-02] refuses hostile files and stores nothing', { timeout: 600_000 }, async (t) => {
  const files = await makeHostileFiles();
  const stored = [listFiles(), numberAt(await listLibrary(), 'total')];
  const total = isThorough ? 200 : files.length;
  for (let count = 0; count < total; count += 4) {
    const batch = [0, 1, 2, 3].map((index) => files[(count + index) % files.length] ?? assert.fail());
    await Promise.all(
      batch.map(async ([name, code, bytes]) => {
        const { status, body } = await uploadPicture(shop, staff, bytes);
        assert.equal(`${status} ${textAt(body, 'error', 'code')}`, `400 ${code}`, name);
        assert.ok(textAt(body, 'error', 'message').length > 20, name);
      }),
    );
  }
  assert.deepEqual([listFiles(), numberAt(await listLibrary(), 'total')], stored);
  assert.doesNotMatch(shop.readOutput(), /"level":50|unexpected error/);
  if (process.platform !== 'linux') return;
  const peak = readPeakMemory();
  t.diagnostic(`peak memory ${Math.round(peak)} MB`);
  assert.ok(peak > 50 && peak < 400, `${peak} MB`);
});

test('[OPS-02] refuses a body that is too large, empty or not binary', async () => {
  assert.equal(await announceUpload(20 * 1024 * 1024 + 1, { authorization: `Bearer ${staff}` }), 413);
  assert.equal((await uploadPicture(shop, staff, Buffer.alloc(0))).status, 400);
  const picture = await makePicture('png', { seed: 9 });
  for (const type of ['image/png', 'multipart/form-data; boundary=x', 'text/plain', 'application/json']) {
    const { status, body } = await uploadPicture(shop, staff, picture, { 'content-type': type });
    assert.equal(`${status} ${textAt(body, 'error', 'code')}`, '415 unsupported-type', type);
  }
  const json = await shop.api('POST', '/contact', {
    body: '{}',
    headers: { 'content-type': 'application/octet-stream' },
  });
  assert.equal(json.status, 415, 'other calls accept JSON only');
});

test('[OPS-02] checks the caller before it reads a picture', async () => {
  assert.equal(await announceUpload(1_000_000), 401);
  const buyer = { username: 'uploader', password: 'crypto-market' };
  await shop.api('POST', '/users/register', { body: { ...buyer, email: 'uploader@example.com' } });
  const token = textAt((await shop.api('POST', '/users/login', { body: buyer })).body, 'tokens', 'accessToken');
  assert.equal(await announceUpload(1_000_000, { authorization: `Bearer ${token}` }), 403);
});

test('[OPS-02] refuses a fifth upload while four are open', async () => {
  const uploads = [1, 2, 3, 4, 5, 6].map(() => openUpload());
  const statuses: unknown[] = [];
  for (const upload of uploads) upload.once('response', ({ statusCode }) => statuses.push(statusCode));
  try {
    await waitUntil(() => statuses.length >= 2);
    assert.deepEqual(statuses, [503, 503]);
  } finally {
    for (const upload of uploads) upload.destroy();
  }
  assert.equal((await uploadPicture(shop, staff, await makePicture('png', { seed: 13 }))).status, 201);
});

test('[OPS-02] serves no other file of the data directory', async () => {
  const hash = 'a'.repeat(40);
  for (const name of [
    `${hash}.avif`,
    `..%2f..%2fpackage.json`,
    `%2e%2e%2fmailbox`,
    `${hash}.svg`,
    `${hash}-641.avif`,
    `${hash}.avif%00.jpg`,
    `${hash.toUpperCase()}.avif`,
  ]) {
    assert.equal((await read(`/images/uploads/${name}`)).status, 404, name);
  }
});

test('[OPS-02] changes the alternative text once per version', async () => {
  const { body } = await uploadPicture(shop, staff, await makePicture('png', { seed: 10 }));
  const path = `/pictures/${textAt(body, 'id')}`;
  const change = (alt: string, version: number) => shop.api('PUT', path, { token: staff, body: { alt, version } });
  const changed = await change('  A silver phone ', 1);
  assert.deepEqual([changed.status, textAt(changed.body, 'alt')], [200, 'A silver phone']);
  const late = await change('Another text', 1);
  assert.equal(`${late.status} ${textAt(late.body, 'error', 'code')}`, '409 changed-meanwhile');
  assert.equal((await change('x'.repeat(301), 2)).status, 400);
  assert.equal((await change('a\u0000b', 2)).status, 400);
});

test('[OPS-02] lists pictures with the products that use them', async () => {
  const { body } = await uploadPicture(shop, staff, await makePicture('png', { seed: 11 }));
  const library = await listLibrary();
  const [newest] = listAt(library, 'pictures');
  assert.equal(textAt(newest, 'id'), textAt(body, 'id'));
  assert.equal(textAt(newest, 'created_by'), 'staff');
  assert.deepEqual(listAt(newest, 'uses'), []);
  assert.ok(numberAt(library, 'total_bytes') > 0);
  assert.equal(numberAt(library, 'max_bytes'), 10_000_000_000);
});

test('[OPS-02] deletes a picture with its files', async () => {
  const { body } = await uploadPicture(shop, staff, await makePicture('png', { seed: 12 }));
  const remove = () => shop.api('DELETE', `/pictures/${textAt(body, 'id')}`, { token: staff });
  assert.deepEqual([(await remove()).status, (await remove()).status], [200, 404]);
  const hash = /[0-9a-f]{40}/.exec(textAt(body, 'path'))?.[0] ?? '';
  assert.deepEqual(
    listFiles().filter((name) => name.startsWith(hash)),
    [],
  );
  assert.equal((await read(textAt(body, 'path'))).status, 404);
});

test('[OPS-02] documents the binary body in OpenAPI', async () => {
  const { body } = await shop.api('GET', '/openapi.json');
  assert.deepEqual(valueAt(body, 'paths', '/pictures', 'post', 'requestBody', 'content'), {
    'application/octet-stream': {},
  });
});
