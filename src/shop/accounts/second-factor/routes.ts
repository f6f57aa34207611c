import { GUEST_COOKIE, getPendingLoginCookieName, getSessionCookieName } from '#src/platform/http/api.ts';
import { Refusal } from '#src/platform/http/call.ts';
import type { Reply } from '#src/platform/http/call.ts';
import { DEVICE_COOKIE_SECONDS, getDeviceCookieName } from '#src/platform/security/devices/devices.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import { SESSION_DAYS } from '../service.ts';
import type { secondFactorApi } from './contract.ts';
import type { CodeResult, PendingLoginResult, SecondFactors } from './service.ts';

const SESSION_SECONDS = SESSION_DAYS * 24 * 60 * 60;
/** The service limits wrong codes more strictly. */
const limit = { points: 60, seconds: 60, by: 'caller' } as const;

const REFUSALS = {
  'wrong-code': [400, 'The code is wrong or was used before'],
  'not-started': [409, 'Start the set-up first'],
  'not-set-up': [409, 'There is no second factor'],
  'login-expired': [401, 'Enter your password again'],
} as const;

interface SecondFactorRoutesOptions {
  readonly secondFactors: SecondFactors;
  /** Whether the shop is served over HTTPS; selects the names of the cookies. */
  readonly isHttps: boolean;
}

export function createSecondFactorRoutes({
  secondFactors,
  isHttps,
}: SecondFactorRoutesOptions): RoutesOf<typeof secondFactorApi> {
  const pendingCookie = getPendingLoginCookieName(isHttps);
  return {
    'POST /users/login/second-factor': {
      who: 'anyone',
      limit: { points: 60, seconds: 60, by: 'ip' },
      handle: async ({ body, caller, reply }) => {
        const { pendingLogin = null } = caller;
        const result = await secondFactors.completeLogin(pendingLogin, body.code, caller);
        recordLogin(result, reply);
        if (!result.ok) {
          if (result.reason === 'login-expired') reply.clearCookie(pendingCookie);
          return toLoginRefusal(result);
        }
        reply.clearCookie(pendingCookie);
        if (result.cookie !== null) reply.setCookie(getSessionCookieName(isHttps), result.cookie, SESSION_SECONDS);
        if (result.deviceCookie !== null) {
          reply.setCookie(getDeviceCookieName(isHttps), result.deviceCookie, DEVICE_COOKIE_SECONDS);
        }
        // The guest cart now belongs to the account.
        if (caller.guestToken !== null) reply.clearCookie(GUEST_COOKIE);
        return { user: result.user, tokens: { accessToken: result.token }, cart_preserved: result.isCartPreserved };
      },
    },
    'GET /second-factor': {
      who: 'own-factor',
      limit,
      handle: ({ caller }) => secondFactors.find(caller.identity.userId),
    },
    'POST /second-factor': {
      who: 'own-factor-changes',
      limit,
      handle: async ({ caller }) =>
        (await secondFactors.start(caller.identity)) ??
        new Refusal(409, 'already-set-up', 'Remove the present second factor first'),
    },
    'POST /second-factor/confirm': {
      who: 'own-factor-changes',
      limit,
      handle: async ({ body, caller, reply }) =>
        toRecoveryCodes(await secondFactors.confirm(caller.identity, body.code, toStaffActor(caller)), reply),
    },
    'POST /second-factor/recovery-codes': {
      who: 'own-factor-changes',
      limit,
      handle: async ({ body, caller, reply }) =>
        toRecoveryCodes(
          await secondFactors.replaceRecoveryCodes(caller.identity, body.code, toStaffActor(caller)),
          reply,
        ),
    },
    'POST /second-factor/remove': {
      who: 'own-factor-changes',
      limit,
      handle: async ({ body, caller, reply }) => {
        const removed = toRecoveryCodes(
          await secondFactors.remove(caller.identity, body.code, toStaffActor(caller)),
          reply,
        );
        return removed instanceof Refusal ? removed : { message: 'success' as const };
      },
    },
  };
}

function recordLogin(result: PendingLoginResult, reply: Reply): void {
  const userId = result.ok ? result.user.id : result.userId;
  if (!result.ok && result.reason === 'too-often') reply.recordSecurityEvent('login_locked', { userId });
  else if (!result.ok) reply.recordSecurityEvent('second_factor_failed', { userId });
  else {
    reply.recordSecurityEvent('login_succeeded', { userId });
    if (result.usedRecoveryCode) reply.recordSecurityEvent('recovery_code_used', { userId });
  }
}

function toLoginRefusal(refused: Extract<PendingLoginResult, { ok: false }>): Refusal {
  if (refused.reason === 'too-often') return new Refusal(429, 'too-often', 'Login failed', refused);
  const [, message] = REFUSALS[refused.reason];
  return new Refusal(401, refused.reason, message);
}

function toRecoveryCodes(result: CodeResult, reply: Reply): { recovery_codes: string[] } | Refusal {
  if (result.ok) {
    reply.recordSecurityEvent('second_factor_changed');
    return { recovery_codes: [...result.recoveryCodes] };
  }
  if (result.reason === 'too-often') {
    return new Refusal(429, 'too-often', 'Too many wrong codes. Wait a few minutes and try again', result);
  }
  if (result.reason === 'wrong-code') reply.recordSecurityEvent('second_factor_failed');
  const [status, message] = REFUSALS[result.reason];
  return new Refusal(status, result.reason, message);
}
