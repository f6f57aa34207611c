import type { Db } from '#src/platform/database/database.ts';
import { deleteKeysBefore } from './idempotency-keys.store.ts';

const KEY_RETENTION_MS = 30 * 24 * 3_600_000;

/** Deletes idempotency keys older than 30 days. Runs periodically. */
export const deleteOldKeys = (db: Db, now: Date): Promise<void> =>
  deleteKeysBefore(db, new Date(now.getTime() - KEY_RETENTION_MS));
