import { GUEST_COOKIE, getPendingLoginCookieName, getSessionCookieName } from '#src/platform/http/api.ts';
import { createNotFound, createUnauthenticated, Refusal } from '#src/platform/http/call.ts';
import type { Caller, Identity, Reply } from '#src/platform/http/call.ts';
import { DEVICE_COOKIE_SECONDS, getDeviceCookieName } from '#src/platform/security/devices/devices.ts';
import type { RoutesOf } from '#src/shop/access-rules.ts';
import { toStaffActor } from '#src/shop/audit-log/service.ts';
import { SESSION_DAYS } from '../service.ts';
import type { secondFactorApi } from './contract.ts';
import type { AttemptResult, PendingLoginResult } from './attempts.service.ts';
import { MAX_PASSKEYS } from './changes.service.ts';
import type { ChangeOutcome, FactorChanges } from './changes.service.ts';
import type { Passkeys } from './passkeys.service.ts';
import type { SecondFactors } from './service.ts';

const SESSION_SECONDS = SESSION_DAYS * 24 * 60 * 60;
/** The service limits wrong codes more strictly. */
const limit = { points: 60, seconds: 60, by: 'caller' } as const;

const REFUSALS = {
  'wrong-code': [400, 'The code is wrong or was used before'],
  'wrong-passkey': [400, 'The shop does not accept this passkey'],
  'challenge-expired': [409, 'It took too long. Try again'],
  'already-registered': [409, 'This passkey is registered already'],
  'too-many': [409, `You have ${MAX_PASSKEYS} passkeys. Remove one first`],
  'not-found': [404, 'Not found'],
  'change-pending': [409, 'A change of your second factors is waiting already. Cancel it first'],
  'factor-not-confirmed': [403, 'Confirm your second factor first'],
  'already-set-up': [409, 'Remove the present second factor first'],
  'not-started': [409, 'Start the set-up first'],
  'not-set-up': [409, 'There is no second factor'],
  'login-expired': [401, 'Enter your password again'],
} as const;

interface SecondFactorRoutesOptions {
  readonly secondFactors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly factorChanges: FactorChanges;
  /** Whether the shop is served over HTTPS; selects the names of the cookies. */
  readonly isHttps: boolean;
}

export const createSecondFactorRoutes = (options: SecondFactorRoutesOptions): RoutesOf<typeof secondFactorApi> => ({
  ...createLoginRoutes(options),
  ...createAppRoutes(options),
  ...createVerificationRoutes(options),
  ...createPendingChangeRoutes(options),
  ...createPasskeyRoutes(options),
});

type MemberCaller = Caller & { readonly identity: Identity };
type LoginKey = 'POST /users/login/second-factor' | 'POST /users/login/second-factors' | 'POST /users/login/passkey';
type PasskeyKey =
  | 'POST /second-factor/passkey-options'
  | 'POST /second-factor/passkeys'
  | 'DELETE /second-factor/passkeys/{id}';
type VerificationKey =
  | 'POST /second-factor/verify'
  | 'POST /second-factor/verification-options'
  | 'POST /second-factor/verify-passkey';
type PendingChangeKey = 'DELETE /second-factor/pending-change' | 'POST /second-factor/cancel-change';
type Routes = RoutesOf<typeof secondFactorApi>;

/** Logins that lack the second factor. */
function createLoginRoutes({ secondFactors, passkeys, isHttps }: SecondFactorRoutesOptions): Pick<Routes, LoginKey> {
  const ofAddress = { points: 60, seconds: 60, by: 'ip' } as const;
  const pendingCookie = getPendingLoginCookieName(isHttps);
  const finish = (result: PendingLoginResult, caller: Caller, reply: Reply) => {
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
  };
  return {
    'POST /users/login/second-factor': {
      who: 'anyone',
      limit: ofAddress,
      handle: async ({ body, caller, reply }) =>
        finish(await secondFactors.completeLogin(caller.pendingLogin ?? null, body.code, caller), caller, reply),
    },
    'POST /users/login/second-factors': {
      who: 'anyone',
      limit: ofAddress,
      handle: async ({ caller, reply }) => {
        const started = await passkeys.startLogin(caller.pendingLogin ?? null);
        if (started === null) reply.clearCookie(pendingCookie);
        return started ?? new Refusal(401, 'login-expired', 'Enter your password again');
      },
    },
    'POST /users/login/passkey': {
      who: 'anyone',
      limit: ofAddress,
      handle: async ({ body, caller, reply }) =>
        finish(await passkeys.completeLogin(caller.pendingLogin ?? null, body.credential, caller), caller, reply),
    },
  };
}

const toMember = (caller: MemberCaller) => {
  const { userId, sessionId, username } = caller.identity;
  return { userId, sessionId, username, ip: caller.ip, by: toStaffActor(caller) };
};

/** Confirms a factor in the session. */
const createVerificationRoutes = ({
  secondFactors,
  passkeys,
}: SecondFactorRoutesOptions): Pick<Routes, VerificationKey> => ({
  'POST /second-factor/verify': {
    who: 'own-factor-changes',
    limit,
    handle: async ({ body, caller, reply }) => {
      const verified = await secondFactors.verify(toMember(caller), body.code);
      if (!verified.ok) return toRefusal(verified, reply);
      if (verified.value === 'recovery-code') reply.recordSecurityEvent('recovery_code_used');
      return { message: 'success', confirmed_with: verified.value };
    },
  },
  'POST /second-factor/verification-options': {
    who: 'own-factor-changes',
    limit,
    handle: async ({ caller }) => ({ passkey_options: await passkeys.startVerification(caller.identity) }),
  },
  'POST /second-factor/verify-passkey': {
    who: 'own-factor-changes',
    limit,
    handle: async ({ body, caller, reply }) => {
      const verified = await passkeys.verify(toMember(caller), body.credential);
      return verified.ok ? { message: 'success' } : toRefusal(verified, reply);
    },
  },
});

/** The change that waits. */
const createPendingChangeRoutes = ({ factorChanges }: SecondFactorRoutesOptions): Pick<Routes, PendingChangeKey> => ({
  'DELETE /second-factor/pending-change': {
    who: 'own-factor',
    limit,
    handle: async ({ caller, reply }) => {
      if (!(await factorChanges.cancel(caller.identity.userId, toStaffActor(caller)))) return createNotFound();
      reply.recordSecurityEvent('second_factor_changed');
      return { message: 'success' };
    },
  },
  'POST /second-factor/cancel-change': {
    who: 'anyone',
    limit: { points: 60, seconds: 60, by: 'ip' },
    handle: async ({ body: { token }, caller: { ip, userAgent = null }, reply }) => {
      const userId = await factorChanges.cancelByLink(token, { ip, userAgent });
      if (userId === null) return new Refusal(400, 'invalid-link', 'This link is no longer valid');
      reply.recordSecurityEvent('second_factor_changed', { userId });
      return { message: 'success' };
    },
  },
});

/** The own passkeys. */
const createPasskeyRoutes = ({ passkeys }: SecondFactorRoutesOptions): Pick<Routes, PasskeyKey> => ({
  'POST /second-factor/passkey-options': {
    who: 'own-factor-changes',
    limit,
    handle: async ({ caller, reply }) => {
      const started = await passkeys.start(toMember(caller));
      return started.ok ? (started.value ?? createUnauthenticated()) : toRefusal(started, reply);
    },
  },
  'POST /second-factor/passkeys': {
    who: 'own-factor-changes',
    limit,
    handle: async ({ body, caller, reply }) => toRecoveryCodes(await passkeys.add(toMember(caller), body), reply),
  },
  'DELETE /second-factor/passkeys/{id}': {
    who: 'own-factor-changes',
    limit,
    handle: async ({ params: { id }, caller, reply }) => toRemoved(await passkeys.remove(toMember(caller), id), reply),
  },
});

/** The own authenticator app and recovery codes. */
function createAppRoutes({
  secondFactors,
}: SecondFactorRoutesOptions): Omit<Routes, LoginKey | PasskeyKey | VerificationKey | PendingChangeKey> {
  return {
    'GET /second-factor': {
      who: 'own-factor',
      limit,
      handle: ({ caller }) => secondFactors.find(caller.identity),
    },
    'POST /second-factor': {
      who: 'own-factor-changes',
      limit,
      handle: async ({ caller, reply }) => {
        const started = await secondFactors.start(toMember(caller));
        return started.ok ? started.value : toRefusal(started, reply);
      },
    },
    'POST /second-factor/confirm': {
      who: 'own-factor-changes',
      limit,
      handle: async ({ body, caller, reply }) =>
        toRecoveryCodes(await secondFactors.confirm(toMember(caller), body.code), reply),
    },
    'POST /second-factor/recovery-codes': {
      who: 'own-factor-changes',
      limit,
      handle: async ({ body, caller, reply }) =>
        toRecoveryCodes(await secondFactors.replaceRecoveryCodes(toMember(caller), body.code ?? null), reply),
    },
    'POST /second-factor/remove': {
      who: 'own-factor-changes',
      limit,
      handle: async ({ body, caller, reply }) =>
        toRemoved(await secondFactors.remove(toMember(caller), body.code ?? null), reply),
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

function toRecoveryCodes(result: AttemptResult<ChangeOutcome>, reply: Reply) {
  if (!result.ok) return toRefusal(result, reply);
  reply.recordSecurityEvent('second_factor_changed');
  const { recoveryCodes, takesEffectAt } = result.value;
  return { recovery_codes: [...recoveryCodes], takes_effect_at: takesEffectAt };
}

function toRemoved(result: AttemptResult<ChangeOutcome>, reply: Reply) {
  if (!result.ok) return toRefusal(result, reply);
  reply.recordSecurityEvent('second_factor_changed');
  return { message: 'success' as const, takes_effect_at: result.value.takesEffectAt };
}

function toRefusal(refused: Extract<AttemptResult<unknown>, { ok: false }>, reply: Reply): Refusal {
  if (refused.reason === 'too-often') {
    return new Refusal(429, 'too-often', 'Too many wrong codes. Try again later', refused);
  }
  if (refused.reason === 'wrong-code' || refused.reason === 'wrong-passkey')
    reply.recordSecurityEvent('second_factor_failed');
  if (refused.reason === 'not-found') return createNotFound();
  const [status, message] = REFUSALS[refused.reason];
  return new Refusal(status, refused.reason, message);
}
