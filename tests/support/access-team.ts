/** Rows of the access table for the team and its second factor. */
import { all, plain, teamOnly } from './access-rows.ts';

export const TEAM_ROWS = {
  'POST /users/login/second-factor': plain(all(401), () => ({ body: { code: '123456' } })),
  'GET /second-factor': teamOnly(200),
  'POST /second-factor/confirm': teamOnly(409, () => ({ body: { code: '123456' } })),
  'POST /second-factor/recovery-codes': teamOnly(409, () => ({ body: { code: '123456' } })),
  'POST /second-factor/remove': teamOnly(409, () => ({ body: { code: '123456' } })),
  // Nothing is in force until a code confirms it.
  'POST /second-factor': teamOnly(200),
};
