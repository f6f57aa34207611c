import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { firstOwnerApi } from './contract.ts';
import type { FirstOwner, FirstOwnerResult } from './service.ts';

const ofAddress = { points: 30, seconds: 60, by: 'ip', isShared: true } as const;

export function createFirstOwnerRoutes(firstOwner: FirstOwner): RoutesOf<typeof firstOwnerApi> {
  return {
    'POST /first-owner/read': {
      who: 'anyone',
      limit: ofAddress,
      handle: async ({ body: { token } }) =>
        (await firstOwner.isValid(token)) ? { message: 'success' } : createNotFound(),
    },
    'POST /first-owner/register': {
      who: 'anyone',
      limit: ofAddress,
      handle: async ({ body, caller: { ip, userAgent = null }, reply }) => {
        const registered = await firstOwner.register({ ...body, ip, userAgent });
        if (!registered.ok) return toRefusal(registered);
        const { userId, username } = registered;
        reply.recordSecurityEvent('role_changed', { userId, targetId: userId });
        return { username };
      },
    },
  };
}

function toRefusal(refused: Extract<FirstOwnerResult, { ok: false }>): Refusal {
  switch (refused.reason) {
    case 'not-found':
      return createNotFound();
    case 'busy':
      return new Refusal(503, 'busy', 'The shop is very busy. Please try again in a moment.', { retryAfterSeconds: 5 });
    case 'too-often':
      return new Refusal(429, 'too-often', 'Too many accounts were created from your network', refused);
    case 'taken':
      return new Refusal(409, 'taken', 'Registration failed', { fields: refused.fields });
    case 'refused':
      return new Refusal(400, 'invalid', 'Registration failed', { fields: refused.fields });
    default:
      return refused satisfies never;
  }
}
