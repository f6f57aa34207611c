/**
 * Mails are jobs, enqueued in the transaction that causes them. The mail is written when the job runs, sent, and
 * recorded by its deduplication key, so that it is sent once. Only a crash between the response of the server and
 * the record sends a second copy, with the same Message-ID.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { restoreAll, consumeAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, RateLimits } from '#src/platform/http/rate-limits.ts';
import type { JobData, JobQueue, Jobs } from '#src/platform/jobs/jobs.ts';
import type { Log } from '#src/platform/process/log.ts';
import { noTelemetry } from '#src/platform/telemetry/telemetry.ts';
import type { Telemetry } from '#src/platform/telemetry/telemetry.ts';
import { isMailAddress, toMailboxKey } from './mail-address.ts';
import type { DeliveryResult, Mail, MailTransport } from './smtp-transport.ts';
import {
  deleteMailsBefore,
  eraseContent,
  eraseContentOfEvents,
  hasOutcome,
  isDeliveredTo,
  recordOutcome,
} from './store.ts';

export type { Mail } from './smtp-transport.ts';

export const MAIL_JOB = 'mail';
/** Concurrent mails per process. */
const CONCURRENCY = 10;
const RETENTION_MS = 30 * 24 * 3600 * 1000;

const TOO_MANY: DeliveryResult = { ok: false, reason: 'too many mails to this address' };

/** A limit of mails of a kind to one mailbox in a day, however its address is spelled. */
interface RecipientLimit {
  readonly name: string;
  readonly perDay: number;
}

const UNCONFIRMED: RecipientLimit = { name: 'mails-to-unconfirmed', perDay: 40 };

const createRecipientCounter = (address: string, { name, perDay }: RecipientLimit): LimitCounter => ({
  name,
  limit: { points: perDay, seconds: 86_400, by: 'caller', isShared: true },
  key: createHash('sha256').update(toMailboxKey(address)).digest('hex'),
});

/** A limit of mails in all. */
export interface MailLimit {
  readonly counter: LimitCounter;
  /** The mail that is sent in place of all those above the limit. @param until when the limit ends */
  readonly summarise: (until: Date) => MailToEnqueue;
}

export interface WrittenMail extends Mail {
  /** Mails above it are not sent. */
  readonly limit?: MailLimit;
  /** Mails above it are not sent. */
  readonly recipientLimit?: RecipientLimit;
}

/** Writes the mail of a job. Null if it is no longer needed. */
export type MailWriter = (data: JobData) => Promise<WrittenMail | null>;

export interface MailToEnqueue<Kind extends string = string> {
  /** Name of its writer. */
  readonly kind: Kind;
  /** Deduplication key: letters, digits, dots and dashes, at most 200. Each key is sent once. */
  readonly event: string;
  /** Data for its writer. */
  readonly data: JobData;
}

export interface MailsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: JobQueue;
  readonly limits: RateLimits;
  /** Null: mails are stored, not sent. */
  readonly transport: MailTransport | null;
  /** Whether mails are stored with their content, for the mailbox of the demo. */
  readonly isStoringContent: boolean;
  readonly telemetry?: Pick<Telemetry, 'createCounter'>;
}

/** @template Kind of mails; `start` needs a writer for each. */
export class Mails<Kind extends string = string> {
  readonly #options: MailsOptions;
  readonly #count: (outcome: 'delivered' | 'refused' | 'failed') => void;
  #failingSince: Date | null = null;

  constructor(options: MailsOptions) {
    this.#options = options;
    this.#count = (options.telemetry ?? noTelemetry).createCounter({
      name: 'shop_mails_total',
      help: 'Attempts to send a mail: delivered, refused for good, or failed and retried',
      label: 'outcome',
      values: ['delivered', 'refused', 'failed'],
    });
  }

  /** The first failure since the last delivery by this process; null while mails are delivered. */
  get failingSince(): Date | null {
    return this.#failingSince;
  }

  /** Enqueues in the given transaction: without its commit nothing is sent. */
  async enqueue(tx: Db, mails: readonly MailToEnqueue<Kind>[]): Promise<void> {
    const jobs = mails.map(({ kind, event, data }) => ({ data: { ...data, kind, event }, deduplicationKey: event }));
    await this.#options.jobs.enqueueAll(tx, MAIL_JOB, jobs);
  }

  /** Starts sending. */
  async start(jobs: Pick<Jobs, 'work'>, writers: Readonly<Record<Kind, MailWriter>>): Promise<void> {
    const deliver = (data: JobData): Promise<void> => this.deliver(data, writers);
    // The demo mailbox needs no concurrency and lists mails in the order of writing.
    const handler = this.#options.transport === null ? serialize(deliver) : deliver;
    await jobs.work(MAIL_JOB, handler, { concurrency: CONCURRENCY, isPrompt: true });
  }

  /** Runs one job. @throws Error after a temporary failure */
  async deliver(data: JobData, writers: Readonly<Record<Kind, MailWriter>>): Promise<void> {
    const { db, limits, log } = this.#options;
    const { kind = '', event = '' } = data;
    if (await hasOutcome(db, event)) return;
    const write = new Map(Object.entries<MailWriter>(writers)).get(kind);
    if (!write) throw new Error(`no writer for mails of the kind "${kind}"`);
    const mail = await write(data);
    if (!mail) return;
    const counts = [
      ...(mail.recipientLimit ? [createRecipientCounter(mail.to, mail.recipientLimit)] : []),
      ...(mail.isUnconfirmed === true ? [createRecipientCounter(mail.to, UNCONFIRMED)] : []),
      ...(mail.limit ? [mail.limit.counter] : []),
    ];
    const taken = await consumeAll(limits, counts);
    if (!taken.ok && mail.limit) return this.#summarise(event, mail, mail.limit, taken.retryAfterSeconds);
    const handed = taken.ok ? await this.#send(event, mail, counts) : TOO_MANY;
    if (!handed.ok) log.error({ event, reason: handed.reason }, 'a mail could not be sent and will not be retried');
    const outcome = handed.ok ? 'delivered' : 'refused';
    this.#count(outcome);
    await this.#recordOutcome(event, outcome, mail);
  }

  async #send(event: string, mail: Mail, counts: readonly LimitCounter[]): Promise<DeliveryResult> {
    const { clock, limits, transport } = this.#options;
    if (!isMailAddress(mail.to)) return { ok: false, reason: 'nothing can be sent to that address' };
    try {
      const sent = (await transport?.send(event, mail)) ?? { ok: true };
      this.#failingSince = null;
      return sent;
    } catch (error) {
      this.#failingSince ??= clock.now();
      this.#count('failed');
      // The retry counts.
      await restoreAll(limits, counts);
      throw error;
    }
  }

  /** Enqueues the summary once, and records that this mail is not sent. */
  async #summarise(event: string, mail: Mail, { summarise }: MailLimit, retryAfterSeconds: number): Promise<void> {
    const { clock, db, jobs, log } = this.#options;
    const until = new Date(clock.now().getTime() + retryAfterSeconds * 1_000);
    const { kind, event: summary, data } = summarise(until);
    await transact(db, (tx) =>
      jobs.enqueueAll(tx, MAIL_JOB, [{ data: { ...data, kind, event: summary }, deduplicationKey: summary }]),
    );
    log.warn({ event, summary }, 'a mail was left out: too many of its kind');
    await this.#recordOutcome(event, 'refused', mail);
  }

  async #recordOutcome(event: string, outcome: 'delivered' | 'refused', mail: Mail): Promise<void> {
    const { db, clock, isStoringContent } = this.#options;
    await recordOutcome(db, {
      event,
      outcome,
      at: clock.now(),
      address: mail.to,
      mail: isStoringContent && outcome === 'delivered' ? mail : null,
    });
  }

  /** Whether the mail with this deduplication key was handed over for the address. */
  isDeliveredTo(event: string, address: string): Promise<boolean> {
    return isDeliveredTo(this.#options.db, event, address);
  }

  /** Erases the content of mails to these addresses in the given transaction. The record of sending stays. */
  async eraseContentTo(tx: Db, addresses: readonly string[]): Promise<void> {
    await eraseContent(tx, addresses);
  }

  /** Erases the content of the mails with these deduplication keys. */
  async eraseContentOf(tx: Db, events: readonly string[]): Promise<void> {
    await eraseContentOfEvents(tx, events);
  }

  /** Deletes records that are too old for any job to need them. */
  async deleteOld(): Promise<void> {
    const { db, clock } = this.#options;
    await deleteMailsBefore(db, new Date(clock.now().getTime() - RETENTION_MS));
  }
}

/** Serializes calls. */
function serialize(work: (data: JobData) => Promise<void>): (data: JobData) => Promise<void> {
  let last = Promise.resolve();
  return (data) => {
    const next = last.then(() => work(data));
    last = next.catch(() => {});
    return next;
  };
}
