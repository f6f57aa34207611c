import { GUEST_COOKIE, getPendingLoginCookieName, getSessionCookieName } from '#src/platform/http/api.ts';
import { DEVICE_COOKIE_SECONDS, getDeviceCookieName } from '#src/platform/security/devices/devices.ts';
import { Refusal, createUnauthenticated } from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import type { accountsApi } from './contract.ts';
import { PENDING_LOGIN_SECONDS, SESSION_DAYS } from './service.ts';
import type { Accounts } from './service.ts';

const SESSION_SECONDS = SESSION_DAYS * 24 * 60 * 60;

export interface AccountRoutesOptions {
  readonly accounts: Accounts;
  /** Whether the shop is served over HTTPS; selects the name of the session cookie. */
  readonly isHttps: boolean;
}

const createBusyRefusal = (): Refusal =>
  new Refusal(503, 'busy', 'The shop is very busy. Please try again in a moment.', { retryAfterSeconds: 5 });

export function createAccountRoutes({ accounts, isHttps }: AccountRoutesOptions): RoutesOf<typeof accountsApi> {
  const sessionCookie = getSessionCookieName(isHttps);
  return {
    'POST /users/register': {
      who: 'anyone',
      limit: { points: 60, seconds: 60, by: 'ip', isShared: true },
      // The service limits created accounts per hour and day.
      handle: async ({ body, caller: { ip } }) => {
        const registered = await accounts.register({ ...body, ip });
        if (registered.ok) return { message: 'success' };
        if (registered.reason === 'busy') return createBusyRefusal();
        if (registered.reason === 'too-often') {
          return new Refusal(429, 'too-often', 'Too many accounts were created from your network', registered);
        }
        const { fields } = registered;
        return registered.reason === 'taken'
          ? new Refusal(409, 'taken', 'Registration failed', { fields })
          : new Refusal(400, 'invalid', 'Registration failed', { fields });
      },
    },
    'POST /users/login': {
      who: 'anyone',
      // The service limits wrong passwords more strictly, by account and by address.
      limit: { points: 120, seconds: 60, by: 'ip' },
      handle: async ({ body, caller, reply }) => {
        const { ip, isBrowser, guestToken, deviceCookie = null, userAgent = null } = caller;
        const { username: name, password } = body;
        const account: { userId: string | null } = { userId: null };
        const onAccount = (userId: string): void => void (account.userId = userId);
        const device = { ip, isBrowser, guestToken, deviceCookie, userAgent };
        const signedIn = await accounts.signIn({ name, password, ...device, onAccount });
        if (signedIn.ok) reply.recordSecurityEvent('login_succeeded', account);
        else if (signedIn.reason !== 'busy' && signedIn.reason !== 'second-factor') {
          reply.recordSecurityEvent(signedIn.reason === 'too-often' ? 'login_locked' : 'login_failed', account);
        }
        if (!signedIn.ok) {
          if (signedIn.reason === 'busy') return createBusyRefusal();
          if (signedIn.reason === 'second-factor') {
            reply.setCookie(getPendingLoginCookieName(isHttps), signedIn.pendingToken, PENDING_LOGIN_SECONDS);
            return new Refusal(401, 'second-factor', 'Enter your second factor');
          }
          if (signedIn.reason === 'too-often') return new Refusal(429, 'too-often', 'Login failed', signedIn);
          if (signedIn.reason === 'blocked') return new Refusal(403, 'blocked', 'This account is blocked');
          return new Refusal(401, 'invalid-credentials', 'Login failed');
        }
        if (signedIn.cookie !== null) reply.setCookie(sessionCookie, signedIn.cookie, SESSION_SECONDS);
        if (signedIn.deviceCookie !== null) {
          reply.setCookie(getDeviceCookieName(isHttps), signedIn.deviceCookie, DEVICE_COOKIE_SECONDS);
        }
        // The guest cart now belongs to the account.
        if (guestToken !== null) reply.clearCookie(GUEST_COOKIE);
        const { user, token, isCartPreserved } = signedIn;
        return { user, tokens: { accessToken: token }, cart_preserved: isCartPreserved };
      },
    },
    'POST /users/logout': {
      who: 'anyone',
      limit: { points: 120, seconds: 60, by: 'ip' },
      handle: async ({ caller, reply }) => {
        // A token without its cookie ends no session; the browser's data is cleared in any case.
        if (caller.identity) await accounts.signOut(caller.identity);
        reply.clearCookie(sessionCookie);
        reply.clearCookie(GUEST_COOKIE);
        return { message: 'success' };
      },
    },
    'GET /users/user': {
      who: 'user',
      limit: { points: 600, seconds: 60, by: 'caller' },
      handle: async ({ caller }) => (await accounts.getUser(caller.identity.userId)) ?? createUnauthenticated(),
    },
  };
}
