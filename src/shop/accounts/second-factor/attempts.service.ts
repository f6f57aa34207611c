/**
 * Attempts at a second factor, by code or passkey: the login that they complete, and the limits on
 * wrong ones. Both kinds share the limits.
 */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { consumeAll } from '#src/platform/http/rate-limits.ts';
import type { Limit, LimitCounter, RateLimits } from '#src/platform/http/rate-limits.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { formatAccountSubject } from '#src/platform/security/devices/devices.ts';
import type { Devices } from '#src/platform/security/devices/devices.ts';
import { hashToken } from '#src/platform/security/tokens.ts';
import type { Accounts, LoginClient, SignInResult } from '../service.ts';
import * as store from './store.ts';

const MAX_ATTEMPTS = 5;
/** Wrong ones per account from one known device, or from all others together; across processes. */
const wrongCodes: Limit = { points: 5, seconds: 300, by: 'caller', isShared: true };
const wrongCodesADay: Limit = { points: 30, seconds: 86_400, by: 'caller', isShared: true };

export interface AttemptsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: RateLimits;
  readonly devices: Devices;
  readonly accounts: Pick<Accounts, 'openSession' | 'findLogin'>;
}

interface TooOften {
  readonly ok: false;
  readonly reason: 'too-often';
  readonly retryAfterSeconds: number;
}
export type RefusalReason =
  | 'wrong-code'
  | 'wrong-passkey'
  | 'not-started'
  | 'not-set-up'
  | 'login-expired'
  | 'challenge-expired'
  | 'already-registered'
  | 'too-many';
export type CodeResult =
  | { readonly ok: true; readonly recoveryCodes: readonly string[] }
  | { readonly ok: false; readonly reason: RefusalReason }
  | TooOften;

export type PendingLoginResult =
  | (Extract<SignInResult, { ok: true }> & { readonly usedRecoveryCode: boolean })
  | { readonly ok: false; readonly reason: RefusalReason; readonly userId: string | null }
  | (TooOften & { readonly userId: string });

/** Rolls the transaction back, so that nothing of a refused change stays. */
export class RefusedError extends Error {
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

export interface PendingLogin {
  readonly userId: string;
  /** Hash of the token in its cookie. */
  readonly tokenHash: Buffer;
}

/** Runs in the transaction of the new session. Returns whether a recovery code was used. */
type Confirm = (tx: Db) => Promise<boolean>;

export class Attempts {
  readonly #options: AttemptsOptions;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  /**
   * Completes a pending login.
   * @param pendingToken value of its cookie
   * @param check throws RefusedError for a wrong second factor
   */
  async completeLogin(
    pendingToken: string | null,
    client: LoginClient,
    check: (login: PendingLogin) => Promise<Confirm>,
  ): Promise<PendingLoginResult> {
    const { db, clock, limits, devices, accounts } = this.#options;
    const tokenHash = pendingToken === null ? null : hashToken(pendingToken);
    const attempt = { now: clock.now(), maxAttempts: MAX_ATTEMPTS };
    const pending = tokenHash && (await store.consumePendingAttempt(db, tokenHash, attempt));
    const user = pending && (await accounts.findLogin(pending.userId));
    if (!tokenHash || !pending || !user) return { ok: false, reason: 'login-expired', userId: null };
    const { userId } = pending;
    const device =
      devices.findDeviceId(client.deviceCookie ?? null, formatAccountSubject(userId, user.deviceGeneration)) ??
      'unknown';
    const counters = createCounters(userId, device);
    const counted = await consumeAll(limits, counters);
    if (!counted.ok) return { ...counted, reason: 'too-often', userId };
    let isRecovery = false;
    try {
      const confirm = await check({ userId, tokenHash });
      const opened = await accounts.openSession(user, client, async (tx) => {
        isRecovery = await confirm(tx);
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

  /** Counts the attempt, locks the account, and runs the work, which returns new recovery codes. */
  async run(userId: string, sessionId: string, work: (tx: Db) => Promise<readonly string[]>): Promise<CodeResult> {
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
}
