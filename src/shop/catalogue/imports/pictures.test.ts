import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, silentLog } from '../../../../tests/support/database.ts';
import { makePicture } from '../../../../tests/support/hostile-pictures.ts';
import { openImportBench } from '../../../../tests/support/imports/import-bench.ts';
import type { ImportBench } from '../../../../tests/support/imports/import-bench.ts';
import { createPictureSource } from '#src/app/create-imports.ts';
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import type { Db } from '#src/platform/database/database.ts';
import { noRateLimits } from '#src/platform/http/rate-limits.ts';
import { PictureConverter } from '#src/platform/pictures/converter.ts';
import { DiskStorage } from '#src/platform/pictures/disk-storage.ts';
import { Downloads } from '#src/platform/pictures/download.ts';
import { loadPictures } from '#src/shop/catalogue/imports/pictures.service.ts';
import { Pictures } from '#src/shop/pictures/service.ts';
import { createStaffActor, staffActor } from '../../../../tests/support/staff-actor.ts';

let server: Server;
let port: number;
let directory: string;
const requested: string[] = [];
/** Bodies by path. */
const site = new Map<string, Buffer>();

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'import-pictures-'));
  server = createServer((request, response) => {
    requested.push(request.url ?? '');
    const body = site.get(request.url ?? '');
    response.writeHead(body ? 200 : 404).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has a port
  ({ port } = server.address() as AddressInfo);
});
after(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

const createPictures = (db: Db): Pictures =>
  new Pictures({
    db,
    clock: { now: () => new Date() },
    log: silentLog,
    limits: noRateLimits,
    storage: new DiskStorage(directory),
    converter: new PictureConverter(silentLog),
    maxBytes: 1_000_000_000n,
    findUses: () => Promise.resolve(new Map()),
  });

/** Sends what is asked of https://pictures.example to the site of the test, which the download may reach. */
class SiteDownloads extends Downloads {
  constructor() {
    super({ addresses: new Set(['127.0.0.1']), isHttpAllowed: true });
  }

  override download(url: string, maxBytes: number): Promise<Buffer> {
    return super.download(url.replace('https://pictures.example', `http://127.0.0.1:${port}`), maxBytes);
  }
}

const createSource = (db: Db) => createPictureSource(createPictures(db), new SiteDownloads());

async function openBench(): Promise<{ readonly db: Db; readonly bench: ImportBench }> {
  requested.length = 0;
  const { db } = await createTestDatabase();
  return { db, bench: await openImportBench(db, createSource(db)) };
}

const HEAD = ['Handle', 'Title', 'Vendor', 'Type', 'Variant Price', 'Image Src', 'Image Alt Text'];
const createFile = (rows: readonly (readonly string[])[]): string => [HEAD, ...rows].map(formatCsvLine).join('');
const createRow = (name: string, picture: string): readonly string[] => [
  name,
  `Product ${name}`,
  'Acme',
  'Lamps',
  '5.00',
  picture === '' ? '' : `https://pictures.example/${picture}`,
  picture === '' ? '' : `Picture of ${name}`,
];

async function listProducts(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', slug, is_published::text, array_length(images, 1), (main_image = images[1])::text,
      (select value from json_each_text(picture_alts)), exists(select from pictures where path = main_image)::text) as line
    from products order by slug
  `.execute(db);
  return rows.map(({ line }) => line);
}

const listNotices = async (bench: ImportBench, id: string): Promise<readonly string[]> =>
  (await bench.imports.listProblems(id, 1)).rows.map(({ line, column, message }) => `${line} ${column}: ${message}`);

test('[OPS-12] pictures of other sites are loaded, once each', async () => {
  const { db, bench } = await openBench();
  site.set('/a.png', await makePicture('png', { width: 40, height: 30, seed: 1 }));
  site.set('/b.jpg?v=2', await makePicture('jpeg', { width: 40, height: 30, seed: 2 }));
  const file = createFile([createRow('a', 'a.png'), createRow('b', 'b.jpg?v=2'), createRow('c', 'a.png')]);
  const checked = await bench.check(file);
  assert.deepEqual([checked.state, checked.pictures, checked.errors], ['checked', 2, 0]);
  assert.deepEqual(requested, [], 'a dry run asks no other site');
  assert.equal((await bench.apply(checked.id)).state, 'applied');
  assert.deepEqual(new Set(requested), new Set(['/a.png', '/b.jpg?v=2']));
  assert.equal(requested.length, 2);
  assert.deepEqual(await listProducts(db), [
    'a true 1 true Picture of a true',
    'b true 1 true Picture of b true',
    'c true 1 true Picture of c true',
  ]);
  const again = await bench.check(file);
  assert.deepEqual([again.state, again.pictures, again.changedProducts, again.unchangedProducts], ['checked', 0, 0, 3]);
});

test('[OPS-12] the merchant decides on pictures that can’t be loaded', async () => {
  const { db, bench } = await openBench();
  site.set('/text.png', Buffer.from('<svg onload="alert(1)"/>'));
  site.set('/good.png', await makePicture('png', { width: 40, height: 30, seed: 3 }));
  const rows = [createRow('gone', 'gone.png'), createRow('text', 'text.png'), createRow('good', 'good.png')];
  const checked = await bench.check(createFile(rows));
  const tried = await bench.apply(checked.id);
  assert.deepEqual([tried.state, tried.missingPictures], ['checked', 2]);
  assert.deepEqual(await listProducts(db), []);
  assert.deepEqual(await listNotices(bench, checked.id), [
    '2 Image Src: The picture could not be loaded. The other site answered with status 404: https://pictures.example/gone.png',
    '3 Image Src: The picture could not be loaded. The file is not a JPEG, PNG, WebP, AVIF or GIF picture: https://pictures.example/text.png',
  ]);
  // The site is repaired in part.
  site.set('/gone.png', await makePicture('png', { width: 40, height: 30, seed: 4 }));
  requested.length = 0;
  assert.deepEqual((await bench.apply(checked.id)).missingPictures, 1);
  assert.deepEqual(new Set(requested), new Set(['/gone.png', '/text.png']));
  assert.equal((await bench.apply(checked.id, { isWithoutMissing: true })).state, 'applied');
  assert.deepEqual(await listProducts(db), [
    'gone true 1 true Picture of gone true',
    'good true 1 true Picture of good true',
    // A new product without a picture is a draft.
    'text false false',
  ]);
});

/** A line of a product whose only chapter shows its picture. */
function createChapterLine(name: string) {
  const picture = `https://pictures.example/${name}.png`;
  const chapter = { picture, figure: '22 hours', title: 'of video', sentence: 'All day.' };
  return [...createRow(name, `${name}.png`), JSON.stringify([chapter])];
}

test('[OPS-12] a chapter shows the stored picture of another site, or none that is missing', async () => {
  const { db, bench } = await openBench();
  site.set('/shown.png', await makePicture('png', { width: 40, height: 30, seed: 5 }));
  const lines = [[...HEAD, 'Shop / Chapters'], createChapterLine('shown'), createChapterLine('lost')];
  const checked = await bench.check(lines.map(formatCsvLine).join(''));
  assert.deepEqual([checked.state, checked.pictures, checked.errors], ['checked', 2, 0]);
  assert.equal((await bench.apply(checked.id)).missingPictures, 1);
  assert.equal((await bench.apply(checked.id, { isWithoutMissing: true })).state, 'applied');
  const { rows } = await sql<{ slug: string; picture: string | null; main: string }>`
    select slug, chapters -> 0 ->> 'picture' as picture, main_image as main from products order by slug
  `.execute(db);
  const [lost, shown] = rows;
  assert.deepEqual(lost, { slug: 'lost', picture: null, main: '' });
  assert.ok(shown?.picture?.startsWith('/images/') === true && shown.picture === shown.main);
  const again = await bench.check([lines[0] ?? [], createChapterLine('shown')].map(formatCsvLine).join(''));
  assert.deepEqual([again.errors, again.changedProducts], [0, 0]);
});

test('[OPS-12] loading pictures continues after the process was killed', async () => {
  const { db, bench } = await openBench();
  const names = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
  for (const [seed, name] of names.entries()) {
    site.set(`/${name}.png`, await makePicture('png', { width: 40, height: 30, seed: 10 + seed }));
  }
  const checked = await bench.check(createFile(names.map((name) => createRow(name, `${name}.png`))));
  // A process that is killed never returns from a download.
  const source = createSource(db);
  let loads = 0;
  const killed = bench.reopen({
    ...source,
    load: async (url, userId) => {
      loads += 1;
      if (loads > 3) throw new Error('killed');
      return source.load(url, userId);
    },
  });
  await killed.imports.apply(checked.id, createStaffActor(bench.userId));
  await assert.rejects(killed.runJobs(), /killed/);
  const half = [...requested];
  assert.ok(half.length < names.length);
  assert.deepEqual(await listProducts(db), []);
  requested.length = 0;
  await bench.imports.run({ import: checked.id });
  assert.equal((await bench.imports.find(checked.id))?.state, 'applied');
  assert.equal((await listProducts(db)).length, names.length);
  assert.deepEqual(new Set([...half, ...requested]).size, half.length + requested.length, 'none was loaded twice');
});

test('[OPS-12] a job that takes too long leaves the rest to the next', async () => {
  const { db, bench } = await openBench();
  const source = createSource(db);
  const checked = await bench.check(
    createFile(['s1', 's2', 's3', 's4', 's5'].map((name) => createRow(name, `${name}.png`))),
  );
  const request = {
    db,
    importId: checked.id,
    pictures: source,
    userId: bench.userId,
    now: () => new Date(),
    onProgress: () => Promise.resolve(),
  };
  assert.equal(await loadPictures({ ...request, until: 0 }), false);
  assert.equal(requested.length, 3);
  assert.equal(await loadPictures({ ...request, until: Infinity }), true);
  assert.equal(requested.length, 5);
});

test('[OPS-12] an upload of the library is accepted, and a deleted one is not', async () => {
  const { db, bench } = await openBench();
  const pictures = createPictures(db);
  const uploaded = await pictures.upload(
    await makePicture('png', { width: 30, height: 30, seed: 9 }),
    createStaffActor(bench.userId),
  );
  assert.ok(uploaded.ok);
  const { id, path } = uploaded.picture;
  const create = (handle: string): string =>
    createFile([[handle, 'Lamp', 'Acme', 'Lamps', '5.00', `http://shop.test/api${path}`, '']]);
  assert.equal((await bench.importFile(create('lamp'))).state, 'applied');
  assert.deepEqual(await listProducts(db), ['lamp true 1 true true']);
  const checked = await bench.check(create('other'));
  assert.equal(await pictures.delete(id, staffActor), 'deleted');
  const outdated = await bench.apply(checked.id);
  assert.equal(outdated.state, 'outdated');
  assert.match(outdated.message ?? '', /was deleted after the check/);
  const refused = await bench.check(create('third'));
  assert.equal(refused.state, 'refused');
  assert.deepEqual(await listNotices(bench, refused.id), [`2 Image Src: The shop has no picture ${path}`]);
});
