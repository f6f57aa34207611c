/** Tickets and their messages. Writes are serialized by a lock on the ticket row. */
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { runAfterCommit, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Identity } from '#src/platform/http/call.ts';
import { mayAct } from '#src/shop/permissions.ts';
import { restoreAll, consumeAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, RateLimits } from '#src/platform/http/rate-limits.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { normaliseText } from './check-ticket.ts';
import type { TicketDraft } from './check-ticket.ts';
import { chooseSenderRole, listSenderRoles } from './sender-role.ts';
import type { Sender, SenderRole } from './sender-role.ts';
import * as store from './store.ts';

const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;
const MAX_TICKETS = 500;
const PAGE_SIZE = 200;
const FEED_PAGE_SIZE = 200;
const DAY_S = 86_400;

/** Count stored tickets; refused and repeated ones do not count. */
const createTicketCounters = (userId: string, ip: string): readonly LimitCounter[] => [
  { name: 'tickets created', limit: { points: 5, seconds: 3600, by: 'caller', isShared: true }, key: userId },
  { name: 'tickets created a day', limit: { points: 20, seconds: DAY_S, by: 'caller', isShared: true }, key: userId },
  { name: 'tickets created from', limit: { points: 20, seconds: 3600, by: 'ip', isShared: true }, key: ip },
  { name: 'tickets created from a day', limit: { points: 60, seconds: DAY_S, by: 'ip', isShared: true }, key: ip },
];
/** Ten messages a minute, possibly in a burst. Staff are not limited. */
const createMessageCounters = (userId: string, ip: string): readonly LimitCounter[] => [
  { name: 'ticket messages', limit: { points: 30, seconds: 180, by: 'caller', isShared: true }, key: userId },
  { name: 'ticket messages a day', limit: { points: 500, seconds: DAY_S, by: 'caller', isShared: true }, key: userId },
  { name: 'ticket messages from', limit: { points: 120, seconds: 180, by: 'ip', isShared: true }, key: ip },
  { name: 'ticket messages from a day', limit: { points: 2000, seconds: DAY_S, by: 'ip', isShared: true }, key: ip },
];

/** Page of messages; 200 by default. */
type MessagePageQuery = Omit<store.MessagePage, 'limit'> & { readonly limit?: number | undefined };

export type Viewer = Pick<Identity, 'userId' | 'role' | 'lacksSecondFactor'>;

export interface TicketsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: RateLimits;
  /** Called within the transaction that creates a ticket. */
  readonly onCreated: (tx: Db, ticketId: string) => Promise<void>;
  /** Called within the transaction that stores a message. */
  readonly onWritten: (
    tx: Db,
    ticketId: string,
    message: Pick<store.MessageRow, 'id' | 'sender_type' | 'created_at'>,
  ) => Promise<void>;
  /** Called after a change to a ticket is committed. */
  readonly onChanged: (ticketId: string) => void;
  /** Called after staff have seen a ticket for the first time. */
  readonly onSeen: () => void;
}

interface RateLimited {
  readonly ok: false;
  readonly reason: 'too-often';
  readonly retryAfterSeconds: number;
}
export type TicketCreationResult =
  | { readonly ok: true; readonly ticket: store.TicketRow }
  | { readonly ok: false; readonly reason: 'too-many-open' | 'bad-key' | 'key-reused' }
  | RateLimited;
export type MessageResult =
  | { readonly ok: true; readonly message: store.MessageRow }
  | { readonly ok: false; readonly reason: 'missing' | 'wrong-sender' | 'closed' | 'blank' | 'bad-key' | 'key-reused' }
  | RateLimited;

const toSender = (viewer: Viewer): Sender => ({ userId: viewer.userId, isStaff: mayAct(viewer, 'support') });
const isBadKey = (key: string | null): boolean => key !== null && !KEY_PATTERN.test(key);

export class Tickets {
  readonly #options: TicketsOptions;
  readonly #db: Db;

  constructor(options: TicketsOptions) {
    this.#options = options;
    this.#db = options.db;
  }

  // ---- customers

  /** @param key idempotency key; repeated, it returns the first ticket */
  async create(userId: string, draft: TicketDraft, key: string | null, ip: string): Promise<TicketCreationResult> {
    const { clock, limits, onCreated } = this.#options;
    if (isBadKey(key)) return { ok: false, reason: 'bad-key' };
    const content = {
      title: normaliseText(draft.title),
      theme: normaliseText(draft.theme),
      description: normaliseText(draft.description),
    };
    // Counted outside the transaction: waiting transactions hold the connections that counting
    // needs.
    const isRepeated = key !== null && (await store.findTicketByKey(this.#db, userId, key)) !== null;
    const counts = isRepeated ? [] : createTicketCounters(userId, ip);
    const limited = await consumeAll(limits, counts);
    if (!limited.ok) return { ...limited, reason: 'too-often' };
    let isNew = false;
    const created = await transact(this.#db, async (tx): Promise<TicketCreationResult> => {
      isNew = false;
      if (key !== null) {
        await store.lockUser(tx, userId);
        const existing = await store.findTicketByKey(tx, userId, key);
        if (existing)
          return isSameDraft(existing, content) ? { ok: true, ticket: existing } : { ok: false, reason: 'key-reused' };
      }
      const ticket = { ...content, id: uuidv7(), user_id: userId, created_at: clock.now() };
      if (!(await store.insertTicket(tx, { ...ticket, requestKey: key })))
        return { ok: false, reason: 'too-many-open' };
      await onCreated(tx, ticket.id);
      isNew = true;
      return { ok: true, ticket: { ...ticket, status: 'open' } };
    });
    if (!isNew) await restoreAll(limits, counts);
    return created;
  }

  /** Newest first. */
  listTickets(userId: string): Promise<store.TicketRow[]> {
    return store.listTickets(this.#db, userId, MAX_TICKETS);
  }

  /** Oldest first. */
  listIds(userId: string): Promise<string[]> {
    return store.listIds(this.#db, userId);
  }

  async countUnread(userId: string): Promise<{ count: number; tickets: { ticket_id: string; count: number }[] }> {
    const tickets = await store.countUnread(this.#db, userId);
    return { count: tickets.reduce((sum, { count }) => sum + count, 0), tickets };
  }

  // ---- both sides

  /** Null if the ticket does not exist for the viewer. */
  async find(viewer: Viewer, id: string): Promise<store.TicketRow | null> {
    const ticket = await store.findTicket(this.#db, id);
    return ticket && listSenderRoles(toSender(viewer), ticket.user_id).length > 0 ? ticket : null;
  }

  async listMessages(viewer: Viewer, id: string, page: MessagePageQuery): Promise<store.MessageRow[] | null> {
    const ticket = await this.find(viewer, id);
    if (!ticket) return null;
    if (viewer.userId !== ticket.user_id && (await store.markSeen(this.#db, id))) this.#options.onSeen();
    return store.listMessages(this.#db, id, { ...page, limit: page.limit ?? PAGE_SIZE });
  }

  /**
   * Marks messages as read for the viewer's role. False if the ticket or message does not exist.
   */
  async markRead(viewer: Viewer, id: string, messageId: string): Promise<boolean> {
    const ticket = await store.findTicket(this.#db, id);
    const [side] = ticket ? listSenderRoles(toSender(viewer), ticket.user_id) : [];
    return side !== undefined && store.markRead(this.#db, id, messageId, side);
  }

  /** @param key idempotency key of the sender; repeated, it returns the first message */
  async write(
    viewer: Viewer,
    to: {
      readonly ticketId: string;
      readonly side: SenderRole | undefined;
      readonly key: string | null;
      readonly ip: string;
      /** Set for staff, whose messages are recorded in the audit log. */
      readonly by?: Actor;
    },
    text: string,
  ): Promise<MessageResult> {
    const message = normaliseText(text);
    if (isBadKey(to.key)) return { ok: false, reason: 'bad-key' };
    if (message === '') return { ok: false, reason: 'blank' };
    const counts = await this.#createWriteCounters(viewer, to);
    const limited = await consumeAll(this.#options.limits, counts);
    if (!limited.ok) return { ...limited, reason: 'too-often' };
    const { written, isNew } = await this.#write(viewer, to, message);
    if (!isNew) await restoreAll(this.#options.limits, counts);
    return written;
  }

  async #write(
    viewer: Viewer,
    {
      ticketId,
      key,
      side: named,
      by,
    }: { ticketId: string; key: string | null; side: SenderRole | undefined; by?: Actor },
    message: string,
  ): Promise<{ readonly written: MessageResult; readonly isNew: boolean }> {
    let isNew = false;
    const written = await transact(this.#db, async (tx): Promise<MessageResult> => {
      isNew = false;
      const ticket = await store.lockTicket(tx, ticketId);
      const sides = ticket ? listSenderRoles(toSender(viewer), ticket.user_id) : [];
      if (!ticket || sides.length === 0) return { ok: false, reason: 'missing' };
      const side = chooseSenderRole(sides, named);
      if (side === null) return { ok: false, reason: 'wrong-sender' };
      const existing = key === null ? null : await store.findMessageByKey(tx, ticketId, viewer.userId, key);
      if (existing)
        return existing.message === message ? { ok: true, message: existing } : { ok: false, reason: 'key-reused' };
      if (ticket.status === 'closed') return { ok: false, reason: 'closed' };
      const row = { ...this.#createPosition(ticket), ticket_id: ticketId, sender_type: side, message };
      await store.insertMessage(tx, { ...row, senderId: viewer.userId, requestKey: key });
      await this.#options.onWritten(tx, ticketId, row);
      runAfterCommit(tx, () => this.#options.onChanged(ticketId));
      if (side === 'support' && by !== undefined) {
        // The text is personal data of the conversation and is stored there only.
        const change = { at: row.created_at, by, action: 'ticket.answered', before: null, after: { message: row.id } };
        await recordChange(tx, { ...change, subject: { kind: 'ticket', id: ticketId } });
      }
      isNew = true;
      return { ok: true, message: row };
    });
    return { written, isNew };
  }

  /** Limits of a customer's message. Repeated messages and those of staff have none. */
  async #createWriteCounters(
    viewer: Viewer,
    {
      ticketId,
      side: named,
      key,
      ip,
    }: { ticketId: string; side: SenderRole | undefined; key: string | null; ip: string },
  ): Promise<readonly LimitCounter[]> {
    // Counted outside the transaction, like tickets.
    const ticket = await store.findTicket(this.#db, ticketId);
    const sides = ticket ? listSenderRoles(toSender(viewer), ticket.user_id) : [];
    if (sides.length === 0 || chooseSenderRole(sides, named) !== 'user') return [];
    const isRepeated = key !== null && (await store.findMessageByKey(this.#db, ticketId, viewer.userId, key)) !== null;
    return isRepeated ? [] : createMessageCounters(viewer.userId, ip);
  }

  /** Next position, after all messages of the ticket even if the clocks of two processes differ. */
  #createPosition(ticket: store.LockedTicket): Pick<store.MessageRow, 'id' | 'position' | 'created_at'> {
    const now = this.#options.clock.now();
    return {
      id: createIdAfter(ticket.last_message_id),
      position: ticket.last_position + 1,
      created_at: now < ticket.last_message_at ? ticket.last_message_at : now,
    };
  }

  // ---- staff

  /** Returns any customer's ticket. */
  findForStaff(id: string): Promise<store.TicketRow | null> {
    return store.findTicket(this.#db, id);
  }

  // ---- personal data

  /** Tickets with their messages, oldest first, as JSON. */
  async exportPersonalData(userId: string): Promise<unknown[]> {
    const [tickets, messages] = await Promise.all([
      store.listTickets(this.#db, userId, MAX_TICKETS),
      store.listUserMessages(this.#db, userId),
    ]);
    return tickets.toReversed().map(({ user_id: _user, ...ticket }) => ({
      ...ticket,
      messages: messages
        .filter(({ ticket_id: id }) => id === ticket.id)
        .map(({ sender_type, message, created_at }) => ({ sender_type, message, created_at })),
    }));
  }

  /** Returns the ids of the deleted tickets. */
  erasePersonalData(tx: Db, userId: string): Promise<string[]> {
    return store.deleteTickets(tx, userId);
  }

  /** Deletes tickets that were closed and inactive before this moment. Called periodically. */
  async deleteOld(before: Date): Promise<void> {
    await transact(this.#db, (tx) => store.deleteClosedBefore(tx, before));
  }

  /** How many tickets `deleteOld` would delete, at most a limit. */
  countOld(before: Date, limit: number): Promise<number> {
    return store.countClosedBefore(this.#db, before, limit);
  }

  // ---- for the live channel

  /** States of those tickets that exist. */
  findStates(ids: readonly string[]): Promise<store.TicketState[]> {
    return ids.length === 0 ? Promise.resolve([]) : store.findStates(this.#db, ids);
  }

  /** Next messages after a position, in order and without a gap. */
  listMessagesAfter(id: string, position: number): Promise<store.MessageRow[]> {
    return store.listMessagesAfter(this.#db, id, position, FEED_PAGE_SIZE);
  }
}

const isSameDraft = (existing: TicketDraft, content: TicketDraft): boolean =>
  existing.title === content.title && existing.theme === content.theme && existing.description === content.description;

function createIdAfter(last: string | null): string {
  const id = uuidv7();
  if (last === null || id > last) return id;
  return uuidv7({ msecs: Number.parseInt(last.replace('-', '').slice(0, 12), 16) + 1 });
}
