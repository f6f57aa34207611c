import { useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction, NavigateFunction } from 'react-router';
import { data, Link, useActionData, useLoaderData, useNavigate } from 'react-router';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { LINK_PAGE_HEADERS } from '#src/storefront/page/link-page-headers.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { signIn } from '#src/storefront/session/session.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Button, ButtonLink } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { logError } from '#src/ui/log-error.ts';
import { showToast } from '#src/ui/show-toast.ts';
import { appendReturnPath } from '../../sessions/return-path.ts';
import { AccountFrame, FailureMessage } from '../../web/account-frame.tsx';
import { focusInvalid } from '../../web/account-failure.ts';
import type { AccountFailure } from '../../web/account-failure.ts';
import { StaffAccountFields } from '../../web/staff-account-fields.tsx';
import { getNoticeText } from '../../sessions/web/login-notice.ts';
import { readOwner, toOwnerFailure } from './owner-form.ts';
import { submitOwner } from './submit-owner.ts';
import styles from './first-owner-page.module.css';

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

interface AccountFieldsProps extends Pick<AccountFailure, 'messages'> {
  /** What was typed into a form that was refused without scripts. */
  readonly typed: { readonly username: string; readonly email: string } | undefined;
}

function AccountFields({ messages, typed }: AccountFieldsProps) {
  return (
    <StaffAccountFields messages={messages} username={typed?.username}>
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        maxLength={254}
        required
        defaultValue={typed?.email}
        message={messages['email']}
      />
    </StaffAccountFields>
  );
}

function OwnerForm({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const result = useActionData<typeof action>();
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failed, setFailed] = useState<AccountFailure | null>(result?.failed ?? null);

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    const owner = readOwner(new FormData(event.currentTarget));
    setIsBusy(true);
    setFailed(null);
    try {
      const { username } = await call('POST /first-owner/register', { body: { token, ...owner } });
      await enter(navigate, username, owner.password);
    } catch (error) {
      if (!isRefusal(error)) logError('The account was not created', error);
      const failure = toOwnerFailure(error);
      setFailed(failure);
      focusInvalid(form.current, failure);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <AccountFrame
      title="Create the owner account"
      lead="This shop has no owner yet. The owner fills the shop and invites the team."
      footer={<Link to="/">Go to the shop</Link>}
    >
      <form ref={form} method="post" className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        {failed && <FailureMessage title="Not created" detail={failed.detail} />}
        <AccountFields messages={failed?.messages ?? {}} typed={result?.typed} />
        <Button type="submit" width="full" isBusy={isBusy}>
          Create account and log in
        </Button>
      </form>
    </AccountFrame>
  );
}
