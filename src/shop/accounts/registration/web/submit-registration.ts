/** Handles a registration that was sent without scripts. */
import type { ActionFunctionArgs } from 'react-router';
import { data, redirect } from 'react-router';
import { isApiFailure } from '#src/storefront/api.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { createLoginPath } from '../../sessions/web/login-notice.ts';
import { checkRegistration } from '../check-registration.ts';
import { FIELDS, readForm, toFailure, toIncomplete } from './registration-failure.ts';
import type { TypedRegistration } from './registration-failure.ts';

/** The typed values, but never the password. */
const refuse = ({ username, email, hasAgreed }: TypedRegistration, failed: FormFailure, status: number) =>
  data({ typed: { username, email, hasAgreed }, failed }, { status });

export async function submitRegistration({ context, request }: ActionFunctionArgs) {
  const { call } = context.get(pageContext);
  const typed = readForm(await request.formData());
  const messages = checkRegistration(typed);
  const hasAgreed = typed.hasAgreed || !(await call('GET /legal')).kinds.includes('terms');
  if (!hasAgreed || FIELDS.some((name) => messages[name] !== null)) return refuse(typed, toIncomplete(messages), 400);
  const { username, email, password } = typed;
  try {
    await call('POST /users/register', { body: { username: username.trim(), email: email.trim(), password } });
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    return refuse(typed, toFailure(error), error.status);
  }
  const { cart_items: lines } = await call('GET /cart');
  const to = new URL(request.url).searchParams.get('to');
  return redirect(createLoginPath(to, { notice: lines.length > 0 ? 'registered-with-cart' : 'registered' }), 303);
}
