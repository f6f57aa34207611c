import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** Those of these paths that lines of orders show. */
export async function listOrderedPictures(db: Db, paths: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ path: string }>`
    select path from unnest(${paths}::text[]) path
    where exists (select from order_lines where main_image = path)
  `.execute(db);
  return rows.map(({ path }) => path);
}
