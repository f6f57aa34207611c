/** Canned answers. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface CannedAnswerRow {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly version: number;
}

const COLUMNS = sql.raw('id, title, text, version');

export async function listAnswers(db: Db): Promise<CannedAnswerRow[]> {
  const { rows } = await sql<CannedAnswerRow>`select ${COLUMNS} from canned_answers order by lower(title), id`.execute(
    db,
  );
  return rows;
}

/** Locks the answer until the transaction ends. */
export async function lockAnswer(tx: Db, id: string): Promise<CannedAnswerRow | null> {
  const { rows } = await sql<CannedAnswerRow>`
    select ${COLUMNS} from canned_answers where id = ${id} for update`.execute(tx);
  return rows[0] ?? null;
}

/** Null if the title is taken. */
export async function insertAnswer(
  tx: Db,
  { id, title, text, at }: Omit<CannedAnswerRow, 'version'> & { readonly at: Date },
): Promise<CannedAnswerRow | null> {
  const { rows } = await sql<CannedAnswerRow>`
    insert into canned_answers (id, title, text, updated_at) values (${id}, ${title}, ${text}, ${at})
    on conflict (lower(title)) do nothing returning ${COLUMNS}`.execute(tx);
  return rows[0] ?? null;
}

export async function countAnswers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from canned_answers`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Whether another answer has this title. */
export async function isTitleTaken(db: Db, title: string, exceptId: string): Promise<boolean> {
  const { rows } = await sql`
    select id from canned_answers where lower(title) = lower(${title}) and id <> ${exceptId}`.execute(db);
  return rows.length > 0;
}

/** Requires the locked row. */
export async function updateAnswer(
  tx: Db,
  { id, title, text, at }: Omit<CannedAnswerRow, 'version'> & { readonly at: Date },
): Promise<CannedAnswerRow> {
  const { rows } = await sql<CannedAnswerRow>`
    update canned_answers set title = ${title}, text = ${text}, version = version + 1, updated_at = ${at}
    where id = ${id} returning ${COLUMNS}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('the answer is not locked');
  return row;
}

export async function deleteAnswer(tx: Db, id: string): Promise<void> {
  await sql`delete from canned_answers where id = ${id}`.execute(tx);
}

/** Serializes writes of titles until the transaction ends. */
export async function lockTitles(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('canned answers', 0))`.execute(tx);
}
