/** Creates the services of the accounts slice. */
import { PasswordReset } from './password-reset/service.ts';
import type { PasswordResetOptions } from './password-reset/service.ts';
import { Profile } from './profile/service.ts';
import type { ProfileOptions } from './profile/service.ts';
import { Accounts } from './service.ts';
import type { AccountsOptions } from './service.ts';

/** Everything from outside the slice that one of its services needs. */
export type AccountsSliceOptions = Omit<
  AccountsOptions & ProfileOptions & PasswordResetOptions,
  'profile' | 'onRegistered'
>;

export interface AccountsSlice {
  readonly accounts: Accounts;
  readonly profile: Profile;
  readonly passwordReset: PasswordReset;
}

export function createAccounts(options: AccountsSliceOptions): AccountsSlice {
  const profile = new Profile(options);
  const passwordReset = new PasswordReset({ ...options, profile });
  const accounts = new Accounts({
    ...options,
    onRegistered: (tx, userId) => profile.requestConfirmation(tx, userId),
  });
  return { accounts, profile, passwordReset };
}
