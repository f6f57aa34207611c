import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { restoreAll, consumeAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, Limit, RateLimits } from '#src/platform/http/rate-limits.ts';
import { normaliseMessage } from './check-message.ts';
import type { MessageDraft } from './check-message.ts';
import {
  countMessagesBefore,
  deleteMessages,
  deleteMessagesFrom,
  insertMessage,
  hasMessageSince,
  listMessagesFrom,
  lockFingerprint,
} from './store.ts';
import type { SentMessage } from './store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SUSPECT_DAYS = 30;

/** Stored messages per address. Refused and duplicate messages do not count. */
const addressMessages: Limit = { points: 5, seconds: 600, by: 'ip', isShared: true };
const addressMessagesADay: Limit = { points: 30, seconds: 86_400, by: 'ip', isShared: true };

const createMessageCounters = (ip: string): readonly LimitCounter[] => [
  { name: 'contact messages', limit: addressMessages, key: ip },
  { name: 'contact messages a day', limit: addressMessagesADay, key: ip },
];

export interface MessageSubmission extends MessageDraft {
  /** Whether the honeypot was filled in. */
  readonly isSuspect: boolean;
  readonly ip: string;
}

export type SubmissionResult = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number };

export interface ContactOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: RateLimits;
  /** Called within the transaction that stores a message not marked as spam. */
  readonly onReceived?: (tx: Db, messageId: string) => Promise<void>;
}

/** Contact messages from customers and visitors. */
export class Contact {
  readonly #options: ContactOptions;

  constructor(options: ContactOptions) {
    this.#options = options;
  }

  /** Stores a message; a duplicate within the last hour is accepted and not stored again. */
  async submit({ isSuspect, ip, ...draft }: MessageSubmission): Promise<SubmissionResult> {
    const { db, clock, limits } = this.#options;
    const message = normaliseMessage(draft);
    const createdAt = clock.now();
    const anHourAgo = new Date(createdAt.getTime() - HOUR_MS);
    const fingerprint = computeFingerprint(message);
    // A repeated submission is not rate limited. Concurrent duplicates are handled below.
    if (await hasMessageSince(db, fingerprint, anHourAgo)) return { ok: true };
    const counts = createMessageCounters(ip);
    const limited = await consumeAll(limits, counts);
    if (!limited.ok) return limited;
    const isNew = await transact(db, async (tx) => {
      await lockFingerprint(tx, fingerprint);
      if (await hasMessageSince(tx, fingerprint, anHourAgo)) return false;
      const id = uuidv7();
      await insertMessage(tx, { id, ...message, isSuspect, fingerprint, createdAt });
      if (!isSuspect) await this.#options.onReceived?.(tx, id);
      return true;
    });
    if (!isNew) await restoreAll(limits, counts);
    return { ok: true };
  }

  /** The messages sent from these addresses, oldest first. @param addresses in NFKC and lower case */
  exportPersonalData(addresses: readonly string[]): Promise<SentMessage[]> {
    return listMessagesFrom(this.#options.db, addresses);
  }

  /** Deletes the messages sent from these addresses; returns their ids. @param addresses in NFKC and lower case */
  erasePersonalData(tx: Db, addresses: readonly string[]): Promise<string[]> {
    return deleteMessagesFrom(tx, addresses);
  }

  /** Deletes messages from before this moment, and spam after 30 days. Called periodically. */
  async deleteOld(before: Date): Promise<void> {
    const now = this.#options.clock.now().getTime();
    await deleteMessages(this.#options.db, { genuine: before, suspect: new Date(now - SUSPECT_DAYS * DAY_MS) });
  }

  /** How many messages from before this moment there are, at most a limit. */
  countOld(before: Date, limit: number): Promise<number> {
    return countMessagesBefore(this.#options.db, before, limit);
  }
}

const computeFingerprint = ({ firstName, lastName, email, message }: MessageDraft): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([firstName, lastName, email.toLowerCase(), message]))
    .digest();
