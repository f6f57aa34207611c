/**
 * Keeps data that every process holds in memory current. A change increments the revision of its
 * topic in its transaction. Every process polls the revisions, so a process that missed a
 * notification or was paused catches up by itself.
 */
import { sql } from 'kysely';
import type { Log } from '#src/platform/process/log.ts';
import type { Db } from './database.ts';
import type { PubSub } from './pub-sub.ts';

const TOPIC = 'revisions';
const ANY_ID = '0';
const POLL_MS = 500;

/** Data in memory, read from the database at a revision. */
export interface RevisionedData {
  /** Key in the table `revisions`. */
  readonly topic: string;
  /** Revision of the data in memory; 0 before the first change. */
  readonly revision: bigint;
  /** Reads the data again, with its revision, from one snapshot. */
  refresh(): Promise<void>;
}

/**
 * Increments the revision of a topic. The lock on its row serializes the changes of the topic until
 * the transaction ends, so a reader that sees a revision sees every earlier one.
 */
export async function incrementRevision(tx: Db, topic: string): Promise<bigint> {
  const { rows } = await sql<{ revision: bigint }>`
    insert into revisions (topic, revision) values (${topic}, 1)
    on conflict (topic) do update set revision = revisions.revision + 1
    returning revision
  `.execute(tx);
  return rows[0]?.revision ?? 0n;
}

/** The revision of a topic; 0 before the first change. Read it in the snapshot of the data. */
export async function readRevision(db: Db, topic: string): Promise<bigint> {
  const { rows } = await sql<{ revision: bigint }>`
    select revision from revisions where topic = ${topic}
  `.execute(db);
  return rows[0]?.revision ?? 0n;
}

export interface RevisionWatcherOptions {
  readonly db: Db;
  readonly log: Log;
  readonly pubSub: Pick<PubSub, 'subscribe' | 'onGap' | 'publish'>;
}

interface Check {
  readonly check: () => Promise<void>;
  readonly everyMs: number;
  /** Milliseconds of the monotonic clock. */
  dueAt: number;
}

export class RevisionWatcher {
  readonly #options: RevisionWatcherOptions;
  readonly #watched = new Map<string, RevisionedData>();
  readonly #checks: Check[] = [];
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;
  #isFailing = false;

  constructor(options: RevisionWatcherOptions) {
    this.#options = options;
  }

  /** @throws Error for a second set of data with the same topic */
  add(data: RevisionedData): void {
    if (this.#watched.has(data.topic)) throw new Error(`the topic ${data.topic} is watched already`);
    this.#watched.set(data.topic, data);
  }

  /**
   * Adds data that finds out by itself what has changed.
   * @param everyMs at most this often; by default with every poll
   */
  addCheck(check: () => Promise<void>, everyMs = 0): void {
    this.#checks.push({ check, everyMs, dueAt: 0 });
  }

  /** Starts to poll and to listen. */
  start(): void {
    const { pubSub } = this.#options;
    const check = (): void => void this.#checkQuietly();
    pubSub.subscribe(TOPIC, check);
    pubSub.onGap(check);
    this.#schedule();
  }

  /** Call after a change was committed: this process shows it when the promise resolves, others soon. */
  async announce(): Promise<void> {
    this.#options.pubSub.publish(TOPIC, ANY_ID);
    await this.check();
  }

  /** Resolves when this process shows every change that was committed before the call. */
  check(): Promise<void> {
    // A check in progress may have read the revisions already, so the caller waits for the next one.
    if (this.#running === null) return this.#run();
    this.#next ??= this.#running.catch(() => {}).then(() => this.#run());
    return this.#next;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#next?.catch(() => {});
    await this.#running?.catch(() => {});
  }

  #run(): Promise<void> {
    this.#next = null;
    this.#running = this.#refreshStale().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #refreshStale(): Promise<void> {
    const { rows } = await sql<{ topic: string; revision: bigint }>`
      select topic, revision from revisions
    `.execute(this.#options.db);
    for (const { topic, revision } of rows) {
      const data = this.#watched.get(topic);
      if (data !== undefined && data.revision !== revision) await data.refresh();
    }
    for (const one of this.#checks) {
      const now = performance.now();
      if (now < one.dueAt) continue;
      await one.check();
      one.dueAt = now + one.everyMs;
    }
  }

  async #checkQuietly(): Promise<void> {
    if (this.#isStopped) return;
    try {
      await this.check();
      this.#isFailing = false;
    } catch (error) {
      // Once per outage: the next poll tries again.
      if (!this.#isFailing) this.#options.log.warn({ err: error }, 'changed data could not be read; trying again');
      this.#isFailing = true;
    }
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#checkQuietly().finally(() => this.#schedule()), POLL_MS);
    this.#timer.unref();
  }
}
