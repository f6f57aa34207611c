/** Files of returns. Each change runs under the lock of the return. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { MAX_PICTURES } from '../file-limits.ts';

/** Key of the lock that serializes additions, so that their sum stays below its maximum. */
const ADDITIONS = 0x72_65_74_66n;

export type ReturnFileType = 'image/jpeg' | 'application/pdf';

export interface NewReturnFile {
  readonly id: string;
  readonly type: ReturnFileType;
  /** In pixels; null for a document. */
  readonly width: number | null;
  readonly height: number | null;
  /** All its files together. */
  readonly bytes: number;
}

interface Addition {
  readonly returnId: string;
  readonly at: Date;
  /** Maximum bytes of the files of all returns. */
  readonly maxBytes: bigint;
}

export type Added = 'added' | 'too-many' | 'storage-full';

export async function readTotalBytes(db: Db): Promise<bigint> {
  const { rows } = await sql<{ total: bigint }>`
    select coalesce(sum(bytes), 0)::bigint as total from return_files
  `.execute(db);
  return rows[0]?.total ?? 0n;
}

async function hasRoom(tx: Db, bytes: number, maxBytes: bigint): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${ADDITIONS}::bigint)`.execute(tx);
  return (await readTotalBytes(tx)) + BigInt(bytes) <= maxBytes;
}

/** Adds a picture at the first free place. */
export async function addPicture(tx: Db, file: NewReturnFile, { at, maxBytes, returnId }: Addition): Promise<Added> {
  if (!(await hasRoom(tx, file.bytes, maxBytes))) return 'storage-full';
  const { rows } = await sql`
    insert into return_files (id, return_id, kind, place, type, width, height, bytes, created_at)
    select ${file.id}::uuid, ${returnId}::uuid, 'picture', slot, ${file.type}, ${file.width}::integer,
      ${file.height}::integer, ${file.bytes}::integer, ${at}::timestamptz
    from generate_series(1, ${MAX_PICTURES}::integer) as places (slot)
    where not exists (
      select from return_files taken
      where taken.return_id = ${returnId} and taken.kind = 'picture' and taken.place = slot
    )
    order by slot limit 1
    returning id
  `.execute(tx);
  return rows.length > 0 ? 'added' : 'too-many';
}

/** Adds the label, after the former one was removed. */
export async function addLabel(tx: Db, file: NewReturnFile, { at, maxBytes, returnId }: Addition): Promise<Added> {
  if (!(await hasRoom(tx, file.bytes, maxBytes))) return 'storage-full';
  await sql`
    insert into return_files (id, return_id, kind, place, type, width, height, bytes, created_at)
    values (${file.id}, ${returnId}, 'label', 1, ${file.type}, ${file.width}, ${file.height}, ${file.bytes}, ${at})
  `.execute(tx);
  return 'added';
}

/** Ids of the removed files. */
export async function removeLabel(tx: Db, returnId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from return_files where return_id = ${returnId} and kind = 'label' returning id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** False if there is no such picture. */
export async function removePicture(tx: Db, returnId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from return_files where id = ${id} and return_id = ${returnId} and kind = 'picture' returning id
  `.execute(tx);
  return rows.length > 0;
}

export async function countPictures(db: Db, returnId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from return_files where return_id = ${returnId} and kind = 'picture'
  `.execute(db);
  return rows[0]?.count ?? 0;
}

interface FoundFile {
  readonly id: string;
  readonly type: ReturnFileType;
  readonly reference: string;
}

/**
 * A picture, or with null the label.
 * @param userId the buyer of the return; null: staff, who see those of all
 */
export async function findFile(
  db: Db,
  returnId: string,
  pictureId: string | null,
  userId: string | null,
): Promise<FoundFile | null> {
  const { rows } = await sql<FoundFile>`
    select file.id, file.type, returns.reference
    from return_files file
    join returns on returns.id = file.return_id
    join orders on orders.id = returns.order_id
    where file.return_id = ${returnId} and file.kind = ${pictureId === null ? 'label' : 'picture'}
      and (${pictureId}::uuid is null or file.id = ${pictureId}::uuid)
      and (${userId}::uuid is null or orders.user_id = ${userId}::uuid)
  `.execute(db);
  return rows[0] ?? null;
}

/** Those of these ids that are files. */
export async function listExisting(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from return_files where id = any(${ids}::uuid[])
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

// ---- personal data

/** Ids of the removed files. */
export async function removeOfOrders(tx: Db, orderIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from return_files using returns
    where returns.id = return_files.return_id and returns.order_id = any(${orderIds}::uuid[])
    returning return_files.id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Removes files of returns that ended before this moment, at most a limit. Ids of the removed files. */
export async function removeEndedBefore(tx: Db, before: Date, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from return_files where id in (
      select file.id from return_files file join returns on returns.id = file.return_id
      where returns.closed_at < ${before} limit ${limit} for update of file skip locked
    )
    returning id
  `.execute(tx);
  return rows.map(({ id }) => id);
}
