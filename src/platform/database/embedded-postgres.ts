import { stat } from 'node:fs/promises';
import type { Log } from '#src/platform/process/log.ts';
import { DatabaseStartError } from './database-refused-error.ts';
import { readFreeBytes, formatMegabytes, computeDiskLevel, MIN_SETUP_BYTES } from './disk-space.ts';
import type { DiskLevel } from './disk-space.ts';
import { preparePostgresBinaries, removeOtherCopies } from './postgres-binaries.ts';
import { adminRole, prepareCluster, readPassword, removeUnfinishedClusters, shopRole } from './postgres-cluster.ts';
import { choosePostgresPlace } from './postgres-place.ts';
import type { PlaceOptions, PostgresPlace } from './postgres-place.ts';
import { isPostmasterOf, readPostmasterFile } from './postgres-process.ts';
import { refuseMoved } from './moved-mark.ts';
import { ensureServer, findServer } from './postgres-server.ts';
import type { Server } from './postgres-server.ts';
import { Supervisor } from './postgres-supervisor.ts';
import type { EmbeddedState } from './postgres-supervisor.ts';

/** What a `pg` pool needs to reach the embedded database. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl: false;
}

export interface EmbeddedPostgres {
  /** Connects as the owner of the shop's database. Valid across restarts of the server. */
  readonly connection: EmbeddedConnection;
  /** Connects as superuser to the database `postgres`, to create and drop databases. */
  readonly adminConnection: EmbeddedConnection;
  /** The directory that holds the data. */
  readonly location: string;
  /** Lines to print at startup. */
  readonly notices: readonly string[];
  getState(): EmbeddedState;
  /** Disk space, measured every second. */
  getDiskLevel(): DiskLevel;
  /**
   * Stops the server, even one that it found running. Close the pools first.
   * @param withinMs the server is killed after this time; default 30,000
   */
  stop(withinMs?: number): Promise<void>;
}

export interface EmbeddedOptions extends PlaceOptions {
  readonly log: Log;
  /** Called before a step that takes seconds. */
  readonly progress?: ((line: string) => void) | undefined;
  /** False is faster and may lose data in a crash; for tests. Default true. */
  readonly isDurable?: boolean | undefined;
  /** Aborts the start and stops the server if it was started. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it may start although its data was moved to another database. Default false. */
  readonly isMovedAllowed?: boolean | undefined;
}

/**
 * Starts PostgreSQL on the data directory, or adopts the server that a killed shop left running. Restarts it
 * whenever it stops.
 * @throws DatabaseRefusedError if another shop uses the data directory, its data was moved, or it is unusable
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const progress = options.progress ?? ((): void => {});
  const place = await choosePostgresPlace(options);
  if (options.isMovedAllowed !== true) await refuseMoved(place);
  await requireRoom(place);
  const binaries = await preparePostgresBinaries(place, progress);
  const isDurable = options.isDurable ?? true;
  const password = await prepareCluster(place, binaries, isDurable, progress);
  const stopping = new AbortController();
  const serverOptions = { place, binaries, password, isDurable, signal: stopping.signal };
  // Not `signal`: an aborted start must not stop the supervisor before it has stopped the server.
  const server = await ensureServer({ ...serverOptions, signal: options.signal ?? stopping.signal }, null);
  const supervisor = new Supervisor(serverOptions, server, stopping, options.log);
  await supervisor.takeOver(server);
  await removeUnfinishedClusters(place);
  if (!server.isAdopted) await removeOtherCopies(place.home, binaries.copiedTo);
  supervisor.watch();

  const adoption = `The database was still running after an earlier start (process ${server.pid}) and was taken over.`;
  return {
    connection: createConnection(server, shopRole, shopRole, password),
    adminConnection: createConnection(server, adminRole, 'postgres', password),
    location: place.home,
    notices: server.isAdopted ? [...place.notices, adoption] : place.notices,
    getState: () => supervisor.state,
    getDiskLevel: () => supervisor.disk,
    stop: (withinMs) => supervisor.stop(withinMs),
  };
}

/** @throws DatabaseStartError if the disk is so full that the database would be stopped immediately */
async function requireRoom({ home, cluster }: PostgresPlace): Promise<void> {
  const free = await readFreeBytes(home);
  const isThere = await stat(cluster).then(
    () => true,
    () => false,
  );
  if (isThere ? computeDiskLevel('ok', free) !== 'exhausted' : free >= MIN_SETUP_BYTES) return;
  const wanted = isThere ? '' : ` A new database needs ${formatMegabytes(MIN_SETUP_BYTES)}.`;
  throw new DatabaseStartError(
    `The disk of ${home} is full (${formatMegabytes(free)} left): free some space and start again.${wanted}`,
  );
}

/**
 * Connects to a running database without its lock, for commands that read it while the shop runs.
 * @returns null if no server runs on the data directory
 */
export async function attachEmbeddedPostgres(
  options: PlaceOptions,
): Promise<{ connection: EmbeddedConnection; location: string } | null> {
  const place = await choosePostgresPlace(options);
  await refuseMoved(place);
  if (!(await isRunning(place))) return null;
  const binaries = await preparePostgresBinaries(place, () => {});
  const password = await readPassword(place, binaries);
  const server = await findServer({ place, binaries, password, signal: AbortSignal.timeout(10_000) });
  if (server === null) return null;
  return { connection: createConnection(server, shopRole, shopRole, password), location: place.home };
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

function createConnection(server: Server, user: string, database: string, password: string): EmbeddedConnection {
  return { host: server.host, port: server.port, user, password, database, ssl: false };
}
