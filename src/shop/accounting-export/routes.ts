import { Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { accountingExportApi } from './contract.ts';
import type { AccountingDownload } from './download.service.ts';

export const createAccountingExportRoutes = (download: AccountingDownload): RoutesOf<typeof accountingExportApi> => ({
  'GET /exports/books': {
    who: 'accounting',
    // Each export reads all payments of its days.
    limit: { points: 10, seconds: 60, by: 'caller', isShared: true },
    handle: async ({ query, caller }) =>
      (await download.export(query, toStaffActor(caller), caller.getAbortSignal?.())) ??
      new Refusal(409, 'too-large', 'Too many payments for one file. Choose fewer days'),
  },
});
