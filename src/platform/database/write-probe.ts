import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * - `ready`: a write was committed
 * - `disk-full`: the server responds, but its disk is full
 * - `read-only`: the server responds, but refuses writes, as a standby does
 * - `away`: no response in time, or another failure
 */
export type WriteHealth = 'ready' | 'disk-full' | 'read-only' | 'away';

/** How long a result is cached. At most one write happens in this time. */
const READY_CACHE_MS = 3_000;
const FAILURE_CACHE_MS = 1_000;
const TIMEOUT_MS = 1_000;

export interface WriteProbeOptions {
  /** Monotonic time in ms; for tests. */
  readonly nowMs?: () => number;
}

/** Checks whether the database accepts writes, by a write to a row for this purpose only. */
export class WriteProbe {
  readonly #db: Db;
  readonly #nowMs: () => number;
  #last: { readonly health: WriteHealth; readonly untilMs: number } = { health: 'away', untilMs: -Infinity };
  #running: { readonly health: Promise<WriteHealth>; readonly sinceMs: number } | null = null;

  constructor(db: Db, { nowMs = () => performance.now() }: WriteProbeOptions = {}) {
    this.#db = db;
    this.#nowMs = nowMs;
  }

  /** Resolves within a second. Never throws. */
  async check(): Promise<WriteHealth> {
    if (this.#nowMs() < this.#last.untilMs) return this.#last.health;
    this.#running ??= { health: this.#write(), sinceMs: this.#nowMs() };
    const { health, sinceMs } = this.#running;
    // No second write starts while one hangs.
    if (this.#nowMs() - sinceMs > TIMEOUT_MS) return 'away';
    return Promise.race([health, sleep(TIMEOUT_MS, 'away' as const, { ref: false })]);
  }

  async #write(): Promise<WriteHealth> {
    const health = await sql`
      insert into write_probe (only_row, written_at) values (true, now())
      on conflict (only_row) do update set written_at = excluded.written_at
    `
      .execute(this.#db)
      .then(() => 'ready' as const, classifyError);
    this.#last = { health, untilMs: this.#nowMs() + (health === 'ready' ? READY_CACHE_MS : FAILURE_CACHE_MS) };
    this.#running = null;
    return health;
  }
}

function classifyError(error: unknown): WriteHealth {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === '53100') return 'disk-full';
  return code === '25006' ? 'read-only' : 'away';
}
