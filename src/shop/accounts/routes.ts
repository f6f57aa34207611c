import { GUEST_COOKIE, sessionCookieName } from '#src/platform/http/api.ts';
import { DEVICE_COOKIE_SECONDS, deviceCookieName } from '#src/platform/security/devices/devices.ts';
import { Refusal, unauthenticated } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/platform/http/call.ts';
import type { accountsApi } from './contract.ts';
import { SESSION_DAYS } from './service.ts';
import type { Accounts } from './service.ts';

const SESSION_SECONDS = SESSION_DAYS * 24 * 60 * 60;

export interface AccountRoutesOptions {
  readonly accounts: Accounts;
  /** Whether the shop is reached over https; the session cookie's name tells. */
  readonly isHttps: boolean;
}

const busy = (): Refusal =>
  new Refusal(503, 'busy', 'The shop is very busy, please try again', { retryAfterSeconds: 5 });

export function accountRoutes({ accounts, isHttps }: AccountRoutesOptions): RoutesOf<typeof accountsApi> {
  const sessionCookie = sessionCookieName(isHttps);
  return {
    'POST /users/register': {
      who: 'anyone',
      limit: { points: 60, seconds: 60, by: 'ip', isShared: true },
      // Accounts that were opened are counted by the hour and the day, in the service.
      handle: async ({ body, caller: { ip } }) => {
        const registered = await accounts.register({ ...body, ip });
        if (registered.ok) return { message: 'success' };
        if (registered.reason === 'busy') return busy();
        if (registered.reason === 'too-often') {
          return new Refusal(429, 'too-often', 'Too many accounts were opened from your network', registered);
        }
        const { fields } = registered;
        return registered.reason === 'taken'
          ? new Refusal(409, 'taken', 'Registration failed', { fields })
          : new Refusal(400, 'invalid', 'Registration failed', { fields });
      },
    },
    'POST /users/login': {
      who: 'anyone',
      // Wrong passwords are counted more strictly, by account and by address, in the service.
      limit: { points: 120, seconds: 60, by: 'ip' },
      handle: async ({ body, caller, reply }) => {
        const { ip, isBrowser, guestToken, deviceCookie = null, userAgent = null } = caller;
        const { username: name, password } = body;
        const account: { userId: string | null } = { userId: null };
        const onAccount = (userId: string): void => void (account.userId = userId);
        const device = { ip, isBrowser, guestToken, deviceCookie, userAgent };
        const signedIn = await accounts.signIn({ name, password, ...device, onAccount });
        if (signedIn.ok) reply.recordSecurityEvent('login_succeeded', account);
        else if (signedIn.reason !== 'busy') {
          reply.recordSecurityEvent(signedIn.reason === 'too-often' ? 'login_locked' : 'login_failed', account);
        }
        if (!signedIn.ok) {
          if (signedIn.reason === 'busy') return busy();
          if (signedIn.reason === 'too-often') return new Refusal(429, 'too-often', 'Login failed', signedIn);
          return new Refusal(401, 'invalid-credentials', 'Login failed');
        }
        if (signedIn.cookie !== null) reply.setCookie(sessionCookie, signedIn.cookie, SESSION_SECONDS);
        if (signedIn.deviceCookie !== null) {
          reply.setCookie(deviceCookieName(isHttps), signedIn.deviceCookie, DEVICE_COOKIE_SECONDS);
        }
        // What it named is the account's now.
        if (guestToken !== null) reply.clearCookie(GUEST_COOKIE);
        const { user, token, isCartPreserved } = signedIn;
        return { user, tokens: { accessToken: token }, cart_preserved: isCartPreserved };
      },
    },
    'POST /users/logout': {
      who: 'anyone',
      limit: { points: 120, seconds: 60, by: 'ip' },
      handle: async ({ caller, reply }) => {
        // A token without its cookie proves nothing and ends nothing; what is left in the browser goes anyway.
        if (caller.identity) await accounts.signOut(caller.identity);
        reply.clearCookie(sessionCookie);
        reply.clearCookie(GUEST_COOKIE);
        return { message: 'success' };
      },
    },
    'GET /users/user': {
      who: 'user',
      limit: { points: 600, seconds: 60, by: 'caller' },
      handle: async ({ caller }) => (await accounts.getUser(caller.identity.userId)) ?? unauthenticated(),
    },
  };
}
