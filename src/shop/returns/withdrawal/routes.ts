import { createNotFound, Download } from '#src/platform/http/call.ts';
import type { Refusal } from '#src/platform/http/call.ts';
import type { Limit } from '#src/platform/http/rate-limits.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { Acknowledgements } from './acknowledgements.service.ts';
import type { withdrawalApi } from './contract.ts';
import type { UnmatchedWithdrawals } from './unmatched.service.ts';
import type { Withdrawals } from './service.ts';

const reading: Limit = { points: 60, seconds: 60, by: 'ip' };
/** Each stores a statement. The service limits those about one order. */
const stating: Limit = { points: 20, seconds: 3600, by: 'ip', isShared: true };
/** Each may send a mail. The service limits those to one mailbox. */
const linking: Limit = { points: 10, seconds: 3600, by: 'ip', isShared: true };
// Rendering takes 0.1 s of one core.
const printing: Limit = { points: 30, seconds: 60, by: 'ip', isShared: true };
const answering: Limit = { points: 60, seconds: 60, by: 'caller' };
const listing: Limit = { points: 60, seconds: 10, by: 'caller' };

export interface WithdrawalServices {
  readonly withdrawals: Withdrawals;
  readonly acknowledgements: Acknowledgements;
  readonly unmatchedWithdrawals: UnmatchedWithdrawals;
}

export function createWithdrawalRoutes({
  acknowledgements,
  unmatchedWithdrawals,
  withdrawals,
}: WithdrawalServices): RoutesOf<typeof withdrawalApi> {
  return {
    'POST /withdrawal/read': {
      who: 'anyone',
      limit: reading,
      handle: ({ body, caller }) => withdrawals.read(body, caller.identity?.userId ?? null),
    },
    'POST /withdrawal/preview': {
      who: 'anyone',
      limit: reading,
      handle: ({ body, caller }) => withdrawals.preview(body, caller.identity?.userId ?? null),
    },
    'POST /withdrawal': {
      who: 'anyone',
      limit: stating,
      handle: ({ body, caller }) => withdrawals.declare(body, caller.identity?.userId ?? null),
    },
    'POST /withdrawal/link': {
      who: 'anyone',
      limit: linking,
      handle: async ({ body }) => (await withdrawals.requestLink(body.order_number, body.order_email)) ?? {},
    },
    'POST /withdrawal/receipt': {
      who: 'anyone',
      limit: reading,
      handle: ({ body }) => acknowledgements.read(body.receipt),
    },
    'GET /withdrawal/{receipt}/pdf': {
      who: 'anyone',
      limit: printing,
      handle: async ({ params, caller }): Promise<Download | Refusal> => {
        const printed = await acknowledgements.print(params.receipt, caller.ip);
        return printed ? new Download(printed.filename, 'application/pdf', [printed.bytes]) : createNotFound();
      },
    },
    'GET /orders/{id}/withdrawals': {
      who: 'user',
      limit: listing,
      handle: async ({ params, caller }) =>
        (await acknowledgements.listForBuyer(params.id, caller.identity.userId)) ?? createNotFound(),
    },
    'GET /support/orders/{id}/withdrawals': {
      who: 'orders',
      hasPersonalData: true,
      limit: listing,
      handle: async ({ params }) => (await acknowledgements.listForStaff(params.id)) ?? createNotFound(),
    },
    'GET /support/withdrawals': {
      who: 'orders',
      hasPersonalData: true,
      limit: listing,
      handle: ({ query }) => unmatchedWithdrawals.list(query),
    },
    'POST /support/withdrawals/{id}/answer': {
      who: 'shipping',
      limit: answering,
      handle: ({ params, caller }) => unmatchedWithdrawals.answer(params.id, toStaffActor(caller)),
    },
  };
}
