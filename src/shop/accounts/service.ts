/**
 * Accounts and sessions. A session is an opaque token of which only the hash is stored. One made by a browser also has
 * a cookie that must accompany the token, so that a token copied out of the browser is worth nothing elsewhere.
 */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { isCommonPassword } from '#src/platform/security/common-passwords.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { accountSubject, addressSubject } from '#src/platform/security/devices/devices.ts';
import type { Devices } from '#src/platform/security/devices/devices.ts';
import type { Identity, Role } from '#src/platform/http/call.ts';
import { restoreAll, consumeAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, RateLimits } from '#src/platform/http/rate-limits.ts';
import { toAccountKey, countGuess, resetGuesses, restoreGuess } from '#src/platform/security/password-guesses.ts';
import type { Passwords } from '#src/platform/security/passwords.ts';
import { hashToken, issueToken } from '#src/platform/security/tokens.ts';
import type { User } from './contract.ts';
import { checkPassword } from './registration/check-password.ts';
import { checkUsername, tidyUsername } from './registration/check-username.ts';
import { describeDevice } from './sessions/describe-device.ts';
import { normaliseName } from './registration/normalise-name.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  findByLogin,
  findContact,
  findSession,
  findSessionByCookie,
  findTakenNames,
  findUser,
  insertSession,
  insertUser,
  hasDemoUser,
  listActiveSessionIds,
  listIdentities,
  listStaff,
  lockPassword,
  touchSession,
  updateRole,
} from './store.ts';
import type { ActivePeriod, SessionRow, UserContact, UserRow } from './store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
export const IDLE_DAYS = 7;
export const SESSION_DAYS = 30;

export interface Login {
  /** The username, or the email address instead. */
  readonly name: string;
  readonly password: string;
  readonly ip: string;
  readonly isBrowser: boolean;
  readonly guestToken: string | null;
  /** Says that this device signed in before; as sent. */
  readonly deviceCookie?: string | null;
  /** What the client says it is. */
  readonly userAgent?: string | null;
  /** Called with whose account it is, whatever the answer; for the log alone. */
  readonly onAccount?: (userId: string) => void;
}

export type SignInResult =
  | {
      readonly ok: true;
      readonly user: User;
      readonly token: string;
      /** What the session cookie of a browser has to say; null for other clients. */
      readonly cookie: string | null;
      /** Makes a browser known to the account; null for other clients. */
      readonly deviceCookie: string | null;
      /** Whether the guest cart held something, which is in the account's own cart now. */
      readonly isCartPreserved: boolean;
    }
  | { readonly ok: false; readonly reason: 'invalid-credentials' | 'busy' }
  | { readonly ok: false; readonly reason: 'too-often'; readonly retryAfterSeconds: number };

export interface Registration {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly ip: string;
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
  /** Ids of a user's orders and tickets, which accounts knows nothing else of. */
  readonly listOrderIds: (userId: string) => Promise<readonly string[]>;
  readonly listTicketIds: (userId: string) => Promise<readonly string[]>;
  /** Called in the transaction that opens the account. */
  readonly onRegistered?: (tx: Db, userId: string) => Promise<void>;
  /** Called in the transaction that makes the session. */
  readonly onSignedIn: (
    tx: Db,
    signedIn: { readonly userId: string; readonly guestToken: string | null },
  ) => Promise<{ readonly preserved: boolean }>;
  /** A session is over. */
  readonly onSignedOut?: (sessionId: string) => void;
}

export class Accounts {
  readonly #options: AccountsOptions;

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  async register({ username: typed, email, password, ip }: Registration): Promise<RegistrationResult> {
    const { db, clock, passwords, limits, onRegistered } = this.#options;
    const username = tidyUsername(typed);
    const usernameKey = normaliseName(username);
    const emailKey = normaliseName(email);
    const problems = {
      username: usernameKey === null ? 'is not a valid name' : checkUsername(username, await this.#staffNames()),
      email: emailKey === null ? 'is not a valid email address' : null,
      password: checkPassword(password, { username, email }, isCommonPassword),
    };
    const fields = pickProblems(problems);
    if (usernameKey === null || emailKey === null || Object.keys(fields).length > 0) {
      return { ok: false, reason: 'refused', fields };
    }
    const counts = createRegistrationCounters(ip);
    const taken = await consumeAll(limits, counts);
    if (!taken.ok) return { ...taken, reason: 'too-often' };
    const passwordHash = await passwords.hash(password, ip);
    const id = uuidv7();
    const isOpened =
      passwordHash !== null &&
      (await transact(db, async (tx) => {
        const user = { id, username, usernameKey, email, emailKey, passwordHash, createdAt: clock.now() };
        const isNew = await insertUser(tx, { ...user, role: 'customer', isDemo: false });
        if (isNew) await onRegistered?.(tx, id);
        return isNew;
      }));
    if (isOpened) return { ok: true, userId: id };
    // Only accounts that were opened count.
    await restoreAll(limits, counts);
    if (passwordHash === null) return { ok: false, reason: 'busy' };
    return { ok: false, reason: 'taken', fields: describeTakenFields(await findTakenNames(db, usernameKey, emailKey)) };
  }

  async #staffNames(): Promise<string[]> {
    return (await listStaff(this.#options.db)).map(({ username }) => username);
  }

  async signIn(login: Login): Promise<SignInResult> {
    const { db, passwords, limits, devices } = this.#options;
    const { name, password, ip, deviceCookie = null, onAccount } = login;
    const key = normaliseName(name);
    const found = key === null ? null : await findByLogin(db, key);
    if (found) onAccount?.(found.id);
    const account = found ? toAccountKey(found.id) : `name:${hashName(name)}`;
    const device = devices.findDeviceId(deviceCookie, accountSubject(found?.id ?? 'nobody'));
    const guess = { account, device, ip };
    const counted = await countGuess(limits, guess);
    if (!counted.ok) return { ...counted, reason: 'too-often' };
    const checked = await passwords.check(password, found?.passwordHash ?? null, device ?? ip);
    if (checked === 'busy') {
      await restoreGuess(limits, guess);
      return { ok: false, reason: 'busy' };
    }
    if (!found || checked === 'wrong') return { ok: false, reason: 'invalid-credentials' };
    const signedIn = await this.#openSession(found, login);
    if (signedIn.ok) await resetGuesses(limits, guess);
    return signedIn;
  }

  /** Makes a session for a user whose password was right. */
  async #openSession(found: UserRow & { readonly passwordHash: string }, login: Login): Promise<SignInResult> {
    const { db, clock, onSignedIn } = this.#options;
    const { isBrowser, guestToken, deviceCookie = null, userAgent = null } = login;
    const now = clock.now();
    const bearer = issueToken();
    const cookie = isBrowser ? issueToken() : null;
    const isCartPreserved = await transact(db, async (tx) => {
      if (!(await lockPassword(tx, found.id, found.passwordHash))) return null;
      await insertSession(tx, {
        id: uuidv7(),
        userId: found.id,
        tokenHash: bearer.hash,
        cookieHash: cookie?.hash ?? null,
        createdAt: now,
        expiresAt: new Date(now.getTime() + SESSION_DAYS * DAY_MS),
        device: describeDevice(userAgent),
      });
      return (await onSignedIn(tx, { userId: found.id, guestToken })).preserved;
    });
    if (isCartPreserved === null) return { ok: false, reason: 'invalid-credentials' };
    const user = await this.#toUser(found);
    return {
      ok: true,
      user,
      token: bearer.token,
      cookie: cookie?.token ?? null,
      deviceCookie: isBrowser ? this.issueDeviceCookie(found, deviceCookie) : null,
      isCartPreserved,
    };
  }

  /** The cookie by which a device is known to an account from now on. @param before as the device sent it */
  issueDeviceCookie({ id, email }: Pick<UserRow, 'id' | 'email'>, before: string | null): string {
    const emailKey = normaliseName(email) ?? '';
    return this.#options.devices.issueCookie(before, [accountSubject(id), addressSubject(emailKey)]);
  }

  /** Whose session a bearer token is; a browser's only with its cookie. Null for one that is no good. */
  async identify(bearer: string, sessionCookie: string | null): Promise<Identity | null> {
    const tokenHash = hashToken(bearer);
    if (!tokenHash) return null;
    const cookieHash = sessionCookie === null ? null : hashToken(sessionCookie);
    return this.#toIdentity(await findSession(this.#options.db, tokenHash, cookieHash, this.#activePeriod()));
  }

  /** Who asks for a page: there the cookie alone says it. */
  async identifyByCookie(sessionCookie: string | null): Promise<Identity | null> {
    const cookieHash = sessionCookie === null ? null : hashToken(sessionCookie);
    if (!cookieHash) return null;
    return this.#toIdentity(await findSessionByCookie(this.#options.db, cookieHash, this.#activePeriod()));
  }

  async signOut({ sessionId }: Identity): Promise<void> {
    await deleteSession(this.#options.db, sessionId);
    this.#options.onSignedOut?.(sessionId);
  }

  /** Which of these sessions are not over. */
  async listActiveSessions(sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await listActiveSessionIds(this.#options.db, sessionIds, this.#activePeriod()));
  }

  /** Who is behind these sessions now, those that are not over. */
  async findIdentities(sessionIds: readonly string[]): Promise<ReadonlyMap<string, Pick<Identity, 'userId' | 'role'>>> {
    const alive = await listIdentities(this.#options.db, sessionIds, this.#activePeriod());
    return new Map(alive.map((identity) => [identity.sessionId, identity]));
  }

  /** Null when there is no such user any more. */
  findContact(userId: string): Promise<UserContact | null> {
    return findContact(this.#options.db, userId);
  }

  /** Null for a user who is gone. */
  async getUser(userId: string): Promise<User | null> {
    const found = await findUser(this.#options.db, userId);
    return found && this.#toUser(found);
  }

  /** Removes sessions that are over; to be called now and then. */
  async deleteExpiredSessions(): Promise<void> {
    await deleteExpiredSessions(this.#options.db, this.#activePeriod());
  }

  async #toUser({ id, username, email, role }: UserRow): Promise<User> {
    const [orders, tickets] = await Promise.all([this.#options.listOrderIds(id), this.#options.listTicketIds(id)]);
    return { id, username, email, tickets: [...tickets], orders: [...orders], role };
  }

  #activePeriod(): ActivePeriod {
    const now = this.#options.clock.now();
    return { now, idleSince: new Date(now.getTime() - IDLE_DAYS * DAY_MS) };
  }

  async #toIdentity(session: SessionRow | null): Promise<Identity | null> {
    if (!session) return null;
    const { lastSeenAt, ...identity } = session;
    const now = this.#options.clock.now();
    // A write a minute is enough to tell the idle from the busy.
    if (now.getTime() - lastSeenAt.getTime() > MINUTE_MS) await touchSession(this.#options.db, session.sessionId, now);
    return identity;
  }
}

type Fields = Readonly<Record<string, string>>;

/** The fields that have a problem. */
export const pickProblems = (problems: Readonly<Record<string, string | null>>): Fields =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([field, problem]) => (problem === null ? [] : [[field, problem]])),
  );

const describeTakenFields = (taken: { readonly username: boolean; readonly email: boolean }): Fields => ({
  ...(taken.username ? { username: 'is taken' } : {}),
  ...(taken.email ? { email: 'has an account already' } : {}),
});

/** Accounts opened from one address. */
const createRegistrationCounters = (ip: string): readonly LimitCounter[] => [
  { name: 'registrations-an-hour', limit: { points: 60, seconds: 3600, by: 'ip', isShared: true }, key: ip },
  { name: 'registrations-a-day', limit: { points: 200, seconds: 86_400, by: 'ip', isShared: true }, key: ip },
];

/** One account that does not exist is counted like one that does; what was typed may be somebody's address. */
const hashName = (name: string): string =>
  createHash('sha256')
    .update(normaliseName(name) ?? 'no name')
    .digest('hex');

export interface DemoUser {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly role: Role;
}

/** Opens the demo's accounts unless they are there. */
export async function seedDemoUsers(
  { db, passwords }: Pick<AccountsOptions, 'db' | 'passwords'>,
  users: readonly DemoUser[],
  now: Date,
): Promise<void> {
  for (const { username, email, password, role } of users) {
    const usernameKey = normaliseName(username);
    const emailKey = normaliseName(email);
    if (usernameKey === null || emailKey === null) throw new Error(`${username} is no name for a demo user`);
    // A hash takes its time: none for who is there already.
    const taken = await findTakenNames(db, usernameKey, emailKey);
    if (taken.username || taken.email) continue;
    const passwordHash = await passwords.hash(password);
    if (passwordHash === null) throw new Error('too many passwords wait to be hashed');
    const user = { id: uuidv7(), username, usernameKey, email, emailKey, passwordHash, role, createdAt: now };
    await insertUser(db, { ...user, isDemo: true });
  }
}

/** Who works here, as the merchant says who has the server; it counts from the next call on. False for nobody's name. */
export async function assignRole(db: Db, username: string, role: Role): Promise<boolean> {
  const key = normaliseName(username);
  return key !== null && updateRole(db, key, role);
}

export const findStaff = (db: Db): Promise<Pick<UserRow, 'username' | 'email' | 'role'>[]> => listStaff(db);

/** Whether a login exists that everybody knows. */
export const hasDemoAccounts = (db: Db): Promise<boolean> => hasDemoUser(db);
