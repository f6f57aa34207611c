import { Client } from 'pg';
import type { ClientConfig, QueryResultRow } from 'pg';
import type { Log } from '#src/platform/process/log.ts';
import type { Fence } from './fence.ts';

export interface LeaderLockOptions {
  readonly connection: ClientConfig;
  /** Name of the lock; the same in every process. */
  readonly role: string;
  readonly log: Log;
  readonly ttlMs?: number;
  readonly heartbeatMs?: number;
}

/** A leader that has not renewed its lock for this long is replaced. */
const TTL_MS = 8_000;
const HEARTBEAT_MS = 1_000;
const PASS_POLL_MS = 100;
/** How long a takeover waits for a transaction of the old leader before it ends that connection. */
const LOCK_TIMEOUT_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

const SESSION_SETTINGS = `
  select set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', false), set_config('statement_timeout', '4000', false),
    set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
    set_config('tcp_keepalives_count', '3', false)`;
const SESSION = `
  select pid, backend_start::text as since from pg_stat_activity where pid = pg_backend_pid()`;
const RENEW = `
  update leases set expires_at = clock_timestamp() + $3 * interval '1 ms', holder_pid = $4, holder_since = $5
  where role = $1 and token = $2
  returning rounds_asked as requested, rounds_done as done`;
const IS_HELD = `
  select from leases held
  join pg_stat_activity holder on holder.pid = held.holder_pid and holder.backend_start = held.holder_since
  where role = $1 and expires_at > clock_timestamp()`;
const ACQUIRE = `
  insert into leases as held (role, token, expires_at, holder_pid, holder_since)
  values ($1, 1, clock_timestamp() + $2 * interval '1 ms', $3, $4)
  on conflict (role) do update set token = held.token + 1, expires_at = excluded.expires_at,
    holder_pid = excluded.holder_pid, holder_since = excluded.holder_since
  where held.expires_at <= clock_timestamp() or not exists (
    select from pg_stat_activity holder
    where holder.pid = held.holder_pid and holder.backend_start = held.holder_since)
  returning token`;
/** Transactions that hold a lease FOR KEY SHARE. Only fenced transactions use this lock mode. */
const TERMINATE_FENCED = `
  select pg_terminate_backend(pid) from pg_locks
  where relation = 'leases'::regclass and mode = 'RowShareLock' and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())`;

interface Session {
  readonly client: Client;
  readonly pid: number;
  readonly since: string;
}

/**
 * Leadership of one process among all that share a database, as a lease renewed every second. If the leader exits,
 * another process takes over immediately; if it hangs or is cut off, within about ten seconds. From then on,
 * writes of the old leader with `runWithFence` are refused.
 */
export class LeaderLock {
  readonly #options: Required<LeaderLockOptions>;
  #session: Promise<Session> | null = null;
  #fence: Fence | null = null;
  #passes = { requested: 0n, done: 0n };
  #timer: NodeJS.Timeout | null = null;
  #renewal: Promise<void> = Promise.resolve();
  #starting: Promise<void> | null = null;
  #isStopped = false;
  #onChange: () => void = () => {};

  constructor(options: LeaderLockOptions) {
    this.#options = { ttlMs: TTL_MS, heartbeatMs: HEARTBEAT_MS, ...options };
  }

  /** The fence while this process is the leader. Null if it is not, or if that is unknown. */
  get fence(): Fence | null {
    return this.#fence;
  }

  /** Newest pass that another process requested. Null if every requested pass was completed. */
  get requestedPass(): bigint | null {
    const { requested, done } = this.#passes;
    return this.#fence !== null && requested > done ? requested : null;
  }

  /** Calls this when leadership is gained or lost, and when another process requests a pass. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Tries once to become the leader, then continues in the background. Idempotent. */
  start(): Promise<void> {
    this.#starting ??= this.#renewOrAcquire().then(() => this.#schedule());
    return this.#starting;
  }

  /** Releases the lock, so that another process can lead immediately. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#renewal;
    const [session, fence] = [await this.#session?.catch(() => null), this.#fence];
    this.#session = null;
    this.#fence = null;
    if (!session) return;
    if (fence) {
      const expire = 'update leases set expires_at = clock_timestamp() where role = $1 and token = $2';
      await session.client.query(expire, [fence.role, String(fence.token)]).catch(() => {});
    }
    await session.client.end().catch(() => {});
  }

  /** Requests a pass of the leader that begins after this call. Rejects if none succeeds in time. */
  async requestPass(timeoutMs: number): Promise<void> {
    const { role } = this.#options;
    const increment =
      'update leases set rounds_asked = rounds_asked + 1 where role = $1 returning rounds_asked as pass';
    const [requested] = await this.#query<{ pass: string }>(increment, [role]);
    if (!requested) throw new Error(`the role "${role}" has never had a leader`);
    const pass = BigInt(requested.pass);
    const isDone = 'select from leases where role = $1 and rounds_done >= $2';
    for (const end = performance.now() + timeoutMs; performance.now() < end;) {
      if ((await this.#query(isDone, [role, String(pass)])).length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, PASS_POLL_MS));
    }
    throw new Error(`the holder of the role "${role}" did not respond in time`);
  }

  /** Records that all requested passes up to this one are complete. */
  async completePass(pass: bigint): Promise<void> {
    const fence = this.#fence;
    if (fence === null) return;
    this.#passes = { ...this.#passes, done: pass };
    const mark = 'update leases set rounds_done = greatest(rounds_done, $3) where role = $1 and token = $2';
    await this.#query(mark, [fence.role, String(fence.token), String(pass)]);
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#renewal = this.#renewOrAcquire();
      void this.#renewal.then(() => this.#schedule());
    }, this.#options.heartbeatMs).unref();
  }

  /**
   * Renews the lease, or acquires a free one. Never throws. While the database is unreachable, leadership stays: every
   * write is checked by the database.
   */
  async #renewOrAcquire(): Promise<void> {
    const { log, role } = this.#options;
    const before = this.#fence;
    try {
      if (before === null) await this.#acquire();
      else await this.#renew(before);
    } catch (error) {
      log.warn({ reason: formatError(error), role }, 'the leader lock could not be renewed');
      this.#disconnect();
    }
    if (this.#fence?.token !== before?.token || this.requestedPass !== null) this.#onChange();
  }

  async #renew(fence: Fence): Promise<void> {
    const { log, ttlMs } = this.#options;
    const { client, pid, since } = await this.#ensureConnected();
    const values = [fence.role, String(fence.token), ttlMs, pid, since];
    const { rows } = await client.query<{ requested: string; done: string }>(RENEW, values);
    const [renewed] = rows;
    if (renewed) {
      this.#passes = { requested: BigInt(renewed.requested), done: BigInt(renewed.done) };
      return;
    }
    this.#fence = null;
    log.warn({ role: fence.role }, 'another process is the leader now, because this one did not renew its lock');
  }

  async #acquire(): Promise<void> {
    const { log, role, ttlMs } = this.#options;
    const { client, pid, since } = await this.#ensureConnected();
    if ((await client.query(IS_HELD, [role])).rows.length > 0) return;
    try {
      const { rows } = await client.query<{ token: string }>(ACQUIRE, [role, ttlMs, pid, since]);
      if (!rows[0]) return;
      this.#fence = { role, token: BigInt(rows[0].token) };
      log.info({ role, token: rows[0].token }, 'this process is the leader now');
    } catch (error) {
      if (!hasCode(error, LOCK_NOT_AVAILABLE)) throw error;
      // The old leader hangs in a transaction or its machine is unreachable. Ending its connections frees the row.
      const { rowCount } = await client.query(TERMINATE_FENCED);
      log.warn({ role, connections: rowCount }, 'the connections of a leader that does not renew its lock were ended');
    }
  }

  async #query<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const { client } = await this.#ensureConnected();
    const { rows } = await client.query<Row>(text, [...values]);
    return rows;
  }

  #ensureConnected(): Promise<Session> {
    if (this.#isStopped) return Promise.reject(new Error('the leader lock was released'));
    if (this.#session) return this.#session;
    const opening = this.#connect(() => {
      if (this.#session === opening) this.#session = null;
    });
    this.#session = opening;
    return opening;
  }

  async #connect(onEnd: () => void): Promise<Session> {
    const limits = { connectionTimeoutMillis: 3_000, query_timeout: 5_000, keepAlive: true };
    const client = new Client({ ...this.#options.connection, ...limits, application_name: 'crypto-market leader' });
    // A lost connection emits 'error', which ends the process if nothing listens.
    client.on('error', () => {});
    client.on('end', onEnd);
    await client.connect();
    await client.query(SESSION_SETTINGS);
    const { rows } = await client.query<{ pid: number; since: string }>(SESSION);
    const [session] = rows;
    if (!session) throw new Error('the database does not list its own session');
    return { client, ...session };
  }

  #disconnect(): void {
    const session = this.#session;
    this.#session = null;
    void session?.then(({ client }) => client.end()).catch(() => {});
  }
}

const formatError = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
