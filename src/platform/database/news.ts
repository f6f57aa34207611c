/**
 * News between the processes that share a database, by NOTIFY: short, and not kept. Who was away learns of the gap and
 * reads anew. Told outside of transactions and for some milliseconds together, since each NOTIFY makes commits wait.
 */
import { sql } from 'kysely';
import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import type { Log } from '#src/platform/process/log.ts';
import type { Db } from './database.ts';

const CHANNEL = 'shop_news';
const GATHER_MS = 10;
/** PostgreSQL takes 8,000 bytes. */
const IDS_AT_ONCE = 200;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const SOUND = /^([a-z]+):([0-9a-f,-]+)$/;

export interface NewsOptions {
  readonly db: Db;
  /** For the connection that listens. */
  readonly connection: ClientConfig;
  readonly log: Log;
}

type Listener = (ids: readonly string[]) => void;

export class News {
  readonly #options: NewsOptions;
  readonly #listeners = new Map<string, Listener>();
  readonly #gathered = new Map<string, Set<string>>();
  readonly #onGap: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #client: Client | null = null;
  #retry: NodeJS.Timeout | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #isStopped = false;

  constructor(options: NewsOptions) {
    this.#options = options;
  }

  /** Hears what every process tells of a topic, this one included; one listener a topic. */
  on(topic: string, listener: Listener): void {
    this.#listeners.set(topic, listener);
  }

  /** Called whenever news may have been missed. */
  onGap(listener: () => void): void {
    this.#onGap.push(listener);
  }

  /** @param topic small letters. @param id a UUID. */
  tell(topic: string, id: string): void {
    if (this.#isStopped) return;
    const ids = this.#gathered.get(topic) ?? new Set();
    this.#gathered.set(topic, ids.add(id));
    this.#timer ??= setTimeout(() => void this.#send(), GATHER_MS).unref();
  }

  async #send(): Promise<void> {
    this.#timer = null;
    const news = [...this.#gathered];
    this.#gathered.clear();
    try {
      for (const [topic, ids] of news) {
        const all = [...ids];
        for (let at = 0; at < all.length; at += IDS_AT_ONCE) {
          const sound = `${topic}:${all.slice(at, at + IDS_AT_ONCE).join(',')}`;
          await sql`select pg_notify(${CHANNEL}, ${sound})`.execute(this.#options.db);
        }
      }
    } catch (error) {
      // The database is away; who listens to it will notice as well, and read anew.
      this.#options.log.warn({ reason: reasonOf(error) }, 'news could not be told');
      this.#missed();
    }
  }

  /** Begins to listen; when the database is away, as soon as it is back. */
  async start(): Promise<void> {
    if (this.#isStopped) return;
    const client = new Client({
      ...this.#options.connection,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: 'crypto-market news',
    });
    this.#client = client;
    client.on('notification', ({ payload = '' }) => this.#hear(payload));
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.#pauseMs = FIRST_PAUSE_MS;
      this.#missed();
    } catch (error) {
      this.#options.log.warn({ reason: reasonOf(error) }, 'news cannot be heard');
      this.#lose(client);
    }
  }

  #missed(): void {
    for (const listener of this.#onGap) listener();
  }

  #hear(payload: string): void {
    const [, topic = '', ids = ''] = SOUND.exec(payload) ?? [];
    if (ids !== '') this.#listeners.get(topic)?.(ids.split(','));
  }

  #lose(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    void client.end().catch(() => {});
    if (this.#isStopped) return;
    this.#retry = setTimeout(() => void this.start(), this.#pauseMs).unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
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

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
