/** What a login reads and stores beside the session, and sessions that ended. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** See `formatAccountSubject`. */
export async function findDeviceGeneration(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ generation: number }>`
    select device_generation as generation from users where id = ${userId}
  `.execute(db);
  return rows[0]?.generation ?? 0;
}

/** Stores whether the entered password is short; nothing if the password was replaced meanwhile. */
export async function savePasswordLength(
  db: Db,
  { id, passwordHash }: { readonly id: string; readonly passwordHash: string },
  isShort: boolean,
): Promise<void> {
  await sql`
    update users set is_password_short = ${isShort} where id = ${id} and password_hash = ${passwordHash}
  `.execute(db);
}

/** The session of a cookie, if its account belongs to the team. It may have ended. */
export async function findStaffSession(
  db: Db,
  cookieHash: Buffer,
): Promise<{ readonly createdAt: Date; readonly lastSeenAt: Date } | null> {
  const { rows } = await sql<{ createdAt: Date; lastSeenAt: Date }>`
    select sessions.created_at as "createdAt", last_seen_at as "lastSeenAt"
    from sessions join users on users.id = user_id
    where cookie_hash = ${cookieHash} and role <> 'customer' and deleted_at is null
  `.execute(db);
  return rows[0] ?? null;
}
