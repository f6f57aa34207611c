import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { ownerApi } from './contract.ts';
import type { Owner } from './service.ts';

export function createOwnerRoutes(owner: Owner): RoutesOf<typeof ownerApi> {
  return {
    'GET /staff': {
      who: 'team',
      limit: { points: 60, seconds: 60, by: 'caller' },
      handle: () => owner.listStaff(),
    },
    'PUT /staff/role': {
      who: 'team-changes',
      limit: { points: 30, seconds: 60, by: 'caller' },
      handle: async ({ body: { username, role }, caller, reply }) => {
        const changed = await owner.changeRole(username, role, toStaffActor(caller));
        if (changed.ok) {
          reply.recordSecurityEvent('role_changed', { targetId: changed.id });
          return owner.listStaff();
        }
        return changed.reason === 'not-found'
          ? createNotFound()
          : new Refusal(409, 'last-owner', 'The shop needs an owner. Make another account an owner first');
      },
    },
    'GET /settings': {
      who: 'environment',
      limit: { points: 60, seconds: 60, by: 'caller' },
      handle: async () => owner.listSettings(),
    },
    'GET /exports/books': {
      who: 'accounting',
      // Each export reads all payments of its days.
      limit: { points: 10, seconds: 60, by: 'caller', isShared: true },
      handle: async ({ query, caller }) =>
        (await owner.exportAccounting(query, toStaffActor(caller), caller.getAbortSignal?.())) ??
        new Refusal(409, 'too-large', 'Too many payments for one file. Choose fewer days'),
    },
  };
}
