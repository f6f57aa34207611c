/**
 * A lost password, replaced by a code that is sent to the account's address. Nothing here tells an address with an account
 * from one without: the same is read, written and answered for both, and who there is to write to is seen by the job.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Limit, RateLimits, Taken } from '#src/platform/http/rate-limits.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import type { Passwords } from '#src/platform/passwords.ts';
import { isCommonPassword } from '../accounts/is-common-password.ts';
import { normaliseName } from '../accounts/normalise-name.ts';
import type { Profile } from '../profile/service.ts';
import { CODE_LENGTH, CODE_MINUTES, readCode, writeCode } from './reset-code.ts';
import * as store from './store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A mail that comes later than this is of no use to whoever asked. */
const REQUEST_MS = 30 * MINUTE_MS;
/** More than one, so that whoever asks in another's place does not void the code that its owner waits for. */
const LIVE_CODES = 3;
const TRIES = 5;
const TRIES_A_DAY = 25;

/** Mails to one address, whoever asks for them. */
const anHour: Limit = { points: 3, seconds: 3600, by: 'caller', isShared: true };
const aDay: Limit = { points: 5, seconds: 86_400, by: 'caller', isShared: true };

/** The mail that this slice enqueues; who writes it asks `issueCode`. */
export const CODE_MAIL = 'reset-code';

export type Reset =
  | { readonly ok: true; readonly user: { readonly id: string } }
  | { readonly ok: false; readonly reason: 'invalid-code' | 'busy' }
  | { readonly ok: false; readonly reason: 'refused'; readonly fields: Readonly<Record<string, string>> };

export interface RecoveryOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly limits: RateLimits;
  readonly mails: Pick<Mails, 'enqueue'>;
  readonly profile: Pick<Profile, 'replacePassword'>;
}

/** Undoes a reset whose password could not be hashed for now: its code is still good. */
class TooBusy extends Error {}

const sha256 = (...parts: readonly string[]): Buffer => createHash('sha256').update(parts.join('\0')).digest();
/** What can be no address of an account is asked for, and tried, like one that has none. */
const keyOf = (email: string): string => normaliseName(email) ?? 'no address';

export class Recovery {
  readonly #options: RecoveryOptions;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** Somebody asks for a code. */
  async request(email: string): Promise<Taken> {
    const { db, clock, limits, mails } = this.#options;
    const emailKey = keyOf(email);
    const addressHash = sha256(emailKey);
    const address = addressHash.toString('hex');
    const ofHour = await limits.take('reset-mails-an-hour', anHour, address);
    if (!ofHour.ok) return ofHour;
    const ofDay = await limits.take('reset-mails-a-day', aDay, address);
    if (!ofDay.ok) return ofDay;
    const id = uuidv7();
    const now = clock.now();
    await transact(db, async (tx) => {
      await store.insertRequest(tx, id, { emailKey, createdAt: now });
      await store.renewTries(tx, addressHash, now);
      await mails.enqueue(tx, [{ kind: CODE_MAIL, event: `reset.${id}`, data: { id } }]);
    });
    return { ok: true };
  }

  /** A code for the mail of a request; null when there is nobody to send it to. */
  async issueCode(requestId: string) {
    const { db, clock } = this.#options;
    const request = await store.findRequest(db, requestId);
    if (!request) return null;
    const now = clock.now();
    const user = await store.findUserByAddress(db, request.emailKey);
    const isLate = now.getTime() - request.createdAt.getTime() > REQUEST_MS;
    if (!user || isLate) {
      await store.deleteRequest(db, requestId);
      return null;
    }
    const code = writeCode([...randomBytes(CODE_LENGTH)]);
    const expiresAt = new Date(now.getTime() + CODE_MINUTES * MINUTE_MS);
    const kept = { id: requestId, userId: user.id, codeHash: sha256(user.id, code), expiresAt };
    await transact(db, (tx) => store.putCode(tx, kept, LIVE_CODES));
    return { username: user.username, email: user.email, code };
  }

  /** Sets a new password. Who tried and failed learns nothing more than that. */
  async reset(email: string, typed: string, newPassword: string): Promise<Reset> {
    if (isCommonPassword(newPassword)) {
      const fields = { newPassword: 'is one of the passwords that everybody guesses first' };
      return { ok: false, reason: 'refused', fields };
    }
    const code = readCode(typed);
    if (code === null) return { ok: false, reason: 'invalid-code' };
    try {
      const user = await transact(this.#options.db, (tx) => this.#resetBy(tx, keyOf(email), code, newPassword));
      return user ? { ok: true, user } : { ok: false, reason: 'invalid-code' };
    } catch (error) {
      if (error instanceof TooBusy) return { ok: false, reason: 'busy' };
      throw error;
    }
  }

  /** Whose password was set; null for a code that is not good. The try counts in any case. */
  async #resetBy(tx: Db, emailKey: string, code: string, newPassword: string): Promise<{ readonly id: string } | null> {
    const { clock, passwords, profile } = this.#options;
    const now = clock.now();
    const limits = { now, dayAgo: dayBefore(now), tries: TRIES, dayTries: TRIES_A_DAY };
    if (!(await store.takeTry(tx, sha256(emailKey), limits))) return null;
    const userId = (await store.findUserByAddress(tx, emailKey))?.id ?? randomUUID();
    const codeHash = sha256(userId, code);
    if (!(await store.isCodeGood(tx, userId, codeHash, now))) return null;
    await store.lockUser(tx, userId);
    if (!(await store.takeCode(tx, userId, codeHash, now))) return null;
    const hash = await passwords.hash(newPassword);
    if (hash === null) throw new TooBusy();
    // Whoever has the code reads the mails there.
    await store.confirmAddress(tx, userId, now);
    await profile.replacePassword(tx, userId, hash, 'password-reset', null);
    return { id: userId };
  }

  /** Removes what is of no use any more; to be called now and then. */
  async forgetOld(): Promise<void> {
    const now = this.#options.clock.now();
    await store.deleteOld(this.#options.db, { now, dayAgo: dayBefore(now) });
  }
}

const dayBefore = (now: Date): Date => new Date(now.getTime() - DAY_MS);
