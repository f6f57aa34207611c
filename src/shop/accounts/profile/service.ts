/** Changes that users make to their own account: name, email address, password, sessions. */
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { isCommonPassword } from '#src/platform/security/common-passwords.ts';
import { runAfterCommit, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { RECENT_PASSWORD_MS } from '#src/platform/http/call.ts';
import type { Identity } from '#src/platform/http/call.ts';
import { consumeAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, RateLimits, RateLimitResult } from '#src/platform/http/rate-limits.ts';
import { toAccountKey, countGuess, resetGuesses, restoreGuess } from '#src/platform/security/password-guesses.ts';
import type { Passwords } from '#src/platform/security/passwords.ts';
import { hashToken, issueToken } from '#src/platform/security/tokens.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import { isStaffRole } from '#src/shop/permissions.ts';
import { checkPassword, isShortForStaff } from '../registration/check-password.ts';
import { checkUsername, normaliseUsername } from '../registration/check-username.ts';
import { isSomeoneElsesAddress, normaliseName } from '../registration/normalise-name.ts';
import { pickProblems, IDLE_DAYS, findStaff } from '../service.ts';
import { deleteCodes } from '../password-reset/store.ts';
import { deletePendingLoginsOf } from '../pending-logins.store.ts';
import { getStaffPeriod } from '../sessions/staff-period.ts';
import type { NoticeKind } from './notice-kind.ts';
import { recordStaffChange } from './staff-change.service.ts';
import * as store from './store.ts';
import type { NewPassword, ProfileRow } from './store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const CONFIRMATION_MS = 3 * DAY_MS;
/** Wrong passwords in a row that end a session. */
const MAX_WRONG_PASSWORDS = 10;
const NOTICE_RETENTION_MS = 30 * DAY_MS;

/**
 * Kinds of mails that this service enqueues; `issueConfirmation` and `prepareNotice` supply their
 * data.
 */
export const CONFIRMATION_MAIL = 'confirm-email';
export const NOTICE_MAIL = 'account-notice';

type Fields = Readonly<Record<string, string>>;

/** The caller of a change, with an address. */
export type ProfileActor = StaffActor & { readonly ip: string };

export interface ProfileChange {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  /** Empty means unchanged. */
  readonly password?: string | undefined;
}

export type ProfileUpdateResult =
  | { readonly ok: true; readonly isAddressNew: boolean; readonly isPasswordNew: boolean }
  /** 'reauth': the session was not authenticated recently. */
  | { readonly ok: false; readonly reason: 'reauth' | 'busy' | 'missing' }
  | { readonly ok: false; readonly reason: 'too-often'; readonly retryAfterSeconds: number }
  | { readonly ok: false; readonly reason: 'refused' | 'taken'; readonly fields: Fields };

export type ReauthenticationResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'wrong-password' | 'session-ended' | 'busy' }
  | { readonly ok: false; readonly reason: 'too-often'; readonly retryAfterSeconds: number };

export interface ProfileOptions {
  readonly getShopName: () => string;
  readonly db: Db;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly limits: RateLimits;
  readonly mails: Pick<Mails<MailKind>, 'enqueue'>;
  /** Called with the id of an ended session. */
  readonly onSignedOut: (sessionId: string) => void;
  /**
   * Called in the transaction that changes an email address, after the notice to the old one. Links sent to that must
   * stop working.
   */
  readonly onAddressChanged: (tx: Db, userId: string) => Promise<void>;
}

const createAddressChangeCounters = (userId: string, ip: string): readonly LimitCounter[] => [
  { name: 'address-changes', limit: { points: 10, seconds: 86_400, by: 'caller', isShared: true }, key: userId },
  { name: 'address-changes-from', limit: { points: 30, seconds: 86_400, by: 'ip', isShared: true }, key: ip },
];

interface NameKeys {
  readonly username?: string;
  readonly email?: string;
}

export class Profile {
  readonly #options: ProfileOptions;

  constructor(options: ProfileOptions) {
    this.#options = options;
  }

  // ---- changes

  /** Changes the given fields of the caller's own account. Changes of a member of the team are entries of the audit log. */
  async update({ userId, sessionId }: Identity, sent: ProfileChange, by: ProfileActor): Promise<ProfileUpdateResult> {
    const { ip } = by;
    const { db, passwords } = this.#options;
    const password = sent.password === '' ? undefined : sent.password;
    const username = sent.username === undefined ? undefined : normaliseUsername(sent.username);
    const change = { ...sent, username, password };
    const { keys, fields } = readChange(change);
    if (Object.keys(fields).length > 0) return { ok: false, reason: 'refused', fields };
    const isRecent = await this.isRecentlyAuthenticated(sessionId);
    if (password !== undefined && !isRecent) return { ok: false, reason: 'reauth' };
    const counted = await this.#countAddressChange(userId, isRecent ? change.email : undefined, ip);
    if (!counted.ok) return { ...counted, reason: 'too-often' };
    const hash = password === undefined ? undefined : await passwords.hash(password, ip);
    if (hash === null) return { ok: false, reason: 'busy' };
    try {
      return await transact(db, async (tx) => {
        const before = await store.lockProfile(tx, userId);
        const updated = await this.#updateNames(tx, userId, change, keys, isRecent);
        if (!updated.ok) return updated;
        if (password !== undefined && hash !== undefined) {
          const replaced = { hash, isShort: isShortForStaff(password) };
          await this.replacePassword(tx, userId, replaced, 'password-changed', sessionId);
        }
        const isPasswordNew = hash !== undefined;
        if (before) await recordStaffChange(tx, { at: this.#options.clock.now(), userId, before, isPasswordNew, by });
        return { ...updated, isPasswordNew };
      });
    } catch (error) {
      const takenField = store.findTakenField(error);
      if (takenField === null) throw error;
      const message = takenField === 'username' ? 'is taken' : 'already has an account';
      return { ok: false, reason: 'taken', fields: { [takenField]: message } };
    }
  }

  /** Limits confirmation mails, whoever owns the address. */
  async #countAddressChange(userId: string, email: string | undefined, ip: string): Promise<RateLimitResult> {
    const { db, limits } = this.#options;
    const isNew = email !== undefined && (await store.findProfile(db, userId))?.email !== email;
    return consumeAll(limits, isNew ? createAddressChangeCounters(userId, ip) : []);
  }

  async #updateNames(
    tx: Db,
    userId: string,
    change: ProfileChange,
    keys: NameKeys,
    isRecentlyAuthenticated: boolean,
  ): Promise<ProfileUpdateResult> {
    const before = await store.lockProfile(tx, userId);
    if (!before) return { ok: false, reason: 'missing' };
    const isAddressNew = change.email !== undefined && change.email !== before.email;
    if (isAddressNew && !isRecentlyAuthenticated) return { ok: false, reason: 'reauth' };
    const isNameNew = change.username !== undefined && change.username !== before.username;
    const after: Omit<ProfileRow, 'role'> = {
      username: change.username ?? before.username,
      usernameKey: keys.username ?? before.usernameKey,
      email: change.email ?? before.email,
      emailKey: keys.email ?? before.emailKey,
      emailConfirmedAt: isAddressNew ? null : before.emailConfirmedAt,
    };
    if (isSomeoneElsesAddress(after.usernameKey, after.emailKey)) {
      const fields: Fields =
        change.username === undefined
          ? { email: 'is also your username. Change your username first' }
          : { username: 'must not be another user’s email address' };
      return { ok: false, reason: 'refused', fields };
    }
    const refused = pickProblems({
      // Existing names stay valid when the rules change.
      username: isNameNew
        ? checkUsername(
            after.username,
            await this.#listOtherStaffNames(tx, before.username),
            this.#options.getShopName(),
          )
        : null,
      password:
        change.password === undefined
          ? null
          : checkPassword(change.password, { ...after, isStaff: isStaffRole(before.role) }, isCommonPassword),
    });
    if (Object.keys(refused).length > 0) return { ok: false, reason: 'refused', fields: refused };
    await store.updateProfile(tx, userId, after);
    if (isAddressNew) {
      // Reset codes and links sent to the old address become invalid.
      await store.deleteConfirmations(tx, userId);
      await deleteCodes(tx, userId);
      await this.#notify(tx, userId, 'address-changed', before);
      await this.#options.onAddressChanged(tx, userId);
      await this.requestConfirmation(tx, userId);
    }
    return { ok: true, isAddressNew, isPasswordNew: false };
  }

  async #listOtherStaffNames(tx: Db, ownUsername: string): Promise<string[]> {
    return (await findStaff(tx)).map(({ username }) => username).filter((username) => username !== ownUsername);
  }

  /**
   * Sets the new password, ends the sessions and enqueues a notice. @param except session that
   * stays; null for none
   */
  async replacePassword(
    tx: Db,
    userId: string,
    password: NewPassword,
    kind: NoticeKind,
    except: string | null,
  ): Promise<void> {
    const user = await store.lockProfile(tx, userId);
    if (!user) return;
    await store.setPassword(tx, userId, password);
    await deleteCodes(tx, userId);
    await this.#notify(tx, userId, kind, user);
    await this.endSessions(tx, userId, except);
  }

  // ---- reauthentication

  /** Whether the session was authenticated within the last 15 minutes. */
  isRecentlyAuthenticated(sessionId: string): Promise<boolean> {
    const { db, clock } = this.#options;
    return store.isAuthenticatedSince(db, sessionId, new Date(clock.now().getTime() - RECENT_PASSWORD_MS));
  }

  /**
   * Required for sensitive actions. Attempts count per session, so failed logins of strangers do
   * not block it. The session ends with the tenth wrong password in a row.
   */
  async reauthenticate({ userId, sessionId }: Identity, password: string, ip: string): Promise<ReauthenticationResult> {
    const { db, clock, passwords, limits } = this.#options;
    const device = `session:${sessionId}`;
    const counted = await countGuess(limits, { account: toAccountKey(userId), device, ip });
    if (!counted.ok) return { ...counted, reason: 'too-often' };
    // Counted before the check, so that parallel guesses gain nothing.
    const guesses = await store.countGuess(db, sessionId, MAX_WRONG_PASSWORDS);
    const checked =
      guesses === null ? 'wrong' : await passwords.check(password, await store.findPasswordHash(db, userId), device);
    if (checked === 'busy') {
      await store.restoreGuess(db, sessionId);
      await restoreGuess(limits, counted);
      return { ok: false, reason: 'busy' };
    }
    if (checked === 'right') {
      await resetGuesses(limits, counted);
      await store.markAuthenticated(db, sessionId, clock.now());
      return { ok: true };
    }
    if (guesses !== null && guesses < MAX_WRONG_PASSWORDS) return { ok: false, reason: 'wrong-password' };
    if (await store.deleteSessionOf(db, userId, sessionId)) this.#notifyEnded([sessionId]);
    return { ok: false, reason: 'session-ended' };
  }

  // ---- email address

  /** Enqueues a confirmation link within the given transaction. */
  async requestConfirmation(tx: Db, userId: string): Promise<void> {
    const id = uuidv7();
    await this.#options.mails.enqueue(tx, [{ kind: CONFIRMATION_MAIL, event: `confirm.${id}`, data: { id, userId } }]);
  }

  /** Null if the user does not exist. */
  async findEmailStatus(userId: string): Promise<{ readonly email: string; readonly isConfirmed: boolean } | null> {
    const user = await store.findProfile(this.#options.db, userId);
    return user && { email: user.email, isConfirmed: user.emailConfirmedAt !== null };
  }

  /**
   * Sends a link unless the address is confirmed. Returns whether it is confirmed; null if the user
   * does not exist.
   */
  async sendConfirmation(userId: string): Promise<boolean | null> {
    const status = await this.findEmailStatus(userId);
    if (status?.isConfirmed === false) await transact(this.#options.db, (tx) => this.requestConfirmation(tx, userId));
    return status && status.isConfirmed;
  }

  /** Data of a confirmation mail; null if there is nothing left to confirm. */
  async issueConfirmation(id: string, userId: string) {
    const { db, clock } = this.#options;
    const user = await store.findProfile(db, userId);
    if (!user || user.emailConfirmedAt) return null;
    const { token, hash: tokenHash } = issueToken();
    const expiresAt = new Date(clock.now().getTime() + CONFIRMATION_MS);
    await store.saveConfirmation(db, { id, userId, emailKey: user.emailKey, tokenHash, expiresAt });
    return { email: user.email, token };
  }

  /** False if the token was used, has expired, or belongs to another address. */
  async confirm(token: string): Promise<boolean> {
    const { db, clock } = this.#options;
    const tokenHash = hashToken(token);
    if (!tokenHash) return false;
    return transact(db, async (tx) => {
      const now = clock.now();
      const confirmation = await store.consumeConfirmation(tx, tokenHash, now);
      if (!confirmation) return false;
      await store.deleteConfirmations(tx, confirmation.userId);
      return store.confirmEmail(tx, confirmation.userId, confirmation.emailKey, now);
    });
  }

  // ---- sessions

  /** The active sessions of the caller. Those of members of the team end sooner. */
  async listSessions({ userId, sessionId, role }: Pick<Identity, 'userId' | 'sessionId' | 'role'>) {
    const now = this.#options.clock.now();
    const { staffIdleSince, staffSince } = getStaffPeriod(now);
    const period = isStaffRole(role)
      ? { now, idleSince: staffIdleSince, since: staffSince }
      : { now, idleSince: new Date(now.getTime() - IDLE_DAYS * DAY_MS), since: new Date(0) };
    const rows = await store.listSessions(this.#options.db, userId, period);
    return rows.map((row) => ({ ...row, is_current: row.id === sessionId }));
  }

  /** False if the user has no such session. */
  async endSession({ userId }: Identity, sessionId: string): Promise<boolean> {
    const isEnded = await store.deleteSessionOf(this.#options.db, userId, sessionId);
    if (isEnded) this.#notifyEnded([sessionId]);
    return isEnded;
  }

  /** Returns the number of ended sessions. */
  async endOtherSessions({ userId, sessionId }: Identity): Promise<number> {
    return transact(this.#options.db, (tx) => this.endSessions(tx, userId, sessionId));
  }

  /** Ends sessions and pending logins, and returns the number of sessions. @param except session that stays; null for none */
  async endSessions(tx: Db, userId: string, except: string | null): Promise<number> {
    const ended = await store.deleteSessions(tx, userId, except);
    await deletePendingLoginsOf(tx, userId);
    runAfterCommit(tx, () => this.#notifyEnded(ended));
    return ended.length;
  }

  #notifyEnded(sessionIds: readonly string[]): void {
    for (const id of sessionIds) this.#options.onSignedOut(id);
  }

  // ---- notices

  /** Enqueues a notice to the present address. */
  async sendNotice(tx: Db, userId: string, kind: NoticeKind): Promise<void> {
    const user = await store.findProfile(tx, userId);
    if (user) await this.#notify(tx, userId, kind, user);
  }

  /** Enqueues a notice of a change to the previous address. */
  async #notify(tx: Db, userId: string, kind: NoticeKind, { email, emailConfirmedAt }: ProfileRow): Promise<void> {
    const id = uuidv7();
    const isConfirmed = emailConfirmedAt !== null;
    await store.insertNotice(tx, { id, userId, kind, recipient: email, isConfirmed, at: this.#options.clock.now() });
    await this.#options.mails.enqueue(tx, [{ kind: NOTICE_MAIL, event: `account.${id}`, data: { id } }]);
  }

  /** Name and present address; null if the user does not exist. */
  async findContactOf(userId: string) {
    const user = await store.findProfile(this.#options.db, userId);
    return user && { username: user.username, email: user.email, isConfirmed: user.emailConfirmedAt !== null };
  }

  /** Data of a notice; null if the user does not exist. */
  async prepareNotice(id: string) {
    const notice = await store.findNotice(this.#options.db, id);
    const user = notice && (await store.findProfile(this.#options.db, notice.userId));
    return notice && user && { ...notice, username: user.username };
  }

  /** Deletes expired confirmations and notices. Called periodically. */
  async deleteOld(): Promise<void> {
    const now = this.#options.clock.now();
    await store.deleteOld(this.#options.db, { now, noticesBefore: new Date(now.getTime() - NOTICE_RETENTION_MS) });
  }
}

/** Normalised keys of the given name and address, and the errors of invalid ones. */
function readChange({ username, email }: ProfileChange): { readonly keys: NameKeys; readonly fields: Fields } {
  const usernameKey = username === undefined ? undefined : normaliseName(username);
  const emailKey = email === undefined ? undefined : normaliseName(email);
  return {
    keys: { ...(usernameKey ? { username: usernameKey } : {}), ...(emailKey ? { email: emailKey } : {}) },
    fields: {
      ...(usernameKey === null ? { username: 'is not a valid name' } : {}),
      ...(emailKey === null ? { email: 'is not a valid email address' } : {}),
    },
  };
}
