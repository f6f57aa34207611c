/** What staff do with tickets: the queue, assignment, status and internal notes. */
import { toRowRange } from '#src/shop/list-pages.ts';
import { foldText } from '#src/shop/fold-text.ts';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { runAfterCommit, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Customers } from '#src/shop/accounts/customers/service.ts';
import { normaliseName } from '#src/shop/accounts/registration/normalise-name.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { OrderList } from '#src/shop/orders/list/service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { normaliseText } from './check-ticket.ts';
import * as queue from './queue.store.ts';
import type { Assignee, CustomerTicket, NoteRow, QueueCounts, QueuedRow, QueueQuery } from './queue.store.ts';
import * as store from './store.ts';
import { REOPENED_WITHIN_DAYS } from './reopened-within.ts';

const MAX_NOTES = 200;
/** Orders beside a ticket. */
const MAX_ORDERS = 5;
const REOPENED_WITHIN_MS = REOPENED_WITHIN_DAYS * 86_400_000;

export type { Assignee, NoteRow, QueuedRow };

export interface TicketDeskOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly shopSettings: Pick<ShopSettings, 'findOrderNumbers'>;
  readonly customers: Pick<Customers, 'find'>;
  readonly orderList: Pick<OrderList, 'listOfCustomer'>;
  /** Called within the transaction that closes a ticket. */
  readonly onClosed: (tx: Db, ticketId: string) => Promise<void>;
  /** Called within the transaction that reopens a ticket. */
  readonly onReopened: (tx: Db, ticketId: string) => Promise<void>;
  /** Called after a change to a ticket is committed. */
  readonly onChanged: (ticketId: string) => void;
}

export type AssignmentResult =
  | { readonly ok: true; readonly ticket: QueuedRow }
  | { readonly ok: false; readonly reason: 'missing' | 'closed' | 'not-staff' }
  /** Another member of staff has it, or nobody has it any more. */
  | { readonly ok: false; readonly reason: 'assigned-meanwhile'; readonly assignee: Assignee | null };

export interface Assignment {
  readonly assigneeId: string | null;
  /** Whom the caller saw as the assignee. */
  readonly seenId: string | null;
}

/** A member of staff who acts, with the account that notes belong to. */
export interface StaffAuthor {
  readonly by: Actor;
  readonly userId: string;
}

export class TicketDesk {
  readonly #options: TicketDeskOptions;
  readonly #db: Db;

  constructor(options: TicketDeskOptions) {
    this.#options = options;
    this.#db = options.db;
  }

  async list(filter: Omit<QueueQuery, 'limit' | 'offset' | 'orderNumbers'> & { readonly page?: number | undefined }) {
    const { page = 1, q: typed = '', ...query } = filter;
    const q = typed.trim();
    const orderNumbers = this.#options.shopSettings.findOrderNumbers(q);
    const place = toRowRange(page);
    const key = foldText(normaliseName(q) ?? q);
    const { rows, total, hasMore } = await queue.listQueue(this.#db, { ...query, q, key, orderNumbers, ...place });
    return { tickets: rows, total, has_more: hasMore, page };
  }

  /** @param staffId whose tickets count as `mine` */
  count(staffId: string): Promise<QueueCounts> {
    return queue.countQueue(this.#db, staffId);
  }

  find(id: string): Promise<QueuedRow | null> {
    return queue.findQueued(this.#db, id);
  }

  /** A ticket with its notes, and with the newest orders of its customer. Null if it does not exist. */
  async findWithCustomer(id: string) {
    const { customers, orderList } = this.#options;
    const ticket = await this.find(id);
    if (ticket === null) return null;
    const [notes, staff, customer, orders] = await Promise.all([
      this.listNotes(id),
      this.listStaffMembers(),
      customers.find(ticket.user_id),
      orderList.listOfCustomer(ticket.user_id, MAX_ORDERS),
    ]);
    return { ticket, notes, staff, orders, is_customer_blocked: (customer?.blocked_at ?? null) !== null };
  }

  listOfCustomer(userId: string, limit: number): Promise<CustomerTicket[]> {
    return queue.listTicketsOf(this.#db, userId, limit);
  }

  listStaffMembers(): Promise<Assignee[]> {
    return queue.listStaffMembers(this.#db);
  }

  /** Assigns a ticket, unless somebody else did so since the caller saw it. */
  async assign(id: string, { assigneeId, seenId }: Assignment, by: Actor): Promise<AssignmentResult> {
    return transact(this.#db, async (tx): Promise<AssignmentResult> => {
      const ticket = await store.lockTicket(tx, id);
      if (!ticket) return { ok: false, reason: 'missing' };
      if (ticket.status === 'closed') return { ok: false, reason: 'closed' };
      const before = await queue.findAssignee(tx, id);
      if ((before?.id ?? null) !== seenId) return { ok: false, reason: 'assigned-meanwhile', assignee: before };
      const assignee = assigneeId === null ? null : await queue.findStaffMember(tx, assigneeId);
      if (assigneeId !== null && assignee === null) return { ok: false, reason: 'not-staff' };
      await queue.setAssignee(tx, id, assigneeId);
      const assigned = await queue.findQueued(tx, id);
      if (!assigned) return { ok: false, reason: 'missing' };
      await recordChange(tx, {
        at: this.#options.clock.now(),
        by,
        action: 'ticket.assigned',
        subject: { kind: 'ticket', id },
        before: { assignee: before?.username ?? null },
        after: { assignee: assignee?.username ?? null },
      });
      return { ok: true, ticket: assigned };
    });
  }

  async markInProgress(id: string, by: Actor): Promise<store.TicketRow | 'missing' | 'closed'> {
    return transact(this.#db, async (tx) => {
      const ticket = await store.lockTicket(tx, id);
      if (!ticket) return 'missing';
      if (ticket.status === 'closed') return 'closed';
      await store.markInProgress(tx, id);
      runAfterCommit(tx, () => this.#options.onChanged(id));
      if (ticket.status === 'open') await this.#recordStatus(tx, ticket, 'in_progress', by);
      return { ...toTicket(ticket), status: 'in_progress' };
    });
  }

  /** Serialized with concurrent messages: they are stored before the close or refused after it. */
  async close(id: string, by: Actor): Promise<store.TicketRow | null> {
    return transact(this.#db, async (tx) => {
      const ticket = await store.lockTicket(tx, id);
      if (!ticket) return null;
      await store.closeTicket(tx, id, this.#options.clock.now());
      runAfterCommit(tx, () => this.#options.onChanged(id));
      if (ticket.status !== 'closed') {
        await this.#options.onClosed(tx, id);
        await this.#recordStatus(tx, ticket, 'closed', by);
      }
      return { ...toTicket(ticket), status: 'closed' };
    });
  }

  /** Reopens a ticket within 14 days after it was closed; idempotent. */
  async reopen(id: string, by: Actor): Promise<store.TicketRow | 'missing' | 'too-late' | 'no-slot'> {
    const { clock, onChanged, onReopened } = this.#options;
    const closedSince = new Date(clock.now().getTime() - REOPENED_WITHIN_MS);
    try {
      return await transact(this.#db, async (tx) => {
        const ticket = await store.lockTicket(tx, id);
        if (!ticket) return 'missing';
        if (ticket.status !== 'closed') return toTicket(ticket);
        const result = await store.reopenTicket(tx, id, closedSince);
        if (result !== 'reopened') return result;
        await onReopened(tx, id);
        await this.#recordStatus(tx, ticket, 'in_progress', by, 'ticket.reopened');
        runAfterCommit(tx, () => onChanged(id));
        return { ...toTicket(ticket), status: 'in_progress' };
      });
    } catch (error) {
      if (store.isSlotTaken(error)) return 'no-slot';
      throw error;
    }
  }

  async #recordStatus(
    tx: Db,
    { id, status }: store.TicketRow,
    to: store.StoredStatus,
    by: Actor,
    action = to === 'closed' ? 'ticket.closed' : 'ticket.started',
  ): Promise<void> {
    await recordChange(tx, {
      at: this.#options.clock.now(),
      by,
      action,
      subject: { kind: 'ticket', id },
      before: { status },
      after: { status: to },
    });
  }

  // ---- internal notes

  /** Oldest first. */
  listNotes(ticketId: string): Promise<NoteRow[]> {
    return queue.listNotes(this.#db, ticketId);
  }

  /** Closed tickets get notes too. The audit entry has no text. */
  async addNote(
    ticketId: string,
    typed: string,
    { by, userId }: StaffAuthor,
  ): Promise<'added' | 'missing' | 'too-many'> {
    const note = { id: uuidv7(), text: normaliseText(typed), created_at: this.#options.clock.now() };
    return transact(this.#db, async (tx) => {
      if (!(await store.lockTicket(tx, ticketId))) return 'missing';
      if ((await queue.countNotes(tx, ticketId)) >= MAX_NOTES) return 'too-many';
      await queue.insertNote(tx, { ...note, ticketId, authorId: userId });
      await this.#recordNote(tx, ticketId, 'ticket.note_added', note.id, by);
      return 'added';
    });
  }

  /** False if the ticket has no such note. */
  async deleteNote(ticketId: string, noteId: string, by: Actor): Promise<boolean> {
    return transact(this.#db, async (tx) => {
      if (!(await queue.deleteNote(tx, ticketId, noteId))) return false;
      await this.#recordNote(tx, ticketId, 'ticket.note_deleted', noteId, by);
      return true;
    });
  }

  async #recordNote(tx: Db, ticketId: string, action: string, note: string, by: Actor): Promise<void> {
    const isNew = action === 'ticket.note_added';
    await recordChange(tx, {
      at: this.#options.clock.now(),
      by,
      action,
      subject: { kind: 'ticket', id: ticketId },
      before: isNew ? null : { note },
      after: isNew ? { note } : null,
    });
  }
}

const toTicket = ({
  id,
  user_id,
  title,
  theme,
  description,
  status,
  created_at,
}: store.TicketRow): store.TicketRow => ({
  id,
  user_id,
  title,
  theme,
  description,
  status,
  created_at,
});
