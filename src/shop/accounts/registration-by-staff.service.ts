/** Accounts that staff create for customers who order by phone. */
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '#src/platform/database/database.ts';
import { findByEmail, insertUser, listStaff } from './store.ts';
import { checkUsername, normaliseUsername } from './registration/check-username.ts';
import { normaliseName } from './registration/normalise-name.ts';

export interface CustomerOfStaff {
  readonly email: string;
  /** Becomes the username, unless it is taken or refused. */
  readonly name: string;
  /** Of a password that nobody knows. */
  readonly passwordHash: string;
}

/**
 * The account of an email address, within the transaction. Without one it is created; its owner sets
 * a password with "Lost password". Null for an invalid address.
 */
export async function findOrCreateAccount(
  tx: Db,
  { email, name, passwordHash }: CustomerOfStaff,
  { shopName, now }: { readonly shopName: string; readonly now: Date },
): Promise<string | null> {
  const emailKey = normaliseName(email);
  if (emailKey === null) return null;
  const found = await findByEmail(tx, emailKey);
  if (found !== null) return found;
  const staffNames = (await listStaff(tx)).map(({ username }) => username);
  for (const username of listUsernames(name, staffNames, shopName)) {
    const usernameKey = normaliseName(username);
    if (usernameKey === null) continue;
    const names = { username, usernameKey, email, emailKey };
    const user = { ...names, id: uuidv7(), passwordHash, role: 'customer', isDemo: false, createdAt: now } as const;
    if (await insertUser(tx, user)) return user.id;
    // Another transaction may have created the account meanwhile.
    const other = await findByEmail(tx, emailKey);
    if (other !== null) return other;
  }
  throw new Error('no username was free');
}

/** Usernames to try, the best first. */
function listUsernames(name: string, staffNames: readonly string[], shopName: string): readonly string[] {
  const wanted = normaliseUsername(name);
  const suffix = randomBytes(4).toString('hex');
  const isAccepted = checkUsername(wanted, staffNames, shopName) === null;
  return isAccepted ? [wanted, `${wanted} ${suffix}`] : [`Customer ${suffix}`];
}
