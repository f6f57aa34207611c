/**
 * The second factor of the team: codes of an authenticator app, and recovery codes. A login with a
 * correct password is pending until a code completes it.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Identity } from '#src/platform/http/call.ts';
import { consumeAll } from '#src/platform/http/rate-limits.ts';
import type { Limit, LimitCounter, RateLimits } from '#src/platform/http/rate-limits.ts';
import { formatAccountSubject } from '#src/platform/security/devices/devices.ts';
import type { Devices } from '#src/platform/security/devices/devices.ts';
import type { SecretBox } from '#src/platform/security/secret-box.ts';
import { hashToken } from '#src/platform/security/tokens.ts';
import { createTotpSecret, describeTotpSecret, findTotpStep } from '#src/platform/security/totp.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { Profile } from '../profile/service.ts';
import { deleteSessions } from '../profile/store.ts';
import { normaliseName } from '../registration/normalise-name.ts';
import type { Accounts, LoginClient, SignInResult } from '../service.ts';
import {
  generateRecoveryCode,
  parseAppCode,
  parseRecoveryCode,
  RECOVERY_CODE_BYTES,
  RECOVERY_CODES,
} from './recovery-code.ts';
import * as store from './store.ts';

const MAX_ATTEMPTS = 5;
/** Wrong codes per account from one known device, or from all others together; across processes. */
const wrongCodes: Limit = { points: 5, seconds: 300, by: 'caller', isShared: true };
const wrongCodesADay: Limit = { points: 30, seconds: 86_400, by: 'caller', isShared: true };

export interface SecondFactorsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: RateLimits;
  readonly devices: Devices;
  readonly secrets: SecretBox;
  readonly accounts: Pick<Accounts, 'openSession' | 'findLogin'>;
  readonly profile: Pick<Profile, 'endSessions' | 'sendNotice'>;
  readonly isSecondFactorRequired: boolean;
  readonly getShopName: () => string;
}

interface TooOften {
  readonly ok: false;
  readonly reason: 'too-often';
  readonly retryAfterSeconds: number;
}
type RefusalReason = 'wrong-code' | 'not-started' | 'not-set-up' | 'login-expired';
export type CodeResult =
  | { readonly ok: true; readonly recoveryCodes: readonly string[] }
  | { readonly ok: false; readonly reason: RefusalReason }
  | TooOften;

export type PendingLoginResult =
  | (Extract<SignInResult, { ok: true }> & { readonly usedRecoveryCode: boolean })
  | { readonly ok: false; readonly reason: RefusalReason; readonly userId: string | null }
  | (TooOften & { readonly userId: string });

/** Rolls the transaction back, so that nothing of a refused change stays. */
class RefusedError extends Error {
  readonly reason: RefusalReason;
  constructor(reason: RefusalReason) {
    super(reason);
    this.reason = reason;
  }
}

const createCounters = (userId: string, device: string): readonly LimitCounter[] => [
  { name: 'second-factor', limit: wrongCodes, key: `${userId}:${device}` },
  { name: 'second-factor-a-day', limit: wrongCodesADay, key: `${userId}:${device}` },
];

const hashRecoveryCode = (userId: string, code: string): Buffer =>
  createHash('sha256').update(`${userId}\0${code}`).digest();

export class SecondFactors {
  readonly #options: SecondFactorsOptions;

  constructor(options: SecondFactorsOptions) {
    this.#options = options;
  }

  async find(userId: string) {
    const { db, isSecondFactorRequired } = this.#options;
    const { confirmedAt, codesLeft } = await store.findFactorState(db, userId);
    return { confirmed_at: confirmedAt, recovery_codes_left: codesLeft, is_required: isSecondFactorRequired };
  }

  // ---- set-up

  /** A new secret, not in force yet. Null if a second factor is set up. */
  async start({ userId, username }: Pick<Identity, 'userId' | 'username'>) {
    const { db, clock, secrets, getShopName } = this.#options;
    const secret = createTotpSecret();
    const sealed = secrets.seal(secret, userId);
    const isSaved = await transact(db, (tx) => store.saveUnconfirmed(tx, userId, sealed, clock.now()));
    if (!isSaved) return null;
    const { text, uri } = describeTotpSecret(secret, { issuer: getShopName() || 'Shop', account: username });
    return { secret: text, uri };
  }

  /** Turns the factor on, ends all other sessions, and returns the recovery codes. */
  confirm(
    { userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>,
    typed: string,
    by: Actor,
  ): Promise<CodeResult> {
    const { clock, profile } = this.#options;
    return this.#runWithCode(userId, sessionId, async (tx) => {
      const factor = await store.lockFactor(tx, userId);
      if (factor === null || factor.confirmedAt !== null) throw new RefusedError('not-started');
      if (!(await this.#consumeAppCode(tx, userId, typed, factor))) throw new RefusedError('wrong-code');
      await store.markConfirmed(tx, userId, clock.now());
      await profile.endSessions(tx, userId, sessionId);
      await profile.sendNotice(tx, userId, 'second-factor-added');
      const recoveryCodes = await this.#createRecoveryCodes(tx, userId);
      await this.#record(tx, userId, by, 'second-factor-added', [false, true]);
      return recoveryCodes;
    });
  }

  /** Replaces all recovery codes. */
  replaceRecoveryCodes(
    { userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>,
    typed: string,
    by: Actor,
  ): Promise<CodeResult> {
    return this.#runWithCode(userId, sessionId, async (tx) => {
      if (!(await store.hasFactor(tx, userId))) throw new RefusedError('not-set-up');
      await this.#consumeCode(tx, userId, typed);
      const recoveryCodes = await this.#createRecoveryCodes(tx, userId);
      await this.#record(tx, userId, by, 'recovery-codes-replaced', [true, true]);
      return recoveryCodes;
    });
  }

  /** Removes the factor. A session and a password are not enough: it takes a code. */
  remove({ userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>, typed: string, by: Actor): Promise<CodeResult> {
    const { profile } = this.#options;
    return this.#runWithCode(userId, sessionId, async (tx) => {
      if (!(await store.hasFactor(tx, userId))) throw new RefusedError('not-set-up');
      await this.#consumeCode(tx, userId, typed);
      await store.deleteFactor(tx, userId);
      await profile.sendNotice(tx, userId, 'second-factor-removed');
      await this.#record(tx, userId, by, 'second-factor-removed', [true, false]);
      return [];
    });
  }

  // ---- login

  /** Completes a pending login. @param pendingToken value of its cookie */
  async completeLogin(pendingToken: string | null, typed: string, client: LoginClient): Promise<PendingLoginResult> {
    const { db, clock, limits, devices, accounts } = this.#options;
    const tokenHash = pendingToken === null ? null : hashToken(pendingToken);
    const attempt = { now: clock.now(), maxAttempts: MAX_ATTEMPTS };
    const pending = tokenHash && (await store.consumePendingAttempt(db, tokenHash, attempt));
    const user = pending && (await accounts.findLogin(pending.userId));
    if (!tokenHash || !pending || !user) return { ok: false, reason: 'login-expired', userId: null };
    const { userId } = pending;
    const device = devices.findDeviceId(client.deviceCookie ?? null, formatAccountSubject(userId)) ?? 'unknown';
    const counters = createCounters(userId, device);
    const counted = await consumeAll(limits, counters);
    if (!counted.ok) return { ...counted, reason: 'too-often', userId };
    let isRecovery = false;
    try {
      const opened = await accounts.openSession(user, client, async (tx) => {
        isRecovery = await this.#consumeCode(tx, userId, typed);
        if (!(await store.deletePendingLogin(tx, tokenHash))) throw new RefusedError('login-expired');
      });
      if (!opened.ok) return { ok: false, reason: 'login-expired', userId };
      await this.#reset(counters);
      return { ...opened, usedRecoveryCode: isRecovery };
    } catch (error) {
      if (error instanceof RefusedError) return { ok: false, reason: error.reason, userId };
      throw error;
    }
  }

  /** Deletes expired logins. Called periodically. */
  deleteExpired(): Promise<void> {
    return store.deleteExpiredPendingLogins(this.#options.db, this.#options.clock.now());
  }

  // ---- codes

  /** Counts the attempt, locks the account, and runs the work, which returns new recovery codes. */
  async #runWithCode(
    userId: string,
    sessionId: string,
    work: (tx: Db) => Promise<readonly string[]>,
  ): Promise<CodeResult> {
    const { db, limits } = this.#options;
    const counters = createCounters(userId, `session:${sessionId}`);
    const counted = await consumeAll(limits, counters);
    if (!counted.ok) return { ...counted, reason: 'too-often' };
    try {
      const recoveryCodes = await transact(db, async (tx) => {
        await store.lockAccount(tx, userId);
        return work(tx);
      });
      await this.#reset(counters);
      return { ok: true, recoveryCodes };
    } catch (error) {
      if (error instanceof RefusedError) return { ok: false, reason: error.reason };
      throw error;
    }
  }

  async #reset(counters: readonly LimitCounter[]): Promise<void> {
    for (const { name, limit, key } of counters) await this.#options.limits.reset(name, limit, key);
  }

  /**
   * Accepts a code of the app or a recovery code, each once. Returns whether it was a recovery code.
   * @throws RefusedError for a wrong one
   */
  async #consumeCode(tx: Db, userId: string, typed: string): Promise<boolean> {
    const recoveryCode = parseRecoveryCode(typed);
    if (recoveryCode === null) {
      const factor = await store.lockFactor(tx, userId);
      const isConfirmed = factor !== null && factor.confirmedAt !== null;
      if (isConfirmed && (await this.#consumeAppCode(tx, userId, typed, factor))) return false;
      throw new RefusedError('wrong-code');
    }
    const isUsed = await store.consumeRecoveryCode(tx, userId, hashRecoveryCode(userId, recoveryCode));
    if (!isUsed) throw new RefusedError('wrong-code');
    await this.#options.profile.sendNotice(tx, userId, 'recovery-code-used');
    return true;
  }

  async #consumeAppCode(tx: Db, userId: string, typed: string, { secret }: store.SecondFactorRow): Promise<boolean> {
    const { clock, secrets } = this.#options;
    const code = parseAppCode(typed);
    const step = code === null ? null : findTotpStep(secrets.open(secret, userId), code, clock.now());
    return step !== null && store.consumeStep(tx, userId, step);
  }

  async #createRecoveryCodes(tx: Db, userId: string): Promise<readonly string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () =>
      generateRecoveryCode([...randomBytes(RECOVERY_CODE_BYTES)]),
    );
    const hashes = codes.map((code) => hashRecoveryCode(userId, code));
    await store.replaceRecoveryCodes(tx, userId, hashes);
    return codes;
  }

  #record(tx: Db, userId: string, by: Actor, change: string, [before, after]: readonly [boolean, boolean]) {
    return recordChange(tx, {
      at: this.#options.clock.now(),
      by,
      action: `account.${change}`,
      subject: { kind: 'account', id: userId },
      before: { second_factor: before },
      after: { second_factor: after },
    });
  }
}

/** Ends all sessions and pending logins. Open connections of a running shop notice at their next message. */
export async function endAllSessions(tx: Db, userId: string): Promise<void> {
  await deleteSessions(tx, userId, null);
  await store.deletePendingLoginsOf(tx, userId);
}

export interface ResetFactor {
  readonly username: string;
  readonly by: Actor;
  readonly now: Date;
}

/**
 * Removes the second factor of somebody who lost app and recovery codes, and ends all sessions. Used by
 * a command on the server. Null for an unknown name; false if there was none.
 */
export function resetSecondFactor(db: Db, { username, by, now }: ResetFactor): Promise<boolean | null> {
  return transact(db, async (tx) => {
    const key = normaliseName(username);
    const userId = key && (await store.lockAccountByName(tx, key));
    if (!userId) return null;
    const isRemoved = await store.deleteFactor(tx, userId);
    if (!isRemoved) return false;
    await endAllSessions(tx, userId);
    const subject = { kind: 'account', id: userId } as const;
    const change = { before: { second_factor: true }, after: { second_factor: false } };
    await recordChange(tx, { at: now, by, action: 'account.second-factor-reset', subject, ...change });
    return true;
  });
}
