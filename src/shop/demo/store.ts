/** Read model of the `mails` table, which the mail platform writes. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Mail } from '#src/platform/mail/mails.ts';

interface Tables {
  mails: {
    id: bigint;
    at: Date;
    recipient: string | null;
    subject: string | null;
    text_body: string | null;
    html_body: string | null;
    attachment_names: readonly string[];
  };
}

const tables = (db: Db) => db.$extendTables<Pick<Tables, keyof Tables>>();

export interface StoredMail extends Mail {
  readonly id: bigint;
  readonly at: Date;
  readonly attachmentNames: readonly string[];
}

const selectStoredMails = (db: Db) =>
  tables(db)
    .selectFrom('mails')
    .select([
      'id',
      'at',
      'recipient as to',
      'subject',
      'text_body as text',
      'html_body as html',
      'attachment_names as attachmentNames',
    ])
    .where('recipient', 'is not', null)
    // The four columns are set together or not at all.
    .$narrowType<{ to: string; subject: string; text: string; html: string }>();

/** Newest first. @param to address without regard to case; null for all addresses */
export async function listMails(db: Db, to: string | null, limit: number): Promise<StoredMail[]> {
  const newest = selectStoredMails(db).orderBy('id', 'desc').limit(limit);
  return (to === null ? newest : newest.where(sql`lower(recipient)`, '=', sql`lower(${to})`)).execute();
}

export async function findMail(db: Db, id: bigint): Promise<StoredMail | null> {
  return (await selectStoredMails(db).where('id', '=', id).executeTakeFirst()) ?? null;
}
