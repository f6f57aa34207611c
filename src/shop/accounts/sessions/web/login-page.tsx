import { lazy, Suspense, useEffect, useState } from 'react';
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useActionData, useLoaderData, useLocation, useNavigate, useSearchParams } from 'react-router';
import { resolveReturnPath, appendReturnPath } from '../return-path.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { signIn } from '#src/storefront/session/session.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { AccountFrame, FailureMessage } from '../../web/account-frame.tsx';
import { LoadingFactors } from '../../second-factor/web/loading-factors.tsx';
import { PlainCodeForm } from '../../second-factor/web/plain-code-form.tsx';
import { findMissing, LOGIN_EXPIRED, REFUSED_MESSAGE, toLoginFailure } from '../../web/login-failure.ts';
import { readNotice } from './login-notice.ts';
import styles from './login-page.module.css';
import { submitLogin } from './submit-login.ts';
import { PasswordField } from '../../web/password-field.tsx';
import { readField } from '#src/ui/form/read-field.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

const MAX_NAME_LENGTH = 254;
const MAX_PASSWORD_LENGTH = 128;

const CodeForm = lazy(async () => ({ default: (await import('../../second-factor/web/code-form.tsx')).CodeForm }));

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Login', matches) },
  { name: 'description', content: 'Log in to see your orders and check out.' },
];

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { findSessionEnd, visitor } = context.get(pageContext);
  const { searchParams } = new URL(request.url);
  if (visitor.user) {
    throwRedirect(resolveReturnPath(searchParams.get('to'), { isStaff: visitor.user.role !== 'customer' }));
  }
  const end = await findSessionEnd();
  return {
    notice: readNotice(searchParams) ?? (end && ENDED_MESSAGES[end]),
    isCodeNeeded: searchParams.get('step') === 'code',
  };
}

export const action = (args: ActionFunctionArgs) => submitLogin(args);

const ENDED_MESSAGES = {
  'too-old': 'You were logged out: sessions of the team end 24 hours after the login. Log in again to continue.',
  idle: 'You were logged out: sessions of the team end after 12 hours without a visit. Log in again to continue.',
} as const;

/** ACC-13: username of the account that was just registered. */
function readUsername(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('username' in state)) return null;
  return typeof state.username === 'string' ? state.username : null;
}

/** Where a login leads. */
function useEnter(to: string | null) {
  const navigate = useNavigate();
  return async ({ user, isCartPreserved }: Awaited<ReturnType<typeof signIn>>): Promise<void> => {
    showToast(
      'success',
      'Successfully logged in',
      isCartPreserved
        ? 'Your cart has been preserved and is now available in your account'
        : `Welcome back, ${user.username}!`,
    );
    await navigate(resolveReturnPath(to, { isStaff: user.role !== 'customer' }), { replace: true });
  };
}

function useLoginForm(enter: ReturnType<typeof useEnter>, onCodeNeeded: () => void, refused: FormFailure | null) {
  return useCallForm({
    log: 'Login failed',
    read: (form) => {
      const data = new FormData(form);
      return { username: readField(data, 'username').trim(), password: readField(data, 'password') };
    },
    check: findMissing,
    invalid: REFUSED_MESSAGE,
    send: async ({ username, password }) => {
      try {
        await enter(await signIn(username, password));
      } catch (error) {
        if (!isApiFailure(error) || error.code !== 'second-factor') throw error;
        onCodeNeeded();
      }
    },
    describe: toLoginFailure,
    focus: 'password',
    onFailure: ({ title = '', text }) => showToast('error', title, text),
    refused,
  });
}

export default function LoginPage() {
  const to = useSearchParams()[0].get('to');
  const registered = readUsername(useLocation().state);
  const loaded = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const isHydrated = useHydrated();
  const [isCodeNeeded, setIsCodeNeeded] = useState(loaded.isCodeNeeded);
  const enter = useEnter(to);
  const { ref, submit, isBusy, failed, show, bind } = useLoginForm(
    enter,
    () => setIsCodeNeeded(true),
    result?.refused ?? null,
  );

  useEffect(() => {
    if (registered !== null) ref.current?.querySelector<HTMLInputElement>('[name="password"]')?.focus();
  }, [registered, ref]);

  if (isCodeNeeded) {
    if (!isHydrated) return <PlainCodeForm message={result?.codeMessage ?? null} />;
    return (
      // No form: what is typed into it would be lost when the other one arrives.
      <Suspense fallback={<LoadingFactors />}>
        <CodeForm
          onSignedIn={enter}
          onCancel={() => setIsCodeNeeded(false)}
          onExpired={() => {
            setIsCodeNeeded(false);
            show(LOGIN_EXPIRED);
          }}
        />
      </Suspense>
    );
  }
  return (
    <AccountFrame
      title="Login"
      lead="See your orders and your cart on any device."
      footer={
        <>
          New here? <Link to={appendReturnPath('/registration', to)}>Register account</Link>
        </>
      }
    >
      <form ref={ref} method="post" onSubmit={submit} noValidate>
        {loaded.notice !== null && !failed && <p className={styles.notice}>{loaded.notice}</p>}
        {failed && <FailureMessage {...failed} />}
        <Field
          label="Username"
          {...bind('username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_NAME_LENGTH}
          required
          defaultValue={registered ?? result?.username}
        />
        <div className={styles.password}>
          <PasswordField
            {...bind('password')}
            autoComplete="current-password"
            maxLength={MAX_PASSWORD_LENGTH}
            required
          />
          <Link to="/lost-password" className={styles.lost}>
            Lost password
          </Link>
        </div>
        <Button type="submit" width="full" isBusy={isBusy}>
          Login
        </Button>
      </form>
    </AccountFrame>
  );
}
