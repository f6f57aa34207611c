/**
 * Conversations as they happen. Who has joined a ticket is sent what is written in it, in order and without a gap, by
 * whichever process: news says that there is something, the rows say what. Who comes back joins first and then loads what
 * it has missed.
 */
import { z } from 'zod';
import type { PubSub } from '#src/platform/database/pub-sub.ts';
import type { LiveFrame, LiveMessage } from '#src/platform/live/live-frame.ts';
import type { LivePeer } from '#src/platform/live/live-server.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import { message as messageCodec } from '../tickets/contract.ts';
import { listSenderRoles } from '../tickets/sender-role.ts';
import type { SenderRole } from '../tickets/sender-role.ts';
import type { Tickets } from '../tickets/service.ts';

const TICKET = 'ticket';
const TYPING: Readonly<Record<SenderRole, string>> = { user: 'typinguser', support: 'typingsupport' };
const OTHER: Readonly<Record<SenderRole, SenderRole>> = { user: 'support', support: 'user' };
const MAX_JOINS = 20;
const TYPING_EVERY_MS = 1_000;
/** News may be lost with the process that would have told it. */
const SWEEP_MS = 10_000;
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export interface LiveTicketsOptions {
  readonly pubSub: Pick<PubSub, 'publish' | 'subscribe' | 'onGap'>;
  readonly tickets: Pick<Tickets, 'findStates' | 'listMessagesAfter'>;
  readonly accounts: Pick<Accounts, 'findIdentities'>;
  readonly log: Log;
  /** In ms, for tests. */
  readonly sweepMs?: number;
}

interface Member {
  readonly senderRole: SenderRole;
  typedAt: number;
}

/** A ticket that somebody in this process follows. */
interface Room {
  readonly ticketId: string;
  readonly ownerId: string;
  readonly members: Map<LivePeer, Member>;
  /** Its members have been sent everything up to here. */
  sentPosition: number;
  isReading: boolean;
  isAskedAgain: boolean;
}

export class LiveTickets {
  readonly #options: LiveTicketsOptions;
  readonly #rooms = new Map<string, Room>();
  /** By socket: the tickets that it has joined, or is just joining. */
  readonly #joined = new Map<LivePeer, Set<string>>();

  constructor(options: LiveTicketsOptions) {
    this.#options = options;
  }

  /** Something is new in a ticket, and committed: in every process its followers are sent it. */
  publishChange(ticketId: string): void {
    this.#options.pubSub.publish(TICKET, ticketId);
  }

  /** Begins to tell those who listen in this process. */
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

  /** What somebody who is signed in says by the live channel. */
  handleFrame(peer: LivePeer, { type, ticketId }: LiveFrame): void {
    if (type !== 'join_ticket' && type !== 'leave_ticket' && type !== 'typing') return;
    const id = typeof ticketId === 'string' ? ticketId.toLowerCase() : '';
    if (type === 'join_ticket') void this.#join(peer, id);
    else if (type === 'leave_ticket') this.#leave(peer, id);
    else this.#handleTyping(peer, id);
  }

  /** A socket is gone. */
  removePeer(peer: LivePeer): void {
    for (const id of this.#joined.get(peer) ?? []) this.#remove(peer, id);
    this.#joined.delete(peer);
  }

  async #join(peer: LivePeer, id: string): Promise<void> {
    const own = this.#joined.get(peer) ?? new Set();
    if (!own.has(id) && own.size >= MAX_JOINS) {
      peer.sendMessage({ type: 'error', code: 'too-many-tickets' });
      return;
    }
    this.#joined.set(peer, own.add(id));
    try {
      const [standing] = ID.test(id) ? await this.#options.tickets.findStates([id]) : [];
      const side = standing && (await this.#findSenderRoles([peer], standing.userId)).get(peer);
      // Left again, or gone altogether, while it was looked up.
      if (!own.has(id) || this.#joined.get(peer) !== own) return;
      if (!standing || side === undefined) {
        this.#leave(peer, id);
        peer.sendMessage({ type: 'error', code: 'forbidden' });
        return;
      }
      const room = this.#rooms.get(id) ?? {
        ticketId: id,
        ownerId: standing.userId,
        members: new Map<LivePeer, Member>(),
        sentPosition: standing.lastPosition,
        isReading: false,
        isAskedAgain: false,
      };
      this.#rooms.set(id, room);
      room.members.set(peer, { senderRole: side, typedAt: 0 });
      peer.sendMessage({ type: 'joined_ticket', data: { ticketId: id } });
      // What came between the look and the joining was told to nobody.
      this.#read(id);
    } catch (error) {
      this.#options.log.warn({ reason: reasonOf(error) }, 'a ticket was not joined');
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

  /** Reads and sends what is new, one reading at a time; what is asked for meanwhile is read afterwards. */
  #read(id: string): void {
    const room = this.#rooms.get(id);
    if (!room) return;
    room.isAskedAgain = true;
    if (!room.isReading) void this.#readOn(room);
  }

  async #readOn(room: Room): Promise<void> {
    room.isReading = true;
    try {
      while (room.isAskedAgain && this.#rooms.get(room.ticketId) === room) {
        room.isAskedAgain = false;
        await this.#deliver(room);
      }
    } catch (error) {
      // The sweep tries again.
      this.#options.log.warn({ reason: reasonOf(error) }, 'a ticket was not followed');
    } finally {
      room.isReading = false;
    }
  }

  async #deliver(room: Room): Promise<void> {
    const { tickets } = this.#options;
    const [standing] = await tickets.findStates([room.ticketId]);
    if (!standing) return;
    while (room.sentPosition < standing.lastPosition) {
      const rows = await tickets.listMessagesAfter(room.ticketId, room.sentPosition);
      const last = rows.at(-1);
      if (!last) break;
      // Who may hear it is asked after it was written: whoever lost that right before then is not sent it.
      await this.#expel(room);
      for (const row of rows) this.#send(room, { type: 'new_message', data: z.encode(messageCodec, row) });
      room.sentPosition = last.position;
    }
    if (standing.status !== 'closed') return;
    await this.#expel(room);
    this.#send(room, { type: 'ticket_closed', data: { ticketId: room.ticketId } });
    for (const peer of room.members.keys()) this.#leave(peer, room.ticketId);
  }

  #send(room: Room, frame: LiveMessage): void {
    for (const peer of room.members.keys()) peer.sendMessage(frame);
  }

  /** Sends away who has signed out, or is no longer of the staff. */
  async #expel(room: Room): Promise<void> {
    // Who joins meanwhile was looked at just now.
    const asked = [...room.members];
    const sides = await this.#findSenderRoles(
      asked.map(([peer]) => peer),
      room.ownerId,
    );
    for (const [peer, { senderRole }] of asked) {
      if (sides.get(peer) === senderRole || !room.members.has(peer)) continue;
      this.#leave(peer, room.ticketId);
      peer.sendMessage({ type: 'error', code: 'forbidden' });
    }
  }

  /** For whom each speaks in the ticket of an owner, as things are now; those who may not follow it are left out. */
  async #findSenderRoles(peers: readonly LivePeer[], ownerId: string): Promise<Map<LivePeer, SenderRole>> {
    const now = await this.#options.accounts.findIdentities(peers.map(({ identity }) => identity.sessionId));
    const sides = new Map<LivePeer, SenderRole>();
    for (const peer of peers) {
      const identity = now.get(peer.identity.sessionId);
      const isStaff = identity?.role === 'staff' || identity?.role === 'owner';
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
        if (status === 'closed' || lastPosition > (this.#rooms.get(id)?.sentPosition ?? lastPosition)) this.#read(id);
      }
    } catch (error) {
      this.#options.log.warn({ reason: reasonOf(error) }, 'tickets were not looked at');
    }
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
