/** Handles the forms of an invitation that were sent without scripts. */
import type { ActionFunctionArgs } from 'react-router';
import { data, redirect } from 'react-router';
import { isApiFailure } from '#src/storefront/api.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { createLoginPath } from '../../sessions/web/login-notice.ts';
import { readMember, toAcceptFailure, toJoinFailure } from './join-form.ts';

/** The form of a new account has fields; that of an account that exists has a button only. */
export async function submitJoin({ context, request, params }: ActionFunctionArgs) {
  const { call } = context.get(pageContext);
  const token = (params['token'] ?? '').slice(0, 100);
  const form = await request.formData();
  const isNew = form.has('username');
  const member = readMember(form);
  try {
    await (isNew
      ? call('POST /invitations/register', { body: { token, ...member } })
      : call('POST /invitations/accept', { body: { token } }));
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    const failed = isNew ? toJoinFailure(error) : toAcceptFailure(error);
    // The typed name, but never the password.
    return data({ username: member.username, failed }, { status: error.status });
  }
  return redirect(createLoginPath('/admin', { notice: 'joined' }), 303);
}
