/** Reads what the database says about itself. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface DatabaseState {
  readonly version: string;
  readonly bytes: number;
}

export async function readDatabaseState(db: Db): Promise<DatabaseState> {
  const { rows } = await sql<DatabaseState>`
    select current_setting('server_version') as version, pg_database_size(current_database())::double precision as bytes
  `.execute(db);
  return rows[0] ?? { version: 'unknown', bytes: 0 };
}
