/** Two PostgreSQL servers with streaming replication, each of which can be primary or standby. */
import { execFile } from 'node:child_process';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { QueryResultRow } from 'pg';
import { preparePostgresBinaries } from '#src/platform/database/postgres-binaries.ts';
import { choosePostgresPlace } from '#src/platform/database/postgres-place.ts';
import { killDatabase } from './kill-database.ts';
import { findFreePort } from './shop-process.ts';
import { fillFromTemplate, makeTemporaryDirectory } from './template.ts';
import { waitUntil } from './wait-until.ts';

const DATABASE = 'crypto_market';
const SHOP_ROLE = 'crypto_market';
const ADMIN_ROLE = 'postgres';

export class ReplicatedServer {
  readonly #home: string;
  readonly #pgCtl: string;
  readonly #user: { readonly uid?: number; readonly gid?: number };
  readonly #password: string;
  readonly port: number;

  constructor(options: {
    home: string;
    pgCtl: string;
    user: { readonly uid?: number; readonly gid?: number };
    password: string;
    port: number;
  }) {
    this.#home = options.home;
    this.#pgCtl = options.pgCtl;
    this.#user = options.user;
    this.#password = options.password;
    this.port = options.port;
  }

  /** As in DATABASE_URL. */
  get login(): string {
    return `${SHOP_ROLE}:${encodeURIComponent(this.#password)}`;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  async start(primary: ReplicatedServer | null = null): Promise<void> {
    const cluster = join(this.#home, 'postgres');
    const settings = [
      `port=${this.port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.#home}`,
      'fsync=off',
      'jit=off',
      'wal_level=replica',
      'wal_keep_size=512MB',
      'wal_retrieve_retry_interval=200ms',
      'max_connections=120',
    ];
    // In the file, which `alter system` changes when a promoted server has to wait for its own standby.
    const standby = `user=${ADMIN_ROLE} password=${this.#password} host=127.0.0.1 port=${primary?.port ?? 0}`;
    const lines = ["synchronous_standby_names = ''", primary === null ? '' : `primary_conninfo = '${standby}'`];
    writeFileSync(join(cluster, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
    const signal = join(cluster, 'standby.signal');
    if (primary !== null) {
      writeFileSync(signal, '');
      if (this.#user.uid !== undefined) chownSync(signal, this.#user.uid, this.#user.gid ?? 0);
    }
    const options = settings.map((setting) => `-c ${setting}`).join(' ');
    await this.#run('start', '-w', '-o', options, '-l', join(this.#home, 'server.log'));
  }

  /** A clean stop: a connected standby has received everything. */
  stop = (): Promise<void> => this.#run('stop', '-m', 'fast', '-w');
  promote = (): Promise<void> => this.#run('promote', '-w');
  /** Kills every process of the server, like a loss of power. */
  kill9 = (): unknown => killDatabase(this.#home);

  async #run(command: string, ...args: string[]): Promise<void> {
    const environment = { PATH: process.env['PATH'], LC_ALL: 'C' };
    const all = [command, '-D', join(this.#home, 'postgres'), ...args];
    await promisify(execFile)(this.#pgCtl, all, { ...this.#user, cwd: this.#home, env: environment });
  }

  async query<Row extends QueryResultRow>(text: string, database = DATABASE): Promise<Row[]> {
    const login = { user: ADMIN_ROLE, password: this.#password, database };
    const client = new Client({ host: '127.0.0.1', port: this.port, ...login });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** From now on a commit is acknowledged when the standby has it too. */
  async waitForStandby(): Promise<void> {
    await this.query(`alter system set synchronous_standby_names = '*'`);
    await this.query('select pg_reload_conf()');
    await waitUntil(async () => {
      const rows = await this.query(
        `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`,
      );
      return rows.length === 1;
    });
  }

  remove(): void {
    this.kill9();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** A primary with the data of a seeded shop and its standby, both running. */
export async function startReplicatedPostgres(): Promise<readonly [ReplicatedServer, ReplicatedServer]> {
  const dataDir = makeTemporaryDirectory();
  await fillFromTemplate(dataDir);
  const place = await choosePostgresPlace({ dataDir, isDataDirExplicit: true });
  const { pgCtl } = await preparePostgresBinaries(place, () => {});
  const password = (await readFile(join(place.cluster, 'crypto-market.password'), 'utf8')).trim();
  const copy = async (): Promise<ReplicatedServer> => {
    const home = makeTemporaryDirectory();
    if (place.user !== null) chownSync(home, place.user.uid, place.user.gid);
    await promisify(execFile)('cp', ['-a', place.cluster, join(home, 'postgres')]);
    return new ReplicatedServer({ home, pgCtl, user: place.user ?? {}, password, port: await findFreePort() });
  };
  const servers = [await copy(), await copy()] as const;
  rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', () => {
    for (const server of servers) server.remove();
  });
  const [primary, standby] = servers;
  await primary.start();
  await standby.start(primary);
  return servers;
}
