import { z } from 'zod';
import { filledText, id, instant, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { user } from '../contract.ts';
import { FACTOR_CHANGE_KINDS } from '../factor-change.ts';
import { PASSKEY_TRANSPORTS } from './passkey-transport.ts';

const code = text(64);
/** When the change takes effect, if a recovery code authorised it. Null: it has. */
const takesEffectAt = instant.nullable();
const recoveryCodes = z.object({
  /** Shown once: only their hashes are stored. */
  recovery_codes: z.array(z.string()),
  takes_effect_at: takesEffectAt,
});

const success = z.object({ message: z.literal('success') });
const removed = success.extend({ takes_effect_at: takesEffectAt });
const CHANGE_REFUSALS = {
  401: 'reauth',
  403: 'factor-not-confirmed, forbidden',
} as const;
const signedIn = z.object({ user, tokens: z.object({ accessToken: z.string() }), cart_preserved: z.boolean() });

const base64url = (maxLength: number) => text(maxLength).regex(/^[\w-]+$/, { message: 'is not base64url' });
const transport = z.enum(PASSKEY_TRANSPORTS);
const credentialParts = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
};
/** The JSON of the PublicKeyCredential that `navigator.credentials.create` returns. */
const createdCredential = z.object({
  ...credentialParts,
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(16_000),
    transports: z.array(transport).max(7).optional(),
  }),
});
/** The JSON of the PublicKeyCredential that `navigator.credentials.get` returns. */
const usedCredential = z.object({
  ...credentialParts,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(2000),
  }),
});

const knownCredential = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(transport),
});
/** PublicKeyCredentialCreationOptionsJSON. */
const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: z.array(knownCredential),
  authenticatorSelection: z.object({ residentKey: z.literal('preferred'), userVerification: z.literal('preferred') }),
  attestation: z.literal('none'),
});
/** PublicKeyCredentialRequestOptionsJSON. */
const requestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  allowCredentials: z.array(knownCredential),
  timeout: z.int(),
  userVerification: z.literal('preferred'),
});

export const secondFactorApi = {
  'POST /users/login/second-factor': {
    summary:
      'Completes a login with a code of the authenticator app, or with a recovery code. The cookie `pending_login` of POST /users/login says whose login it is',
    body: z.object({ code }),
    response: signedIn,
    failureMessage: 'Login failed',
    refusals: { 401: 'login-expired, wrong-code' },
  },
  'POST /users/login/second-factors': {
    summary:
      'Returns what completes the login of the cookie `pending_login`, with a new challenge for its passkeys. A challenge is valid for five minutes and one attempt',
    response: z.object({
      has_app: z.boolean(),
      /** Null: the account has no passkey. */
      passkey_options: requestOptions.nullable(),
    }),
    refusals: { 401: 'login-expired' },
  },
  'POST /users/login/passkey': {
    summary: 'Completes a login with a passkey. The cookie `pending_login` of POST /users/login says whose login it is',
    body: z.object({ credential: usedCredential }),
    response: signedIn,
    failureMessage: 'Login failed',
    refusals: { 401: 'challenge-expired, login-expired, wrong-passkey' },
  },
  'GET /second-factor': {
    summary: 'Team: the caller’s own second factors',
    response: z.object({
      /** Since when there is an authenticator app; null: there is none. */
      confirmed_at: instant.nullable(),
      passkeys: z.array(z.object({ id, name: z.string(), created_at: instant, last_used_at: instant.nullable() })),
      recovery_codes_left: z.int().nonnegative(),
      /** The back office is closed until one is set up. */
      is_required: z.boolean(),
      /** What the session has confirmed in the last ten minutes, so that it can make changes. */
      confirmed_with: z.enum(['factor', 'recovery-code']).nullable(),
      /** The change that a recovery code authorised and that waits. */
      pending_change: z
        .object({
          kind: z.enum(FACTOR_CHANGE_KINDS),
          passkey_name: z.string().nullable(),
          requested_at: instant,
          takes_effect_at: instant,
        })
        .nullable(),
    }),
    refusals: { 403: 'forbidden' },
  },
  'POST /second-factor/verify': {
    summary:
      'Team: confirms the authenticator app, or uses a recovery code, so that the session can change second factors for ten minutes. A change after a recovery code takes effect after 24 hours',
    body: z.object({ code }),
    response: success.extend({ confirmed_with: z.enum(['factor', 'recovery-code']) }),
    refusals: { 400: 'wrong-code', 401: 'reauth', 403: 'forbidden', 409: 'not-set-up' },
  },
  'POST /second-factor/verification-options': {
    summary: 'Team: returns a challenge for the own passkeys. It is valid for five minutes and one attempt',
    response: z.object({
      /** Null: the account has no passkey. */
      passkey_options: requestOptions.nullable(),
    }),
    refusals: { 401: 'reauth', 403: 'forbidden' },
  },
  'POST /second-factor/verify-passkey': {
    summary: 'Team: confirms a passkey, so that the session can change second factors for ten minutes',
    body: z.object({ credential: usedCredential }),
    response: success,
    refusals: { 400: 'wrong-passkey', 401: 'reauth', 403: 'forbidden', 409: 'challenge-expired' },
  },
  'DELETE /second-factor/pending-change': {
    summary: 'Team: cancels the change that waits',
    response: success,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /second-factor/cancel-change': {
    summary: 'Cancels the change that waits, by the token of the link in its mail',
    body: z.object({ token: text(100) }),
    response: success,
    refusals: { 400: 'invalid-link' },
  },
  'POST /second-factor': {
    summary:
      'Team: creates the secret of an authenticator app, within 15 minutes of entering the password. It takes effect when a code confirms it',
    response: z.object({
      /** Base32, to type. */
      secret: z.string(),
      /** For a QR code. */
      uri: z.string(),
    }),
    refusals: { ...CHANGE_REFUSALS, 409: 'already-set-up, change-pending' },
  },
  'POST /second-factor/confirm': {
    summary:
      'Team: turns the authenticator app on with a first code, and ends all other sessions. Returns recovery codes if it is the first factor',
    body: z.object({ code }),
    response: recoveryCodes,
    refusals: { ...CHANGE_REFUSALS, 400: 'wrong-code', 409: 'change-pending, not-started' },
  },
  'POST /second-factor/recovery-codes': {
    summary:
      'Team: replaces all recovery codes. A code counts as POST /second-factor/verify. Until the change takes effect the present codes are valid, then the new ones',
    body: z.object({ code: code.optional() }),
    response: recoveryCodes,
    refusals: { ...CHANGE_REFUSALS, 400: 'wrong-code', 409: 'change-pending, not-set-up' },
  },
  'POST /second-factor/remove': {
    summary: 'Team: removes the authenticator app. A code counts as POST /second-factor/verify',
    body: z.object({ code: code.optional() }),
    response: removed,
    refusals: { ...CHANGE_REFUSALS, 400: 'wrong-code', 409: 'change-pending, not-set-up' },
  },
  'POST /second-factor/passkey-options': {
    summary:
      'Team: returns the options to create a passkey, within 15 minutes of entering the password. The challenge is valid for five minutes and one attempt',
    response: creationOptions,
    refusals: { ...CHANGE_REFUSALS, 401: 'reauth, unauthenticated', 409: 'change-pending' },
  },
  'POST /second-factor/passkeys': {
    summary: 'Team: adds a created passkey. Returns recovery codes if it is the first factor',
    body: z.object({ name: filledText(60), credential: createdCredential }),
    status: 201,
    response: recoveryCodes,
    refusals: {
      ...CHANGE_REFUSALS,
      400: 'wrong-passkey',
      409: 'already-registered, challenge-expired, change-pending, too-many',
    },
  },
  'DELETE /second-factor/passkeys/{id}': {
    summary: 'Team: removes a passkey, within 15 minutes of entering the password',
    params: z.object({ id }),
    response: removed,
    refusals: { ...CHANGE_REFUSALS, 404: 'not-found', 409: 'change-pending' },
  },
} as const satisfies Contract;
