import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** Key of the lock that serializes adding and removing pictures. */
const CHANGES = 0x70_69_63_74n;

export interface PictureRow {
  readonly id: string;
  readonly hash: string;
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: bigint;
  readonly alt: string;
  readonly version: number;
}
export interface LibraryRow extends PictureRow {
  readonly createdAt: Date;
  readonly createdBy: string;
}
export type NewPicture = Pick<PictureRow, 'id' | 'hash' | 'path' | 'width' | 'height' | 'bytes'> & {
  readonly createdAt: Date;
  readonly userId: string;
};

const COLUMNS = sql`pictures.id, hash, path, width, height, bytes, alt, version`;

/** Until the transaction ends, no row is added or removed, and no file without a row is removed. */
export async function lockChanges(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CHANGES}::bigint)`.execute(tx);
}

/** Until the transaction ends, no row is removed. Several transactions can hold this lock. */
export async function lockRemovals(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${CHANGES}::bigint)`.execute(tx);
}

export async function findByHash(db: Db, hash: string): Promise<PictureRow | null> {
  const { rows } = await sql<PictureRow>`select ${COLUMNS} from pictures where hash = ${hash}`.execute(db);
  return rows[0] ?? null;
}

export async function findById(db: Db, id: string): Promise<PictureRow | null> {
  const { rows } = await sql<PictureRow>`select ${COLUMNS} from pictures where id = ${id}::uuid`.execute(db);
  return rows[0] ?? null;
}

export interface Totals {
  readonly count: bigint;
  readonly bytes: bigint;
}

export async function readTotals(db: Db): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes from pictures
  `.execute(db);
  return rows[0] ?? { count: 0n, bytes: 0n };
}

/** Returns null if all pictures together would exceed the limit. Call it under `lockChanges`. */
export async function insertPicture(tx: Db, picture: NewPicture, maxBytes: bigint): Promise<PictureRow | null> {
  const { id, hash, path, width, height, bytes, createdAt, userId } = picture;
  const { rows } = await sql<PictureRow>`
    insert into pictures (id, hash, path, width, height, bytes, created_at, created_by)
    select ${id}::uuid, ${hash}, ${path}, ${width}::integer, ${height}::integer, ${bytes}::bigint,
      ${createdAt}::timestamptz, ${userId}::uuid
    where (select coalesce(sum(bytes), 0) from pictures) + ${bytes}::bigint <= ${maxBytes}::bigint
    returning ${COLUMNS}
  `.execute(tx);
  return rows[0] ?? null;
}

/** Newest first. */
export async function listPictures(
  db: Db,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly LibraryRow[]> {
  const { rows } = await sql<LibraryRow>`
    select ${COLUMNS}, pictures.created_at as "createdAt", users.username as "createdBy"
    from pictures join users on users.id = pictures.created_by
    order by pictures.created_at desc, pictures.id desc
    limit ${limit} offset ${offset}
  `.execute(db);
  return rows;
}

/** Null if the picture has another version or does not exist. */
/** Locks the picture until the transaction ends. */
export async function lockPicture(tx: Db, id: string): Promise<PictureRow | null> {
  const { rows } = await sql<PictureRow>`select ${COLUMNS} from pictures where id = ${id}::uuid for update`.execute(tx);
  return rows[0] ?? null;
}

/** Requires the locked picture. */
export async function updateAlt(tx: Db, id: string, alt: string): Promise<PictureRow> {
  const { rows } = await sql<PictureRow>`
    update pictures set alt = ${alt}, version = version + 1 where id = ${id}::uuid returning ${COLUMNS}
  `.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('the picture is not locked');
  return row;
}

/** The paths that no picture has. */
export async function listMissing(db: Db, paths: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ path: string }>`
    select path from unnest(${paths}::text[]) as searched (path)
    where not exists (select from pictures where pictures.path = searched.path)
  `.execute(db);
  return rows.map(({ path }) => path);
}

export async function findByPath(db: Db, path: string): Promise<(PictureRow & { readonly hasIcons: boolean }) | null> {
  const { rows } = await sql<PictureRow & { readonly hasIcons: boolean }>`
    select ${COLUMNS}, icon_bytes > 0 as "hasIcons" from pictures where path = ${path}
  `.execute(db);
  return rows[0] ?? null;
}

/** Idempotent. */
export async function recordIcons(db: Db, id: string, bytes: number): Promise<void> {
  await sql`
    update pictures set icon_bytes = ${bytes}::integer, bytes = bytes + ${bytes}::integer
    where id = ${id}::uuid and icon_bytes = 0
  `.execute(db);
}

export async function deletePicture(tx: Db, id: string): Promise<void> {
  await sql`delete from pictures where id = ${id}::uuid`.execute(tx);
}
