/** Contact messages as staff list, answer and delete them. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { createWordQuery } from '#src/platform/database/word-query.ts';
import { MAX_COUNTED } from '#src/shop/counted-list.ts';
import { foldText } from '#src/shop/fold-text.ts';

export type ContactState = 'new' | 'answered' | 'done';

export interface AnswerRow {
  readonly id: string;
  readonly messageId: string;
  /** Username of the author. */
  readonly author: string;
  readonly text: string;
  readonly created_at: Date;
}

/** A message as shown to staff. */
export interface StoredMessage {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly message: string;
  readonly is_suspect: boolean;
  readonly state: ContactState;
  readonly created_at: Date;
  /** Oldest first. */
  readonly answers: AnswerRow[];
}
type MessageRow = Omit<StoredMessage, 'answers'>;

const COLUMNS = sql.raw(
  'id, first_name as "firstName", last_name as "lastName", email, message, is_suspect, state, created_at',
);

export interface InboxQuery {
  readonly state: ContactState | 'spam' | 'not-spam' | null;
  /** Search text; empty for all. */
  readonly q: string;
  readonly limit: number;
  readonly offset: number;
}

function selectState(state: InboxQuery['state']): RawBuilder<unknown> {
  if (state === null) return sql`true`;
  if (state === 'spam' || state === 'not-spam') return sql`is_suspect = ${state === 'spam'}`;
  return sql`state = ${state} and not is_suspect`;
}

/** Newest first. Of a search or filter at most `MAX_COUNTED` are counted and listed. */
export async function listMessages(
  db: Db,
  { state, q, limit, offset }: InboxQuery,
): Promise<{ messages: StoredMessage[]; total: number; hasMore: boolean }> {
  const words = createWordQuery(foldText(q));
  const found = words === null ? sql`${q === ''}::boolean` : sql`search_words @@ to_tsquery('simple', ${words})`;
  const selected = sql`${selectState(state)} and ${found}`;
  const max = q === '' && state === null ? Number.MAX_SAFE_INTEGER : MAX_COUNTED;
  const { rows } = await sql<MessageRow>`
    select ${COLUMNS} from contact_messages where id in (
      select id from (
        select id, created_at from contact_messages where ${selected} order by created_at desc, id limit ${max}
      ) listed order by created_at desc, id limit ${limit} offset ${offset})
    order by created_at desc, id`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*)::integer as total
    from (select from contact_messages where ${selected} limit ${max + 1}) matching`.execute(db);
  const matching = counted.rows[0]?.total ?? 0;
  return { messages: await addAnswers(db, rows), total: Math.min(matching, max), hasMore: matching > max };
}

async function addAnswers(db: Db, rows: readonly MessageRow[]): Promise<StoredMessage[]> {
  const answers = await listAnswers(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, answers: answers.filter(({ messageId }) => messageId === row.id) }));
}

/** Oldest first. */
export async function listAnswers(db: Db, messageIds: readonly string[]): Promise<AnswerRow[]> {
  if (messageIds.length === 0) return [];
  const { rows } = await sql<AnswerRow>`
    select answer.id, answer.message_id as "messageId", users.username as author, answer.text, answer.created_at
    from contact_answers answer join users on users.id = answer.author_id
    where answer.message_id = any(${messageIds}::uuid[]) order by answer.id`.execute(db);
  return rows;
}

/** New messages that are not spam, and spam. */
export async function countMessages(db: Db): Promise<{ readonly new: number; readonly spam: number }> {
  const { rows } = await sql<{ new: number; spam: number }>`
    select count(*) filter (where state = 'new' and not is_suspect)::integer as new,
      count(*) filter (where is_suspect)::integer as spam
    from contact_messages where is_suspect or state = 'new'`.execute(db);
  return rows[0] ?? { new: 0, spam: 0 };
}

export async function findMessage(db: Db, id: string): Promise<StoredMessage | null> {
  const { rows } = await sql<MessageRow>`select ${COLUMNS} from contact_messages where id = ${id}`.execute(db);
  return (await addAnswers(db, rows))[0] ?? null;
}

/** Locks the message until the transaction ends: no answer and no change meanwhile. */
export async function lockMessage(tx: Db, id: string): Promise<StoredMessage | null> {
  const { rows } = await sql<MessageRow>`
    select ${COLUMNS} from contact_messages where id = ${id} for update`.execute(tx);
  return (await addAnswers(tx, rows))[0] ?? null;
}

/** Requires the locked message. */
export async function insertAnswer(
  tx: Db,
  answer: Pick<AnswerRow, 'id' | 'messageId' | 'text' | 'created_at'> & { readonly authorId: string },
): Promise<void> {
  await sql`
    insert into contact_answers (id, message_id, author_id, text, created_at)
    values (${answer.id}, ${answer.messageId}, ${answer.authorId}, ${answer.text}, ${answer.created_at})`.execute(tx);
}

export async function setState(tx: Db, id: string, state: ContactState): Promise<void> {
  await sql`update contact_messages set state = ${state} where id = ${id}`.execute(tx);
}

export async function setSpam(tx: Db, id: string, isSpam: boolean): Promise<void> {
  await sql`update contact_messages set is_suspect = ${isSpam} where id = ${id}`.execute(tx);
}

export async function deleteMessage(tx: Db, id: string): Promise<void> {
  await sql`delete from contact_messages where id = ${id}`.execute(tx);
}

/** An answer with the address that it goes to; null if its message was deleted. */
export async function findAnswer(
  db: Db,
  id: string,
): Promise<{ readonly email: string; readonly text: string } | null> {
  const { rows } = await sql<{ email: string; text: string }>`
    select message.email, answer.text from contact_answers answer
    join contact_messages message on message.id = answer.message_id where answer.id = ${id}`.execute(db);
  return rows[0] ?? null;
}
