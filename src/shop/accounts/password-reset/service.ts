/**
 * Password reset by a code sent to the address of the account. The same reads, writes and responses
 * happen with and without an account; only the mail job looks for a recipient.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { isCommonPassword } from '#src/platform/security/common-passwords.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { formatAddressSubject } from '#src/platform/security/devices/devices.ts';
import type { Devices } from '#src/platform/security/devices/devices.ts';
import { restoreAll, consumeAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, Limit, RateLimits, RateLimitResult } from '#src/platform/http/rate-limits.ts';
import type { Passwords } from '#src/platform/security/passwords.ts';
import { toMailboxKey } from '#src/platform/mail/mail-address.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import { isStaffRole } from '#src/shop/permissions.ts';
import { checkPassword, isShortForStaff } from '../registration/check-password.ts';
import { normaliseName } from '../registration/normalise-name.ts';
import { CODE_LENGTH, CODE_MINUTES, parseCode, generateCode } from './reset-code.ts';
import * as store from './store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Requests older than this send no mail. */
const REQUEST_MS = 30 * MINUTE_MS;
/** Several codes stay valid, so that a stranger's request does not invalidate the owner's code. */
const MAX_ACTIVE_CODES = 3;
const MAX_ATTEMPTS = 5;
const MAX_ATTEMPTS_PER_DAY = 25;

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const createSharedLimit = (points: number, seconds: number): Limit => ({
  points,
  seconds,
  by: 'caller',
  isShared: true,
});

/** Client that requests or tries a code. */
export interface Requester {
  readonly ip: string;
  /** Unverified cookie value. */
  readonly deviceCookie: string | null;
}

/** Limits per requester: per known device, otherwise per address. */
const createRequesterCounters = (address: string, device: string | null, ip: string): readonly LimitCounter[] => [
  { name: 'reset-mails-an-hour', limit: createSharedLimit(3, HOUR_S), key: `${address}:${device ?? ip}` },
  { name: 'reset-mails-a-day', limit: createSharedLimit(5, DAY_S), key: `${address}:${device ?? ip}` },
];
/** Limits per recipient, for all unknown devices together. */
const createRecipientCounters = (mailbox: string): readonly LimitCounter[] => [
  { name: 'reset-mails-to-an-hour', limit: createSharedLimit(6, HOUR_S), key: mailbox },
  { name: 'reset-mails-to-a-day', limit: createSharedLimit(10, DAY_S), key: mailbox },
];
/** Guarantees one mail an hour after strangers have exhausted the limits of the recipient. */
const createReserveCounters = (mailbox: string): readonly LimitCounter[] => [
  { name: 'reset-mails-reserve', limit: createSharedLimit(1, HOUR_S), key: mailbox },
];

/** Kind of the mail that this service enqueues; `issueCode` supplies its data. */
export const CODE_MAIL = 'reset-code';

export type PasswordResetResult =
  | { readonly ok: true; readonly user: { readonly id: string; readonly email: string } }
  | { readonly ok: false; readonly reason: 'invalid-code' | 'busy' }
  | { readonly ok: false; readonly reason: 'refused'; readonly fields: Readonly<Record<string, string>> };

export interface PasswordResetOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly limits: RateLimits;
  readonly devices: Devices;
  readonly mails: Pick<Mails<MailKind>, 'enqueue'>;
  /** Replaces the password, ends the sessions of the account and sends a notice. */
  readonly replacePassword: (
    tx: Db,
    userId: string,
    password: { readonly hash: string; readonly isShort: boolean },
  ) => Promise<void>;
}

/** Rolls a reset back after a valid code, so that the code stays valid. */
class ResetRolledBackError extends Error {
  readonly reset: Exclude<PasswordResetResult, { ok: true }>;
  constructor(reset: Exclude<PasswordResetResult, { ok: true }>) {
    super(reset.reason);
    this.reset = reset;
  }
}

const sha256 = (...parts: readonly string[]): Buffer => createHash('sha256').update(parts.join('\0')).digest();
/** Attempts of a known device are counted on their own, those of all others together. */
const hashAttemptKey = (emailKey: string, device: string | null): Buffer =>
  device === null ? sha256(emailKey) : sha256(emailKey, device);
/** Invalid addresses share one key, so that they behave like addresses without an account. */
const toEmailKey = (email: string): string => normaliseName(email) ?? 'no address';

export class PasswordReset {
  readonly #options: PasswordResetOptions;

  constructor(options: PasswordResetOptions) {
    this.#options = options;
  }

  /** Enqueues the mail with a code, within the rate limits. */
  async requestCode(email: string, { ip, deviceCookie }: Requester): Promise<RateLimitResult> {
    const { db, clock, devices, mails } = this.#options;
    const emailKey = toEmailKey(email);
    const device = devices.findDeviceId(deviceCookie, formatAddressSubject(emailKey));
    const limited = await this.#countRequest(emailKey, device, ip);
    if (!limited.ok) return limited;
    const id = uuidv7();
    const now = clock.now();
    await transact(db, async (tx) => {
      await store.insertRequest(tx, id, { emailKey, createdAt: now });
      await store.resetAttempts(tx, hashAttemptKey(emailKey, device), now);
      await mails.enqueue(tx, [{ kind: CODE_MAIL, event: `reset.${id}`, data: { id } }]);
    });
    return { ok: true };
  }

  async #countRequest(emailKey: string, device: string | null, ip: string): Promise<RateLimitResult> {
    const { limits } = this.#options;
    const requesterCounters = createRequesterCounters(sha256(emailKey).toString('hex'), device, ip);
    const requesterLimit = await consumeAll(limits, requesterCounters);
    if (!requesterLimit.ok || device !== null) return requesterLimit;
    // Several accounts may name one mailbox in different spellings.
    const mailbox = sha256(toMailboxKey(emailKey)).toString('hex');
    const ofRecipient = await consumeAll(limits, createRecipientCounters(mailbox));
    if (ofRecipient.ok) return ofRecipient;
    const reserved = await consumeAll(limits, createReserveCounters(mailbox));
    if (reserved.ok) return reserved;
    // Strangers must not use up the limits of the requester.
    await restoreAll(limits, requesterCounters);
    return reserved.retryAfterSeconds < ofRecipient.retryAfterSeconds ? reserved : ofRecipient;
  }

  /** Issues the code of a request; null if it has no recipient or is too old. */
  async issueCode(requestId: string) {
    const { db, clock } = this.#options;
    const request = await store.findRequest(db, requestId);
    if (!request) return null;
    const now = clock.now();
    const user = await store.findUserByEmail(db, request.emailKey);
    const isLate = now.getTime() - request.createdAt.getTime() > REQUEST_MS;
    if (!user || isLate) {
      await store.deleteRequest(db, requestId);
      return null;
    }
    const code = generateCode([...randomBytes(CODE_LENGTH)]);
    const expiresAt = new Date(now.getTime() + CODE_MINUTES * MINUTE_MS);
    const issued = { id: requestId, userId: user.id, codeHash: sha256(user.id, code), expiresAt };
    await transact(db, (tx) => store.saveCode(tx, issued, MAX_ACTIVE_CODES));
    return { username: user.username, email: user.email, isConfirmed: user.isConfirmed, code };
  }

  /** Sets a new password. The result does not reveal why an attempt failed. */
  async reset(email: string, typed: string, newPassword: string, requester: Requester): Promise<PasswordResetResult> {
    const problem = checkPassword(newPassword, { email }, isCommonPassword);
    if (problem !== null) return { ok: false, reason: 'refused', fields: { newPassword: problem } };
    const code = parseCode(typed);
    if (code === null) return { ok: false, reason: 'invalid-code' };
    try {
      const user = await transact(this.#options.db, (tx) =>
        this.#resetWithCode(tx, toEmailKey(email), code, newPassword, requester),
      );
      return user ? { ok: true, user } : { ok: false, reason: 'invalid-code' };
    } catch (error) {
      if (error instanceof ResetRolledBackError) return error.reset;
      throw error;
    }
  }

  /**
   * Returns the user whose password was set; null for an invalid code. Counts the attempt in any
   * case.
   */
  async #resetWithCode(tx: Db, emailKey: string, code: string, newPassword: string, { ip, deviceCookie }: Requester) {
    const { clock, devices, passwords, replacePassword } = this.#options;
    const now = clock.now();
    const device = devices.findDeviceId(deviceCookie, formatAddressSubject(emailKey));
    const limits = { now, dayAgo: subtractDay(now), tries: MAX_ATTEMPTS, dayTries: MAX_ATTEMPTS_PER_DAY };
    if (!(await store.consumeAttempt(tx, hashAttemptKey(emailKey, device), limits))) return null;
    const user = await store.findUserByEmail(tx, emailKey);
    const userId = user?.id ?? randomUUID();
    const codeHash = sha256(userId, code);
    if (!(await store.isCodeValid(tx, userId, codeHash, now)) || !user) return null;
    const role = await store.lockUser(tx, userId);
    // Checked after the code, so that only its owner can detect that the account exists, and has a role.
    const problem = checkPassword(newPassword, { ...user, isStaff: isStaffRole(role) }, isCommonPassword);
    if (problem !== null)
      throw new ResetRolledBackError({ ok: false, reason: 'refused', fields: { newPassword: problem } });
    if (!(await store.consumeCode(tx, userId, codeHash, now))) return null;
    const hash = await passwords.hash(newPassword, device ?? ip);
    if (hash === null) throw new ResetRolledBackError({ ok: false, reason: 'busy' });
    // A valid code proves that the user reads mails at this address.
    await store.confirmEmail(tx, userId, now);
    const replaced = { hash, isShort: isShortForStaff(newPassword) };
    await replacePassword(tx, userId, replaced);
    if (isStaffRole(role)) {
      const by = { kind: 'staff', userId, username: user.username, ip, userAgent: null } as const;
      const subject = { kind: 'account', id: userId } as const;
      await recordChange(tx, { at: now, by, action: 'account.password-reset', subject, before: {}, after: {} });
    }
    return user;
  }

  /** Deletes expired requests, codes and counts. Called periodically. */
  async deleteOld(): Promise<void> {
    const now = this.#options.clock.now();
    await store.deleteOld(this.#options.db, { now, dayAgo: subtractDay(now) });
  }
}

const subtractDay = (now: Date): Date => new Date(now.getTime() - DAY_MS);
