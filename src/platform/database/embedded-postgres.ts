import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Client } from 'pg';
import type { Log } from '../log.ts';
import { DatabaseRefusedError } from './database-refused-error.ts';
import { preparePostgresBinaries, removeOtherCopies } from './postgres-binaries.ts';
import { adminRole, prepareCluster, readPassword, removeUnfinishedClusters, shopRole } from './postgres-cluster.ts';
import { choosePostgresPlace } from './postgres-place.ts';
import type { PlaceOptions, PostgresPlace } from './postgres-place.ts';
import { isAlive, isPostmasterOf, readPostmasterFile, stopPostmaster } from './postgres-process.ts';
import { connectAsAdmin, ensureServer, findServer, removeSocketDir } from './postgres-server.ts';
import type { Server, ServerOptions } from './postgres-server.ts';

/** What a `pg` pool needs to reach the embedded database. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl: false;
}

/**
 * - `ready`: the server answered last and the data directory is ours
 * - `restarting`: it went away; it is being brought back
 * - `lost`: another shop took the data directory meanwhile; this one should end
 */
type EmbeddedState = 'ready' | 'restarting' | 'lost' | 'stopped';

export interface EmbeddedPostgres {
  /** As the role that owns the shop's database; good for the life of this object, across restarts of the server. */
  readonly connection: EmbeddedConnection;
  /** As the cluster's superuser, to its own database `postgres`. For making and dropping databases. */
  readonly adminConnection: EmbeddedConnection;
  /** The directory that holds the data. */
  readonly location: string;
  /** Lines for the person who started the shop. */
  readonly notices: readonly string[];
  state(): EmbeddedState;
  /** Stops the server, also one that was adopted. Close the pools first. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions extends PlaceOptions {
  readonly log: Log;
  /** Told before a step that takes seconds. */
  readonly progress?: ((line: string) => void) | undefined;
  /** False trades the data's safety for speed; for tests. Default true. */
  readonly isDurable?: boolean | undefined;
}

/** The advisory lock that the shop holds in the database `postgres`: it dies with the shop's connection. */
const shopLock = 7_305_011_221;
/** So long another shop's lock is waited for; that of one that was killed, until a busy server has noticed. */
const lockPatienceMs = 2_000;
const deadHolderPatienceMs = 30_000;

/**
 * Starts PostgreSQL on the shop's data directory, or adopts the server that a killed shop left running, and brings it
 * back whenever it dies.
 * @throws DatabaseRefusedError when another shop uses the data directory, or when it cannot be used.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const progress = options.progress ?? ((): void => {});
  const place = await choosePostgresPlace(options);
  const binaries = await preparePostgresBinaries(place, progress);
  const isDurable = options.isDurable ?? true;
  const password = await prepareCluster(place, binaries, isDurable, progress);
  const stopping = new AbortController();
  const serverOptions = { place, binaries, password, isDurable, signal: stopping.signal };
  const server = await ensureServer(serverOptions, null);
  const supervisor = new Supervisor(serverOptions, server, stopping, options.log);
  await supervisor.takeOver(server);
  await removeUnfinishedClusters(place);
  if (!server.isAdopted) await removeOtherCopies(place.home, binaries.copiedTo);

  const adoption = `The database was still running after an earlier start (process ${server.pid}) and was taken over.`;
  return {
    connection: connectionTo(server, shopRole, shopRole, password),
    adminConnection: connectionTo(server, adminRole, 'postgres', password),
    location: place.home,
    notices: server.isAdopted ? [...place.notices, adoption] : place.notices,
    state: () => supervisor.state,
    stop: () => supervisor.stop(),
  };
}

/**
 * The way to a database that is running now, without a claim on it: for looking at it beside a running shop.
 * @returns null when no server runs on the data directory.
 */
export async function attachEmbeddedPostgres(
  options: PlaceOptions,
): Promise<{ connection: EmbeddedConnection; location: string } | null> {
  const place = await choosePostgresPlace(options);
  if (!(await isRunning(place))) return null;
  const binaries = await preparePostgresBinaries(place, () => {});
  const password = await readPassword(place, binaries);
  const server = await findServer({ place, binaries, password, signal: AbortSignal.timeout(10_000) });
  if (server === null) return null;
  return { connection: connectionTo(server, shopRole, shopRole, password), location: place.home };
}

/** Whether the embedded database was set up on this data directory. */
export async function isSetUp(options: PlaceOptions): Promise<boolean> {
  const { cluster } = await choosePostgresPlace(options);
  return stat(cluster).then(
    () => true,
    () => false,
  );
}

async function isRunning(place: PostgresPlace): Promise<boolean> {
  const file = await readPostmasterFile(place.cluster);
  return file !== null && file !== 'empty' && (await isPostmasterOf(place.cluster, file.pid));
}

function connectionTo(server: Server, user: string, database: string, password: string): EmbeddedConnection {
  return { host: server.host, port: server.port, user, password, database, ssl: false };
}

class Supervisor {
  state: EmbeddedState = 'ready';
  readonly #options: ServerOptions;
  readonly #address: { readonly host: string; readonly port: number };
  readonly #stopping: AbortController;
  readonly #log: Log;
  #lockHolder: Client | null = null;
  #recovery: Promise<void> = Promise.resolve();

  constructor(options: ServerOptions, server: Server, stopping: AbortController, log: Log) {
    this.#options = options;
    this.#address = { host: server.host, port: server.port };
    this.#stopping = stopping;
    this.#log = log;
  }

  /** Takes the shop's lock on the server, makes the shop's database if need be, and watches over the connection. */
  async takeOver(server: Server): Promise<void> {
    const client = await connectAsAdmin(server, this.#options.password, `crypto-market shop, process ${process.pid}`);
    try {
      await takeLock(client, this.#options.place.home);
      await makeDatabase(client, this.#options.password);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#lockHolder = client;
    // The lock's connection ends when the server does, and also when one backend crashed and took the others along.
    client.once('end', () => {
      this.#lockHolder = null;
      if (!this.#stopping.signal.aborted) this.#recovery = this.#recover();
    });
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    await this.#recovery;
    if (this.state !== 'lost') {
      const { place, binaries } = this.#options;
      const file = await readPostmasterFile(place.cluster);
      if (file !== null && file !== 'empty') {
        const end = await stopPostmaster(place.cluster, file.pid, binaries);
        if (end === 'forced')
          this.#log.warn({ pid: file.pid }, 'PostgreSQL had to be stopped by force; it recovers at the next start');
      }
      await removeSocketDir(this.#address.host);
    }
    await this.#lockHolder?.end().catch(() => {});
    this.state = 'stopped';
  }

  async #recover(): Promise<void> {
    this.state = 'restarting';
    this.#log.error({}, 'the database went away and is being brought back');
    for (let attempt = 0; !this.#stopping.signal.aborted; attempt++) {
      try {
        const server = await ensureServer(this.#options, this.#address);
        if (server.host !== this.#address.host || server.port !== this.#address.port) {
          throw new DatabaseRefusedError('Another shop has started the database elsewhere.');
        }
        await this.takeOver(server);
        this.state = 'ready';
        this.#log.info({ pid: server.pid }, 'the database is back');
        return;
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        if (error instanceof DatabaseRefusedError) {
          this.state = 'lost';
          this.#log.error({ reason: error.message }, 'another shop took the data directory');
          return;
        }
        this.#log.error({ reason: String(error), attempt }, 'the database does not come back yet');
        await sleep(Math.min(250 * 2 ** attempt, 10_000), undefined, { signal: this.#stopping.signal }).catch(() => {});
      }
    }
  }
}

async function takeLock(client: Client, location: string): Promise<void> {
  for (const began = Date.now(); ; await sleep(100)) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [shopLock]);
    if (rows[0]?.taken === true) return;
    const holder = await findHolder(client);
    const patienceMs = holder !== null && !isAlive(holder) ? deadHolderPatienceMs : lockPatienceMs;
    if (Date.now() - began < patienceMs) continue;
    const named = holder === null ? 'another process' : `process ${holder}`;
    throw new DatabaseRefusedError(
      `Another shop already runs on the data in ${location} (${named}): stop it first, or set DATA_DIR.`,
    );
  }
}

/** The process of the shop that has the lock; null when nobody has it any more, or says who it is. */
async function findHolder(client: Client): Promise<number | null> {
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
