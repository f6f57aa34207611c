/** Pictures of other sites: which ones an import needs, and what became of them. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { NamedPicture } from './cell-reader.ts';

/** Paths of pictures that imports loaded, by address. */
export async function findLoadedPictures(db: Db, urls: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (urls.length === 0) return new Map();
  const { rows } = await sql<{ url: string; path: string }>`
    select url, path from imported_pictures where url = any(${urls}::text[])
  `.execute(db);
  return new Map(rows.map(({ url, path }) => [url, path]));
}

export async function insertPictures(tx: Db, importId: string, pictures: readonly NamedPicture[]): Promise<void> {
  if (pictures.length === 0) return;
  await sql`
    insert into catalogue_import_pictures (import_id, position, url, line, column_name)
    select ${importId}, number, picture.url, picture.line, picture.column_name
    from unnest(
      ${pictures.map(({ path }) => path)}::text[], ${pictures.map(({ line }) => line)}::integer[],
      ${pictures.map(({ column }) => column)}::text[]
    ) with ordinality as picture (url, line, column_name, number)
  `.execute(tx);
}

export interface ImportPicture {
  readonly position: number;
  readonly url: string;
  /** Of the shop; null: not loaded. */
  readonly path: string | null;
  readonly problem: string | null;
}

export async function listImportPictures(db: Db, importId: string): Promise<readonly ImportPicture[]> {
  const { rows } = await sql<ImportPicture>`
    select picture.position, picture.url, loaded.path, picture.problem
    from catalogue_import_pictures picture left join imported_pictures loaded on loaded.url = picture.url
    where picture.import_id = ${importId} order by picture.position
  `.execute(db);
  return rows;
}

/** Records a loaded picture, which is progress: the attempts are counted anew. */
export async function recordLoaded(
  tx: Db,
  importId: string,
  { position, url, path, now }: { position: number; url: string; path: string; now: Date },
): Promise<void> {
  await sql`
    insert into imported_pictures (url, path, loaded_at) values (${url}, ${path}, ${now})
    on conflict (url) do update set path = excluded.path, loaded_at = excluded.loaded_at
  `.execute(tx);
  await recordProblem(tx, importId, position, null);
  await sql`update catalogue_imports set attempts = 0 where id = ${importId}`.execute(tx);
}

export async function recordProblem(db: Db, importId: string, position: number, problem: string | null): Promise<void> {
  await sql`
    update catalogue_import_pictures set problem = ${problem} where import_id = ${importId} and position = ${position}
  `.execute(db);
}

/** Tries the pictures again that could not be loaded. */
export async function forgetProblems(tx: Db, importId: string): Promise<void> {
  await sql`
    update catalogue_import_pictures set problem = null where import_id = ${importId} and problem is not null
  `.execute(tx);
}

/** Counts the pictures that could not be loaded. */
export async function countMissing(tx: Db, importId: string): Promise<number> {
  const { rows } = await sql<{ missing: number }>`
    update catalogue_imports set missing_pictures = (
      select count(*) from catalogue_import_pictures where import_id = ${importId} and problem is not null
    ) where id = ${importId} returning missing_pictures as missing
  `.execute(tx);
  return rows[0]?.missing ?? 0;
}

export interface StagedTarget {
  readonly position: number;
  readonly isNew: boolean;
  readonly target: string;
}

const BATCH = 200;

/** Planned products after a position, a batch at a time, as JSON. */
export async function listTargets(db: Db, importId: string, after: number): Promise<readonly StagedTarget[]> {
  const { rows } = await sql<StagedTarget>`
    select position, is_new as "isNew", target::text as target from catalogue_import_products
    where import_id = ${importId} and position > ${after} order by position limit ${BATCH}
  `.execute(db);
  return rows;
}

export async function replaceTargets(db: Db, importId: string, targets: readonly StagedTarget[]): Promise<void> {
  if (targets.length === 0) return;
  await sql`
    update catalogue_import_products staged set target = changed.target::json
    from unnest(${targets.map(({ position }) => position)}::integer[], ${targets.map(({ target }) => target)}::text[])
      as changed (position, target)
    where staged.import_id = ${importId} and staged.position = changed.position
  `.execute(db);
}

/** All pictures of the planned products. */
export async function listPlannedPictures(db: Db, importId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ path: string }>`
    with parts as (
      select target -> 'images' as images from catalogue_import_products where import_id = ${importId}
      union all
      select entry -> 'images' from catalogue_import_products, json_array_elements(target -> 'values') entry
      where import_id = ${importId}
      union all
      select entry -> 'images' from catalogue_import_products, json_array_elements(target -> 'variants') entry
      where import_id = ${importId}
    )
    select distinct path from parts, json_array_elements_text(images) path
    union select target ->> 'main_image' from catalogue_import_products where import_id = ${importId}
  `.execute(db);
  return rows.map(({ path }) => path);
}
