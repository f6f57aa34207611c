/** Rows of the access table for the team and its second factor. */
import { ABSENT_ID } from './access-callers.ts';
import { all, createNumber, ownerOnly, plain, teamOnly, usersOnly } from './access-rows.ts';
import { createSoftwareAuthenticator } from './software-authenticator.ts';

const passkey = createSoftwareAuthenticator();
const ELSEWHERE = { origin: 'https://elsewhere.example', domain: 'elsewhere.example' };
const CHALLENGE = 'A'.repeat(43);

export const TEAM_ROWS = {
  'POST /users/login/second-factor': plain(all(401), () => ({ body: { code: '123456' } })),
  'POST /users/login/second-factors': plain(all(401)),
  'POST /users/login/passkey': plain(all(401), () => ({
    body: { credential: passkey.use({ ...ELSEWHERE, challenge: CHALLENGE }) },
  })),
  'GET /staff/invitations': ownerOnly(200),
  'POST /staff/invitations': ownerOnly(201, () => ({
    body: { email: `invited${createNumber()}@access.example`, role: 'support' },
  })),
  'POST /staff/invitations/{id}/resend': ownerOnly(404, () => ({ path: `/staff/invitations/${ABSENT_ID}/resend` })),
  'DELETE /staff/invitations/{id}': ownerOnly(404, () => ({ path: `/staff/invitations/${ABSENT_ID}` })),
  'POST /invitations/read': plain(all(404), () => ({ body: { token: CHALLENGE } })),
  'POST /invitations/accept': plain(usersOnly(404), () => ({ body: { token: CHALLENGE } })),
  'POST /invitations/register': plain(all(404), () => ({
    body: { token: CHALLENGE, username: 'invited', password: 'a long enough password' },
  })),
  'POST /first-owner/read': plain(all(404), () => ({ body: { token: CHALLENGE } })),
  'POST /first-owner/register': plain(all(404), () => ({
    body: { token: CHALLENGE, username: 'first', email: 'first@access.example', password: 'a long enough password' },
  })),
  'GET /second-factor': teamOnly(200),
  // No caller has begun to add one.
  'POST /second-factor/passkeys': teamOnly(409, () => ({
    body: { name: 'Key', credential: passkey.create({ ...ELSEWHERE, challenge: CHALLENGE }) },
  })),
  'POST /second-factor/verify-passkey': teamOnly(409, () => ({
    body: { credential: passkey.use({ ...ELSEWHERE, challenge: CHALLENGE }) },
  })),
  'POST /second-factor/passkey-options': teamOnly(200),
  'DELETE /second-factor/passkeys/{id}': teamOnly(404, () => ({ path: `/second-factor/passkeys/${ABSENT_ID}` })),
  'POST /second-factor/confirm': teamOnly(409, () => ({ body: { code: '123456' } })),
  'POST /second-factor/recovery-codes': teamOnly(409, () => ({ body: { code: '123456' } })),
  'POST /second-factor/remove': teamOnly(409, () => ({ body: { code: '123456' } })),
  'POST /second-factor/verify': teamOnly(409, () => ({ body: { code: '123456' } })),
  'POST /second-factor/verification-options': teamOnly(200),
  'DELETE /second-factor/pending-change': teamOnly(404),
  'POST /second-factor/cancel-change': plain(all(400), () => ({ body: { token: CHALLENGE } })),
  // Nothing is in force until a code confirms it.
  'POST /second-factor': teamOnly(200),
};
