/** Handles the forms of the login page that were sent without scripts. */
import type { ActionFunctionArgs } from 'react-router';
import { data, redirect } from 'react-router';
import { isApiFailure } from '#src/storefront/api.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { readField } from '#src/ui/form/read-field.ts';
import { resolveReturnPath } from '../return-path.ts';
import { findFailure } from '#src/ui/form/use-form.ts';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { describeCodeFailure, findMissing, REFUSED_MESSAGE, toLoginFailure } from '../../web/login-failure.ts';
import { createLoginPath } from './login-notice.ts';
import { createTokenCookie } from './token-cookie.ts';

interface RefusedLogin {
  readonly username: string;
  readonly refused: FormFailure | null;
  /** Message of the second factor's field. */
  readonly codeMessage: string | null;
}

const refuse = (status: number, refused: Partial<RefusedLogin>) =>
  data<RefusedLogin>({ username: '', refused: null, codeMessage: null, ...refused }, { status });

/** The password, or the code of the second factor. */
export async function submitLogin({ context, request }: ActionFunctionArgs) {
  const { call } = context.get(pageContext);
  const to = new URL(request.url).searchParams.get('to');
  const form = await request.formData();
  const code = form.has('code') ? readField(form, 'code') : null;
  const username = readField(form, 'username').trim();
  const password = readField(form, 'password');
  const missing = code === null ? findFailure(findMissing({ username, password }), REFUSED_MESSAGE) : null;
  if (missing !== null) return refuse(400, { username, refused: missing });
  try {
    const { tokens, user } =
      code === null
        ? await call('POST /users/login', { body: { username, password } })
        : await call('POST /users/login/second-factor', { body: { code } });
    const headers = { 'set-cookie': createTokenCookie(tokens.accessToken, request) };
    return redirect(resolveReturnPath(to, { isStaff: user.role !== 'customer' }), { status: 303, headers });
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    if (error.code === 'second-factor') return redirect(createLoginPath(to, { step: 'code' }), 303);
    if (error.code === 'login-expired') return redirect(createLoginPath(to, { notice: 'login-expired' }), 303);
    return code === null
      ? refuse(error.status, { username, refused: toLoginFailure(error) })
      : refuse(error.status, { codeMessage: describeCodeFailure(error) });
  }
}
