/** Tickets and their messages. */
import { sql } from 'kysely';
import { isUniqueViolation } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { SenderRole } from './sender-role.ts';

export type StoredStatus = 'open' | 'in_progress' | 'closed';

export interface TicketRow {
  readonly id: string;
  readonly user_id: string;
  readonly title: string;
  readonly theme: string;
  readonly description: string;
  readonly status: StoredStatus;
  readonly created_at: Date;
}

export interface MessageRow {
  readonly id: string;
  readonly ticket_id: string;
  readonly position: number;
  readonly sender_type: SenderRole;
  readonly message: string;
  readonly created_at: Date;
}

export const TICKET_COLUMNS = sql.raw('id, user_id, title, theme, description, status, created_at');
const MESSAGE_COLUMNS = sql.raw('id, ticket_id, position, sender_type, message, created_at');
const SLOTS = [1, 2] as const;

// ---- tickets

export interface NewTicket extends Omit<TicketRow, 'status'> {
  readonly requestKey: string | null;
}

/** False if both slots of the user are taken. Waits for a concurrent transaction that takes one. */
export async function insertTicket(tx: Db, ticket: NewTicket): Promise<boolean> {
  const { id, user_id: userId, title, theme, description, created_at: at, requestKey } = ticket;
  for (const slot of SLOTS) {
    const { rows } = await sql`
      insert into tickets
        (id, user_id, slot, title, theme, description, created_at, last_message_at, waiting_since, request_key)
      values (${id}, ${userId}, ${slot}, ${title}, ${theme}, ${description}, ${at}, ${at}, ${at}, ${requestKey})
      on conflict (user_id, slot) where status <> 'closed' do nothing returning id`.execute(tx);
    if (rows.length > 0) return true;
  }
  return false;
}

/** Ticket created with an idempotency key. */
export async function findTicketByKey(tx: Db, userId: string, key: string): Promise<TicketRow | null> {
  const { rows } = await sql<TicketRow>`
    select ${TICKET_COLUMNS} from tickets where user_id = ${userId} and request_key = ${key}`.execute(tx);
  return rows[0] ?? null;
}

/** Serializes ticket creation of the user until the transaction ends. */
export async function lockUser(tx: Db, userId: string): Promise<void> {
  await sql`select from users where id = ${userId} for no key update`.execute(tx);
}

export async function findTicket(db: Db, id: string): Promise<TicketRow | null> {
  const { rows } = await sql<TicketRow>`select ${TICKET_COLUMNS} from tickets where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Newest first. */
export async function listTickets(db: Db, userId: string, limit: number): Promise<TicketRow[]> {
  const { rows } = await sql<TicketRow>`
    select ${TICKET_COLUMNS} from tickets where user_id = ${userId} order by created_at desc, id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Oldest first. */
export async function listIds(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tickets where user_id = ${userId} order by created_at, id`.execute(db);
  return rows.map(({ id }) => id);
}

export interface LockedTicket extends TicketRow {
  readonly last_position: number;
  readonly last_message_id: string | null;
  readonly last_message_at: Date;
}

/** Locks the ticket until the transaction ends: no other message, no status change. */
export async function lockTicket(tx: Db, id: string): Promise<LockedTicket | null> {
  const { rows } = await sql<LockedTicket>`
    select ${TICKET_COLUMNS}, last_position, last_message_id, last_message_at
    from tickets where id = ${id} for no key update`.execute(tx);
  return rows[0] ?? null;
}

export async function markInProgress(tx: Db, id: string): Promise<void> {
  await sql`update tickets set status = 'in_progress' where id = ${id} and status = 'open'`.execute(tx);
}

export async function closeTicket(tx: Db, id: string, at: Date): Promise<void> {
  await sql`
    update tickets set status = 'closed', slot = null, closed_at = ${at}, waiting_since = null
    where id = ${id} and status <> 'closed'`.execute(tx);
}

/**
 * Reopens a ticket that was closed since then, as in progress. Fails with `isSlotTaken` if its user takes the last
 * slot meanwhile. The caller holds the lock of the ticket.
 */
export async function reopenTicket(
  tx: Db,
  id: string,
  closedSince: Date,
): Promise<'reopened' | 'too-late' | 'no-slot'> {
  const { rows } = await sql<{ slot: number | null }>`
    select (select min(free.slot) from unnest(${SLOTS}::smallint[]) as free (slot) where not exists (
      select from tickets open where open.user_id = tickets.user_id and open.slot = free.slot)) as slot
    from tickets where id = ${id} and status = 'closed' and closed_at >= ${closedSince}`.execute(tx);
  const [found] = rows;
  if (found === undefined) return 'too-late';
  if (found.slot === null) return 'no-slot';
  await sql`
    update tickets set status = 'in_progress', slot = ${found.slot}, closed_at = null
    where id = ${id} and status = 'closed'`.execute(tx);
  return 'reopened';
}

/** Violation of the constraint that a user has two open tickets. */
export const isSlotTaken = (error: unknown): boolean => isUniqueViolation(error, 'tickets_two_open');

// ---- messages

export interface NewMessage extends MessageRow {
  readonly senderId: string;
  readonly requestKey: string | null;
}

/** Requires the locked ticket row. The sender has read everything up to the new message. */
export async function insertMessage(tx: Db, row: NewMessage): Promise<void> {
  const isOfUser = row.sender_type === 'user';
  const read = sql.raw(isOfUser ? 'user_read' : 'support_read');
  await sql`
    with written as (
      insert into ticket_messages
        (id, ticket_id, position, sender_type, sender_id, message, request_key, created_at)
      values (${row.id}, ${row.ticket_id}, ${row.position}, ${row.sender_type}, ${row.senderId}, ${row.message},
        ${row.requestKey}, ${row.created_at})
    )
    update tickets set last_position = ${row.position}, last_message_id = ${row.id},
      last_message_at = ${row.created_at}, ${read} = ${row.position},
      waiting_since = ${isOfUser ? sql`coalesce(waiting_since, ${row.created_at}::timestamptz)` : null}
    where id = ${row.ticket_id}`.execute(tx);
}

export async function findMessageByKey(
  tx: Db,
  ticketId: string,
  senderId: string,
  key: string,
): Promise<MessageRow | null> {
  const { rows } = await sql<MessageRow>`
    select ${MESSAGE_COLUMNS} from ticket_messages
    where ticket_id = ${ticketId} and sender_id = ${senderId} and request_key = ${key}`.execute(tx);
  return rows[0] ?? null;
}

export interface MessagePage {
  /** Message ids; those of another ticket are ignored. */
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Oldest first: the next messages after one, or the last ones before one or before the end. */
export async function listMessages(
  db: Db,
  ticketId: string,
  { after, before, limit }: MessagePage,
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${MESSAGE_COLUMNS} from ticket_messages
    where ticket_id = ${ticketId}
      and position > coalesce((
        select position from ticket_messages where id = ${after ?? null}::uuid and ticket_id = ${ticketId}), 0)
      and position < coalesce((
        select position from ticket_messages where id = ${before ?? null}::uuid and ticket_id = ${ticketId}), 2147483647)
    order by position ${sql.raw(after === undefined ? 'desc' : 'asc')} limit ${limit}`.execute(db);
  return after === undefined ? rows.toReversed() : rows;
}

/** State of a ticket for the live channel. */
export interface TicketState {
  readonly id: string;
  readonly userId: string;
  readonly status: StoredStatus;
  readonly lastPosition: number;
}

export async function findStates(db: Db, ids: readonly string[]): Promise<TicketState[]> {
  const { rows } = await sql<TicketState>`
    select id, user_id as "userId", status, last_position as "lastPosition"
    from tickets where id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** In order and without a gap per ticket. */
export async function listMessagesAfter(
  db: Db,
  ticketId: string,
  position: number,
  limit: number,
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${MESSAGE_COLUMNS} from ticket_messages
    where ticket_id = ${ticketId} and position > ${position} order by position limit ${limit}`.execute(db);
  return rows;
}

// ---- read receipts

/** False if the ticket has no such message. Never moves back. */
export async function markRead(db: Db, ticketId: string, messageId: string, side: SenderRole): Promise<boolean> {
  const read = sql.raw(side === 'user' ? 'user_read' : 'support_read');
  const { rows } = await sql`
    update tickets set ${read} = greatest(${read}, message.position) from ticket_messages message
    where tickets.id = ${ticketId} and message.id = ${messageId} and message.ticket_id = ${ticketId}
    returning tickets.id`.execute(db);
  return rows.length > 0;
}

/** Marks the ticket itself as seen by staff; false if it was. */
export async function markSeen(db: Db, ticketId: string): Promise<boolean> {
  const { rows } = await sql`
    update tickets set support_read = 0 where id = ${ticketId} and support_read < 0 returning id`.execute(db);
  return rows.length > 0;
}

export async function countUnread(db: Db, userId: string): Promise<{ ticket_id: string; count: number }[]> {
  const { rows } = await sql<{ ticket_id: string; count: number }>`
    select ticket.id as ticket_id, count(*)::integer as count
    from tickets ticket join ticket_messages message on message.ticket_id = ticket.id
    where ticket.user_id = ${userId} and ticket.last_position > ticket.user_read
      and message.position > ticket.user_read and message.sender_type = 'support'
    group by ticket.id order by ticket.id`.execute(db);
  return rows;
}

// ---- personal data

/** All messages of the user's tickets, in order. */
export async function listUserMessages(db: Db, userId: string): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${MESSAGE_COLUMNS} from ticket_messages
    where ticket_id in (select id from tickets where user_id = ${userId}) order by ticket_id, position`.execute(db);
  return rows;
}

/** Returns the ids of the deleted tickets. */
export async function deleteTickets(tx: Db, userId: string): Promise<string[]> {
  // Serialized with concurrent messages: they are stored before the deletion or find no ticket.
  await sql`select from tickets where user_id = ${userId} order by id for update`.execute(tx);
  await sql`
    delete from ticket_messages where ticket_id in (select id from tickets where user_id = ${userId})`.execute(tx);
  const { rows } = await sql<{ id: string }>`delete from tickets where user_id = ${userId} returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Deletes closed tickets without a message since the given time. */
const isOld = (before: Date) => sql`status = 'closed' and closed_at < ${before} and last_message_at < ${before}`;

export async function countClosedBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (select from tickets where ${isOld(before)} limit ${limit}) old
  `.execute(db);
  return rows[0]?.total ?? 0;
}

export async function deleteClosedBefore(tx: Db, before: Date): Promise<void> {
  const old = sql`select id from tickets where ${isOld(before)}`;
  await sql`delete from ticket_messages where ticket_id in (${old})`.execute(tx);
  await sql`delete from tickets where id in (${old})`.execute(tx);
}
