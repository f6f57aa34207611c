/** Whether an account has a second factor: a confirmed app or a passkey. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** @param userId column or value */
export const existsFactor = (userId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  exists (select from second_factors where second_factors.user_id = ${userId} and confirmed_at is not null)
  or exists (select from passkeys where passkeys.user_id = ${userId})
)`;

export async function hasFactor(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select ${existsFactor(sql`${userId}::uuid`)} as has`.execute(db);
  return rows[0]?.has ?? false;
}
