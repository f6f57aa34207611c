/** Users and their sessions. */
import { sql } from 'kysely';
import type { ConfirmedWith } from './factor-change.ts';
import type { ExpressionBuilder, Generated, Kysely, SqlBool } from 'kysely';
import { compileOnce } from '#src/platform/database/compile-once.ts';
import type { Db } from '#src/platform/database/database.ts';
import { existsFactor } from './has-factor.store.ts';
import type { Role } from '#src/shop/permissions.ts';
import type { StaffPeriod } from './sessions/staff-period.ts';

interface Tables {
  users: {
    id: string;
    username: string;
    username_key: string;
    email: string;
    email_key: string;
    password_hash: string;
    role: Generated<Role>;
    is_demo: Generated<boolean>;
    created_at: Date;
    email_confirmed_at: Date | null;
    accepted_terms: number | null;
    deleted_at: Date | null;
    blocked_at: Generated<Date | null>;
    is_password_short: Generated<boolean | null>;
    device_generation: Generated<number>;
  };
  sessions: {
    id: string;
    user_id: string;
    token_hash: Buffer;
    cookie_hash: Buffer | null;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
    authenticated_at: Date;
    factor_confirmed_at: Date | null;
    recovery_code_used_at: Date | null;
    device: string;
  };
}

const tables = (db: Db): Kysely<Tables> => db.$extendTables<Pick<Tables, keyof Tables>>();

// ---- users

export interface NewUser {
  readonly id: string;
  readonly username: string;
  readonly usernameKey: string;
  readonly email: string;
  readonly emailKey: string;
  readonly passwordHash: string;
  readonly role: Role;
  readonly isDemo: boolean;
  readonly createdAt: Date;
  /** Too short for an account with a role. Absent: unknown. */
  readonly isPasswordShort?: boolean;
  /** Version of the terms that the user agreed to; null if the shop had none. */
  readonly acceptedTerms?: number | null;
}

export interface UserRow {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly role: Role;
}

/** Email address and name of a user, for mails. */
export interface UserContact {
  readonly username: string;
  readonly email: string;
  /** Whether the user has confirmed the address. */
  readonly isConfirmed: boolean;
}

/**
 * False if the username or address is taken. Waits for concurrent transactions that insert the
 * same.
 */
export async function insertUser(db: Db, user: NewUser): Promise<boolean> {
  const inserted = await tables(db)
    .insertInto('users')
    .values({
      id: user.id,
      username: user.username,
      username_key: user.usernameKey,
      email: user.email,
      email_key: user.emailKey,
      password_hash: user.passwordHash,
      role: user.role,
      is_demo: user.isDemo,
      created_at: user.createdAt,
      accepted_terms: user.acceptedTerms ?? null,
      is_password_short: user.isPasswordShort ?? null,
      // Demo addresses have no recipient.
      email_confirmed_at: user.isDemo ? user.createdAt : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findTakenNames(
  db: Db,
  usernameKey: string,
  emailKey: string,
): Promise<{ username: boolean; email: boolean }> {
  const rows = await tables(db)
    .selectFrom('users')
    .select(['username_key', 'email_key'])
    .where((of) => of.or([of('username_key', '=', usernameKey), of('email_key', '=', emailKey)]))
    .execute();
  return {
    username: rows.some((row) => row.username_key === usernameKey),
    email: rows.some((row) => row.email_key === emailKey),
  };
}

export interface LoginRow extends UserRow {
  readonly passwordHash: string;
  /** See `formatAccountSubject`. */
  readonly deviceGeneration: number;
  /** Null: not known yet. */
  readonly isPasswordShort: boolean | null;
}

const LOGIN_COLUMNS = [
  'id',
  'username',
  'email',
  'role',
  'password_hash as passwordHash',
  'device_generation as deviceGeneration',
  'is_password_short as isPasswordShort',
] as const;

export async function findLogin(db: Db, userId: string): Promise<LoginRow | null> {
  const row = await tables(db)
    .selectFrom('users')
    .select(LOGIN_COLUMNS)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Finds a user by address or username; a match by address takes precedence. */
export async function findByLogin(db: Db, key: string): Promise<LoginRow | null> {
  const row = await tables(db)
    .selectFrom('users')
    .select(LOGIN_COLUMNS)
    .where((of) => of.or([of('username_key', '=', key), of('email_key', '=', key)]))
    .where('deleted_at', 'is', null)
    .orderBy((of) => of('email_key', '=', key), 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Id of the account with this address. */
export async function findByEmail(db: Db, emailKey: string): Promise<string | null> {
  const users = tables(db).selectFrom('users').select('id').where('email_key', '=', emailKey);
  return (await users.where('deleted_at', 'is', null).executeTakeFirst())?.id ?? null;
}

export async function findUser(db: Db, userId: string): Promise<UserRow | null> {
  const row = await tables(db)
    .selectFrom('users')
    .select(['id', 'username', 'email', 'role'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

const selectContact = compileOnce((db, { userId }: { readonly userId: string }) =>
  tables(db)
    .selectFrom('users')
    .select(['username', 'email'])
    .select(sql<boolean>`email_confirmed_at is not null`.as('isConfirmed'))
    .where('id', '=', userId)
    .where('deleted_at', 'is', null),
);

export async function findContact(db: Db, userId: string): Promise<UserContact | null> {
  return (await selectContact(db, { userId })).rows[0] ?? null;
}

/** Lists the team by name. */
export async function listStaff(db: Db): Promise<Pick<UserRow, 'username' | 'email' | 'role'>[]> {
  const users = tables(db).selectFrom('users').select(['username', 'email', 'role']).where('role', '<>', 'customer');
  return users.where('deleted_at', 'is', null).orderBy('username_key').execute();
}

export async function hasDemoUser(db: Db): Promise<boolean> {
  const row = await tables(db).selectFrom('users').select('id').where('is_demo', '=', true).limit(1).executeTakeFirst();
  return row !== undefined;
}

// ---- sessions

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly tokenHash: Buffer;
  readonly cookieHash: Buffer | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly device: string;
  /** Null: the password was enough. */
  readonly confirmedWith: ConfirmedWith | null;
}

/** A session is active until it expires or is last seen before `idleSince`; those of the team end sooner, and a day after the login. */
export interface ActivePeriod extends StaffPeriod {
  readonly now: Date;
  readonly idleSince: Date;
}

export interface SessionRow {
  readonly sessionId: string;
  readonly userId: string;
  readonly username: string;
  readonly role: Role;
  readonly hasSecondFactor: boolean;
  readonly isPasswordShort: boolean;
  readonly lastSeenAt: Date;
  readonly authenticatedAt: Date;
}

const isActive = (period: ActivePeriod) => (of: ExpressionBuilder<Tables, 'sessions'>) =>
  of.and([of('expires_at', '>', period.now), of('last_seen_at', '>', period.idleSince)]);

/** The further condition of sessions of the team, joined with their users. */
const isActiveFor =
  ({ staffIdleSince, staffSince }: ActivePeriod) =>
  (of: ExpressionBuilder<Tables, 'sessions' | 'users'>) =>
    of.or([
      of('users.role', '=', 'customer'),
      of.and([of('sessions.last_seen_at', '>', staffIdleSince), of('sessions.created_at', '>', staffSince)]),
    ]);

/**
 * Whether this is still the user's password, and whether the account is blocked. Locks the user until
 * the transaction ends, so that no session outlives a password change or a block. Null if the
 * password differs.
 */
export async function lockPassword(
  tx: Db,
  userId: string,
  passwordHash: string,
): Promise<{ readonly isBlocked: boolean } | null> {
  const query = tables(tx).selectFrom('users').select('blocked_at').where('id', '=', userId);
  const matching = query.where('password_hash', '=', passwordHash).where('deleted_at', 'is', null).forShare();
  const user = await matching.executeTakeFirst();
  return user ? { isBlocked: user.blocked_at !== null } : null;
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await tables(db)
    .insertInto('sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      token_hash: session.tokenHash,
      cookie_hash: session.cookieHash,
      created_at: session.createdAt,
      last_seen_at: session.createdAt,
      expires_at: session.expiresAt,
      authenticated_at: session.createdAt,
      factor_confirmed_at: session.confirmedWith === 'factor' ? session.createdAt : null,
      recovery_code_used_at: session.confirmedWith === 'recovery-code' ? session.createdAt : null,
      device: session.device,
    })
    .execute();
}

const selectSessionsWithUsers = (db: Db, period: ActivePeriod) =>
  tables(db)
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id as sessionId',
      'users.id as userId',
      'users.username as username',
      'users.role as role',
      'sessions.last_seen_at as lastSeenAt',
      'sessions.authenticated_at as authenticatedAt',
    ])
    .select(sql<boolean>`users.role <> 'customer' and ${existsFactor(sql`users.id`)}`.as('hasSecondFactor'))
    .select(sql<boolean>`coalesce(users.is_password_short, false)`.as('isPasswordShort'))
    .where(isActive(period))
    .where(isActiveFor(period));

/** Ids of those sessions that are active. */
export async function listActiveSessionIds(
  db: Db,
  sessionIds: readonly string[],
  period: ActivePeriod,
): Promise<string[]> {
  if (sessionIds.length === 0) return [];
  const active = selectSessionsWithUsers(db, period).where(sql<SqlBool>`sessions.id = any(${sessionIds}::uuid[])`);
  return (await active.execute()).map(({ sessionId }) => sessionId);
}

/** Users of those sessions that are active. */
export async function listIdentities(
  db: Db,
  sessionIds: readonly string[],
  period: ActivePeriod,
): Promise<SessionRow[]> {
  if (sessionIds.length === 0) return [];
  return selectSessionsWithUsers(db, period)
    .where(sql<SqlBool>`sessions.id = any(${sessionIds}::uuid[])`)
    .execute();
}

const selectSession = compileOnce(
  (db, of: ActivePeriod & { readonly tokenHash: Buffer; readonly cookieHash: Buffer | null }) =>
    selectSessionsWithUsers(db, of)
      .where('token_hash', '=', of.tokenHash)
      .where((row) => row.or([row('cookie_hash', 'is', null), sql<SqlBool>`cookie_hash = ${of.cookieHash}::bytea`])),
);

/** Active session by its token; a session with a cookie matches only with both. */
export async function findSession(
  db: Db,
  tokenHash: Buffer,
  cookieHash: Buffer | null,
  period: ActivePeriod,
): Promise<SessionRow | null> {
  const { rows } = await selectSession(db, { ...period, tokenHash, cookieHash });
  return rows[0] ?? null;
}

export async function findSessionByCookie(
  db: Db,
  cookieHash: Buffer,
  period: ActivePeriod,
): Promise<SessionRow | null> {
  return (await selectSessionsWithUsers(db, period).where('cookie_hash', '=', cookieHash).executeTakeFirst()) ?? null;
}

/** Time goes forward only, whichever process writes last. */
export async function touchSession(db: Db, sessionId: string, now: Date): Promise<void> {
  await updateLastSeen(db, { sessionId, now });
}

const updateLastSeen = compileOnce((db, { sessionId, now }: { readonly sessionId: string; readonly now: Date }) =>
  tables(db)
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('id', '=', sessionId)
    .where('last_seen_at', '<', now),
);

export async function deleteSession(db: Db, sessionId: string): Promise<void> {
  await tables(db).deleteFrom('sessions').where('id', '=', sessionId).execute();
}

export async function deleteExpiredSessions(db: Db, period: ActivePeriod): Promise<void> {
  await tables(db)
    .deleteFrom('sessions')
    .where((of) => of.not(isActive(period)(of)))
    .execute();
}
