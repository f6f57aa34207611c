/** The first owner of a live shop: a link for whoever starts it, valid for one use. */
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { hashToken, issueToken } from '#src/platform/security/tokens.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { Profile } from '../profile/service.ts';
import { normaliseUsername } from '../registration/check-username.ts';
import { normaliseName } from '../registration/normalise-name.ts';
import { setRole } from '../team/store.ts';
import type { Accounts, RegistrationResult } from '../service.ts';
import * as store from '../team/first-owner-link.store.ts';

/** How long a link works. */
const LINK_MS = 24 * 3_600_000;

export interface FirstOwnerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, 'register'>;
  readonly profile: Pick<Profile, 'requestConfirmation'>;
}

export interface FirstOwnerRegistration {
  readonly token: string;
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly ip: string;
  readonly userAgent: string | null;
}

export type FirstOwnerResult =
  | { readonly ok: true; readonly userId: string; readonly username: string }
  | { readonly ok: false; readonly reason: 'not-found' }
  | Extract<RegistrationResult, { readonly ok: false }>;

/** Rolls back the account of a link that was used or replaced meanwhile. */
class InvalidLinkError extends Error {}

export class FirstOwner {
  readonly #options: FirstOwnerOptions;

  constructor(options: FirstOwnerOptions) {
    this.#options = options;
  }

  /** The token of a new link, which replaces the former one. Null if the shop has an owner. */
  async issueToken(): Promise<string | null> {
    const { db, clock } = this.#options;
    const { token, hash } = issueToken();
    const expiresAt = new Date(clock.now().getTime() + LINK_MS);
    return (await store.replaceLink(db, hash, expiresAt)) ? token : null;
  }

  async isValid(token: string): Promise<boolean> {
    const { db, clock } = this.#options;
    const tokenHash = hashToken(token);
    return tokenHash !== null && store.isValid(db, tokenHash, clock.now());
  }

  async register({ token, ip, userAgent, ...account }: FirstOwnerRegistration): Promise<FirstOwnerResult> {
    const tokenHash = hashToken(token);
    if (tokenHash === null || !(await this.isValid(token))) return { ok: false, reason: 'not-found' };
    const username = normaliseUsername(account.username);
    try {
      const registered = await this.#options.accounts.register({
        ...account,
        isForStaff: true,
        ip,
        complete: (tx, userId) => this.#appoint(tx, { tokenHash, userId, username, ip, userAgent }),
      });
      return registered.ok ? { ...registered, username } : registered;
    } catch (error) {
      if (error instanceof InvalidLinkError) return { ok: false, reason: 'not-found' };
      throw error;
    }
  }

  /** @throws InvalidLinkError if the link is not valid any more */
  async #appoint(
    tx: Db,
    {
      tokenHash,
      userId,
      username,
      ip,
      userAgent,
    }: Pick<FirstOwnerRegistration, 'username' | 'ip' | 'userAgent'> & {
      readonly tokenHash: Buffer;
      readonly userId: string;
    },
  ): Promise<void> {
    const { clock, profile } = this.#options;
    const now = clock.now();
    if (!(await store.consume(tx, tokenHash, now))) throw new InvalidLinkError();
    await setRole(tx, normaliseName(username) ?? username, 'owner');
    await profile.requestConfirmation(tx, userId);
    await recordChange(tx, {
      at: now,
      by: { kind: 'staff', userId, username, ip, userAgent },
      action: 'account.first-owner-created',
      subject: { kind: 'account', id: userId },
      before: null,
      after: { role: 'owner' },
    });
  }
}
