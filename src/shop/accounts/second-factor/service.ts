/**
 * The second factor of the team: codes of an authenticator app, and recovery codes. A login with a
 * correct password is pending until a code or a passkey completes it.
 */
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Identity } from '#src/platform/http/call.ts';
import type { SecretBox } from '#src/platform/security/secret-box.ts';
import { createTotpSecret, describeTotpSecret, findTotpStep } from '#src/platform/security/totp.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { Profile } from '../profile/service.ts';
import { deleteSessions } from '../profile/store.ts';
import { normaliseName } from '../registration/normalise-name.ts';
import type { LoginClient } from '../service.ts';
import { RefusedError } from './attempts.service.ts';
import type { Attempts, CodeResult, PendingLogin, PendingLoginResult } from './attempts.service.ts';
import { hasFactor } from './has-factor.store.ts';
import { deleteExpiredChallenges, deletePasskeysOf, listPasskeys } from './passkeys.store.ts';
import { parseAppCode, parseRecoveryCode } from './recovery-code.ts';
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.service.ts';
import * as store from './store.ts';

export interface SecondFactorsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly attempts: Attempts;
  readonly profile: Pick<Profile, 'endSessions' | 'sendNotice'>;
  readonly isSecondFactorRequired: boolean;
  readonly getShopName: () => string;
}

export class SecondFactors {
  readonly #options: SecondFactorsOptions;

  constructor(options: SecondFactorsOptions) {
    this.#options = options;
  }

  async find(userId: string) {
    const { db, isSecondFactorRequired } = this.#options;
    const { confirmedAt, codesLeft } = await store.findFactorState(db, userId);
    const passkeys = await listPasskeys(db, userId);
    return {
      confirmed_at: confirmedAt,
      passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
        id,
        name,
        created_at: createdAt,
        last_used_at: lastUsedAt,
      })),
      recovery_codes_left: codesLeft,
      is_required: isSecondFactorRequired,
    };
  }

  // ---- set-up

  /** A new secret, not in force yet. Null if an app is set up. */
  async start({ userId, username }: Pick<Identity, 'userId' | 'username'>) {
    const { db, clock, secrets, getShopName } = this.#options;
    const secret = createTotpSecret();
    const sealed = secrets.seal(secret, userId);
    const isSaved = await transact(db, (tx) => store.saveUnconfirmed(tx, userId, sealed, clock.now()));
    if (!isSaved) return null;
    const { text, uri } = describeTotpSecret(secret, { issuer: getShopName() || 'Shop', account: username });
    return { secret: text, uri };
  }

  /** Turns the app on, and ends all other sessions. Returns recovery codes if it is the first factor, else none. */
  confirm(
    { userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>,
    typed: string,
    by: Actor,
  ): Promise<CodeResult> {
    const { clock, profile } = this.#options;
    return this.#options.attempts.run(userId, sessionId, async (tx) => {
      const factor = await store.lockFactor(tx, userId);
      if (factor === null || factor.confirmedAt !== null) throw new RefusedError('not-started');
      if (!(await this.#consumeAppCode(tx, userId, typed, factor))) throw new RefusedError('wrong-code');
      const isFirst = !(await hasFactor(tx, userId));
      await store.markConfirmed(tx, userId, clock.now());
      await profile.endSessions(tx, userId, sessionId);
      await profile.sendNotice(tx, userId, 'second-factor-added');
      const recoveryCodes = isFirst ? await createRecoveryCodes(tx, userId) : [];
      await this.#record(tx, userId, by, 'second-factor-added', [false, true]);
      return recoveryCodes;
    });
  }

  /** Replaces all recovery codes. Accounts with an app enter a code; others have no way to. */
  replaceRecoveryCodes(
    { userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>,
    typed: string,
    by: Actor,
  ): Promise<CodeResult> {
    return this.#options.attempts.run(userId, sessionId, async (tx) => {
      if (!(await hasFactor(tx, userId))) throw new RefusedError('not-set-up');
      if (await store.hasApp(tx, userId)) await this.#consumeCode(tx, userId, typed);
      const recoveryCodes = await createRecoveryCodes(tx, userId);
      await this.#record(tx, userId, by, 'recovery-codes-replaced', [true, true]);
      return recoveryCodes;
    });
  }

  /** Removes the app. A session and a password are not enough: it takes a code. */
  remove({ userId, sessionId }: Pick<Identity, 'userId' | 'sessionId'>, typed: string, by: Actor): Promise<CodeResult> {
    const { profile } = this.#options;
    return this.#options.attempts.run(userId, sessionId, async (tx) => {
      if (!(await store.hasApp(tx, userId))) throw new RefusedError('not-set-up');
      await this.#consumeCode(tx, userId, typed);
      await store.deleteApp(tx, userId);
      if (!(await hasFactor(tx, userId))) await store.deleteRecoveryCodes(tx, userId);
      await profile.sendNotice(tx, userId, 'second-factor-removed');
      await this.#record(tx, userId, by, 'second-factor-removed', [true, false]);
      return [];
    });
  }

  // ---- login

  /** Completes a pending login. @param pendingToken value of its cookie */
  completeLogin(pendingToken: string | null, typed: string, client: LoginClient): Promise<PendingLoginResult> {
    const check = ({ userId }: PendingLogin) => Promise.resolve((tx: Db) => this.#consumeCode(tx, userId, typed));
    return this.#options.attempts.completeLogin(pendingToken, client, check);
  }

  /** Deletes expired logins and challenges. Called periodically. */
  async deleteExpired(): Promise<void> {
    const { db, clock } = this.#options;
    await store.deleteExpiredPendingLogins(db, clock.now());
    await deleteExpiredChallenges(db, clock.now());
  }

  // ---- codes

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

/** Deletes app, passkeys and recovery codes. False if there was no factor. */
export async function removeFactors(tx: Db, userId: string): Promise<boolean> {
  const hadApp = await store.deleteApp(tx, userId);
  const passkeys = await deletePasskeysOf(tx, userId);
  await store.deleteRecoveryCodes(tx, userId);
  return hadApp || passkeys > 0;
}

export interface ResetFactor {
  readonly username: string;
  readonly by: Actor;
  readonly now: Date;
}

/**
 * Removes the second factors of somebody who lost them and the recovery codes, and ends all sessions. Used by
 * a command on the server. Null for an unknown name; false if there was none.
 */
export function resetSecondFactor(db: Db, { username, by, now }: ResetFactor): Promise<boolean | null> {
  return transact(db, async (tx) => {
    const key = normaliseName(username);
    const userId = key && (await store.lockAccountByName(tx, key));
    if (!userId) return null;
    if (!(await removeFactors(tx, userId))) return false;
    await endAllSessions(tx, userId);
    const subject = { kind: 'account', id: userId } as const;
    const change = { before: { second_factor: true }, after: { second_factor: false } };
    await recordChange(tx, { at: now, by, action: 'account.second-factor-reset', subject, ...change });
    return true;
  });
}
