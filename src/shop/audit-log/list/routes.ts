import { Download } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '../service.ts';
import type { auditApi } from './contract.ts';
import type { AuditList } from './service.ts';

export function createAuditRoutes(audit: AuditList): RoutesOf<typeof auditApi> {
  return {
    'GET /support/audit': {
      who: 'audit',
      hasPersonalData: true,
      limit: { points: 120, seconds: 60, by: 'caller' },
      handle: ({ query, caller }) => audit.list(query, caller.identity.role),
    },
    'GET /exports/audit': {
      who: 'accounting',
      hasPersonalData: true,
      // Each export reads all entries of its days.
      limit: { points: 10, seconds: 60, by: 'caller', isShared: true },
      handle: async ({ query, caller }) => {
        const { role } = caller.identity;
        const { name, pieces } = await audit.export(query, toStaffActor(caller), role, caller.getAbortSignal?.());
        return new Download(name, 'text/csv; charset=utf-8', pieces);
      },
    },
  };
}
