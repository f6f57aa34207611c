/** Records of sent mails, and in demo mode their content. */
import type { Generated } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Mail } from './smtp-transport.ts';

interface Tables {
  mails: {
    id: Generated<bigint>;
    event: string;
    outcome: 'delivered' | 'refused';
    at: Date;
    recipient: string | null;
    subject: string | null;
    text_body: string | null;
    html_body: string | null;
  };
}

const tables = (db: Db) => db.$extendTables<Pick<Tables, keyof Tables>>();

export async function hasOutcome(db: Db, event: string): Promise<boolean> {
  const query = tables(db).selectFrom('mails').select('id').where('event', '=', event);
  return (await query.executeTakeFirst()) !== undefined;
}

export interface MailOutcome {
  readonly event: string;
  readonly outcome: 'delivered' | 'refused';
  readonly at: Date;
  /** Null: the content is not stored. */
  readonly mail: Mail | null;
}

/** False if a mail with this deduplication key exists. */
export async function recordOutcome(db: Db, { event, outcome, at, mail }: MailOutcome): Promise<boolean> {
  const content = {
    recipient: mail?.to ?? null,
    subject: mail?.subject ?? null,
    text_body: mail?.text ?? null,
    html_body: mail?.html ?? null,
  };
  const inserting = tables(db)
    .insertInto('mails')
    .values({ event, outcome, at, ...content })
    .onConflict((conflict) => conflict.column('event').doNothing());
  return (await inserting.returning('id').executeTakeFirst()) !== undefined;
}

export async function deleteMailsBefore(db: Db, before: Date): Promise<void> {
  await tables(db).deleteFrom('mails').where('at', '<', before).execute();
}

/** @param recipients compared without regard to case */
const ERASED_CONTENT = { recipient: null, subject: null, text_body: null, html_body: null };

export async function eraseContent(db: Db, recipients: readonly string[]): Promise<void> {
  await tables(db)
    .updateTable('mails')
    .set(ERASED_CONTENT)
    .where('recipient', 'is not', null)
    .where(sql<boolean>`lower(recipient) in (select lower(one) from unnest(${recipients}::text[]) one)`)
    .execute();
}

export async function eraseContentOfEvents(db: Db, events: readonly string[]): Promise<void> {
  if (events.length === 0) return;
  await tables(db).updateTable('mails').set(ERASED_CONTENT).where('event', 'in', events).execute();
}
