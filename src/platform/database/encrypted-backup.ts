/** Streams an encrypted backup of the database to a client. Nothing is stored on the way. */
import { once } from 'node:events';
import { PassThrough, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { sql } from 'kysely';
import { TimeSlice } from '#src/platform/process/time-slice.ts';
import { streamBackup } from './backup.ts';
import { createBackupCipher } from './backup-encryption.ts';
import type { Db } from './database.ts';

/** The client has to go on reading within this time: until the end the backup keeps a snapshot of the database. */
const STALL_MS = 30_000;
const MAX_MS = 3_600_000;
const BUFFER_BYTES = 262_144;

class BackupRunning extends Error {}

export interface EncryptedBackup {
  /** The file. An error in it means that the file is incomplete. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Ends it, unless `pieces` are read. */
  readonly cancel: () => Promise<void>;
}

export interface EncryptedBackupOptions {
  readonly now: Date;
  readonly passphrase: string;
  /** Stops it. */
  readonly signal?: AbortSignal | undefined;
  /** Called once the client has read all of it. */
  readonly onComplete: () => Promise<unknown>;
  /** For tests. */
  readonly stallMs?: number;
}

/** One at a time, across processes. The transaction of the backup holds the lock, so it ends with it. */
async function lockOrThrow(tx: Db): Promise<void> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('backup download', 0)) as taken,
      -- The client may be slow, which no other transaction waits for.
      set_config('idle_in_transaction_session_timeout', ${String(2 * STALL_MS)}, true)
  `.execute(tx);
  if (rows[0]?.taken !== true) throw new BackupRunning();
}

/** Begins a backup. Null if another one is running. */
export async function openEncryptedBackup(db: Db, options: EncryptedBackupOptions): Promise<EncryptedBackup | null> {
  const { now, passphrase, onComplete, signal, stallMs = STALL_MS } = options;
  const cipher = await createBackupCipher(passphrase);
  const ended = new AbortController();
  const stop = AbortSignal.any([ended.signal, AbortSignal.timeout(MAX_MS), ...(signal ? [signal] : [])]);
  const lines = new PassThrough({ highWaterMark: BUFFER_BYTES });
  const compressed = createGzip();
  // Its error is the error of `compressed`.
  pipeline(lines, compressed, () => {});
  const slice = new TimeSlice();
  const write = async (line: string): Promise<void> => {
    stop.throwIfAborted();
    if (lines.destroyed) throw new Error('the backup was not read to its end');
    if (!lines.write(`${line}\n`)) {
      await once(lines, 'drain', { signal: AbortSignal.any([stop, AbortSignal.timeout(stallMs)]) });
    }
    await slice.pause();
  };
  const begun = Promise.withResolvers<void>();
  const written = streamBackup(db, now, write, async (tx) => {
    await lockOrThrow(tx);
    begun.resolve();
  }).then(
    () => void lines.end(),
    (error: unknown) => {
      begun.reject(error);
      lines.destroy(error instanceof Error ? error : new Error('the backup failed'));
      throw error;
    },
  );
  written.catch(() => {});
  const cancel = async (): Promise<void> => {
    ended.abort();
    lines.destroy();
    await written.catch(() => {});
  };
  try {
    await begun.promise;
  } catch (error) {
    if (error instanceof BackupRunning) return null;
    throw error;
  }
  return { cancel, pieces: readToEnd() };

  async function* readToEnd(): AsyncGenerator<Uint8Array> {
    try {
      yield* cipher.encrypt(compressed);
      await written;
      await onComplete();
    } finally {
      await cancel();
    }
  }
}
