/** Refused starts: one line with the remedy, and no process left. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  closeSync,
  cpSync,
  globSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { attachEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import './support/built-pages.ts';
import { copyProject } from './support/copy-project.ts';
import { assertRefused, listProcesses, startUntilEnd } from './support/operator.ts';
import { query } from './support/embedded-database.ts';
import { endOrphanedDatabase, startShopProcess } from './support/shop-process.ts';
import { fillFromTemplate, makeTemporaryDirectory } from './support/template.ts';

const isRoot = process.getuid?.() === 0;
const ONLY_ROOT = isRoot ? false : 'needs root';
const NOBODY = 65_534;

const directories: string[] = [];
function createDirectory(): string {
  const directory = makeTemporaryDirectory();
  directories.push(directory);
  return directory;
}
after(() => {
  for (const directory of directories) {
    endOrphanedDatabase(directory);
    rmSync(directory, { recursive: true, force: true });
  }
});

/** Overwrites the start of a file. */
function damage(file: string, bytes = 8192): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(Math.min(bytes, statSync(file).size), 0xa5));
  closeSync(descriptor);
}

const clearLog = (cluster: string): void => {
  for (const name of readdirSync(join(cluster, 'pg_wal'))) {
    if (/^[0-9A-F]{24}$/.test(name)) rmSync(join(cluster, 'pg_wal', name));
  }
};

/** Damages the catalogues of every database, also of `postgres`, to which the supervisor connects. */
const damageCatalogues = (cluster: string): void => {
  for (const file of globSync(join(cluster, 'base', '*', '1259'))) damage(file);
};

const damages: readonly (readonly [string, (cluster: string) => void])[] = [
  ['a control file that is cut short', (cluster) => truncateSync(join(cluster, 'global', 'pg_control'), 100)],
  ['a lost write-ahead log', clearLog],
  ['a catalogue that is overwritten', damageCatalogues],
  ['a version file that is empty', (cluster) => truncateSync(join(cluster, 'PG_VERSION'))],
  ['a lost password', (cluster) => rmSync(join(cluster, 'crypto-market.password'))],
];
for (const [name, spoil] of damages) {
  test(`refuses ${name} in one line that names the backup section`, async () => {
    const dataDir = createDirectory();
    await fillFromTemplate(dataDir);
    spoil(join(dataDir, 'postgres'));
    const refused = await startUntilEnd({ DATA_DIR: dataDir });
    assertRefused(refused, /restore a backup.*"Backup" in docs\/operating\.md\.$/);
    assert.equal(refused.output.trim().split('\n').length, 1, refused.output);
    assert.deepEqual(await listProcesses(dataDir), [], 'no orphan');
  });
}

test('refuses a damaged table of the shop in one line, without an orphan', async () => {
  const dataDir = createDirectory();
  await fillFromTemplate(dataDir);
  const shop = await startShopProcess(dataDir);
  const attached = await attachEmbeddedPostgres({ dataDir, isDataDirExplicit: true });
  assert.ok(attached);
  const [file] = await query(attached.connection, "select pg_relation_filepath('products')");
  await shop.stop();
  damage(join(dataDir, 'postgres', String(file)));
  const refused = await startUntilEnd({ DATA_DIR: dataDir });
  assertRefused(refused, /^The database is damaged \(.+\): restore a backup, see "Backup" in docs\/operating\.md\.$/);
  assert.deepEqual(await listProcesses(dataDir), []);
});

test('a port that is taken is refused without an orphan', async () => {
  const dataDir = createDirectory();
  await fillFromTemplate(dataDir);
  const other = createDirectory();
  await fillFromTemplate(other);
  const first = await startShopProcess(other);
  const refused = await startUntilEnd({ DATA_DIR: dataDir, PORT: String(first.port) });
  assertRefused(refused, /^PORT: \d+ is in use already/);
  assert.deepEqual(await listProcesses(dataDir), []);
  await first.stop();
});

test('a data directory made by mktemp -d as root works', { skip: ONLY_ROOT }, async () => {
  // Mode 0700, as created by mktemp.
  const dataDir = mkdtempSync(join(tmpdir(), 'crypto-market-'));
  directories.push(dataDir);
  const shop = await startShopProcess(dataDir);
  assert.equal(statSync(dataDir).mode & 0o007, 0, 'closed to everybody else');
  await shop.stop();
  const again = await startShopProcess(dataDir);
  await again.stop();
});

test('a closed directory that holds other files is refused and left closed', { skip: ONLY_ROOT }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'crypto-market-'));
  directories.push(dataDir);
  await writeFile(join(dataDir, 'diary.txt'), 'private');
  const refused = await startUntilEnd({ DATA_DIR: dataDir });
  assertRefused(refused, /may not enter/);
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
});

test('[OPS-21] code that the user cannot write to starts when it was built', { skip: ONLY_ROOT }, async (context) => {
  if ((statSync(process.cwd()).mode & 0o005) === 0) return context.skip('only root may enter the project');
  const project = createDirectory();
  copyProject(project);
  const dataDir = createDirectory();
  const unbuilt = await startUntilEnd({ DATA_DIR: dataDir }, { project, uid: NOBODY });
  assertRefused(unbuilt, /^The shop is not built, and this user may not write to .+: run "npm run build" as the owner/);
  assert.equal(unbuilt.output.trim().split('\n').length, 1, unbuilt.output);

  cpSync('build', join(project, 'build'), { recursive: true });
  chmodSync(dataDir, 0o777);
  const shop = await startShopProcess(join(dataDir, 'data'), {}, { project, uid: NOBODY });
  assert.equal((await fetch(`${shop.url}/`)).status, 200);
  await shop.stop();
});
