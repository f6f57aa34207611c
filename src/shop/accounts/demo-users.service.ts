/** Accounts of demo mode, whose passwords are public. */
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '#src/platform/database/database.ts';
import type { Passwords } from '#src/platform/security/passwords.ts';
import type { Role } from '#src/shop/permissions.ts';
import { isShortForStaff } from './registration/check-password.ts';
import { normaliseName } from './registration/normalise-name.ts';
import { findTakenNames, hasDemoUser, insertUser } from './store.ts';

export interface DemoUser {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly role: Role;
}

/** Creates the demo users that do not exist yet. */
export async function seedDemoUsers(
  { db, passwords }: { readonly db: Db; readonly passwords: Passwords },
  users: readonly DemoUser[],
  now: Date,
): Promise<void> {
  for (const { username, email, password, role } of users) {
    const usernameKey = normaliseName(username);
    const emailKey = normaliseName(email);
    if (usernameKey === null || emailKey === null) throw new Error(`${username} is not a valid demo username`);
    // Skips the costly hash for existing users.
    const existing = await findTakenNames(db, usernameKey, emailKey);
    if (existing.username || existing.email) continue;
    const passwordHash = await passwords.hash(password);
    if (passwordHash === null) throw new Error('Too many passwords are waiting to be hashed');
    const isPasswordShort = isShortForStaff(password);
    const names = { username, usernameKey, email, emailKey };
    const user = { id: uuidv7(), ...names, passwordHash, isPasswordShort, role, createdAt: now };
    await insertUser(db, { ...user, isDemo: true });
  }
}

/** Whether a demo account, whose password is public, exists. */
export const hasDemoAccounts = (db: Db): Promise<boolean> => hasDemoUser(db);
