/** Records when backups were written, so that the shop can tell when the last one is too old. */
import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * - command: by `npm run db -- backup`
 * - download: by an owner in the back office
 * - other: by another tool, such as pg_basebackup, and reported by its script
 */
export type BackupSource = 'command' | 'download' | 'other';

/** False if the schema is older than this record. */
export async function recordBackup(db: Db, at: Date, source: BackupSource): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('public.backups') is not null as exists`.execute(
    db,
  );
  if (rows[0]?.exists !== true) return false;
  await sql`insert into backups (at, source) values (${at}, ${source}) on conflict do nothing`.execute(db);
  // Only the newest are of interest.
  await sql`delete from backups where at < ${at}::timestamptz - interval '1 year'`.execute(db);
  return true;
}

/** When the newest backup was written; null if none is recorded. */
export async function readLastBackup(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select max(at) as at from backups`.execute(db);
  return rows[0]?.at ?? null;
}
