/** Contact messages. */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { listAnswers } from './inbox.store.ts';

type Tables = Record<
  'contact_messages',
  {
    id: string;
    first_name: string;
    last_name: string;
    email: string;
    message: string;
    is_suspect: boolean;
    fingerprint: Buffer;
    created_at: Date;
  }
>;

const tables = (db: Db): Kysely<Tables> => db.$extendTables<Tables>();

export interface NewMessage {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly message: string;
  readonly isSuspect: boolean;
  readonly fingerprint: Buffer;
  readonly createdAt: Date;
}

/** Serializes messages with the same fingerprint until the transaction ends. */
export async function lockFingerprint(tx: Db, fingerprint: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(encode(${fingerprint}::bytea, 'hex'), 0))`.execute(tx);
}

export async function hasMessageSince(tx: Db, fingerprint: Buffer, since: Date): Promise<boolean> {
  const row = await tables(tx)
    .selectFrom('contact_messages')
    .select('id')
    .where('fingerprint', '=', fingerprint)
    .where('created_at', '>', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertMessage(tx: Db, message: NewMessage): Promise<void> {
  await tables(tx)
    .insertInto('contact_messages')
    .values({
      id: message.id,
      first_name: message.firstName,
      last_name: message.lastName,
      email: message.email,
      message: message.message,
      is_suspect: message.isSuspect,
      fingerprint: message.fingerprint,
      created_at: message.createdAt,
    })
    .execute();
}

/** A contact message in the export of personal data. */
export interface SentMessage {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly message: string;
  readonly created_at: Date;
  readonly answers: { readonly text: string; readonly created_at: Date }[];
}

/** @param addresses in NFKC and lower case */
export async function listMessagesFrom(db: Db, addresses: readonly string[]): Promise<SentMessage[]> {
  const { rows } = await sql<Omit<SentMessage, 'answers'> & { id: string }>`
    select id, first_name, last_name, email, message, created_at from contact_messages
    where lower(normalize(email, nfkc)) = any(${addresses}::text[]) order by created_at
  `.execute(db);
  const answers = await listAnswers(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, ...row }) => ({
    ...row,
    answers: answers
      .filter(({ messageId }) => messageId === id)
      .map(({ text, created_at: at }) => ({ text, created_at: at })),
  }));
}

/** Returns the ids of the deleted messages. @param addresses in NFKC and lower case */
export async function deleteMessagesFrom(tx: Db, addresses: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from contact_messages where lower(normalize(email, nfkc)) = any(${addresses}::text[]) returning id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export async function countMessagesBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (select from contact_messages where created_at < ${before} limit ${limit}) old
  `.execute(db);
  return rows[0]?.total ?? 0;
}

export async function deleteMessages(
  db: Db,
  before: { readonly genuine: Date; readonly suspect: Date },
): Promise<void> {
  await tables(db)
    .deleteFrom('contact_messages')
    .where((of) =>
      of.or([
        of('created_at', '<', before.genuine),
        of.and([of('is_suspect', '=', true), of('created_at', '<', before.suspect)]),
      ]),
    )
    .execute();
}
