import type { Db } from '#src/platform/database/database.ts';
import { deleteKeysBefore } from './keys.store.ts';

const KEPT_MS = 30 * 24 * 3_600_000;

/** Forgets idempotency keys after 30 days: no client retries for so long. To be called now and then. */
export const forgetOldKeys = (db: Db, now: Date): Promise<void> =>
  deleteKeysBefore(db, new Date(now.getTime() - KEPT_MS));
