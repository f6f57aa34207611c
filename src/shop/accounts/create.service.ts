/** Creates the services of the accounts slice. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent } from '#src/platform/process/events.ts';
import { PasswordReset } from './password-reset/service.ts';
import type { PasswordResetOptions } from './password-reset/service.ts';
import { AccountBlocks } from './blocks.service.ts';
import { AccountPersonalData } from './personal-data.service.ts';
import { FirstOwner } from './first-owner/service.ts';
import { Invitations } from './invitations/service.ts';
import type { InvitationsOptions } from './invitations/service.ts';
import { Profile } from './profile/service.ts';
import type { ProfileOptions } from './profile/service.ts';
import { Attempts } from './second-factor/attempts.service.ts';
import type { AttemptsOptions } from './second-factor/attempts.service.ts';
import { FactorChanges } from './second-factor/changes.service.ts';
import type { FactorChangesOptions } from './second-factor/changes.service.ts';
import { Passkeys } from './second-factor/passkeys.service.ts';
import type { PasskeysOptions } from './second-factor/passkeys.service.ts';
import { SecondFactors } from './second-factor/service.ts';
import type { SecondFactorsOptions } from './second-factor/service.ts';
import { Accounts } from './service.ts';
import type { AccountsOptions } from './service.ts';

/** Everything from outside the slice that one of its services needs. */
export type AccountsSliceOptions = Omit<
  AccountsOptions &
    ProfileOptions &
    PasswordResetOptions &
    SecondFactorsOptions &
    AttemptsOptions &
    FactorChangesOptions &
    PasskeysOptions &
    InvitationsOptions,
  'accounts' | 'profile' | 'attempts' | 'changes' | 'onRegistered' | 'onAddressChanged'
>;

export interface AccountsSlice {
  readonly accounts: Accounts;
  readonly profile: Profile;
  readonly passwordReset: PasswordReset;
  readonly accountData: AccountPersonalData;
  readonly secondFactors: SecondFactors;
  readonly factorChanges: FactorChanges;
  readonly passkeys: Passkeys;
  readonly invitations: Invitations;
  readonly firstOwner: FirstOwner;
  readonly accountBlocks: AccountBlocks;
  /** In the transaction that changes the email address. */
  readonly addressChanged: AsyncEvent<[tx: Db, userId: string]>;
}

export function createAccounts(options: AccountsSliceOptions): AccountsSlice {
  const addressChanged: AccountsSlice['addressChanged'] = new AsyncEvent();
  const profile = new Profile({ ...options, onAddressChanged: addressChanged.emit });
  const passwordReset = new PasswordReset({ ...options, profile });
  const accounts = new Accounts({
    ...options,
    onRegistered: (tx, userId) => profile.requestConfirmation(tx, userId),
  });
  const accountData = new AccountPersonalData({ ...options, profile });
  const attempts = new Attempts({ ...options, accounts });
  const factorChanges = new FactorChanges({ ...options, profile });
  addressChanged.on((tx, userId) => factorChanges.onAddressChanged(tx, userId));
  const secondFactors = new SecondFactors({ ...options, profile, attempts, changes: factorChanges });
  const passkeys = new Passkeys({ ...options, attempts, changes: factorChanges });
  const invitations = new Invitations({ ...options, accounts, profile });
  const firstOwner = new FirstOwner({ ...options, accounts, profile });
  const accountBlocks = new AccountBlocks({ ...options, profile });
  return {
    accounts,
    profile,
    passwordReset,
    accountData,
    secondFactors,
    factorChanges,
    passkeys,
    invitations,
    firstOwner,
    accountBlocks,
    addressChanged,
  };
}
