/** Records of sent mails, and in demo mode their content. */
import type { Generated, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { compileOnce } from '#src/platform/database/compile-once.ts';
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
    recipient_digest: Buffer | null;
    attachment_names: Generated<readonly string[]>;
  };
}

const tables = (db: Db) => db.$extendTables<Pick<Tables, keyof Tables>>();

const selectMail = compileOnce((db, { event }: { readonly event: string }) =>
  tables(db).selectFrom('mails').select('id').where('event', '=', event),
);

export async function hasOutcome(db: Db, event: string): Promise<boolean> {
  return (await selectMail(db, { event })).rows.length > 0;
}

/** Of a mail and its address, in NFKC and without regard to case. */
const digest = (event: RawBuilder<string>, address: RawBuilder<string>): RawBuilder<Buffer> =>
  sql`sha256(convert_to(${event} || ' ' || lower(normalize(${address}, nfkc)), 'UTF8'))`;

const selectDelivered = compileOnce((db, { event, address }: { readonly event: string; readonly address: string }) =>
  tables(db)
    .selectFrom('mails')
    .select('id')
    .where('event', '=', event)
    .where('outcome', '=', 'delivered')
    .where('recipient_digest', '=', digest(sql`${event}::text`, sql`${address}::text`)),
);

/** Whether the mail was handed over for this address. */
export async function isDeliveredTo(db: Db, event: string, address: string): Promise<boolean> {
  return (await selectDelivered(db, { event, address })).rows.length > 0;
}

export interface MailOutcome {
  readonly event: string;
  readonly outcome: 'delivered' | 'refused';
  readonly at: Date;
  readonly address: string;
  /** Null: the content is not stored. */
  readonly mail: Mail | null;
}

const insertMail = compileOnce(
  (
    db,
    of: Omit<MailOutcome, 'mail'> &
      Pick<Tables['mails'], keyof typeof ERASED_CONTENT> & { readonly attachment_names: readonly string[] },
  ) =>
    tables(db)
      .insertInto('mails')
      .values({
        event: of.event,
        outcome: of.outcome,
        at: of.at,
        recipient: of.recipient,
        subject: of.subject,
        text_body: of.text_body,
        html_body: of.html_body,
        attachment_names: sql<readonly string[]>`${of.attachment_names}::text[]`,
        recipient_digest: sql<Buffer | null>`case when ${of.outcome}::text = 'delivered'
          then ${digest(sql`${of.event}::text`, sql`${of.address}::text`)} end`,
      })
      .onConflict((conflict) => conflict.column('event').doNothing())
      .returning('id'),
);

/** False if a mail with this deduplication key exists. */
export async function recordOutcome(db: Db, { event, outcome, at, address, mail }: MailOutcome): Promise<boolean> {
  const content = {
    recipient: mail?.to ?? null,
    subject: mail?.subject ?? null,
    text_body: mail?.text ?? null,
    html_body: mail?.html ?? null,
    attachment_names: mail?.attachments?.map(({ filename }) => filename) ?? [],
  };
  return (await insertMail(db, { event, outcome, at, address, ...content })).rows.length > 0;
}

export async function deleteMailsBefore(db: Db, before: Date): Promise<void> {
  await tables(db).deleteFrom('mails').where('at', '<', before).execute();
}

const ERASED_CONTENT = { recipient: null, subject: null, text_body: null, html_body: null };

/** @param recipients compared in NFKC and without regard to case */
export async function eraseContent(db: Db, recipients: readonly string[]): Promise<void> {
  await tables(db)
    .updateTable('mails')
    .set(ERASED_CONTENT)
    .where('recipient', 'is not', null)
    .where(
      sql<boolean>`lower(normalize(recipient, nfkc)) in
        (select lower(normalize(one, nfkc)) from unnest(${recipients}::text[]) one)`,
    )
    .execute();
  await tables(db)
    .updateTable('mails')
    .set({ recipient_digest: null })
    .where('recipient_digest', 'is not', null)
    .where(
      sql<boolean>`recipient_digest in
        (select ${digest(sql`event`, sql`one`)} from unnest(${recipients}::text[]) one)`,
    )
    .execute();
}

export async function eraseContentOfEvents(db: Db, events: readonly string[]): Promise<void> {
  if (events.length === 0) return;
  await tables(db).updateTable('mails').set(ERASED_CONTENT).where('event', 'in', events).execute();
}
