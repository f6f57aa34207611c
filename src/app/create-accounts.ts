/** Creates the services of the accounts slice. */
import type { Db } from '#src/platform/database/database.ts';
import { AsyncEvent, Query } from '#src/platform/process/events.ts';
import { AccountBlocks } from '#src/shop/accounts/customers/blocks.service.ts';
import { Customers } from '#src/shop/accounts/customers/service.ts';
import { FirstOwner } from '#src/shop/accounts/first-owner/service.ts';
import { Invitations } from '#src/shop/accounts/invitations/service.ts';
import { PasswordReset } from '#src/shop/accounts/password-reset/service.ts';
import { AccountPersonalData } from '#src/shop/accounts/personal-data/service.ts';
import { Profile } from '#src/shop/accounts/profile/service.ts';
import { Attempts } from '#src/shop/accounts/second-factor/attempts.service.ts';
import { FactorChanges } from '#src/shop/accounts/second-factor/changes.service.ts';
import { Passkeys } from '#src/shop/accounts/second-factor/passkeys.service.ts';
import { SecondFactors } from '#src/shop/accounts/second-factor/service.ts';
import { Accounts } from '#src/shop/accounts/service.ts';
import { Roles } from '#src/shop/accounts/team/service.ts';
import type { Foundation } from './open-foundation.ts';
import type { Sales } from './open-sales.ts';
import { resolveShopUrl } from './settings.ts';
import type { Settings } from './settings.ts';

/** Pub/sub topic: the session with this id has ended. */
export const SESSION_ENDED_TOPIC = 'session';

export function createAccounts(settings: Settings, foundation: Foundation, { carts, content }: Sales) {
  const { clock, db, devices, isSecondFactorRequired, limits, mails, passwords, pubSub } = foundation;
  const { secrets, shopSettings } = foundation;
  const { origin } = new URL(resolveShopUrl(settings));
  const getShopName = (): string => shopSettings.current.identity.name;
  /** In the transaction that changes the email address. */
  const addressChanged = new AsyncEvent<[tx: Db, userId: string]>();
  const orderIds = new Query<[userId: string], readonly string[]>();
  const ticketIds = new Query<[userId: string], readonly string[]>();
  const onAddressChanged = addressChanged.emit;
  const onSignedOut = (sessionId: string): void => pubSub.publish(SESSION_ENDED_TOPIC, sessionId);
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
    getTermsVersion: () => content.findLegalNumber('terms'),
    onRegistered: (tx, userId) => profile.requestConfirmation(tx, userId),
    onSignedIn: (tx, signedIn) => carts.mergeGuestCart(tx, signedIn),
    onSignedOut,
  });
  const attempts = new Attempts({ db, clock, limits, devices, accounts });
  const changes = new FactorChanges({ db, clock, mails, profile });
  addressChanged.on((tx, userId) => changes.onAddressChanged(tx, userId));
  return {
    accounts,
    profile,
    passwordReset: new PasswordReset({
      db,
      clock,
      passwords,
      limits,
      devices,
      mails,
      replacePassword: (tx, userId, password) => profile.replacePassword(tx, userId, password, 'password-reset', null),
    }),
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
