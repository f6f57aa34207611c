import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  end,
  isServer,
  createDataDir,
  readPostmasterPid,
  query,
  spawnHolder,
  start,
  startHolder,
  waitFor,
} from '../../../tests/support/embedded-database.ts';
import { openDatabase } from './database.ts';
import { attachEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

/** Files of unfinished initializations. */
async function listUnfinished(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(() => []);
  const open = names.filter((name) => name.startsWith('postgres.unfinished-'));
  const deep = await Promise.all(open.map((name) => readdir(path.join(dataDir, name, 'cluster')).catch(() => [])));
  return deep.flat();
}

describe('the embedded database', () => {
  test('keeps data over a restart and leaves no process or socket', async () => {
    const dataDir = createDataDir();
    const first = await start(dataDir);
    assert.equal(first.getState(), 'ready');
    await query(first.connection, "create table kept (word text); insert into kept values ('Grüße')");
    const pid = await readPostmasterPid(dataDir);
    await first.stop();
    assert.equal(first.getState(), 'stopped');
    assert.equal(await isServer(dataDir, pid), false);
    await assert.rejects(stat(first.connection.host), { code: 'ENOENT' });

    const second = await start(dataDir);
    assert.deepEqual(await query(second.connection, 'select word from kept'), ['Grüße']);
    await second.stop();
  });

  test('an aborted start leaves no server', async () => {
    const dataDir = createDataDir();
    await (await start(dataDir)).stop();
    for (let round = 0; round < 5; round += 1) {
      const starting = new AbortController();
      const began = startEmbeddedPostgres({
        dataDir,
        isDataDirExplicit: true,
        isDurable: false,
        log,
        signal: starting.signal,
      });
      const settled = began.then((postgres) => postgres.stop()).catch(() => {});
      let pid = 0;
      await waitFor(async () => {
        pid = await readPostmasterPid(dataDir).catch(() => 0);
        return (
          pid !== 0 && (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).includes('ready')
        );
      });
      starting.abort();
      await settled;
      assert.equal(await isServer(dataDir, pid), false, `round ${round}`);
    }
  });

  test('uses a private socket, C collation and fsync', async () => {
    const dataDir = createDataDir();
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

  test('survives a killed shop and is adopted by the next start', async () => {
    const dataDir = createDataDir();
    const holder = await startHolder({ dataDir });
    await query(holder.connection, 'create table kept (n int); insert into kept values (7)');
    const pid = await readPostmasterPid(dataDir);
    await end(holder.child, 'SIGKILL');
    assert.equal(await isServer(dataDir, pid), true);

    const adopting = await start(dataDir);
    assert.equal(await readPostmasterPid(dataDir), pid);
    assert.match(adopting.notices.join(), /was taken over/);
    assert.deepEqual(await query(adopting.connection, 'select n from kept'), [7]);
    await assert.rejects(
      startHolder({ dataDir }),
      /DatabaseRefusedError: Another shop already runs on the data in .*process \d+/,
    );
    assert.equal(adopting.getState(), 'ready');
    await adopting.stop();
    assert.equal(await isServer(dataDir, pid), false);
  });

  test('refuses a second start until the first is killed', async () => {
    const dataDir = createDataDir();
    const holder = await startHolder({ dataDir });
    await assert.rejects(start(dataDir), {
      name: 'DatabaseRefusedError',
      message: new RegExp(`Another shop already runs .*process ${holder.child.pid}`),
    });
    assert.deepEqual(await query(holder.connection, 'select 1'), [1]);
    await end(holder.child, 'SIGKILL');
    await (await start(dataDir)).stop();
  });

  test('one of two simultaneous first starts succeeds', async () => {
    const dataDir = createDataDir();
    const results = await Promise.allSettled([start(dataDir), start(dataDir)]);
    const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const lost = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
    assert.equal(won.length, 1, lost.join());
    assert.match(lost.join(), /Another shop already runs/);
    assert.deepEqual(await query(won[0]?.connection ?? assert.fail(), 'select 1'), [1]);
    await won[0]?.stop();
    // The binaries were copied here if the database's user cannot enter the project.
    const left = (await readdir(dataDir)).filter((name) => !name.startsWith('postgresql-'));
    assert.deepEqual(left.toSorted(), ['postgres', 'postgres.log']);
  });

  test('restarts when killed; the pool reconnects without a crash', async () => {
    const dataDir = createDataDir();
    const postgres = await start(dataDir);
    const database = openDatabase({ connection: postgres.connection, log });
    await database.pool.query('create table kept (n int)');
    const inUse = await database.pool.connect();
    const running = assert.rejects(inUse.query('select pg_sleep(60)'));
    for (const round of [1, 2]) {
      await database.pool.query('insert into kept values ($1)', [round]);
      const pid = await readPostmasterPid(dataDir);
      process.kill(pid, 'SIGKILL');
      await waitFor(async () => postgres.getState() === 'ready' && (await readPostmasterPid(dataDir)) !== pid);
    }
    await running;
    inUse.release();
    await waitFor(() => database.ping());
    assert.deepEqual((await database.pool.query('select n from kept order by n')).rows, [{ n: 1 }, { n: 2 }]);
    await assert.rejects(start(dataDir), /Another shop already runs/, 'the lock was taken again');
    await database.close();
    await postgres.stop();
  });

  test('starts after both were killed, even if the pid was reused', async (context) => {
    const dataDir = createDataDir();
    const holder = await startHolder({ dataDir });
    await query(holder.connection, 'create table kept (n int); insert into kept values (7)');
    const pid = await readPostmasterPid(dataDir);
    await end(holder.child, 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    const second = await start(dataDir);
    assert.deepEqual(await query(second.connection, 'select n from kept'), [7]);
    await assert.rejects(stat(holder.connection.host), { code: 'ENOENT' }, 'the stale socket is removed');
    const note = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
    await second.stop();

    const { uid } = await stat(path.join(dataDir, 'postgres'));
    const other = spawn('sleep', ['600'], { uid, stdio: 'ignore' });
    context.after(() => other.kill());
    await writeFile(path.join(dataDir, 'postgres', 'postmaster.pid'), note.replace(/^\d+/, String(other.pid)));
    const third = await start(dataDir);
    assert.deepEqual(await query(third.connection, 'select n from kept'), [7]);
    assert.equal(other.exitCode ?? other.signalCode, null, 'the other process still runs');
    await third.stop();
  });

  test('waits for the lock of a killed shop', async (context) => {
    if (process.platform === 'win32') return context.skip('no SIGSTOP on Windows');
    const dataDir = createDataDir();
    const holder = await startHolder({ dataDir });
    const [backend] = await query(
      holder.connection,
      `select pid from pg_stat_activity where application_name = 'crypto-market shop, process ${holder.child.pid}'`,
    );
    // Simulates a backend that is too slow to release its lock.
    process.kill(Number(backend), 'SIGSTOP');
    await end(holder.child, 'SIGKILL');
    const starting = start(dataDir);
    starting.catch(() => {});
    // Longer than the wait for the lock of a running shop.
    await sleep(3_000);
    process.kill(Number(backend), 'SIGCONT');
    await (await starting).stop();
  });

  test('repeats an interrupted initialization', async () => {
    // Repeats the test if the initialization finished before the signal.
    for (let triesLeft = 5; ; triesLeft -= 1) {
      const dataDir = createDataDir();
      const child = spawnHolder({ dataDir });
      await waitFor(async () => (await listUnfinished(dataDir)).length > 0);
      await end(child, 'SIGKILL');
      const isOver = existsSync(path.join(dataDir, 'postgres'));
      const postgres = await start(dataDir);
      assert.deepEqual(await query(postgres.connection, 'select 1'), [1]);
      assert.deepEqual(await listUnfinished(dataDir), []);
      await postgres.stop();
      if (!isOver) return;
      assert.ok(triesLeft > 0, 'no initialization was interrupted');
    }
  });

  test('a command can connect while the shop runs', async () => {
    const dataDir = createDataDir();
    assert.equal(await attachEmbeddedPostgres({ dataDir, isDataDirExplicit: true }), null);
    const postgres = await start(dataDir);
    const attached = await attachEmbeddedPostgres({ dataDir, isDataDirExplicit: true });
    assert.deepEqual(attached?.connection, postgres.connection);
    await postgres.stop();
    assert.equal(await attachEmbeddedPostgres({ dataDir, isDataDirExplicit: true }), null);
  });

  test('refuses data of another major version', async () => {
    const dataDir = createDataDir();
    await (await start(dataDir)).stop();
    await writeFile(path.join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await assert.rejects(start(dataDir), { name: 'DatabaseRefusedError', message: /was created by PostgreSQL 17/ });
  });
});
