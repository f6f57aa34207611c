/**
 * Attempts at a second factor, by code or passkey: the login that they complete, and the limits on
 * wrong ones. Both kinds share the limits.
 */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { consumeAll, restoreAll } from '#src/platform/http/rate-limits.ts';
import type { Limit, LimitCounter, RateLimits } from '#src/platform/http/rate-limits.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { formatAccountSubject } from '#src/platform/security/devices/devices.ts';
import type { Devices } from '#src/platform/security/devices/devices.ts';
import { hashToken } from '#src/platform/security/tokens.ts';
import type { Accounts, LoginClient, SignInResult } from '../service.ts';
import type { ConfirmedWith } from '../factor-change.ts';
import * as pendingLogins from '../pending-logins.store.ts';
import * as store from './store.ts';

const MAX_ATTEMPTS = 5;
const WRONG: ReadonlySet<RefusalReason> = new Set(['wrong-code', 'wrong-passkey']);
/** Wrong ones per account from one known device or session, or from all others together; across processes. */
const wrongCodes: Limit = { points: 5, seconds: 300, by: 'caller', isShared: true };
/** All sessions together. */
const wrongCodesADay: Limit = { points: 30, seconds: 86_400, by: 'caller', isShared: true };
/** Wrong ones per address, for all accounts. */
const wrongCodesFrom: Limit = { points: 60, seconds: 300, by: 'ip', isShared: true };

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
  | 'already-set-up'
  | 'login-expired'
  | 'challenge-expired'
  | 'already-registered'
  | 'too-many'
  | 'not-found'
  | 'change-pending'
  | 'factor-not-confirmed';
interface Refused {
  readonly ok: false;
  readonly reason: RefusalReason;
}
export type AttemptResult<Value> = { readonly ok: true; readonly value: Value } | Refused | TooOften;

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

interface Guesser {
  readonly userId: string;
  /** A known device or a session; 'unknown' for all others. */
  readonly device: string;
  /** The device, or all sessions together. */
  readonly dayKey?: string;
  readonly ip: string;
}

const createCounters = ({ userId, device, dayKey = device, ip }: Guesser): readonly LimitCounter[] => [
  { name: 'second-factor', limit: wrongCodes, key: `${userId}:${device}` },
  { name: 'second-factor-a-day', limit: wrongCodesADay, key: `${userId}:${dayKey}` },
  { name: 'second-factor-from', limit: wrongCodesFrom, key: ip },
];

export interface PendingLogin {
  readonly userId: string;
  /** Hash of the token in its cookie. */
  readonly tokenHash: Buffer;
}

/** Runs in the transaction of the new session. */
type Confirm = (tx: Db) => Promise<ConfirmedWith>;

/** A session in which a code is entered. */
export interface OwnSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly ip: string;
}

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
    const pending = tokenHash && (await pendingLogins.consumePendingAttempt(db, tokenHash, attempt));
    const user = pending && (await accounts.findLogin(pending.userId));
    if (!tokenHash || !pending || !user) return { ok: false, reason: 'login-expired', userId: null };
    const { userId } = pending;
    const device =
      devices.findDeviceId(client.deviceCookie ?? null, formatAccountSubject(userId, user.deviceGeneration)) ??
      'unknown';
    const counters = createCounters({ userId, device, ip: client.ip });
    const counted = await consumeAll(limits, counters);
    if (!counted.ok) return { ...counted, reason: 'too-often', userId };
    let confirmedWith: ConfirmedWith = 'factor';
    try {
      const confirm = await check({ userId, tokenHash });
      const opened = await accounts.openSession(user, client, async (tx) => {
        confirmedWith = await confirm(tx);
        if (!(await pendingLogins.deletePendingLogin(tx, tokenHash))) throw new RefusedError('login-expired');
        return confirmedWith;
      });
      if (!opened.ok) return { ok: false, reason: 'login-expired', userId };
      await this.#reset(counters);
      return { ...opened, usedRecoveryCode: confirmedWith !== 'factor' };
    } catch (error) {
      if (error instanceof RefusedError) return { ok: false, reason: error.reason, userId };
      throw error;
    }
  }

  /** Counts an attempt with a code, locks the account, and runs the work. */
  guess<Value>(session: OwnSession, work: (tx: Db) => Promise<Value>): Promise<AttemptResult<Value>> {
    return this.guessAfter(session, () => Promise.resolve(work));
  }

  /**
   * Counts an attempt, and runs the work on the locked account.
   * @param check returns the work; throws RefusedError for a wrong second factor
   */
  async guessAfter<Value>(
    { userId, sessionId, ip }: OwnSession,
    check: () => Promise<(tx: Db) => Promise<Value>>,
  ): Promise<AttemptResult<Value>> {
    const { limits } = this.#options;
    const counters = createCounters({ userId, device: `session:${sessionId}`, dayKey: 'sessions', ip });
    const counted = await consumeAll(limits, counters);
    if (!counted.ok) return { ...counted, reason: 'too-often' };
    const done = await catchRefusal(async () => this.run(userId, await check()));
    if (done.ok) await this.#reset(counters);
    // Only wrong ones count.
    else if (!WRONG.has(done.reason)) await restoreAll(limits, counters);
    return done;
  }

  /** Locks the account and runs the work. */
  async run<Value>(
    userId: string,
    work: (tx: Db) => Promise<Value>,
  ): Promise<{ readonly ok: true; readonly value: Value } | Refused> {
    return catchRefusal(async () => {
      const value = await transact(this.#options.db, async (tx) => {
        await store.lockAccount(tx, userId);
        return work(tx);
      });
      return { ok: true, value };
    });
  }

  /** Of the limit by address, which other accounts share, only this attempt is uncounted. */
  async #reset(counters: readonly LimitCounter[]): Promise<void> {
    const { limits } = this.#options;
    for (const { name, limit, key } of counters) {
      if (limit.by === 'ip') await limits.restore(name, limit, key);
      else await limits.reset(name, limit, key);
    }
  }
}

async function catchRefusal<Result>(work: () => Promise<Result>): Promise<Result | Refused> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusedError) return { ok: false, reason: error.reason };
    throw error;
  }
}
