/**
 * Accounts and sessions. A session is an opaque token stored as a hash. A browser session also has
 * a cookie that must accompany the token, so that a token copied from the browser is useless
 * elsewhere.
 */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { isCommonPassword } from '#src/platform/security/common-passwords.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { formatAccountSubject, formatAddressSubject } from '#src/platform/security/devices/devices.ts';
import type { Devices } from '#src/platform/security/devices/devices.ts';
import type { Identity } from '#src/platform/http/call.ts';
import { restoreAll, consumeAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, RateLimits } from '#src/platform/http/rate-limits.ts';
import { toAccountKey, countGuess, resetGuesses, restoreGuess } from '#src/platform/security/password-guesses.ts';
import type { Passwords } from '#src/platform/security/passwords.ts';
import { hashToken, issueToken } from '#src/platform/security/tokens.ts';
import { isStaffRole, toShownRole } from '#src/shop/permissions.ts';
import type { User } from './contract.ts';
import { findOrCreateAccount } from './registration-by-staff.service.ts';
import type { CustomerOfStaff } from './registration-by-staff.service.ts';
import { checkPassword, isShortForStaff } from './registration/check-password.ts';
import { checkUsername, normaliseUsername } from './registration/check-username.ts';
import { describeDevice } from './sessions/describe-device.ts';
import { findEnd, getStaffPeriod } from './sessions/staff-period.ts';
import type { SessionEnd } from './sessions/staff-period.ts';
import { findDeviceGeneration, findStaffSession, savePasswordLength } from './sessions/store.ts';
import { normaliseName } from './registration/normalise-name.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  findByLogin,
  findContact,
  findLogin,
  findSession,
  findSessionByCookie,
  findTakenNames,
  findUser,
  insertSession,
  insertUser,
  listActiveSessionIds,
  listIdentities,
  listStaff,
  lockPassword,
  touchSession,
} from './store.ts';
import type { Login, LoginClient, SignInResult } from './login.service.ts';
import type { ConfirmedWith } from './factor-change.ts';
import type { ActivePeriod, LoginRow, SessionRow, UserContact, UserRow } from './store.ts';
import { hasFactor } from './has-factor.store.ts';
import { insertPendingLogin } from './pending-logins.store.ts';

export type { Login, LoginClient, SignInResult };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
export const IDLE_DAYS = 7;
export const SESSION_DAYS = 30;
/** Time to enter the code after the password. */
export const PENDING_LOGIN_SECONDS = 10 * 60;

export interface Registration {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  /** The account gets a role with its creation. */
  readonly isForStaff?: boolean;
  readonly ip: string;
  /** Called in the transaction that creates the account, in place of the confirmation of its address. */
  readonly complete?: (tx: Db, userId: string) => Promise<void>;
}

export type RegistrationResult =
  | { readonly ok: true; readonly userId: string }
  | { readonly ok: false; readonly reason: 'busy' }
  | { readonly ok: false; readonly reason: 'too-often'; readonly retryAfterSeconds: number }
  | { readonly ok: false; readonly reason: 'taken' | 'refused'; readonly fields: Fields };

export interface AccountsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly limits: RateLimits;
  readonly devices: Devices;
  /** Ids of the user's orders and tickets, supplied by the slices above. */
  readonly listOrderIds: (userId: string) => Promise<readonly string[]>;
  readonly listTicketIds: (userId: string) => Promise<readonly string[]>;
  /** New usernames must not look like it. Empty: the shop has none. */
  readonly getShopName: () => string;
  /** Version of the terms in force; null if there are none. */
  readonly getTermsVersion?: () => number | null;
  /** Called within the transaction that creates the account. */
  readonly onRegistered?: (tx: Db, userId: string) => Promise<void>;
  /** Called within the transaction that creates the session. */
  readonly onSignedIn: (
    tx: Db,
    signedIn: { readonly userId: string; readonly guestToken: string | null },
  ) => Promise<{ readonly preserved: boolean }>;
  /** Whether the back office is closed to members without a second factor. */
  readonly isSecondFactorRequired?: boolean;
  /** Called with the id of an ended session. */
  readonly onSignedOut?: (sessionId: string) => void;
}

export class Accounts {
  readonly #options: AccountsOptions;

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  async register({
    username: typed,
    email,
    password,
    isForStaff = false,
    ip,
    complete,
  }: Registration): Promise<RegistrationResult> {
    const { db, clock, passwords, limits, onRegistered, getShopName, getTermsVersion } = this.#options;
    const username = normaliseUsername(typed);
    const usernameKey = normaliseName(username);
    const emailKey = normaliseName(email);
    const problems = {
      username:
        usernameKey === null
          ? 'is not a valid name'
          : checkUsername(username, await this.#listStaffNames(), getShopName()),
      email: emailKey === null ? 'is not a valid email address' : null,
      password: checkPassword(password, { username, email, isStaff: isForStaff }, isCommonPassword),
    };
    const fields = pickProblems(problems);
    if (usernameKey === null || emailKey === null || Object.keys(fields).length > 0) {
      return { ok: false, reason: 'refused', fields };
    }
    const counts = createRegistrationCounters(ip);
    const limited = await consumeAll(limits, counts);
    if (!limited.ok) return { ...limited, reason: 'too-often' };
    const passwordHash = await passwords.hash(password, ip);
    const id = uuidv7();
    const isOpened =
      passwordHash !== null &&
      (await transact(db, async (tx) => {
        const isPasswordShort = isShortForStaff(password);
        const user = {
          id,
          username,
          usernameKey,
          email,
          emailKey,
          passwordHash,
          isPasswordShort,
          createdAt: clock.now(),
        };
        const acceptedTerms = complete ? null : (getTermsVersion?.() ?? null);
        const isNew = await insertUser(tx, { ...user, acceptedTerms, role: 'customer', isDemo: false });
        if (isNew) await (complete ?? onRegistered)?.(tx, id);
        return isNew;
      }));
    if (isOpened) return { ok: true, userId: id };
    // Only created accounts count.
    await restoreAll(limits, counts);
    if (passwordHash === null) return { ok: false, reason: 'busy' };
    return { ok: false, reason: 'taken', fields: describeTakenFields(await findTakenNames(db, usernameKey, emailKey)) };
  }

  /** A hash that no password matches; null if too many passwords are being hashed. */
  hashUnknownPassword(): Promise<string | null> {
    return this.#options.passwords.hash(issueToken().token);
  }

  /** See `findOrCreateAccount`. */
  findOrCreate(tx: Db, customer: CustomerOfStaff): Promise<string | null> {
    const { clock, getShopName } = this.#options;
    return findOrCreateAccount(tx, customer, { shopName: getShopName(), now: clock.now() });
  }

  async #listStaffNames(): Promise<string[]> {
    return (await listStaff(this.#options.db)).map(({ username }) => username);
  }

  async signIn(login: Login): Promise<SignInResult> {
    const { db, passwords, limits, devices } = this.#options;
    const { name, password, ip, deviceCookie = null, onAccount } = login;
    const key = normaliseName(name);
    const user = key === null ? null : await findByLogin(db, key);
    if (user) onAccount?.(user.id);
    const account = user ? toAccountKey(user.id) : `name:${hashName(name)}`;
    const device = devices.findDeviceId(
      deviceCookie,
      formatAccountSubject(user?.id ?? 'nobody', user?.deviceGeneration),
    );
    const counted = await countGuess(limits, { account, device, ip });
    if (!counted.ok) return { ...counted, reason: 'too-often' };
    const checked = await passwords.check(password, user?.passwordHash ?? null, device ?? ip);
    if (checked === 'busy') {
      await restoreGuess(limits, counted);
      return { ok: false, reason: 'busy' };
    }
    if (!user || checked === 'wrong') return { ok: false, reason: 'invalid-credentials' };
    const isShort = isShortForStaff(password);
    if (user.isPasswordShort !== isShort) await savePasswordLength(db, user, isShort);
    const signedIn = await this.openSession(user, login, null);
    if (signedIn.ok || signedIn.reason === 'second-factor' || signedIn.reason === 'blocked') {
      await resetGuesses(limits, counted);
    }
    return signedIn;
  }

  /** The account with its password hash; null if there is none. */
  findLogin(userId: string): Promise<LoginRow | null> {
    return findLogin(this.#options.db, userId);
  }

  /**
   * Creates a session after a correct password. With a second factor the login stays pending.
   * @param confirm checks the second factor within the transaction; null: none was entered
   */
  async openSession(
    row: LoginRow,
    client: LoginClient,
    confirm: ((tx: Db) => Promise<ConfirmedWith>) | null,
  ): Promise<SignInResult> {
    const { db, clock, onSignedIn } = this.#options;
    const { isBrowser, guestToken, deviceCookie = null, userAgent = null } = client;
    const now = clock.now();
    const bearer = issueToken();
    const cookie = isBrowser ? issueToken() : null;
    const pending = issueToken();
    const opened = await transact(
      db,
      async (tx): Promise<boolean | 'invalid-credentials' | 'blocked' | 'second-factor'> => {
        const locked = await lockPassword(tx, row.id, row.passwordHash);
        if (locked === null) return 'invalid-credentials';
        if (locked.isBlocked) return 'blocked';
        const confirmedWith = confirm === null ? null : await confirm(tx);
        if (confirmedWith === null && (await hasFactor(tx, row.id))) {
          const expiresAt = new Date(now.getTime() + PENDING_LOGIN_SECONDS * 1000);
          await insertPendingLogin(tx, { userId: row.id, tokenHash: pending.hash, expiresAt });
          return 'second-factor';
        }
        await insertSession(tx, {
          id: uuidv7(),
          userId: row.id,
          tokenHash: bearer.hash,
          cookieHash: cookie?.hash ?? null,
          createdAt: now,
          expiresAt: new Date(now.getTime() + SESSION_DAYS * DAY_MS),
          device: describeDevice(userAgent),
          confirmedWith,
        });
        return (await onSignedIn(tx, { userId: row.id, guestToken })).preserved;
      },
    );
    if (opened === 'second-factor') return { ok: false, reason: opened, pendingToken: pending.token };
    if (typeof opened === 'string') return { ok: false, reason: opened };
    const user = await this.#toUser(row);
    return {
      ok: true,
      user,
      token: bearer.token,
      cookie: cookie?.token ?? null,
      deviceCookie: isBrowser ? await this.issueDeviceCookie(row, deviceCookie) : null,
      isCartPreserved: opened,
    };
  }

  /** Value of the cookie that marks a known device. @param before value that the device sent */
  async issueDeviceCookie({ id, email }: Pick<UserRow, 'id' | 'email'>, before: string | null): Promise<string> {
    const emailKey = normaliseName(email) ?? '';
    const subject = formatAccountSubject(id, await findDeviceGeneration(this.#options.db, id));
    return this.#options.devices.issueCookie(before, [subject, formatAddressSubject(emailKey)]);
  }

  /** Session of a bearer token; a browser session requires its cookie too. Null if invalid. */
  async identify(bearer: string, sessionCookie: string | null): Promise<Identity | null> {
    const tokenHash = hashToken(bearer);
    if (!tokenHash) return null;
    const cookieHash = sessionCookie === null ? null : hashToken(sessionCookie);
    return this.#toIdentity(await findSession(this.#options.db, tokenHash, cookieHash, this.#getActivePeriod()));
  }

  /** Identifies a page request, by its cookie only. */
  async identifyByCookie(sessionCookie: string | null): Promise<Identity | null> {
    const cookieHash = sessionCookie === null ? null : hashToken(sessionCookie);
    if (!cookieHash) return null;
    return this.#toIdentity(await findSessionByCookie(this.#options.db, cookieHash, this.#getActivePeriod()));
  }

  /** Why the session of this cookie ended, if it was one of the team. Null: it has not, or for another reason. */
  async findSessionEnd(sessionCookie: string | null): Promise<SessionEnd | null> {
    const cookieHash = sessionCookie === null ? null : hashToken(sessionCookie);
    if (!cookieHash) return null;
    const found = await findStaffSession(this.#options.db, cookieHash);
    return found && findEnd(found, this.#options.clock.now());
  }

  async signOut({ sessionId }: Identity): Promise<void> {
    await deleteSession(this.#options.db, sessionId);
    this.#options.onSignedOut?.(sessionId);
  }

  /** Ids of those sessions that are still active. */
  async listActiveSessions(sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await listActiveSessionIds(this.#options.db, sessionIds, this.#getActivePeriod()));
  }

  /** Users of those sessions that are still active. */
  async findIdentities(sessionIds: readonly string[]): Promise<ReadonlyMap<string, SessionUser>> {
    const active = await listIdentities(this.#options.db, sessionIds, this.#getActivePeriod());
    return new Map(active.map((session) => [session.sessionId, this.#toMember(session)]));
  }

  /** Null if the user does not exist. */
  findContact(userId: string): Promise<UserContact | null> {
    return findContact(this.#options.db, userId);
  }

  /** Null if the user does not exist. */
  async getUser(userId: string): Promise<User | null> {
    const user = await findUser(this.#options.db, userId);
    return user && this.#toUser(user);
  }

  /** Deletes expired sessions. Called periodically. */
  async deleteExpiredSessions(): Promise<void> {
    await deleteExpiredSessions(this.#options.db, this.#getActivePeriod());
  }

  async #toUser({ id, username, email, role }: UserRow): Promise<User> {
    const [orders, tickets] = await Promise.all([this.#options.listOrderIds(id), this.#options.listTicketIds(id)]);
    return { id, username, email, tickets: [...tickets], orders: [...orders], role: toShownRole(role) };
  }

  #getActivePeriod(): ActivePeriod {
    const now = this.#options.clock.now();
    return {
      now,
      idleSince: new Date(now.getTime() - IDLE_DAYS * DAY_MS),
      ...getStaffPeriod(now),
    };
  }

  /** Adds what access rules need to know of the account. */
  #toMember<Session extends Pick<SessionRow, 'role' | 'hasSecondFactor' | 'isPasswordShort'>>({
    hasSecondFactor,
    isPasswordShort,
    ...session
  }: Session) {
    const isStaff = isStaffRole(session.role);
    const { isSecondFactorRequired = false } = this.#options;
    return {
      ...session,
      isStaff,
      lacksSecondFactor: isStaff && isSecondFactorRequired && !hasSecondFactor,
      lacksLongPassword: isStaff && isPasswordShort,
    };
  }

  async #toIdentity(session: SessionRow | null): Promise<Identity | null> {
    if (!session) return null;
    const { lastSeenAt, ...identity } = session;
    const now = this.#options.clock.now();
    // One write a minute is precise enough for the idle timeout.
    if (now.getTime() - lastSeenAt.getTime() > MINUTE_MS) await touchSession(this.#options.db, session.sessionId, now);
    return this.#toMember(identity);
  }
}

type Fields = Readonly<Record<string, string>>;
type SessionUser = Pick<Identity, 'userId' | 'role' | 'lacksSecondFactor' | 'lacksLongPassword'>;

/** Keeps only the fields with an error. */
export const pickProblems = (problems: Readonly<Record<string, string | null>>): Fields =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([field, problem]) => (problem === null ? [] : [[field, problem]])),
  );

const describeTakenFields = (taken: { readonly username: boolean; readonly email: boolean }): Fields => ({
  ...(taken.username ? { username: 'is taken' } : {}),
  ...(taken.email ? { email: 'already has an account' } : {}),
});

/** Limits for accounts created from one network address. */
const createRegistrationCounters = (ip: string): readonly LimitCounter[] => [
  { name: 'registrations-an-hour', limit: { points: 60, seconds: 3600, by: 'ip', isShared: true }, key: ip },
  { name: 'registrations-a-day', limit: { points: 200, seconds: 86_400, by: 'ip', isShared: true }, key: ip },
];

/** Unknown names are counted like accounts. Hashed, since the text may be someone's address. */
const hashName = (name: string): string =>
  createHash('sha256')
    .update(normaliseName(name) ?? 'no name')
    .digest('hex');

export const findStaff = (db: Db): Promise<Pick<UserRow, 'username' | 'email' | 'role'>[]> => listStaff(db);
