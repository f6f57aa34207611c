/** Invitations to the team by mail. A link is used once, by the account of the invited address. */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Identity } from '#src/platform/http/call.ts';
import { consumeAll } from '#src/platform/http/rate-limits.ts';
import type { LimitCounter, RateLimits } from '#src/platform/http/rate-limits.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { hashToken, issueToken } from '#src/platform/security/tokens.ts';
import type { Actor, StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import type { StaffRole } from '#src/shop/permissions.ts';
import { normaliseName } from '../registration/normalise-name.ts';
import type { Profile } from '../profile/service.ts';
import { endEarlierAccess } from '../team/service.ts';
import * as rolesStore from '../team/store.ts';
import type { Accounts, RegistrationResult } from '../service.ts';
import { INVITATION_DAYS } from './invitation-days.ts';
import * as store from './store.ts';
import type { FoundInvitation } from './store.ts';

const DAY_MS = 86_400_000;
/** The page of a link says this long what became of the invitation. */
const RETENTION_DAYS = 90;
export const INVITATION_MAIL = 'invitation';

export interface InvitationsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: RateLimits;
  readonly mails: Pick<Mails<MailKind>, 'enqueue'>;
  readonly accounts: Pick<Accounts, 'register'>;
  readonly profile: Pick<Profile, 'endSessions'>;
}

interface Refused<Reason> {
  readonly ok: false;
  readonly reason: Reason;
}
interface TooOften extends Refused<'too-often'> {
  readonly retryAfterSeconds: number;
}
export type InviteResult = { readonly ok: true } | Refused<'already-invited' | 'already-member'> | TooOften;
export type ResendResult = { readonly ok: true } | Refused<'not-found'> | TooOften;
export type AcceptResult =
  | { readonly ok: true; readonly role: StaffRole }
  | Refused<'not-found' | 'invitation-closed' | 'other-account' | 'already-member'>;
export type RegisterResult =
  | { readonly ok: true; readonly userId: string; readonly username: string }
  | Refused<'not-found' | 'invitation-closed'>
  | Extract<RegistrationResult, { readonly ok: false }>;

export interface InvitedRegistration {
  readonly token: string;
  readonly username: string;
  readonly password: string;
  readonly ip: string;
  readonly userAgent: string | null;
}

/** Rolls back what was changed for an invitation that was used or withdrawn meanwhile. */
class ClosedError extends Error {}

/** Mails of invitations: of one owner, to one address, and in all. */
const createCounters = (userId: string, emailKey: string): readonly LimitCounter[] => [
  { name: 'invitations-an-hour', limit: { points: 20, seconds: 3600, by: 'caller', isShared: true }, key: userId },
  { name: 'invitations-a-day', limit: { points: 50, seconds: 86_400, by: 'caller', isShared: true }, key: userId },
  {
    name: 'invitations-to',
    limit: { points: 5, seconds: 86_400, by: 'caller', isShared: true },
    key: createHash('sha256').update(emailKey).digest('hex'),
  },
  { name: 'invitations-in-all', limit: { points: 100, seconds: 86_400, by: 'caller', isShared: true }, key: 'all' },
];

export class Invitations {
  readonly #options: InvitationsOptions;

  constructor(options: InvitationsOptions) {
    this.#options = options;
  }

  // ---- owners

  async list() {
    const rows = await store.listOpen(this.#options.db, this.#options.clock.now());
    return {
      invitations: rows.map(({ invitedBy, sentAt, expiresAt, isExpired, ...row }) => ({
        ...row,
        invited_by: invitedBy,
        sent_at: sentAt,
        expires_at: expiresAt,
        is_expired: isExpired,
      })),
    };
  }

  async invite(email: string, role: StaffRole, by: StaffActor): Promise<InviteResult> {
    const { db, limits } = this.#options;
    const emailKey = normaliseName(email) ?? email;
    if (await store.isMember(db, emailKey)) return { ok: false, reason: 'already-member' };
    const counted = await consumeAll(limits, createCounters(by.userId, emailKey));
    if (!counted.ok) return { ...counted, reason: 'too-often' };
    const id = uuidv7();
    return transact(db, async (tx): Promise<InviteResult> => {
      const invitation = { id, email: email.trim(), emailKey, role, invitedBy: by.userId, ...this.#getPeriod() };
      if (!(await store.insertInvitation(tx, invitation))) return { ok: false, reason: 'already-invited' };
      await this.#enqueueMail(tx, id);
      await this.#record(tx, { by, action: 'team.invited', id, email: invitation.email }, null, { role });
      return { ok: true };
    });
  }

  async resend(id: string, by: StaffActor): Promise<ResendResult> {
    const { db, limits } = this.#options;
    const emailKey = await store.findOpenAddress(db, id);
    if (emailKey === null) return { ok: false, reason: 'not-found' };
    const counted = await consumeAll(limits, createCounters(by.userId, emailKey));
    if (!counted.ok) return { ...counted, reason: 'too-often' };
    return transact(db, async (tx): Promise<ResendResult> => {
      const { now, expiresAt } = this.#getPeriod();
      const renewed = await store.renew(tx, id, { invitedBy: by.userId, now, expiresAt });
      if (renewed === null) return { ok: false, reason: 'not-found' };
      await this.#enqueueMail(tx, id);
      const { email } = renewed;
      await this.#record(tx, { by, action: 'team.invitation-resent', id, email }, null, { expires_at: expiresAt });
      return { ok: true };
    });
  }

  /** False if it is not open. */
  async withdraw(id: string, by: StaffActor): Promise<boolean> {
    const { db, clock } = this.#options;
    return transact(db, async (tx) => {
      const withdrawn = await store.withdraw(tx, id, clock.now());
      if (withdrawn === null) return false;
      const { email, role } = withdrawn;
      await this.#record(tx, { by, action: 'team.invitation-withdrawn', id, email }, { role }, null);
      return true;
    });
  }

  /** Data of an invitation's mail; null if the invitation is not open any more. */
  async issueLink(id: string) {
    const { token, hash } = issueToken();
    const invitation = await store.saveToken(this.#options.db, id, hash);
    return invitation && { ...invitation, token };
  }

  // ---- the invited person

  /** Null for an unknown link. */
  async find(token: string): Promise<FoundInvitation | null> {
    const { db, clock } = this.#options;
    const tokenHash = hashToken(token);
    return tokenHash && store.findByToken(db, tokenHash, clock.now());
  }

  /** Accepts with an existing account, which must have the invited address. Its sessions end. */
  async accept(token: string, { userId }: Pick<Identity, 'userId'>, by: Actor): Promise<AcceptResult> {
    const { db } = this.#options;
    const invitation = await this.find(token);
    if (invitation === null) return { ok: false, reason: 'not-found' };
    return transact(db, async (tx): Promise<AcceptResult> => {
      const account = await rolesStore.lockMember(tx, userId);
      if (account?.emailKey !== invitation.emailKey) return { ok: false, reason: 'other-account' };
      if (account.role !== 'customer') return { ok: false, reason: 'already-member' };
      const role = await this.#join(tx, token, userId, by);
      return role === null ? { ok: false, reason: 'invitation-closed' } : { ok: true, role };
    });
  }

  /** Creates an account with the invited address, and accepts. */
  async register({ token, username, password, ip, userAgent }: InvitedRegistration): Promise<RegisterResult> {
    const invitation = await this.find(token);
    if (invitation === null) return { ok: false, reason: 'not-found' };
    if (invitation.state !== 'open') return { ok: false, reason: 'invitation-closed' };
    const { email } = invitation;
    try {
      const registered = await this.#options.accounts.register({
        username,
        email,
        password,
        isForStaff: true,
        ip,
        complete: async (tx, userId) => {
          const by = { kind: 'staff', userId, username: username.trim(), ip, userAgent } as const;
          if ((await this.#join(tx, token, userId, by)) === null) throw new ClosedError();
        },
      });
      return registered.ok ? { ...registered, username: username.trim() } : registered;
    } catch (error) {
      if (error instanceof ClosedError) return { ok: false, reason: 'invitation-closed' };
      throw error;
    }
  }

  /** Deletes invitations that ended long ago. Called periodically. */
  deleteOld(): Promise<void> {
    const { db, clock } = this.#options;
    return store.deleteEndedBefore(db, new Date(clock.now().getTime() - RETENTION_DAYS * DAY_MS));
  }

  // ---- shared

  /** Uses the invitation up and grants its role. Null if it is not open any more. */
  async #join(tx: Db, token: string, userId: string, by: Actor): Promise<StaffRole | null> {
    const now = this.#options.clock.now();
    const tokenHash = hashToken(token);
    const role = tokenHash && (await store.consume(tx, tokenHash, { userId, now }));
    if (!role) return null;
    await rolesStore.grantRole(tx, userId, role, now);
    await endEarlierAccess(tx, userId, (_, id) => this.#options.profile.endSessions(tx, id, null));
    const subject = { kind: 'account', id: userId } as const;
    const change = { before: { role: 'customer' }, after: { role } };
    await recordChange(tx, { at: now, by, action: 'account.invitation-accepted', subject, ...change });
    return role;
  }

  #getPeriod(): { readonly now: Date; readonly expiresAt: Date } {
    const now = this.#options.clock.now();
    return { now, expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY_MS) };
  }

  async #enqueueMail(tx: Db, id: string): Promise<void> {
    await this.#options.mails.enqueue(tx, [{ kind: INVITATION_MAIL, event: `invitation.${uuidv7()}`, data: { id } }]);
  }

  #record(
    tx: Db,
    { by, action, id, email }: { by: Actor; action: string; id: string; email: string },
    before: { readonly role: StaffRole } | null,
    after: { readonly role: StaffRole } | { readonly expires_at: Date } | null,
  ): Promise<void> {
    const subject = { kind: 'team', id, name: email } as const;
    return recordChange(tx, { at: this.#options.clock.now(), by, action, subject, before, after });
  }
}
