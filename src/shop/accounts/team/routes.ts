import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { teamApi } from './contract.ts';
import type { Roles } from './service.ts';

const listStaff = async (roles: Roles) =>
  (await roles.list()).map(({ hasSecondFactor, lastSeenAt, ...member }) => ({
    ...member,
    has_second_factor: hasSecondFactor,
    last_seen_at: lastSeenAt,
  }));

const REFUSALS = {
  'not-found': createNotFound,
  'last-owner': () => new Refusal(409, 'last-owner', 'The shop needs an owner. Make another account an owner first'),
  'other-role': () =>
    new Refusal(409, 'other-role', 'Somebody gave this account another role meanwhile. Check it and try again'),
} as const;

export function createTeamRoutes(roles: Roles): RoutesOf<typeof teamApi> {
  return {
    'GET /staff': {
      who: 'team',
      limit: { points: 60, seconds: 60, by: 'caller' },
      handle: async () => ({ staff: await listStaff(roles) }),
    },
    'PUT /staff/role': {
      who: 'team-changes',
      limit: { points: 30, seconds: 60, by: 'caller' },
      handle: async ({ body: { username, role, seen_role: seenRole = null }, caller, reply }) => {
        const changed = await roles.change(username, role, toStaffActor(caller), seenRole);
        if (changed.ok) {
          reply.recordSecurityEvent('role_changed', { targetId: changed.id });
          return { staff: await listStaff(roles) };
        }
        return REFUSALS[changed.reason]();
      },
    },
  };
}
