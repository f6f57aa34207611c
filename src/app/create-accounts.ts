/** Creates the services of the accounts slice. */
import type { Db } from '#src/platform/database/database.ts';
import type { RateLimits } from '#src/platform/http/rate-limits.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import { AsyncEvent, Query } from '#src/platform/process/events.ts';
import type { Devices } from '#src/platform/security/devices/devices.ts';
import type { Passwords } from '#src/platform/security/passwords.ts';
import type { SecretBox } from '#src/platform/security/secret-box.ts';
import { AccountBlocks } from '#src/shop/accounts/customers/blocks.service.ts';
import { Customers } from '#src/shop/accounts/customers/service.ts';
import { FirstOwner } from '#src/shop/accounts/first-owner/service.ts';
import { Invitations } from '#src/shop/accounts/invitations/service.ts';
import { PasswordReset } from '#src/shop/accounts/password-reset/service.ts';
import { AccountPersonalData } from '#src/shop/accounts/personal-data.service.ts';
import { Profile } from '#src/shop/accounts/profile/service.ts';
import { Attempts } from '#src/shop/accounts/second-factor/attempts.service.ts';
import { FactorChanges } from '#src/shop/accounts/second-factor/changes.service.ts';
import { Passkeys } from '#src/shop/accounts/second-factor/passkeys.service.ts';
import { SecondFactors } from '#src/shop/accounts/second-factor/service.ts';
import { Accounts } from '#src/shop/accounts/service.ts';
import type { AccountsOptions } from '#src/shop/accounts/service.ts';
import { Roles } from '#src/shop/accounts/team/service.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';

export interface AccountsSliceOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: RateLimits;
  readonly mails: Mails<MailKind>;
  readonly passwords: Passwords;
  readonly devices: Devices;
  readonly secrets: SecretBox;
  readonly isSecondFactorRequired: boolean;
  /** Public origin of the shop. */
  readonly origin: string;
  readonly shopSettings: ShopSettings;
  readonly getTermsVersion: () => number | null;
  readonly onSignedIn: AccountsOptions['onSignedIn'];
  readonly onSignedOut: (sessionId: string) => void;
}

export function createAccounts(options: AccountsSliceOptions) {
  const { clock, db, devices, limits, mails, passwords, secrets, shopSettings } = options;
  const { getTermsVersion, isSecondFactorRequired, onSignedIn, onSignedOut, origin } = options;
  const getShopName = (): string => shopSettings.current.identity.name;
  /** In the transaction that changes the email address. */
  const addressChanged = new AsyncEvent<[tx: Db, userId: string]>();
  const orderIds = new Query<[userId: string], readonly string[]>();
  const ticketIds = new Query<[userId: string], readonly string[]>();
  const onAddressChanged = addressChanged.emit;
  const profile = new Profile({ db, clock, limits, mails, passwords, getShopName, onSignedOut, onAddressChanged });
  const accounts = new Accounts({
    db,
    clock,
    passwords,
    limits,
    devices,
    isSecondFactorRequired,
    listOrderIds: orderIds.run,
    listTicketIds: ticketIds.run,
    getShopName,
    getTermsVersion,
    onRegistered: (tx, userId) => profile.requestConfirmation(tx, userId),
    onSignedIn,
    onSignedOut,
  });
  const attempts = new Attempts({ db, clock, limits, devices, accounts });
  const changes = new FactorChanges({ db, clock, mails, profile });
  addressChanged.on((tx, userId) => changes.onAddressChanged(tx, userId));
  return {
    accounts,
    profile,
    passwordReset: new PasswordReset({ db, clock, passwords, limits, devices, mails, profile }),
    accountData: new AccountPersonalData({ db, profile }),
    secondFactors: new SecondFactors({
      db,
      clock,
      secrets,
      attempts,
      changes,
      profile,
      isSecondFactorRequired,
      getShopName,
    }),
    factorChanges: changes,
    passkeys: new Passkeys({ db, clock, attempts, changes, origin, getShopName }),
    invitations: new Invitations({ db, clock, limits, mails, accounts, profile }),
    firstOwner: new FirstOwner({ db, clock, accounts, profile }),
    customers: new Customers({ db, findOrderNumbers: (text) => shopSettings.findOrderNumbers(text) }),
    accountBlocks: new AccountBlocks({ db, clock, profile }),
    roles: new Roles({ db, clock, endSessions: (tx, userId) => profile.endSessions(tx, userId, null) }),
    addressChanged,
    orderIds,
    ticketIds,
  };
}

export type AccountsSlice = ReturnType<typeof createAccounts>;
