/** Numbers and names of the subjects of audit entries. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { AuditSubject } from '../audit-entry.ts';

interface FoundSubject {
  /** A member is an account of the team. */
  readonly kind: 'account' | 'member' | 'message' | 'order' | 'ticket';
  readonly id: string;
  /** Number of an order or ticket, username, or name of a sender. */
  readonly name: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Those of the subjects that exist. Erased accounts do not. */
export async function findSubjects(db: Db, subjects: readonly AuditSubject[]): Promise<readonly FoundSubject[]> {
  const listIds = (kind: FoundSubject['kind']) =>
    subjects.flatMap((subject) => (subject.kind === kind && UUID.test(subject.id) ? [subject.id] : []));
  const { rows } = await sql<FoundSubject>`
    select 'order' as kind, id, number::text as name from orders where id = any(${listIds('order')}::uuid[])
    union all
    select 'ticket', id, number::text from tickets where id = any(${listIds('ticket')}::uuid[])
    union all
    select case when role = 'customer' then 'account' else 'member' end, id, username from users
      where deleted_at is null and id = any(${listIds('account')}::uuid[])
    union all
    select 'message', id, first_name || ' ' || last_name from contact_messages
      where id = any(${listIds('message')}::uuid[])
  `.execute(db);
  return rows;
}

/** Ids of the orders and tickets with these numbers. */
export async function findNumbered(
  db: Db,
  { orders, tickets }: { readonly orders: readonly string[]; readonly tickets: readonly string[] },
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from orders where number = any(${orders}::bigint[])
    union all select id from tickets where number = any(${tickets}::bigint[])
  `.execute(db);
  return rows.map(({ id }) => id);
}
