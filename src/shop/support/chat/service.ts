/**
 * Live ticket conversations. Members receive every message in order and without gaps, whichever
 * process stored it: notifications only trigger a read. A reconnecting client joins first, then
 * loads what it missed.
 */
import { z } from 'zod';
import type { PubSub } from '#src/platform/database/pub-sub.ts';
import type { LiveFrame, LiveMessage } from '#src/platform/live/live-frame.ts';
import type { LivePeer } from '#src/platform/live/live-server.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import { mayAct } from '#src/shop/permissions.ts';
import { message as messageCodec } from '../tickets/contract.ts';
import type { TicketStatus } from '../tickets/contract.ts';
import { listSenderRoles } from '../tickets/sender-role.ts';
import type { SenderRole } from '../tickets/sender-role.ts';
import type { Tickets } from '../tickets/service.ts';

const TICKET = 'ticket';
const TYPING: Readonly<Record<SenderRole, string>> = { user: 'typinguser', support: 'typingsupport' };
const OTHER: Readonly<Record<SenderRole, SenderRole>> = { user: 'support', support: 'user' };
const MAX_JOINS = 20;
const TYPING_EVERY_MS = 1_000;
/** Interval of the sweep that finds messages whose notification was lost. */
const SWEEP_MS = 10_000;
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export interface LiveTicketsOptions {
  readonly pubSub: Pick<PubSub, 'publish' | 'subscribe' | 'onGap'>;
  readonly tickets: Pick<Tickets, 'findStates' | 'listMessagesAfter'>;
  readonly accounts: Pick<Accounts, 'findIdentities'>;
  readonly log: Log;
  /** Milliseconds; set by tests. */
  readonly sweepMs?: number;
}

interface Member {
  readonly senderRole: SenderRole;
  typedAt: number;
  /** The status that was sent to it last; `open` is never sent. */
  knownStatus: TicketStatus;
}

/** A ticket with members connected to this process. */
interface Room {
  readonly ticketId: string;
  readonly ownerId: string;
  readonly members: Map<LivePeer, Member>;
  /** Last position that all members have received. */
  sentPosition: number;
  isReading: boolean;
  isReadRequested: boolean;
}

export class LiveTickets {
  readonly #options: LiveTicketsOptions;
  readonly #rooms = new Map<string, Room>();
  /** Tickets that each socket has joined or is joining. */
  readonly #joined = new Map<LivePeer, Set<string>>();

  constructor(options: LiveTicketsOptions) {
    this.#options = options;
  }

  /** Notifies all processes of a committed change to a ticket. */
  publishChange(ticketId: string): void {
    this.#options.pubSub.publish(TICKET, ticketId);
  }

  /** Starts listening for changes. */
  start(): void {
    const { pubSub, sweepMs = SWEEP_MS } = this.#options;
    pubSub.subscribe(TICKET, (ids) => {
      for (const id of ids) this.#read(id);
    });
    for (const side of ['user', 'support'] as const) {
      pubSub.subscribe(TYPING[side], (ids) => {
        for (const id of ids) this.#showTyping(id, side);
      });
    }
    pubSub.onGap(() => void this.#sweep());
    setInterval(() => void this.#sweep(), sweepMs).unref();
  }

  /** Handles a frame from an authenticated client. */
  handleFrame(peer: LivePeer, { type, ticketId }: LiveFrame): void {
    if (type !== 'join_ticket' && type !== 'leave_ticket' && type !== 'typing') return;
    const id = typeof ticketId === 'string' ? ticketId.toLowerCase() : '';
    if (type === 'join_ticket') void this.#join(peer, id);
    else if (type === 'leave_ticket') this.#leave(peer, id);
    else this.#handleTyping(peer, id);
  }

  /** Removes a closed socket. */
  removePeer(peer: LivePeer): void {
    for (const id of this.#joined.get(peer) ?? []) this.#remove(peer, id);
    this.#joined.delete(peer);
  }

  async #join(peer: LivePeer, id: string): Promise<void> {
    const joined = this.#joined.get(peer) ?? new Set();
    if (!joined.has(id) && joined.size >= MAX_JOINS) {
      peer.sendMessage({ type: 'error', code: 'too-many-tickets' });
      return;
    }
    this.#joined.set(peer, joined.add(id));
    try {
      const [ticket] = ID.test(id) ? await this.#options.tickets.findStates([id]) : [];
      const side = ticket && (await this.#findSenderRoles([peer], ticket.userId)).get(peer);
      // The peer has left or disconnected during the look-up.
      if (!joined.has(id) || this.#joined.get(peer) !== joined) return;
      if (!ticket || side === undefined) {
        this.#leave(peer, id);
        peer.sendMessage({ type: 'error', code: 'forbidden' });
        return;
      }
      const room = this.#rooms.get(id) ?? {
        ticketId: id,
        ownerId: ticket.userId,
        members: new Map<LivePeer, Member>(),
        sentPosition: ticket.lastPosition,
        isReading: false,
        isReadRequested: false,
      };
      this.#rooms.set(id, room);
      room.members.set(peer, { senderRole: side, typedAt: 0, knownStatus: 'open' });
      peer.sendMessage({ type: 'joined_ticket', data: { ticketId: id } });
      // Delivers messages stored between the look-up and the join.
      this.#read(id);
    } catch (error) {
      this.#options.log.warn({ reason: formatReason(error) }, 'Joining a ticket failed');
      peer.disconnect();
    }
  }

  #leave(peer: LivePeer, id: string): void {
    this.#joined.get(peer)?.delete(id);
    this.#remove(peer, id);
  }

  #remove(peer: LivePeer, id: string): void {
    const room = this.#rooms.get(id);
    room?.members.delete(peer);
    if (room?.members.size === 0) this.#rooms.delete(id);
  }

  /** Delivers new messages, one read at a time; a call during a read causes another one. */
  #read(id: string): void {
    const room = this.#rooms.get(id);
    if (!room) return;
    room.isReadRequested = true;
    if (!room.isReading) void this.#readPending(room);
  }

  async #readPending(room: Room): Promise<void> {
    room.isReading = true;
    try {
      while (room.isReadRequested && this.#rooms.get(room.ticketId) === room) {
        room.isReadRequested = false;
        await this.#deliver(room);
      }
    } catch (error) {
      // The sweep tries again.
      this.#options.log.warn({ reason: formatReason(error) }, 'Delivering ticket messages failed');
    } finally {
      room.isReading = false;
    }
  }

  async #deliver(room: Room): Promise<void> {
    const { tickets } = this.#options;
    const [ticket] = await tickets.findStates([room.ticketId]);
    if (!ticket) return;
    while (room.sentPosition < ticket.lastPosition) {
      const rows = await tickets.listMessagesAfter(room.ticketId, room.sentPosition);
      const last = rows.at(-1);
      if (!last) break;
      // Checked after the read, so that a member who lost access before the message receives
      // nothing.
      await this.#expel(room);
      for (const row of rows) this.#send(room, { type: 'new_message', data: z.encode(messageCodec, row) });
      room.sentPosition = last.position;
    }
    await this.#sendStatus(room, ticket.status);
  }

  /** Sends a status once to each member; who joins later receives it then. A closed ticket may be reopened. */
  async #sendStatus(room: Room, status: TicketStatus): Promise<void> {
    if (status === 'open' || !needsStatus(room, status)) return;
    await this.#expel(room);
    for (const [peer, member] of room.members) {
      if (member.knownStatus === status) continue;
      member.knownStatus = status;
      peer.sendMessage({ type: `ticket_${status}`, data: { ticketId: room.ticketId } });
    }
  }

  #send(room: Room, frame: LiveMessage): void {
    for (const peer of room.members.keys()) peer.sendMessage(frame);
  }

  /** Removes members who have signed out or lost their staff role. */
  async #expel(room: Room): Promise<void> {
    // Members who join during the look-up were checked by it.
    const members = [...room.members];
    const sides = await this.#findSenderRoles(
      members.map(([peer]) => peer),
      room.ownerId,
    );
    for (const [peer, { senderRole }] of members) {
      if (sides.get(peer) === senderRole || !room.members.has(peer)) continue;
      this.#leave(peer, room.ticketId);
      peer.sendMessage({ type: 'error', code: 'forbidden' });
    }
  }

  /** Current sender role of each peer in a ticket; peers without access are left out. */
  async #findSenderRoles(peers: readonly LivePeer[], ownerId: string): Promise<Map<LivePeer, SenderRole>> {
    const now = await this.#options.accounts.findIdentities(peers.map(({ identity }) => identity.sessionId));
    const sides = new Map<LivePeer, SenderRole>();
    for (const peer of peers) {
      const identity = now.get(peer.identity.sessionId);
      const isStaff = identity !== undefined && mayAct(identity, 'support');
      const [side] = identity ? listSenderRoles({ userId: identity.userId, isStaff }, ownerId) : [];
      if (side) sides.set(peer, side);
    }
    return sides;
  }

  #handleTyping(peer: LivePeer, id: string): void {
    const member = this.#rooms.get(id)?.members.get(peer);
    const now = performance.now();
    if (!member || (member.typedAt > 0 && now - member.typedAt < TYPING_EVERY_MS)) return;
    member.typedAt = now;
    this.#options.pubSub.publish(TYPING[member.senderRole], id);
  }

  #showTyping(ticketId: string, side: SenderRole): void {
    for (const [peer, member] of this.#rooms.get(ticketId)?.members ?? []) {
      if (member.senderRole === OTHER[side])
        peer.sendMessage({ type: 'typing', data: { ticketId, sender_type: side } });
    }
  }

  async #sweep(): Promise<void> {
    if (this.#rooms.size === 0) return;
    try {
      for (const { id, status, lastPosition } of await this.#options.tickets.findStates([...this.#rooms.keys()])) {
        const room = this.#rooms.get(id);
        if (room && (needsStatus(room, status) || lastPosition > room.sentPosition)) this.#read(id);
      }
    } catch (error) {
      this.#options.log.warn({ reason: formatReason(error) }, 'Sweeping tickets failed');
    }
  }
}

/** Whether this status was not sent to some member. */
const needsStatus = (room: Room, status: TicketStatus): boolean =>
  [...room.members.values()].some(({ knownStatus }) => knownStatus !== status);

const formatReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
