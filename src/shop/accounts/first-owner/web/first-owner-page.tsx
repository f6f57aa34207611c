import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction, NavigateFunction } from 'react-router';
import { data, Link, useActionData, useLoaderData, useNavigate } from 'react-router';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { LINK_PAGE_HEADERS } from '#src/storefront/page/link-page-headers.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { signIn } from '#src/storefront/session/session.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { logError } from '#src/ui/browser/log-error.ts';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { appendReturnPath } from '../../sessions/return-path.ts';
import { AccountFrame, FailureMessage } from '../../web/account-frame.tsx';
import { StaffAccountFields } from '../../web/staff-account-fields.tsx';
import { getNoticeText } from '../../sessions/web/login-notice.ts';
import { readOwner, toOwnerFailure } from './owner-form.ts';
import { submitOwner } from './submit-owner.ts';
import { Stack } from '#src/ui/layout/stack.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Owner account', matches) },
  { name: 'description', content: 'Create the account of the owner of the shop.' },
];

export const headers = () => LINK_PAGE_HEADERS;

type LinkState = 'valid' | 'unknown' | 'limited';

export async function loader({ context, params: { token = '' } }: LoaderFunctionArgs) {
  const { call: read } = context.get(pageContext);
  const toResponse = (state: LinkState, status: number) => data({ token, state }, { status });
  try {
    await read('POST /first-owner/read', { body: { token: token.slice(0, 100) } });
    return toResponse('valid', 200);
  } catch (error) {
    if (!isApiFailure(error) || error.status >= 500) throw error;
    return error.status === 429 ? toResponse('limited', 429) : toResponse('unknown', 404);
  }
}

export const action = (args: ActionFunctionArgs) => submitOwner(args);

/** OPS-01: what the person who started a live shop opens from the terminal. */
export default function FirstOwnerPage() {
  const { token, state } = useLoaderData<typeof loader>();
  if (state === 'valid') return <OwnerForm token={token} />;
  const isLimited = state === 'limited';
  return (
    <AccountFrame
      title={isLimited ? 'Too many attempts' : 'This link is not valid'}
      lead={
        isLimited
          ? 'Wait a minute and open the link again.'
          : 'A link works once, for 24 hours, and until a start of the shop prints a new one. Check that you opened the whole link.'
      }
      footer={<Link to="/">Go to the shop</Link>}
    >
      <ButtonLink to="/login?to=%2Fadmin" width="full">
        Log in
      </ButtonLink>
    </AccountFrame>
  );
}

/** The account exists: whoever can't be logged in now logs in by hand. */
async function enter(navigate: NavigateFunction, username: string, password: string): Promise<void> {
  try {
    await signIn(username, password);
  } catch (error) {
    if (!isRefusal(error)) logError('The login after the registration failed', error);
    showToast('success', getNoticeText('account-created'));
    await navigate(appendReturnPath('/login', '/admin'), { replace: true, state: { username } });
    return;
  }
  await navigate('/admin', { replace: true });
}

function OwnerForm({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const result = useActionData<typeof action>();
  const { ref, submit, isBusy, failed, bind } = useCallForm({
    log: 'The account was not created',
    read: (form) => readOwner(new FormData(form)),
    send: async (owner) => {
      const { username } = await call('POST /first-owner/register', { body: { token, ...owner } });
      await enter(navigate, username, owner.password);
    },
    describe: toOwnerFailure,
    refused: result?.failed,
  });

  return (
    <AccountFrame
      title="Create the owner account"
      lead="This shop has no owner yet. The owner fills the shop and invites the team."
      footer={<Link to="/">Go to the shop</Link>}
    >
      <Stack as="form" ref={ref} method="post" onSubmit={submit} noValidate>
        {failed && <FailureMessage {...failed} />}
        <StaffAccountFields bind={bind} username={result?.typed.username}>
          <Field
            label="Email"
            {...bind('email')}
            type="email"
            autoComplete="email"
            maxLength={254}
            required
            defaultValue={result?.typed.email}
          />
        </StaffAccountFields>
        <Button type="submit" width="full" isBusy={isBusy}>
          Create account and log in
        </Button>
      </Stack>
    </AccountFrame>
  );
}
