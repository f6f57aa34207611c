/**
 * Sends staff the topics that changed, over the live channel of every process. A frame has no data:
 * pages load again what they show. Many changes make one frame a second.
 */
import { runAfterCommit } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { PubSub } from '#src/platform/database/pub-sub.ts';
import { Refusal } from '#src/platform/http/call.ts';
import type { AnyRoute } from '#src/platform/http/call.ts';
import type { LiveFrame } from '#src/platform/live/live-frame.ts';
import type { LivePeer } from '#src/platform/live/live-server.ts';
import type { Log } from '#src/platform/process/log.ts';
import { isBackOfficeOpen, isStaffRole } from '#src/shop/permissions.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import { decodeTopics, encodeTopics, listTopicsOfCall, staffTopics } from './staff-topics.ts';
import type { StaffTopic } from './staff-topics.ts';

const STAFF = 'staff';
const NOTIFY_EVERY_MS = 250;
const FRAME_EVERY_MS = 1_000;

export interface LiveStaffOptions {
  readonly pubSub: Pick<PubSub, 'publish' | 'subscribe' | 'onGap'>;
  readonly accounts: Pick<Accounts, 'findIdentities'>;
  readonly log: Log;
  /** Milliseconds between two frames; set by tests. */
  readonly frameEveryMs?: number;
}

/** Collects topics. Calls `flush` with them at once, then at most once in each interval. */
class TopicBatch {
  readonly #everyMs: number;
  readonly #flush: (topics: readonly StaffTopic[]) => void;
  readonly #topics = new Set<StaffTopic>();
  #isPaused = false;

  constructor(everyMs: number, flush: (topics: readonly StaffTopic[]) => void) {
    this.#everyMs = everyMs;
    this.#flush = flush;
  }

  add(topics: readonly StaffTopic[]): void {
    for (const topic of topics) this.#topics.add(topic);
    if (this.#isPaused || this.#topics.size === 0) return;
    this.#isPaused = true;
    setTimeout(() => {
      this.#isPaused = false;
      this.add([]);
    }, this.#everyMs).unref();
    const collected = [...this.#topics];
    this.#topics.clear();
    this.#flush(collected);
  }
}

export class LiveStaff {
  readonly #options: LiveStaffOptions;
  readonly #peers = new Set<LivePeer>();
  readonly #notifications: TopicBatch;
  readonly #frames: TopicBatch;

  constructor(options: LiveStaffOptions) {
    this.#options = options;
    this.#notifications = new TopicBatch(NOTIFY_EVERY_MS, (topics) => {
      for (const id of encodeTopics(topics)) options.pubSub.publish(STAFF, id);
    });
    this.#frames = new TopicBatch(options.frameEveryMs ?? FRAME_EVERY_MS, (topics) => void this.#send(topics));
  }

  /** Notifies the staff pages of all processes of a committed change. */
  publish(topics: readonly StaffTopic[]): void {
    this.#notifications.add(topics);
  }

  /** As `publish`, once the transaction has committed. */
  publishAfterCommit(tx: Db, topics: readonly StaffTopic[]): void {
    runAfterCommit(tx, () => this.publish(topics));
  }

  /** Routes that publish what they changed, whoever called them. */
  publishChangesOf(routes: Readonly<Record<string, AnyRoute>>): Record<string, AnyRoute> {
    return Object.fromEntries(
      Object.entries(routes).map(([key, route]) => {
        const topics = listTopicsOfCall(key);
        return [key, topics.length === 0 ? route : this.#publishAfter(route, topics)];
      }),
    );
  }

  #publishAfter(route: AnyRoute, topics: readonly StaffTopic[]): AnyRoute {
    return {
      ...route,
      handle: async (call) => {
        const response = await route.handle(call);
        if (!(response instanceof Refusal)) this.publish(topics);
        return response;
      },
    };
  }

  /** Starts sending to the connections of this process. */
  start(): void {
    const { pubSub } = this.#options;
    pubSub.subscribe(STAFF, (ids) => this.#addToFrame(decodeTopics(ids)));
    pubSub.onGap(() => this.#addToFrame(staffTopics));
  }

  /** Handles a frame from an authenticated client. */
  handleFrame(peer: LivePeer, { type }: LiveFrame): void {
    if (type === 'join_staff' && !this.#peers.has(peer)) void this.#join(peer);
  }

  /** Removes a closed socket. */
  removePeer(peer: LivePeer): void {
    this.#peers.delete(peer);
  }

  #addToFrame(topics: readonly StaffTopic[]): void {
    if (this.#peers.size > 0) this.#frames.add(topics);
  }

  async #join(peer: LivePeer): Promise<void> {
    // Added first, so that a socket that closes during the look-up is not added after it.
    this.#peers.add(peer);
    try {
      await this.#removeOthers();
      if (this.#peers.has(peer)) peer.sendMessage({ type: 'joined_staff' });
    } catch (error) {
      this.#options.log.warn({ reason: formatReason(error) }, 'joining the staff channel failed');
      this.#peers.delete(peer);
      peer.disconnect();
    }
  }

  async #send(topics: readonly StaffTopic[]): Promise<void> {
    try {
      // Who joins during the look-up has not been checked by it; `joined_staff` makes that page load again.
      const checked = await this.#removeOthers();
      for (const peer of checked) peer.sendMessage({ type: 'staff_changed', data: { topics } });
    } catch (error) {
      this.#options.log.warn({ reason: formatReason(error) }, 'changes were not sent to staff');
      this.#frames.add(topics);
    }
  }

  /** Removes peers whose session ended, who are no longer staff, or to whom the back office is closed. @returns the others that were checked */
  async #removeOthers(): Promise<readonly LivePeer[]> {
    const peers = [...this.#peers];
    const now = await this.#options.accounts.findIdentities(peers.map(({ identity }) => identity.sessionId));
    return peers.filter((peer) => {
      const user = now.get(peer.identity.sessionId);
      if (user && isStaffRole(user.role) && isBackOfficeOpen(user)) return this.#peers.has(peer);
      if (this.#peers.delete(peer)) peer.sendMessage({ type: 'error', code: 'forbidden' });
      return false;
    });
  }
}

const formatReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
