import { useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import type { LoaderFunctionArgs, MetaFunction, NavigateFunction } from 'react-router';
import { data, Link, useLoaderData, useNavigate } from 'react-router';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { isSeparatePath } from '#src/storefront/page/separate-pages.ts';
import { signIn } from '#src/storefront/session/session.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Button, ButtonLink } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { logError } from '#src/ui/log-error.ts';
import { showToast } from '#src/ui/show-toast.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { MIN_STAFF_PASSWORD_LENGTH } from '../../registration/check-password.ts';
import { appendReturnPath } from '../../sessions/return-path.ts';
import { AccountFrame, FailureMessage } from '../../web/account-frame.tsx';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { PasswordField } from '../../web/password-field.tsx';
import { readField } from '../../web/read-field.ts';
import styles from './first-owner-page.module.css';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Owner account', matches) },
  { name: 'description', content: 'Create the account of the owner of the shop.' },
];

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

/** OPS-01: what the person who started a live shop opens from the terminal. */
export default function FirstOwnerPage() {
  const { token, state } = useLoaderData<typeof loader>();
  if (state === 'valid') return <OwnerForm token={token} />;
  const isLimited = state === 'limited';
  return (
    <AccountFrame
      title={isLimited ? 'Too many attempts' : 'This link is not valid'}
      lead={isLimited ? 'Wait a minute and open the link again.' : 'Check that you opened the whole link.'}
      footer={<Link to="/">Go to the shop</Link>}
    >
      <ButtonLink to="/login?to=%2Fadmin" width="full">
        Log in
      </ButtonLink>
    </AccountFrame>
  );
}

type Messages = Readonly<Record<string, string>>;
const LABELS: Messages = { username: 'Username', email: 'Email', password: 'Password' };

/** The account exists: whoever can't be logged in now logs in by hand. */
async function enter(navigate: NavigateFunction, username: string, password: string): Promise<void> {
  try {
    await signIn(username, password);
  } catch (error) {
    if (!isRefusal(error)) logError('The login after the registration failed', error);
    showToast('success', 'The account was created. Please log in.');
    await navigate(appendReturnPath('/login', '/admin'), { state: { username } });
    return;
  }
  if (isSeparatePath('/admin')) location.replace('/admin');
  else await navigate('/admin', { replace: true });
}

function AccountFields({ messages }: { readonly messages: Messages }) {
  return (
    <>
      <Field
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={60}
        required
        message={messages['username']}
      />
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        maxLength={254}
        required
        message={messages['email']}
      />
      <PasswordField
        name="password"
        autoComplete="new-password"
        maxLength={128}
        required
        hint={`At least ${MIN_STAFF_PASSWORD_LENGTH} characters.`}
        message={messages['password']}
      />
    </>
  );
}

function OwnerForm({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [messages, setMessages] = useState<Messages>({});

  const show = (error: unknown): void => {
    const fields = isApiFailure(error) ? error.fields : {};
    const texts = Object.entries(fields).map(([name, text]) => [name, `${LABELS[name] ?? name} ${text}`] as const);
    setMessages(Object.fromEntries(texts));
    const isUnknown = isApiFailure(error) && error.status === 404;
    const [, first = 'The account was not created'] = texts[0] ?? [];
    setFailure(isUnknown ? 'This link is not valid.' : (describeOutage(error) ?? `${first}.`));
    const invalid = Object.keys(LABELS).find((name) => name in fields);
    if (invalid !== undefined) form.current?.querySelector<HTMLInputElement>(`[name="${invalid}"]`)?.focus();
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    const entered = new FormData(event.currentTarget);
    const password = readField(entered, 'password');
    setIsBusy(true);
    setFailure(null);
    setMessages({});
    try {
      const { username } = await call('POST /first-owner/register', {
        body: {
          token,
          username: readField(entered, 'username').trim(),
          email: readField(entered, 'email').trim(),
          password,
        },
      });
      await enter(navigate, username, password);
    } catch (error) {
      if (!isRefusal(error)) logError('The account was not created', error);
      show(error);
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
      <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        {failure !== null && <FailureMessage title="Not created" detail={failure} />}
        <AccountFields messages={messages} />
        <Button type="submit" width="full" isBusy={isBusy || !isHydrated}>
          Create account and log in
        </Button>
      </form>
    </AccountFrame>
  );
}
