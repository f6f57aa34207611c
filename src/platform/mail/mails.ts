/**
 * Mails. What is to be told is a job, enqueued in a transaction; the mail is written when the job runs, handed
 * over, and noted by its event, so that nothing is told twice. Only a process that dies between the server's answer and
 * the note sends a second copy, with the same Message-ID.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import { restoreAll, consumeAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, RateLimits } from '#src/platform/http/rate-limits.ts';
import type { JobData, JobQueue, Jobs } from '#src/platform/jobs/jobs.ts';
import type { Log } from '#src/platform/process/log.ts';
import { isMailAddress } from './mail-address.ts';
import type { DeliveryResult, Mail, MailTransport } from './smtp-transport.ts';
import {
  findMail,
  deleteMailsBefore,
  eraseContent,
  eraseContentOfEvents,
  hasOutcome,
  listMails,
  recordOutcome,
} from './store.ts';
import type { StoredMail } from './store.ts';

export type { Mail } from './smtp-transport.ts';

export const MAIL_JOB = 'mail';
/** Written and handed over side by side, of one process. */
const CONCURRENCY = 10;
const RETENTION_MS = 30 * 24 * 3600 * 1000;
const LIST_LIMIT = 100;

const TOO_MANY: DeliveryResult = { ok: false, reason: 'too many mails to an address that nobody has confirmed' };

/** Mails in a day to an address that nobody has confirmed, whoever causes them. */
const createMailCounters = (address: string): readonly LimitCounter[] => [
  {
    name: 'mails-to-unconfirmed',
    limit: { points: 40, seconds: 86_400, by: 'caller', isShared: true },
    key: createHash('sha256').update(address.toLowerCase()).digest('hex'),
  },
];

/** Makes the mail of what was enqueued; null when there is nobody to tell any more. */
export type MailWriter = (data: JobData) => Promise<Mail | null>;

export interface MailToEnqueue {
  /** Says who writes it. */
  readonly kind: string;
  /** Names what is told, for ever: letters, digits, dots and dashes, at most 200. A second time it is not told. */
  readonly event: string;
  /** What its writer needs to know. */
  readonly data: JobData;
}

export interface MailsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: JobQueue;
  readonly limits: RateLimits;
  /** Null: mails are kept and not sent. */
  readonly transport: MailTransport | null;
  /** Whether the words of mails are kept for `list`. */
  readonly isStoringContent: boolean;
}

export class Mails {
  readonly #options: MailsOptions;

  constructor(options: MailsOptions) {
    this.#options = options;
  }

  /** In the transaction given: without its commit nothing is sent. */
  async enqueue(tx: Db, mails: readonly MailToEnqueue[]): Promise<void> {
    const jobs = mails.map(({ kind, event, data }) => ({ data: { ...data, kind, event }, deduplicationKey: event }));
    await this.#options.jobs.enqueueAll(tx, MAIL_JOB, jobs);
  }

  /** Begins to send. */
  async start(jobs: Pick<Jobs, 'work'>, writers: Readonly<Record<string, MailWriter>>): Promise<void> {
    const deliver = (data: JobData): Promise<void> => this.deliver(data, writers);
    // A mailbox is quick, and there they shall lie in the order in which they were written.
    const handler = this.#options.transport === null ? serialize(deliver) : deliver;
    await jobs.work(MAIL_JOB, handler, { concurrency: CONCURRENCY, isPrompt: true });
  }

  /** One job. @throws what may pass another time. */
  async deliver(data: JobData, writers: Readonly<Record<string, MailWriter>>): Promise<void> {
    const { db, limits, log } = this.#options;
    const { kind = '', event = '' } = data;
    if (await hasOutcome(db, event)) return;
    const write = writers[kind];
    if (!write) throw new Error(`nobody writes mails of the kind "${kind}"`);
    const mail = await write(data);
    if (!mail) return;
    const counts = mail.isUnconfirmed === true ? createMailCounters(mail.to) : [];
    const taken = await consumeAll(limits, counts);
    const handed = taken.ok ? await this.#send(event, mail, counts) : TOO_MANY;
    if (!handed.ok) log.error({ event, reason: handed.reason }, 'a mail could not be sent and will not be retried');
    await this.#recordOutcome(event, handed.ok ? 'delivered' : 'refused', mail);
  }

  async #send(event: string, mail: Mail, counts: readonly LimitCounter[]): Promise<DeliveryResult> {
    const { limits, transport } = this.#options;
    if (!isMailAddress(mail.to)) return { ok: false, reason: 'nothing can be sent to that address' };
    try {
      return (await transport?.send(event, mail)) ?? { ok: true };
    } catch (error) {
      // It is tried again, and counts then.
      await restoreAll(limits, counts);
      throw error;
    }
  }

  async #recordOutcome(event: string, outcome: 'delivered' | 'refused', mail: Mail): Promise<void> {
    const { db, clock, isStoringContent } = this.#options;
    await recordOutcome(db, {
      event,
      outcome,
      at: clock.now(),
      mail: isStoringContent && outcome === 'delivered' ? mail : null,
    });
  }

  /** The demo's mailbox, newest first. @param to whose; null: everybody's */
  async list(to: string | null): Promise<StoredMail[]> {
    return listMails(this.#options.db, to, LIST_LIMIT);
  }

  async find(id: bigint): Promise<StoredMail | null> {
    return findMail(this.#options.db, id);
  }

  /** Of the mails to these addresses only that they were sent is kept; in the transaction given. */
  async eraseContentTo(tx: Db, addresses: readonly string[]): Promise<void> {
    await eraseContent(tx, addresses);
  }

  /** The same of the mails of these events. */
  async eraseContentOf(tx: Db, events: readonly string[]): Promise<void> {
    await eraseContentOfEvents(tx, events);
  }

  /** What was sent so long ago that no job asks for it any more. */
  async deleteOld(): Promise<void> {
    const { db, clock } = this.#options;
    await deleteMailsBefore(db, new Date(clock.now().getTime() - RETENTION_MS));
  }
}

/** One after the other, as they come. */
function serialize(work: (data: JobData) => Promise<void>): (data: JobData) => Promise<void> {
  let last = Promise.resolve();
  return (data) => {
    const next = last.then(() => work(data));
    last = next.catch(() => {});
    return next;
  };
}
