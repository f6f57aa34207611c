/** Handles the forms of the lost-password page that were sent without scripts. */
import type { ActionFunctionArgs } from 'react-router';
import { data, redirect } from 'react-router';
import { isApiFailure } from '#src/storefront/api.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import type { PageContext } from '#src/storefront/page/page-context.ts';
import { readField } from '#src/ui/form/read-field.ts';
import { createLoginPath } from '../../sessions/web/login-notice.ts';
import { findFailure } from '#src/ui/form/use-form.ts';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { FIELD_MISSING, findMissing, readReset, toEmailMissing, toNotSent, toResetFailure } from './reset-failure.ts';

const PATH = '/lost-password';
/** Remembers the address between the two steps, as a code is valid. Not in the URL, which others may see. */
const EMAIL_COOKIE = 'reset_email';
const CODE_SECONDS = 600;

type ResetStep = 'request' | 'reset';

interface RefusedReset {
  readonly step: ResetStep;
  readonly email: string;
  readonly code: string;
  readonly refused: FormFailure;
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
  const shown: ResetStep = form.has('code') ? 'reset' : 'request';
  const refusal = isRequest ? await requestCode(call, typed.email, shown) : await reset(call, typed);
  if (refusal !== null) {
    const [status, refused] = refusal;
    return data<RefusedReset>({ step: shown, email: typed.email, code: typed.code, refused }, { status });
  }
  const headers = { 'set-cookie': createEmailCookie(isRequest ? typed.email : '', request) };
  const path = isRequest ? `${PATH}?sent` : createLoginPath(null, { notice: 'password-reset' });
  return redirect(path, { status: 303, headers });
}

type Refusal = readonly [status: number, FormFailure];

async function requestCode(call: PageContext['call'], email: string, shown: ResetStep): Promise<Refusal | null> {
  if (email === '') return [400, toEmailMissing(shown)];
  try {
    await call('POST /users/request-password-reset', { body: { email } });
    return null;
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    return [error.status, toNotSent(error)];
  }
}

async function reset(call: PageContext['call'], body: ReturnType<typeof readReset>): Promise<Refusal | null> {
  const missing = findFailure(findMissing(body), FIELD_MISSING);
  if (missing !== null) return [400, missing];
  try {
    await call('POST /users/reset-password', { body });
    return null;
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    return [error.status, toResetFailure(error)];
  }
}
