/** The personal data of an account: its user, sessions, email addresses and password reset. */
import type { Db } from '#src/platform/database/database.ts';
import * as passwordReset from '../password-reset/store.ts';
import * as store from './store.ts';
import type { AccountRow } from './store.ts';
import type { Profile } from '../profile/service.ts';
import * as profiles from '../profile/store.ts';
import { normaliseName } from '../registration/normalise-name.ts';

export interface AccountPersonalDataOptions {
  readonly db: Db;
  readonly profile: Pick<Profile, 'endSessions'>;
}

export class AccountPersonalData {
  readonly #options: AccountPersonalDataOptions;

  constructor(options: AccountPersonalDataOptions) {
    this.#options = options;
  }

  /** Null for a deleted account. */
  async exportPersonalData(userId: string) {
    const { db } = this.#options;
    const account = await store.findAccount(db, userId);
    if (!account) return null;
    const { username, email, email_confirmed_at, role, created_at, accepted_terms } = account;
    return {
      user: { id: userId, username, email, email_confirmed_at, role, created_at, accepted_terms },
      sessions: await store.listSessions(db, userId),
    };
  }

  /** Locks an account before its deletion: no order can be placed until the transaction ends. */
  lockForErasure(tx: Db, userId: string): Promise<AccountRow | null> {
    return store.lockAccount(tx, userId);
  }

  /** Present and former addresses in NFKC and lower case, for finding what was sent to or from them. */
  listAddresses(db: Db, userId: string): Promise<string[]> {
    return store.listAddresses(db, userId, { isConfirmed: false });
  }

  /** Only the confirmed ones: an unconfirmed address may belong to somebody else. */
  listConfirmedAddresses(db: Db, userId: string): Promise<string[]> {
    return store.listAddresses(db, userId, { isConfirmed: true });
  }

  /** Deletes a locked account. Its addresses cannot be listed afterwards. */
  async erasePersonalData(tx: Db, userId: string, account: Pick<AccountRow, 'email_key'>, now: Date): Promise<void> {
    await this.#options.profile.endSessions(tx, userId, null);
    const emailKeys = await listOwnKeys(tx, userId, account.email_key);
    await profiles.deleteNotices(tx, userId);
    await profiles.deleteConfirmations(tx, userId);
    await passwordReset.deleteAll(tx, userId, emailKeys);
    await store.anonymiseUser(tx, userId, now);
  }
}

/** Keys of the present address and of former ones that no other account has now. */
async function listOwnKeys(tx: Db, userId: string, present: string): Promise<string[]> {
  const addresses = await store.listAddresses(tx, userId, { isConfirmed: false });
  const keys = new Set([present, ...addresses.map(normaliseName).filter((key) => key !== null)]);
  const others = new Set(await store.listKeysOfOthers(tx, userId, [...keys]));
  return [...keys].filter((key) => !others.has(key));
}
