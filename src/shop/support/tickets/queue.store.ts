/** The staff queue of tickets, their assignment and internal notes. */
import { foldText } from '#src/shop/fold-text.ts';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { MAX_COUNTED } from '#src/shop/counted-list.ts';
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
  /** Empty: an account of the team. */
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
  /** The search text as keys of names and addresses are stored. */
  readonly key?: string | undefined;
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
  select ticket.*, users.username, case when users.role = 'customer' then users.email else '' end as email,
    assignee.id as staff_id,
    case when assignee.id is null then null
      else json_build_object('id', assignee.id, 'username', assignee.username) end as assignee,
    case when ticket.support_read < 0 then 1 else 0 end + (
      select count(*) from ticket_messages message
      where message.ticket_id = ticket.id and message.position > ticket.support_read
        and message.sender_type = 'user') as unread
  from tickets ticket join users on users.id = ticket.user_id ${ASSIGNEE}`;

const QUEUED_COLUMNS = sql`${TICKET_COLUMNS}, number::integer as number, username, email, last_message_at,
  unread::integer as unread, waiting_since, assignee`;

// "Not a customer" is the condition of an index.
const ANSWERERS = sql`(
  select id from users where role <> 'customer' and role = any(${ANSWERING}::text[]) and deleted_at is null)`;

function selectAssigned(assigneeId: string | null): RawBuilder<unknown> {
  return assigneeId === null
    ? sql`(ticket.assignee_id is null or ticket.assignee_id not in ${ANSWERERS})`
    : sql`ticket.assignee_id = ${assigneeId} and ticket.assignee_id in ${ANSWERERS}`;
}

/** Has a description or a message of the customer that staff have not read. */
const IS_UNREAD = sql`(ticket.support_read < 0 or (ticket.support_read < ticket.last_position and exists (
  select from ticket_messages message
  where message.ticket_id = ticket.id and message.position > ticket.support_read and message.sender_type = 'user')))`;

function selectFound(q: string, key: string, orderNumbers: readonly string[]): RawBuilder<unknown> {
  const number = /^#?(\d{1,9})$/.exec(q)?.[1] ?? null;
  return sql`(strpos(ticket.folded_text, ${foldText(q)}) > 0 or ticket.number = ${number}::bigint
    or ticket.user_id in (select id from users where strpos(folded_username, ${key}) > 0
      or (role = 'customer' and strpos(folded_email, ${key}) > 0))
    or ticket.user_id = any(array(select user_id from orders where number = any(${orderNumbers}::bigint[]))))`;
}

function listConditions(query: QueueQuery): RawBuilder<unknown>[] {
  const { assigneeId, isWaiting, key = '', orderNumbers = [], q = '', status, unread } = query;
  return [
    ...(status === undefined ? [] : [sql`ticket.status = ${status}`]),
    ...(isWaiting === undefined ? [] : [sql`(ticket.waiting_since is not null) = ${isWaiting}`]),
    ...(assigneeId === undefined ? [] : [selectAssigned(assigneeId)]),
    ...(unread === undefined ? [] : [sql`${IS_UNREAD} = ${unread}`]),
    ...(q === '' ? [] : [selectFound(q, key, orderNumbers)]),
  ];
}

interface Found {
  /** Common table expressions; `page` has the ids of the page. */
  readonly tables: RawBuilder<unknown>;
  /** How many tickets match, up to one above `MAX_COUNTED`. */
  readonly matching: RawBuilder<unknown>;
}

/** Without a filter all are listed; otherwise at most `MAX_COUNTED`, found and counted in one pass. */
function selectPage(
  conditions: readonly RawBuilder<unknown>[],
  order: RawBuilder<unknown>,
  { limit, offset }: Pick<QueueQuery, 'limit' | 'offset'>,
): Found {
  const place = sql`order by ${order} limit ${limit} offset ${offset}`;
  if (conditions.length === 0) {
    return {
      tables: sql`page as materialized (select id from tickets ${place})`,
      matching: sql`select count(*)::integer as matching from tickets`,
    };
  }
  return {
    tables: sql`
      found as materialized (
        select ticket.id, ticket.waiting_since, ticket.last_message_at from tickets ticket
        where ${sql.join(conditions, sql` and `)} order by ${order} limit ${MAX_COUNTED + 1}),
      page as materialized (
        select id from (select * from found order by ${order} limit ${MAX_COUNTED}) listed ${place})`,
    matching: sql`select count(*)::integer as matching from found`,
  };
}

/** Of a search or filter at most `MAX_COUNTED` are counted and listed. */
export async function listQueue(
  db: Db,
  query: QueueQuery,
): Promise<{ readonly rows: QueuedRow[]; readonly total: number; readonly hasMore: boolean }> {
  const order =
    query.sort === 'waiting'
      ? sql`waiting_since nulls last, last_message_at desc, id desc`
      : sql`last_message_at desc, id desc`;
  const conditions = listConditions(query);
  const { tables, matching } = selectPage(conditions, order, query);
  // The page is chosen before the customer, the assignee and the unread messages of its tickets are read.
  const { rows } = await sql<Omit<QueuedRow, 'id'> & { readonly id: string | null; readonly matching: number }>`
    with ${tables}
    select counted.matching, queued.* from (${matching}) counted
    left join (
      select ${QUEUED_COLUMNS} from (${QUEUE} where ticket.id in (select id from page)) queue
    ) queued on true
    order by ${order}`.execute(db);
  const count = rows[0]?.matching ?? 0;
  const hasMore = conditions.length > 0 && count > MAX_COUNTED;
  return {
    rows: rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ ...row, id }])),
    total: hasMore ? MAX_COUNTED : count,
    hasMore,
  };
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

export interface CustomerTicket {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly status: 'open' | 'in_progress' | 'closed';
  readonly created_at: Date;
}

/** Tickets of a customer, newest first. */
export async function listTicketsOf(db: Db, userId: string, limit: number): Promise<CustomerTicket[]> {
  const { rows } = await sql<CustomerTicket>`
    select id, number::integer as number, title, status, created_at
    from tickets where user_id = ${userId} order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}
