import { DEVICE_COOKIE_SECONDS, getDeviceCookieName } from '#src/platform/security/devices/devices.ts';
import {
  createNotFound,
  createReauthenticationRequired,
  createUnauthenticated,
  Refusal,
} from '#src/platform/http/call.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import type { Accounts } from '../service.ts';
import type { profileApi } from './contract.ts';
import type { Profile } from './service.ts';

export interface ProfileRoutesOptions {
  readonly profile: Profile;
  readonly accounts: Pick<Accounts, 'getUser' | 'issueDeviceCookie'>;
  readonly isHttps: boolean;
}

const createBusyRefusal = (): Refusal =>
  new Refusal(503, 'busy', 'The shop is very busy. Please try again in a moment.', { retryAfterSeconds: 5 });

export function createProfileRoutes({ profile, accounts, isHttps }: ProfileRoutesOptions): RoutesOf<typeof profileApi> {
  return {
    'PUT /users/{id}': {
      who: 'user',
      limit: { points: 10, seconds: 60, by: 'caller' },
      handle: async ({ params: { id }, body, caller, reply }) => {
        if (id !== caller.identity.userId) return createNotFound();
        const updated = await profile.update(caller.identity, body, { ...toStaffActor(caller), ip: caller.ip });
        if (updated.ok && updated.isAddressNew) reply.recordSecurityEvent('address_changed');
        if (updated.ok && updated.isPasswordNew) reply.recordSecurityEvent('password_changed');
        if (updated.ok) {
          const user = await accounts.getUser(id);
          // This device also gets login limits of its own for the new address.
          if (user && body.email !== undefined && caller.isBrowser) {
            const newDeviceCookie = await accounts.issueDeviceCookie(user, caller.deviceCookie ?? null);
            reply.setCookie(getDeviceCookieName(isHttps), newDeviceCookie, DEVICE_COOKIE_SECONDS);
          }
          return user ?? createUnauthenticated();
        }
        switch (updated.reason) {
          case 'missing':
            return createUnauthenticated();
          case 'busy':
            return createBusyRefusal();
          case 'too-often':
            return new Refusal(429, 'too-often', 'The email address was changed too often', updated);
          case 'reauth':
            return createReauthenticationRequired();
          case 'taken':
            return new Refusal(409, 'taken', 'Update failed', { fields: updated.fields });
          case 'refused':
            return new Refusal(400, 'invalid', 'Update failed', { fields: updated.fields });
          default:
            return updated satisfies never;
        }
      },
    },
    'POST /users/reauthenticate': {
      who: 'user',
      // Wrong passwords are limited more strictly, together with failed logins.
      limit: { points: 60, seconds: 60, by: 'caller' },
      handle: async ({ body: { password }, caller, reply }) => {
        const done = await profile.reauthenticate(caller.identity, password, caller.ip);
        if (done.ok) {
          reply.recordSecurityEvent('reauthenticated');
          return { message: 'success' };
        }
        if (done.reason === 'busy') return createBusyRefusal();
        reply.recordSecurityEvent(done.reason === 'too-often' ? 'login_locked' : 'reauthentication_failed');
        if (done.reason === 'too-often') return new Refusal(429, 'too-often', 'Too many incorrect passwords', done);
        if (done.reason === 'session-ended') {
          return new Refusal(401, 'session-ended', 'Too many incorrect passwords. Log in again');
        }
        return new Refusal(403, 'wrong-password', 'Incorrect password');
      },
    },
    'GET /users/email-confirmation': {
      who: 'user',
      limit: { points: 600, seconds: 60, by: 'caller' },
      handle: async ({ caller }) => {
        const emailStatus = await profile.findEmailStatus(caller.identity.userId);
        return emailStatus
          ? { email: emailStatus.email, is_confirmed: emailStatus.isConfirmed }
          : createUnauthenticated();
      },
    },
    'POST /users/send-confirmation': {
      who: 'user',
      limit: { points: 5, seconds: 3600, by: 'caller', isShared: true },
      handle: async ({ caller }) => {
        const isConfirmed = await profile.sendConfirmation(caller.identity.userId);
        return isConfirmed === null ? createUnauthenticated() : { is_confirmed: isConfirmed };
      },
    },
    'POST /users/confirm-email': {
      who: 'anyone',
      limit: { points: 60, seconds: 60, by: 'ip' },
      handle: async ({ body: { token } }) =>
        (await profile.confirm(token))
          ? { message: 'success' }
          : new Refusal(400, 'invalid-link', 'This link is no longer valid'),
    },
    'GET /users/sessions': {
      who: 'user',
      limit: { points: 120, seconds: 60, by: 'caller' },
      handle: async ({ caller }) => ({ sessions: await profile.listSessions(caller.identity) }),
    },
    'DELETE /users/sessions/{id}': {
      who: 'user',
      limit: { points: 120, seconds: 60, by: 'caller' },
      handle: async ({ params: { id }, caller }) =>
        (await profile.endSession(caller.identity, id)) ? { message: 'success' } : createNotFound(),
    },
    'DELETE /users/sessions': {
      who: 'user',
      limit: { points: 60, seconds: 60, by: 'caller' },
      handle: async ({ caller }) => ({ ended: await profile.endOtherSessions(caller.identity) }),
    },
  };
}
