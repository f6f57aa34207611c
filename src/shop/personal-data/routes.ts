import { GUEST_COOKIE, getSessionCookieName } from '#src/platform/http/api.ts';
import {
  createNotFound,
  createReauthenticationRequired,
  createUnauthenticated,
  Refusal,
} from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { personalDataApi } from './contract.ts';
import type { AccountDeletionResult, PersonalData } from './service.ts';

export interface PersonalDataRoutesOptions {
  readonly personalData: PersonalData;
  readonly isHttps: boolean;
}

export function createPersonalDataRoutes({
  personalData,
  isHttps,
}: PersonalDataRoutesOptions): RoutesOf<typeof personalDataApi> {
  return {
    'GET /users/{id}/data': {
      who: 'user',
      limit: { points: 10, seconds: 600, by: 'caller' },
      handle: async ({ params: { id }, caller, reply }) => {
        if (id !== caller.identity.userId) return createNotFound();
        const data = await personalData.exportData(id);
        if (!data) return createUnauthenticated();
        reply.header('content-disposition', `attachment; filename="${personalData.fileName}"`);
        return data;
      },
    },
    'DELETE /users/{id}': {
      who: 'user',
      limit: { points: 10, seconds: 60, by: 'caller' },
      handle: async ({ params: { id }, body: { username }, caller, reply }) => {
        if (id !== caller.identity.userId) return createNotFound();
        const deleted = await personalData.deleteAccount(caller.identity, username);
        if (deleted.ok) {
          reply.recordSecurityEvent('account_deleted');
          reply.clearCookie(getSessionCookieName(isHttps));
          reply.clearCookie(GUEST_COOKIE);
          return { message: 'success' };
        }
        switch (deleted.reason) {
          case 'gone':
            return createUnauthenticated();
          case 'reauth':
            return createReauthenticationRequired();
          case 'staff':
            return new Refusal(409, 'staff', 'Staff accounts can’t be deleted here');
          case 'wrong-name':
            return new Refusal(400, 'invalid', 'The account was not deleted', {
              fields: { username: 'does not match this account' },
            });
          case 'order-open':
            return new Refusal(
              409,
              deleted.reason,
              `Order ${deleted.orderNumber} is open. Pay it, cancel it or let it expire, then delete the account.`,
            );
          case 'order-unshipped':
            return new Refusal(
              409,
              deleted.reason,
              `Order ${deleted.orderNumber} is paid and not shipped yet, so we need your address. Delete the account once it is shipped.`,
            );
          case 'refund-under-way':
            return new Refusal(
              409,
              deleted.reason,
              `A refund for order ${deleted.orderNumber} is under way. Delete the account once it has arrived.`,
            );
          case 'return-open':
            return new Refusal(
              409,
              deleted.reason,
              `A return of order ${deleted.orderNumber} is not refunded yet. Delete the account once it is.`,
            );
          case 'payment-under-way':
            return new Refusal(
              409,
              deleted.reason,
              `The payment for order ${deleted.orderNumber} is still being processed. Open the order to see what to do, or write to us. Delete the account once the payment is accepted or refunded.`,
            );
          default:
            return deleted satisfies never;
        }
      },
    },
    'POST /support/customers/{id}/erase': createErasureRoute(personalData),
  };
}

const createErasureRoute = (
  personalData: PersonalData,
): RoutesOf<typeof personalDataApi>['POST /support/customers/{id}/erase'] => ({
  who: 'customer-changes',
  limit: { points: 10, seconds: 60, by: 'caller' },
  handle: async ({ params: { id }, body: { username }, caller, reply }) => {
    const { sessionId } = caller.identity;
    const deleted = await personalData.deleteCustomer(id, username, sessionId, toStaffActor(caller));
    if (!deleted.ok) return toStaffRefusal(deleted);
    reply.recordSecurityEvent('account_deleted', { userId: id });
    return { message: 'success' };
  },
});

/** As the member of staff who erases the account of a customer reads it. */
function toStaffRefusal(deleted: Exclude<AccountDeletionResult, { ok: true }>): Refusal {
  switch (deleted.reason) {
    case 'gone':
      return createNotFound();
    case 'reauth':
      return createReauthenticationRequired();
    case 'staff':
      return new Refusal(409, 'staff', 'Accounts of staff can’t be erased');
    case 'wrong-name':
      return new Refusal(400, 'invalid', 'The account was not erased', {
        fields: { username: 'does not match this account' },
      });
    case 'order-open':
      return new Refusal(409, deleted.reason, `Order ${deleted.orderNumber} is open`);
    case 'order-unshipped':
      return new Refusal(409, deleted.reason, `Order ${deleted.orderNumber} is paid and not shipped yet`);
    case 'refund-under-way':
      return new Refusal(409, deleted.reason, `A refund for order ${deleted.orderNumber} is under way`);
    case 'return-open':
      return new Refusal(409, deleted.reason, `A return of order ${deleted.orderNumber} is not refunded yet`);
    case 'payment-under-way':
      return new Refusal(409, deleted.reason, `The payment for order ${deleted.orderNumber} is not decided yet`);
    default:
      return deleted satisfies never;
  }
}
