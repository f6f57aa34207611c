import { DEVICE_COOKIE_SECONDS, getDeviceCookieName } from '#src/platform/security/devices/devices.ts';
import { Refusal } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { Accounts } from '../service.ts';
import type { passwordResetApi } from './contract.ts';
import type { PasswordReset } from './service.ts';

export interface PasswordResetRoutesOptions {
  readonly passwordReset: PasswordReset;
  readonly accounts: Pick<Accounts, 'issueDeviceCookie'>;
  readonly isHttps: boolean;
}

export function createPasswordResetRoutes({
  passwordReset,
  accounts,
  isHttps,
}: PasswordResetRoutesOptions): RoutesOf<typeof passwordResetApi> {
  return {
    'POST /users/request-password-reset': {
      who: 'anyone',
      // The service limits mails to one address more strictly.
      limit: { points: 20, seconds: 3600, by: 'ip', isShared: true },
      handle: async ({ body: { email }, caller: { ip, deviceCookie = null }, reply }) => {
        reply.recordSecurityEvent('password_reset_requested', { userId: null });
        const requested = await passwordReset.requestCode(email, { ip, deviceCookie });
        return requested.ok
          ? { message: 'success' }
          : new Refusal(429, 'too-often', 'The code was not sent', requested);
      },
    },
    'POST /users/reset-password': {
      who: 'anyone',
      // The database counts attempts per account.
      limit: { points: 30, seconds: 60, by: 'ip', isShared: true },
      handle: async ({ body: { email, code, newPassword }, caller, reply }) => {
        const { ip, isBrowser, deviceCookie = null } = caller;
        const reset = await passwordReset.reset(email, code, newPassword, { ip, deviceCookie });
        if (reset.ok) {
          reply.recordSecurityEvent('password_reset_used', { userId: reset.user.id });
          // The user reads the mails of the account, so this browser gets login limits of its own.
          if (isBrowser) {
            const newDeviceCookie = await accounts.issueDeviceCookie(reset.user, deviceCookie);
            reply.setCookie(getDeviceCookieName(isHttps), newDeviceCookie, DEVICE_COOKIE_SECONDS);
          }
          return { message: 'success' };
        }
        reply.recordSecurityEvent('password_reset_failed', { userId: null });
        switch (reset.reason) {
          case 'busy':
            return new Refusal(503, 'busy', 'The shop is very busy. Please try again in a moment.', {
              retryAfterSeconds: 5,
            });
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
