/** The link that creates the first owner. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

const hasNoOwner = sql<boolean>`not exists (select from users where role = 'owner' and deleted_at is null)`;

/** Replaces the former link. False if there is an owner. */
export async function replaceLink(db: Db, tokenHash: Buffer, expiresAt: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into first_owner_link (token_hash, expires_at)
    select ${tokenHash}::bytea, ${expiresAt}::timestamptz where ${hasNoOwner}
    on conflict (only_row) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
    returning only_row
  `.execute(db);
  return rows.length > 0;
}

export async function isValid(db: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from first_owner_link where token_hash = ${tokenHash} and expires_at > ${now} and ${hasNoOwner}
  `.execute(db);
  return rows.length > 0;
}

/** Uses the link up. False if it is not valid any more: of two uses one wins. */
export async function consume(tx: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    delete from first_owner_link where token_hash = ${tokenHash} and expires_at > ${now} and ${hasNoOwner}
    returning only_row
  `.execute(tx);
  return rows.length > 0;
}

/** Waits for a transaction that uses the link. */
export async function deleteLink(tx: Db): Promise<void> {
  await sql`delete from first_owner_link`.execute(tx);
}
