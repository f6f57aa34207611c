/** Handles the forms of the lost-password page that were sent without scripts. */
import type { ActionFunctionArgs } from 'react-router';
import { data, redirect } from 'react-router';
import { isApiFailure } from '#src/storefront/api.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import type { PageContext } from '#src/storefront/page/page-context.ts';
import { readField } from '../../web/read-field.ts';
import { createLoginPath } from '../../sessions/web/login-notice.ts';
import { describeNotSent, EMAIL_MISSING, findMissing, NOT_SENT, readReset, toResetFailure } from './reset-failure.ts';
import type { ResetFailure } from './reset-failure.ts';

const PATH = '/lost-password';
/** Remembers the address between the two steps, as a code is valid. Not in the URL, which others may see. */
const EMAIL_COOKIE = 'reset_email';
const CODE_SECONDS = 600;

interface RefusedReset {
  readonly step: 'request' | 'reset';
  readonly email: string;
  readonly code: string;
  readonly refused: ResetFailure;
}

function createEmailCookie(email: string, { url }: Pick<Request, 'url'>): string {
  const secure = new URL(url).protocol === 'https:' ? '; Secure' : '';
  const maxAge = email === '' ? 0 : CODE_SECONDS;
  return `${EMAIL_COOKIE}=${encodeURIComponent(email)}; Path=${PATH}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** The address that the code was sent to; empty if unknown. */
export function readEmailCookie({ headers }: Pick<Request, 'headers'>): string {
  const [, email = ''] = /(?:^|;\s*)reset_email=([^;]*)/.exec(headers.get('cookie') ?? '') ?? [];
  try {
    return decodeURIComponent(email);
  } catch {
    return '';
  }
}

export async function submitReset({ context, request }: ActionFunctionArgs) {
  const { call } = context.get(pageContext);
  const form = await request.formData();
  const typed = readReset(form);
  // The value of the pressed button. Pressing Enter presses the first one, which has none.
  const step = readField(form, 'step');
  if (step === 'back') return redirect(PATH, 303);
  const isRequest = step !== '' || !form.has('code');
  const refused = isRequest ? await requestCode(call, typed.email) : await reset(call, typed);
  if (refused !== null) {
    const { status, ...failure } = refused;
    const answer: RefusedReset = {
      step: form.has('code') ? 'reset' : 'request',
      email: typed.email,
      code: typed.code,
      refused: failure,
    };
    return data(answer, { status });
  }
  const headers = { 'set-cookie': createEmailCookie(isRequest ? typed.email : '', request) };
  const path = isRequest ? `${PATH}?sent` : createLoginPath(null, { notice: 'password-reset' });
  return redirect(path, { status: 303, headers });
}

type Refused = ResetFailure & { readonly status: number };

async function requestCode(call: PageContext['call'], email: string): Promise<Refused | null> {
  if (email === '') return { status: 400, title: EMAIL_MISSING, detail: null, fields: ['email'] };
  try {
    await call('POST /users/request-password-reset', { body: { email } });
    return null;
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    return { status: error.status, title: NOT_SENT, detail: describeNotSent(error), fields: [] };
  }
}

async function reset(call: PageContext['call'], body: ReturnType<typeof readReset>): Promise<Refused | null> {
  const missing = findMissing(body);
  if (missing !== null) return { status: 400, ...missing };
  try {
    await call('POST /users/reset-password', { body });
    return null;
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    return { status: error.status, ...toResetFailure(error) };
  }
}
