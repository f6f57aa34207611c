/** The staff queue of tickets, their assignment and internal notes. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { mayUse, STAFF_ROLES } from '#src/shop/permissions.ts';
import { TICKET_COLUMNS } from './store.ts';
import type { StoredStatus, TicketRow } from './store.ts';

/** Roles that may answer tickets. */
const ANSWERING = STAFF_ROLES.filter((role) => mayUse(role, 'support'));

/** A member of staff who may answer tickets. */
export interface Assignee {
  readonly id: string;
  readonly username: string;
}

export interface QueuedRow extends TicketRow {
  readonly number: number;
  readonly username: string;
  readonly email: string;
  readonly last_message_at: Date;
  readonly unread: number;
  /** Null: answered or closed. */
  readonly waiting_since: Date | null;
  /** Null: nobody who may answer tickets now. */
  readonly assignee: Assignee | null;
}

export interface QueueQuery {
  readonly status?: StoredStatus | undefined;
  /** Search text as typed; empty or undefined for all. */
  readonly q?: string | undefined;
  /** Order numbers that the search text may mean. */
  readonly orderNumbers?: readonly string[] | undefined;
  readonly unread?: boolean | undefined;
  /** Whether the customer waits for an answer. */
  readonly isWaiting?: boolean | undefined;
  /** A member of staff, or null for unassigned tickets. */
  readonly assigneeId?: string | null | undefined;
  /** The longest waiting first, or the newest message first. */
  readonly sort?: 'waiting' | 'newest' | undefined;
  readonly limit: number;
  readonly offset: number;
}

const ASSIGNEE = sql`
  left join users assignee on assignee.id = ticket.assignee_id
    and assignee.role = any(${ANSWERING}::text[]) and assignee.deleted_at is null`;

/** Everything of a queued ticket, from `tickets ticket`. */
const QUEUE = sql`
  select ticket.*, users.username, users.email, assignee.id as staff_id,
    case when assignee.id is null then null
      else json_build_object('id', assignee.id, 'username', assignee.username) end as assignee,
    case when ticket.support_read < 0 then 1 else 0 end + (
      select count(*) from ticket_messages message
      where message.ticket_id = ticket.id and message.position > ticket.support_read
        and message.sender_type = 'user') as unread
  from tickets ticket join users on users.id = ticket.user_id ${ASSIGNEE}`;

const QUEUED_COLUMNS = sql`${TICKET_COLUMNS}, number::integer as number, username, email, last_message_at,
  unread::integer as unread, waiting_since, assignee`;

const toLike = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

export async function listQueue(db: Db, query: QueueQuery): Promise<{ rows: QueuedRow[]; total: number }> {
  const { assigneeId, q = '' } = query;
  const like = q === '' ? null : toLike(q);
  const number = /^#?(\d{1,9})$/.exec(q)?.[1] ?? null;
  const ofStaff = assigneeId === undefined ? sql`true` : sql`assignee.id is not distinct from ${assigneeId}::uuid`;
  const order =
    query.sort === 'waiting'
      ? sql`waiting_since nulls last, last_message_at desc, id desc`
      : sql`last_message_at desc, id desc`;
  const { rows } = await sql<QueuedRow & { total: number }>`
    with queue as (
      ${QUEUE}
      where (${query.status ?? null}::text is null or ticket.status = ${query.status ?? null})
        and (${query.isWaiting ?? null}::boolean is null or (ticket.waiting_since is not null) = ${query.isWaiting ?? null})
        and ${ofStaff}
        and (${like}::text is null or ticket.title ilike ${like} or ticket.theme ilike ${like}
          or users.username ilike ${like} or users.email ilike ${like} or ticket.number = ${number}::bigint
          or exists (select from orders
            where orders.user_id = ticket.user_id and orders.number = any(${query.orderNumbers ?? []}::bigint[])))
    )
    select ${QUEUED_COLUMNS}, count(*) over ()::integer as total
    from queue
    where ${query.unread ?? null}::boolean is null or (unread > 0) = ${query.unread ?? null}
    order by ${order} limit ${query.limit} offset ${query.offset}`.execute(db);
  return { rows, total: rows[0]?.total ?? 0 };
}

export async function findQueued(db: Db, id: string): Promise<QueuedRow | null> {
  const { rows } = await sql<QueuedRow>`
    select ${QUEUED_COLUMNS} from (${QUEUE} where ticket.id = ${id}) queue`.execute(db);
  return rows[0] ?? null;
}

export interface QueueCounts {
  readonly open: number;
  readonly in_progress: number;
  /** Of those that are not closed. */
  readonly waiting: number;
  readonly mine: number;
  readonly unassigned: number;
}

/** Counts tickets that are not closed. */
export async function countQueue(db: Db, staffId: string): Promise<QueueCounts> {
  const { rows } = await sql<QueueCounts>`
    select count(*) filter (where status = 'open')::integer as open,
      count(*) filter (where status = 'in_progress')::integer as in_progress,
      count(*) filter (where waiting_since is not null)::integer as waiting,
      count(*) filter (where assignee.id = ${staffId})::integer as mine,
      count(*) filter (where assignee.id is null)::integer as unassigned
    from tickets ticket ${ASSIGNEE} where ticket.status <> 'closed'`.execute(db);
  return rows[0] ?? { open: 0, in_progress: 0, waiting: 0, mine: 0, unassigned: 0 };
}

/** The member of staff of a locked ticket. */
export async function findAssignee(tx: Db, ticketId: string): Promise<Assignee | null> {
  const { rows } = await sql<Assignee>`
    select assignee.id, assignee.username from tickets ticket ${ASSIGNEE}
    where ticket.id = ${ticketId} and assignee.id is not null`.execute(tx);
  return rows[0] ?? null;
}

/** A member of staff; null for accounts that may not answer tickets. */
export async function findStaffMember(tx: Db, id: string): Promise<Assignee | null> {
  const { rows } = await sql<Assignee>`
    select id, username from users where id = ${id} and role = any(${ANSWERING}::text[]) and deleted_at is null`.execute(
    tx,
  );
  return rows[0] ?? null;
}

export async function listStaffMembers(db: Db): Promise<Assignee[]> {
  const { rows } = await sql<Assignee>`
    select id, username from users where role = any(${ANSWERING}::text[]) and deleted_at is null
    order by username_key`.execute(db);
  return rows;
}

/** Requires the locked ticket row. */
export async function setAssignee(tx: Db, ticketId: string, assigneeId: string | null): Promise<void> {
  await sql`update tickets set assignee_id = ${assigneeId} where id = ${ticketId}`.execute(tx);
}

// ---- internal notes

export interface NoteRow {
  readonly id: string;
  /** Username of the author. */
  readonly author: string;
  readonly text: string;
  readonly created_at: Date;
}

export async function insertNote(
  tx: Db,
  note: Pick<NoteRow, 'id' | 'text' | 'created_at'> & { readonly ticketId: string; readonly authorId: string },
): Promise<void> {
  await sql`
    insert into ticket_notes (id, ticket_id, author_id, text, created_at)
    values (${note.id}, ${note.ticketId}, ${note.authorId}, ${note.text}, ${note.created_at})`.execute(tx);
}

/** Oldest first. */
export async function listNotes(db: Db, ticketId: string): Promise<NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select note.id, users.username as author, note.text, note.created_at
    from ticket_notes note join users on users.id = note.author_id
    where note.ticket_id = ${ticketId} order by note.id`.execute(db);
  return rows;
}

export async function countNotes(tx: Db, ticketId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ticket_notes where ticket_id = ${ticketId}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** False if the ticket has no such note. */
export async function deleteNote(tx: Db, ticketId: string, noteId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from ticket_notes where id = ${noteId} and ticket_id = ${ticketId} returning id`.execute(tx);
  return rows.length > 0;
}
