/** Supervises the embedded database: holds its lock, restarts it, checks disk and socket. */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Client } from 'pg';
import type { Log } from '#src/platform/process/log.ts';
import { DatabaseRefusedError, DatabaseStartError } from './database-refused-error.ts';
import { readFreeBytes, formatMegabytes, computeDiskLevel } from './disk-space.ts';
import type { DiskLevel } from './disk-space.ts';
import { isErrno } from './errno.ts';
import { shopRole } from './postgres-cluster.ts';
import { isAlive, readPostmasterFile, stopPostmaster } from './postgres-process.ts';
import { connectAsAdmin, ensureServer, removeSocketDir } from './postgres-server.ts';
import type { Server, ServerOptions } from './postgres-server.ts';
import { describeStartFailure } from './start-failure.ts';

/**
 * - `ready`: the server accepts connections and this shop holds the lock
 * - `restarting`: the server stopped and is being restarted
 * - `disk-full`: the server is stopped until space is free
 * - `lost`: another shop uses the data directory; this process should exit
 */
export type EmbeddedState = 'ready' | 'restarting' | 'disk-full' | 'lost' | 'stopped';

/** Advisory lock of the shop in the database `postgres`. It ends with the connection. */
const shopLock = 7_305_011_221;
/** How long to wait for the lock of another shop. A busy server releases that of a killed shop late. */
const lockTimeoutMs = 2_000;
const deadHolderTimeoutMs = 30_000;
const watchIntervalMs = 1_000;
/** How long a server may take to stop while the shop keeps running. */
const stopTimeoutMs = 20_000;

export class Supervisor {
  state: EmbeddedState = 'ready';
  disk: DiskLevel = 'ok';
  readonly #options: ServerOptions;
  readonly #address: { readonly host: string; readonly port: number };
  readonly #stopping: AbortController;
  readonly #log: Log;
  #lockHolder: Client | null = null;
  #recovery: Promise<void> = Promise.resolve();
  #watching: NodeJS.Timeout | undefined;
  #isChecking = false;

  constructor(options: ServerOptions, server: Server, stopping: AbortController, log: Log) {
    this.#options = options;
    this.#address = { host: server.host, port: server.port };
    this.#stopping = stopping;
    this.#log = log;
  }

  /** Acquires the lock, creates the shop's database if missing, and supervises the connection. */
  async takeOver(server: Server): Promise<void> {
    let isOurs = !server.isAdopted;
    let client: Client | null = null;
    try {
      client = await connectAsAdmin(server, this.#options.password, `crypto-market shop, process ${process.pid}`);
      await takeLock(client, this.#options.place.home);
      isOurs = true;
      await makeDatabase(client, this.#options.password);
    } catch (cause) {
      await client?.end().catch(() => {});
      // Another shop holds the lock.
      if (isLockHeldError(cause)) throw cause;
      if (isOurs) await this.#stopServer(stopTimeoutMs);
      throw new DatabaseStartError(describeStartFailure(String(cause), this.#options.place), { cause });
    }
    this.#lockHolder = client;
    // This connection ends with the server, and also when the crash of a backend resets all others.
    client.once('end', () => {
      this.#lockHolder = null;
      if (!this.#stopping.signal.aborted) this.#recovery = this.#recover();
    });
  }

  /** Checks disk and socket every second. Each can fail while the server runs. */
  watch(): void {
    this.#watching = setInterval(() => void this.#check(), watchIntervalMs).unref();
  }

  async stop(withinMs = 30_000): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    clearInterval(this.#watching);
    const began = Date.now();
    // A hung server also blocks the recovery.
    await Promise.race([this.#recovery, sleep(withinMs / 4, undefined, { ref: false })]);
    if (this.state !== 'lost') {
      await this.#stopServer(withinMs - (Date.now() - began));
      await removeSocketDir(this.#address.host);
    }
    await this.#lockHolder?.end().catch(() => {});
    this.state = 'stopped';
  }

  async #stopServer(withinMs: number): Promise<void> {
    const { place, binaries } = this.#options;
    const file = await readPostmasterFile(place.cluster);
    if (file === null || file === 'empty') return;
    const end = await stopPostmaster(place.cluster, file.pid, binaries, withinMs);
    if (end === 'forced')
      this.#log.warn({ pid: file.pid }, 'PostgreSQL was killed because it did not stop; it recovers at the next start');
  }

  async #check(): Promise<void> {
    if (this.#isChecking || this.#stopping.signal.aborted) return;
    this.#isChecking = true;
    try {
      await this.#measureDisk();
      if (this.state !== 'ready') return;
      if (this.disk === 'exhausted') {
        // The end of the lock connection starts the recovery, which waits for free space.
        this.state = 'disk-full';
        this.#log.error({}, 'the disk is full: the database is stopped until space is free');
        await this.#stopServer(stopTimeoutMs);
      } else if (await this.#isSocketGone()) {
        this.#log.error({ path: this.#address.host }, 'the socket of the database was removed: the database restarts');
        await this.#stopServer(stopTimeoutMs);
      }
    } catch (error) {
      this.#log.warn({ reason: String(error) }, 'the database could not be checked');
    } finally {
      this.#isChecking = false;
    }
  }

  async #measureDisk(): Promise<void> {
    const free = await readFreeBytes(this.#options.place.home);
    const before = this.disk;
    this.disk = computeDiskLevel(before, free);
    if (this.disk === before) return;
    const fields = { disk: this.disk, free: formatMegabytes(free), path: this.#options.place.home };
    if (this.disk === 'ok') this.#log.info(fields, 'the disk has enough free space again');
    else this.#log.error(fields, 'the disk of the database has little free space');
  }

  /** Without the socket, new connections fail and open ones keep working. */
  async #isSocketGone(): Promise<boolean> {
    const { host, port } = this.#address;
    if (!path.isAbsolute(host)) return false;
    return lstat(path.join(host, `.s.PGSQL.${port}`)).then(
      () => false,
      (error: unknown) => isErrno(error, 'ENOENT', 'ENOTDIR'),
    );
  }

  async #recover(): Promise<void> {
    if (this.state !== 'disk-full') {
      this.state = 'restarting';
      this.#log.error({}, 'the database stopped and is being restarted');
    }
    for (let attempt = 0; !this.#stopping.signal.aborted; attempt++) {
      try {
        await this.#waitForRoom();
        const server = await ensureServer(this.#options, this.#address);
        if (server.host !== this.#address.host || server.port !== this.#address.port) {
          throw new DatabaseRefusedError('Another shop has started the database elsewhere.');
        }
        await this.takeOver(server);
        this.state = 'ready';
        this.#log.info({ pid: server.pid }, 'the database runs again');
        return;
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        if (error instanceof DatabaseRefusedError && !(error instanceof DatabaseStartError)) {
          this.state = 'lost';
          this.#log.error({ reason: error.message }, 'another shop uses the data directory');
          return;
        }
        this.#log.error(
          { reason: String(error), attempt },
          'the database could not be restarted; another attempt follows',
        );
        await sleep(Math.min(250 * 2 ** attempt, 10_000), undefined, { signal: this.#stopping.signal }).catch(() => {});
      }
    }
  }

  /** Without free space the server cannot recover. The timer keeps measuring. */
  async #waitForRoom(): Promise<void> {
    await this.#measureDisk();
    // A crashed server restarts its backends by itself.
    if (this.disk === 'exhausted') await this.#stopServer(stopTimeoutMs);
    while (this.disk === 'exhausted') {
      this.state = 'disk-full';
      await sleep(watchIntervalMs, undefined, { signal: this.#stopping.signal });
    }
  }
}

const isLockHeldError = (error: unknown): boolean =>
  error instanceof DatabaseRefusedError && !(error instanceof DatabaseStartError);

async function takeLock(client: Client, location: string): Promise<void> {
  for (const began = Date.now(); ; await sleep(100)) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [shopLock]);
    if (rows[0]?.taken === true) return;
    const holder = await findLockHolder(client);
    const patienceMs = holder !== null && !isAlive(holder) ? deadHolderTimeoutMs : lockTimeoutMs;
    if (Date.now() - began < patienceMs) continue;
    const named = holder === null ? 'another process' : `process ${holder}`;
    throw new DatabaseRefusedError(
      `Another shop already runs on the data in ${location} (${named}): stop it first, or set DATA_DIR. ` +
        'Several processes on one database: see "Growing beyond one process" in docs/operating.md.',
    );
  }
}

/** Process id of the shop that holds the lock. Null if it is free or unknown. */
async function findLockHolder(client: Client): Promise<number | null> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.classid::bigint << 32 | l.objid::bigint = $1`,
    [shopLock],
  );
  const pid = Number(/, process (\d+)$/.exec(rows[0]?.name ?? '')?.[1]);
  return pid > 0 ? pid : null;
}

async function makeDatabase(client: Client, password: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [shopRole]);
  if (rowCount === 1) return;
  const role = escapeIdentifier(shopRole);
  const { rowCount: roles } = await client.query('select from pg_roles where rolname = $1', [shopRole]);
  if (roles === 0) await client.query(`create role ${role} login password ${escapeLiteral(password)}`);
  await client.query(`create database ${role} owner ${role}`);
}
