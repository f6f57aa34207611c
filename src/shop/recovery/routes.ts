import { Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/platform/http/call.ts';
import type { recoveryApi } from './contract.ts';
import type { Recovery } from './service.ts';

export function recoveryRoutes(recovery: Recovery): RoutesOf<typeof recoveryApi> {
  return {
    'POST /users/request-password-reset': {
      who: 'anyone',
      // Mails to one address are counted more strictly, in the service.
      limit: { points: 20, seconds: 3600, by: 'ip', isShared: true },
      handle: async ({ body: { email }, reply }) => {
        reply.note('password_reset_requested', { userId: null });
        const requested = await recovery.request(email);
        return requested.ok
          ? { message: 'success' }
          : new Refusal(429, 'too-often', 'The code was not sent', requested);
      },
    },
    'POST /users/reset-password': {
      who: 'anyone',
      // Tries of codes are counted by account, in the database.
      limit: { points: 30, seconds: 60, by: 'ip' },
      handle: async ({ body: { email, code, newPassword }, reply }) => {
        const reset = await recovery.reset(email, code, newPassword);
        if (reset.ok) {
          reply.note('password_reset_used', { userId: reset.user.id });
          return { message: 'success' };
        }
        reply.note('password_reset_failed', { userId: null });
        switch (reset.reason) {
          case 'busy':
            return new Refusal(503, 'busy', 'The shop is very busy, please try again', { retryAfterSeconds: 5 });
          case 'refused':
            return new Refusal(400, 'invalid', 'The password was not reset', { fields: reset.fields });
          case 'invalid-code':
            return new Refusal(400, 'invalid-code', 'The password was not reset');
          default:
            return reset satisfies never;
        }
      },
    },
  };
}
