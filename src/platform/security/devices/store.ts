import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** Returns the secret with this name; stores the given one if there is none. The same in every process. */
export async function findOrInsertSecret(db: Db, name: string, value: Buffer): Promise<Buffer> {
  await sql`insert into shop_secrets (name, value) values (${name}, ${value}) on conflict (name) do nothing`.execute(
    db,
  );
  const { rows } = await sql<{ value: Buffer }>`select value from shop_secrets where name = ${name}`.execute(db);
  return rows[0]?.value ?? value;
}
