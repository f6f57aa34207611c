import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface QuestionRow {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
  readonly version: number;
}

interface QuestionsTable extends QuestionRow {
  readonly position: number;
}

const tables = (db: Db) => db.$extendTables<{ faq_items: QuestionsTable }>();

/** In display order. */
export function loadFaq(db: Db): Promise<readonly QuestionRow[]> {
  return tables(db)
    .selectFrom('faq_items')
    .select(['id', 'question', 'answer', 'version'])
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** Version of the order; 0 before the first change. */
export async function readFaqVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select version from content_sections where name = 'faq'
  `.execute(db);
  return rows[0]?.version ?? 0;
}

/** Increments the version of the order. The lock on its row serializes changes of the list. */
export async function incrementFaqVersion(tx: Db, at: Date, by: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    insert into content_sections (name, body, version, updated_at, updated_by)
    values ('faq', '{}', 1, ${at}, ${by})
    on conflict (name) do update
    set version = content_sections.version + 1, updated_at = excluded.updated_at, updated_by = excluded.updated_by
    returning version
  `.execute(tx);
  return rows[0]?.version ?? 0;
}

/** Adds a question at the end. False if there are as many as the maximum. Call with the lock of the order. */
export async function insertQuestion(
  tx: Db,
  { id, question, answer }: Omit<QuestionRow, 'version'>,
  maximum: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into faq_items (id, question, answer, position)
    select ${id}, ${question}, ${answer}, coalesce(max(position), -1) + 1 from faq_items
    having count(*) < ${maximum}
    returning id
  `.execute(tx);
  return rows.length > 0;
}

/** Requires the locked question. */
export async function updateQuestion(tx: Db, { id, question, answer }: Omit<QuestionRow, 'version'>): Promise<void> {
  await sql`
    update faq_items set question = ${question}, answer = ${answer}, version = version + 1 where id = ${id}
  `.execute(tx);
}

/** Requires the locked question. */
export async function deleteQuestion(tx: Db, id: string): Promise<void> {
  await tables(tx).deleteFrom('faq_items').where('id', '=', id).execute();
}

/** Locks the question until the transaction ends. */
export async function lockQuestion(tx: Db, id: string): Promise<QuestionRow | null> {
  const found = tables(tx).selectFrom('faq_items').select(['id', 'question', 'answer', 'version']).where('id', '=', id);
  return (await found.forUpdate().executeTakeFirst()) ?? null;
}

/** False unless the ids are exactly those of all questions. Call with the lock of the order. */
export async function orderQuestions(tx: Db, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ total: number; moved: number }>`
    with wanted as (select id, row_number() over () - 1 as position from unnest(${[...ids]}::uuid[]) as id),
    moved as (
      update faq_items set position = wanted.position from wanted where faq_items.id = wanted.id returning 1
    )
    select (select count(*)::int from faq_items) as total, (select count(*)::int from moved) as moved
  `.execute(tx);
  const { total = -1, moved = 0 } = rows[0] ?? {};
  return total === ids.length && moved === ids.length;
}
