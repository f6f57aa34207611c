import type { Db } from '#src/platform/database/database.ts';
import { listStaff } from './store.ts';
import { checkUsername } from './registration/check-username.ts';

export interface PublicName {
  /** Normalised. */
  readonly name: string;
  /** Of the account that wants to show the name. Always accepted, as it is public already. */
  readonly username: string;
  /** Empty if the shop has none. */
  readonly shopName: string;
}

/** Why an account may not show a name in public, by the rules of usernames; null if it may. */
export async function checkPublicName(db: Db, { name, username, shopName }: PublicName): Promise<string | null> {
  if (name === username) return null;
  const staff = await listStaff(db);
  const names = staff.map((member) => member.username).filter((other) => other !== username);
  return checkUsername(name, names, shopName);
}
