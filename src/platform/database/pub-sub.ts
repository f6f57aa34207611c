/**
 * Notifications between the processes that share a database, by LISTEN/NOTIFY. They are not stored, so a listener
 * reads again after a gap. Sent outside of transactions and in batches, since each NOTIFY delays commits.
 */
import { sql } from 'kysely';
import type { Client } from 'pg';
import type { Log } from '#src/platform/process/log.ts';
import type { Db } from './database.ts';
import type { DatabaseConnection } from './database-url.ts';
import { KEEP_ALIVE, PrimaryClient } from './primary-client.ts';

const CHANNEL = 'shop_news';
const BATCH_DELAY_MS = 10;
/** PostgreSQL limits a payload to 8,000 bytes. */
const MAX_IDS_PER_NOTIFY = 200;
const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;
const PAYLOAD_PATTERN = /^([a-z]+):([0-9a-f,-]+)$/;

export interface PubSubOptions {
  readonly db: Db;
  /** For the connection that listens. */
  readonly connection: DatabaseConnection;
  readonly log: Log;
}

type Listener = (ids: readonly string[]) => void;

export class PubSub {
  readonly #options: PubSubOptions;
  readonly #listeners = new Map<string, Listener>();
  readonly #pending = new Map<string, Set<string>>();
  readonly #onGap: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #client: Client | null = null;
  #retry: NodeJS.Timeout | null = null;
  #retryDelayMs = MIN_RETRY_MS;
  #isStopped = false;

  constructor(options: PubSubOptions) {
    this.#options = options;
  }

  /** Receives the ids that any process publishes, this one included. One listener per topic. */
  subscribe(topic: string, listener: Listener): void {
    this.#listeners.set(topic, listener);
  }

  /** Called whenever notifications may have been missed. */
  onGap(listener: () => void): void {
    this.#onGap.push(listener);
  }

  /** @param topic lower-case letters @param id a UUID */
  publish(topic: string, id: string): void {
    if (this.#isStopped) return;
    const ids = this.#pending.get(topic) ?? new Set();
    this.#pending.set(topic, ids.add(id));
    this.#timer ??= setTimeout(() => void this.#flush(), BATCH_DELAY_MS).unref();
  }

  async #flush(): Promise<void> {
    this.#timer = null;
    const batches = [...this.#pending];
    this.#pending.clear();
    try {
      for (const [topic, ids] of batches) {
        const all = [...ids];
        for (let at = 0; at < all.length; at += MAX_IDS_PER_NOTIFY) {
          const payload = `${topic}:${all.slice(at, at + MAX_IDS_PER_NOTIFY).join(',')}`;
          await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(this.#options.db);
        }
      }
    } catch (error) {
      // The database is unreachable. Other processes detect the gap too, and read again.
      this.#options.log.warn({ reason: formatReason(error) }, 'a notification could not be sent');
      this.#notifyGap();
    }
  }

  /** Starts to listen. While the database is unreachable, retries in the background. */
  async start(): Promise<void> {
    if (this.#isStopped) return;
    const client = new PrimaryClient({
      ...this.#options.connection,
      connectionTimeoutMillis: 5_000,
      ...KEEP_ALIVE,
      application_name: 'crypto-market pub-sub',
    });
    this.#client = client;
    client.on('notification', ({ payload = '' }) => this.#handleNotification(payload));
    client.on('error', () => this.#handleDisconnect(client));
    client.on('end', () => this.#handleDisconnect(client));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.#retryDelayMs = MIN_RETRY_MS;
      this.#notifyGap();
    } catch (error) {
      this.#options.log.warn({ reason: formatReason(error) }, 'notifications cannot be received');
      this.#handleDisconnect(client);
    }
  }

  #notifyGap(): void {
    for (const listener of this.#onGap) listener();
  }

  #handleNotification(payload: string): void {
    const [, topic = '', ids = ''] = PAYLOAD_PATTERN.exec(payload) ?? [];
    if (ids !== '') this.#listeners.get(topic)?.(ids.split(','));
  }

  #handleDisconnect(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    void client.end().catch(() => {});
    if (this.#isStopped) return;
    this.#retry = setTimeout(() => void this.start(), this.#retryDelayMs).unref();
    this.#retryDelayMs = Math.min(this.#retryDelayMs * 2, MAX_RETRY_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#retry) clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }
}

const formatReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
