import type { AccountKey } from '#src/platform/bitcoin/account-key.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Settings } from './settings.ts';

/** The account that a shop with these settings and this database uses, for commands beside it. */
export async function findAccountKey(
  { accountKey, hasDemoAccount, walletScript }: Pick<Settings, 'accountKey' | 'hasDemoAccount' | 'walletScript'>,
  db: Db,
): Promise<AccountKey> {
  if (!hasDemoAccount) return accountKey;
  const { findDemoAccount } = await import('./demo.ts');
  return (await findDemoAccount(db, walletScript))?.accountKey ?? accountKey;
}
