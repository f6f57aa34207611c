/** Handles the form of the first owner that was sent without scripts. */
import type { ActionFunctionArgs } from 'react-router';
import { data, redirect } from 'react-router';
import { isApiFailure } from '#src/storefront/api.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { createLoginPath } from '../../sessions/web/login-notice.ts';
import { createTokenCookie } from '../../sessions/web/token-cookie.ts';
import { readOwner, toOwnerFailure } from './owner-form.ts';

export async function submitOwner({ context, request, params: { token = '' } }: ActionFunctionArgs) {
  const { call } = context.get(pageContext);
  const { username, email, password } = readOwner(await request.formData());
  try {
    await call('POST /first-owner/register', { body: { token: token.slice(0, 100), username, email, password } });
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    // The typed values, but never the password.
    return data({ typed: { username, email }, failed: toOwnerFailure(error) }, { status: error.status });
  }
  try {
    const { tokens } = await call('POST /users/login', { body: { username, password } });
    const headers = { 'set-cookie': createTokenCookie(tokens.accessToken, request) };
    return redirect('/admin', { status: 303, headers });
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    return redirect(createLoginPath('/admin', { notice: 'account-created' }), 303);
  }
}
