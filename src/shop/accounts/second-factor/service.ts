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
import type { LoginClient } from '../login.service.ts';
import type { ConfirmedWith } from '../factor-change.ts';
import type { Profile } from '../profile/service.ts';
import { deleteSessions } from '../profile/store.ts';
import { normaliseName } from '../registration/normalise-name.ts';
import { RefusedError } from './attempts.service.ts';
import type { AttemptResult, Attempts, OwnSession, PendingLogin, PendingLoginResult } from './attempts.service.ts';
import type { ChangeOutcome, ChangingMember, FactorChanges } from './changes.service.ts';
import { deleteChangeOf, markFactorConfirmed, markRecoveryCodeUsed } from './changes.store.ts';
import type { FactorChange } from './changes.store.ts';
import { hasFactor } from '../has-factor.store.ts';
import { deleteExpiredChallenges, deletePasskeysOf, listPasskeys } from './passkeys.store.ts';
import { parseAppCode, parseRecoveryCode } from './recovery-code.ts';
import { generateRecoveryCodes, hashRecoveryCode } from './recovery-codes.service.ts';
import * as pendingLogins from '../pending-logins.store.ts';
import * as store from './store.ts';

export interface SecondFactorsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly attempts: Attempts;
  readonly changes: FactorChanges;
  readonly profile: Pick<Profile, 'sendNotice'>;
  readonly isSecondFactorRequired: boolean;
  readonly getShopName: () => string;
}

export class SecondFactors {
  readonly #options: SecondFactorsOptions;

  constructor(options: SecondFactorsOptions) {
    this.#options = options;
  }

  async find(session: Pick<Identity, 'userId' | 'sessionId'>) {
    const { db, changes, isSecondFactorRequired } = this.#options;
    const { userId } = session;
    const { pending, confirmedWith } = await changes.find(session);
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
      confirmed_with: confirmedWith,
      pending_change: pending && {
        kind: pending.change.kind,
        passkey_name: pending.passkeyName,
        requested_at: pending.requestedAt,
        takes_effect_at: pending.takesEffectAt,
      },
    };
  }

  // ---- set-up

  /** A new secret, not in force yet. */
  start(member: Pick<Identity, 'userId' | 'username' | 'sessionId'>) {
    const { attempts, changes, clock, secrets, getShopName } = this.#options;
    const { userId, username } = member;
    return attempts.run(userId, async (tx) => {
      await changes.authorise(tx, member);
      const secret = createTotpSecret();
      const isSaved = await store.saveUnconfirmed(tx, userId, secrets.seal(secret, userId), clock.now());
      if (!isSaved) throw new RefusedError('already-set-up');
      const { text, uri } = describeTotpSecret(secret, { issuer: getShopName() || 'Shop', account: username });
      return { secret: text, uri };
    });
  }

  /** Turns the app on with a first code. Without a delay it ends all other sessions. */
  confirm(member: ChangingMember & OwnSession, typed: string): Promise<AttemptResult<ChangeOutcome>> {
    const { attempts, changes } = this.#options;
    return attempts.guess(member, async (tx) => {
      const { userId } = member;
      const factor = await store.lockFactor(tx, userId);
      if (factor === null || factor.confirmedAt !== null) throw new RefusedError('not-started');
      await changes.authorise(tx, member);
      if (!(await this.#consumeAppCode(tx, userId, typed, factor))) throw new RefusedError('wrong-code');
      return changes.perform(tx, member, { kind: 'add-app' });
    });
  }

  // ---- changes

  /** Uses a code of the app, or a recovery code, so that the session can make changes. */
  verify(session: OwnSession, typed: string): Promise<AttemptResult<ConfirmedWith>> {
    return this.#options.attempts.guess(session, async (tx) => {
      if (!(await hasFactor(tx, session.userId))) throw new RefusedError('not-set-up');
      return this.#verify(tx, session, typed);
    });
  }

  /**
   * Replaces all recovery codes. With a delay, the present ones are valid until then, and the returned ones from
   * then on.
   */
  async replaceRecoveryCodes(member: ChangingMember & OwnSession, typed: string | null) {
    const { codes, hashes } = generateRecoveryCodes(member.userId);
    const replaced = await this.#change(member, typed, { kind: 'replace-recovery-codes', codeHashes: hashes });
    return replaced.ok ? { ...replaced, value: { ...replaced.value, recoveryCodes: codes } } : replaced;
  }

  /** Removes the app. */
  remove(member: ChangingMember & OwnSession, typed: string | null): Promise<AttemptResult<ChangeOutcome>> {
    return this.#change(member, typed, { kind: 'remove-app' });
  }

  /** @param typed a code that comes with the change; null: the session has confirmed a factor before */
  #change(
    member: ChangingMember & OwnSession,
    typed: string | null,
    change: FactorChange,
  ): Promise<AttemptResult<ChangeOutcome>> {
    const { attempts, changes } = this.#options;
    const { userId } = member;
    const work = async (tx: Db): Promise<ChangeOutcome> => {
      const isSetUp = change.kind === 'remove-app' ? await store.hasApp(tx, userId) : await hasFactor(tx, userId);
      if (!isSetUp) throw new RefusedError('not-set-up');
      if (typed !== null) await this.#verify(tx, member, typed);
      return changes.perform(tx, member, change);
    };
    return typed === null ? attempts.run(userId, work) : attempts.guess(member, work);
  }

  async #verify(tx: Db, { userId, sessionId }: OwnSession, typed: string): Promise<ConfirmedWith> {
    const now = this.#options.clock.now();
    const confirmedWith = await this.#consumeCode(tx, userId, typed);
    if (confirmedWith === 'factor') await markFactorConfirmed(tx, sessionId, now);
    else await markRecoveryCodeUsed(tx, sessionId, now);
    return confirmedWith;
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
    await pendingLogins.deleteExpiredPendingLogins(db, clock.now());
    await deleteExpiredChallenges(db, clock.now());
  }

  // ---- codes

  /**
   * Accepts a code of the app or a recovery code, each once. Returns which it was.
   * @throws RefusedError for a wrong one
   */
  async #consumeCode(tx: Db, userId: string, typed: string): Promise<ConfirmedWith> {
    const recoveryCode = parseRecoveryCode(typed);
    if (recoveryCode === null) {
      const factor = await store.lockFactor(tx, userId);
      const isConfirmed = factor !== null && factor.confirmedAt !== null;
      if (isConfirmed && (await this.#consumeAppCode(tx, userId, typed, factor))) return 'factor';
      throw new RefusedError('wrong-code');
    }
    const isUsed = await store.consumeRecoveryCode(tx, userId, hashRecoveryCode(userId, recoveryCode));
    if (!isUsed) throw new RefusedError('wrong-code');
    await this.#options.profile.sendNotice(tx, userId, 'recovery-code-used');
    return 'recovery-code';
  }

  async #consumeAppCode(tx: Db, userId: string, typed: string, { secret }: store.SecondFactorRow): Promise<boolean> {
    const { clock, secrets } = this.#options;
    const code = parseAppCode(typed);
    const step = code === null ? null : findTotpStep(secrets.open(secret, userId), code, clock.now());
    return step !== null && store.consumeStep(tx, userId, step);
  }
}

/** Ends all sessions and pending logins. Open connections of a running shop notice at their next message. */
export async function endAllSessions(tx: Db, userId: string): Promise<void> {
  await deleteSessions(tx, userId, null);
  await pendingLogins.deletePendingLoginsOf(tx, userId);
}

/** Deletes app, passkeys, recovery codes and a change that waits. False if there was no factor. */
export async function removeFactors(tx: Db, userId: string): Promise<boolean> {
  const hadApp = await store.deleteApp(tx, userId);
  const passkeys = await deletePasskeysOf(tx, userId);
  await store.deleteRecoveryCodes(tx, userId);
  await deleteChangeOf(tx, userId);
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
