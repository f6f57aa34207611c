import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useActionData, useLoaderData, useLocation, useNavigate, useSearchParams } from 'react-router';
import { resolveReturnPath, appendReturnPath } from '../return-path.ts';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { logError } from '#src/ui/log-error.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { signIn } from '#src/storefront/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { AccountFrame, FailureMessage } from '../../web/account-frame.tsx';
import { PlainCodeForm } from '../../second-factor/web/plain-code-form.tsx';
import { findMissing, LOGIN_EXPIRED, toLoginFailure } from '../../web/login-failure.ts';
import type { LoginFailure } from '../../web/login-failure.ts';
import { readNotice } from './login-notice.ts';
import styles from './login-page.module.css';
import { submitLogin } from './submit-login.ts';
import { PasswordField } from '../../web/password-field.tsx';
import { readField } from '../../web/read-field.ts';
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
  if (visitor.user) throwRedirect(resolveReturnPath(searchParams.get('to')));
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

export default function LoginPage() {
  const navigate = useNavigate();
  const to = useSearchParams()[0].get('to');
  const registered = readUsername(useLocation().state);
  const loaded = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const isHydrated = useHydrated();
  const [isBusy, setIsBusy] = useState(false);
  const [refused, setRefused] = useState<LoginFailure | null>(result?.refused ?? null);
  const [isCodeNeeded, setIsCodeNeeded] = useState(loaded.isCodeNeeded);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (registered !== null) form.current?.querySelector<HTMLInputElement>('[name="password"]')?.focus();
  }, [registered]);

  const showFailure = (failure: LoginFailure) => {
    setRefused(failure);
    showToast('error', failure.title, failure.detail);
    const [first = 'password'] = failure.missing;
    form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  };

  const enter = async ({ user, isCartPreserved }: Awaited<ReturnType<typeof signIn>>) => {
    showToast(
      'success',
      'Successfully logged in',
      isCartPreserved
        ? 'Your cart has been preserved and is now available in your account'
        : `Welcome back, ${user.username}!`,
    );
    await navigate(resolveReturnPath(to), { replace: true });
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    // Read from the form, which includes values autofilled before hydration.
    const data = new FormData(event.currentTarget);
    const username = readField(data, 'username').trim();
    const password = readField(data, 'password');
    const missing = findMissing(username, password);
    if (missing !== null) {
      showFailure(missing);
      return;
    }
    setIsBusy(true);
    setRefused(null);
    try {
      await enter(await signIn(username, password));
    } catch (error) {
      if (isApiFailure(error) && error.code === 'second-factor') {
        setIsCodeNeeded(true);
        return;
      }
      if (!isRefusal(error)) logError('Login failed', error);
      showFailure(toLoginFailure(error));
    } finally {
      setIsBusy(false);
    }
  };

  if (isCodeNeeded) {
    const plain = <PlainCodeForm message={result?.codeMessage ?? null} />;
    if (!isHydrated) return plain;
    return (
      <Suspense fallback={plain}>
        <CodeForm
          onSignedIn={enter}
          onCancel={() => setIsCodeNeeded(false)}
          onExpired={() => {
            setIsCodeNeeded(false);
            setRefused(LOGIN_EXPIRED);
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
      <form ref={form} method="post" onSubmit={(event) => void submit(event)} noValidate>
        {loaded.notice !== null && !refused && <p className={styles.notice}>{loaded.notice}</p>}
        {refused && <FailureMessage title={refused.title} detail={refused.detail} />}
        <Field
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_NAME_LENGTH}
          required
          defaultValue={registered ?? result?.username}
          isInvalid={refused?.missing.includes('username') === true}
        />
        <div className={styles.password}>
          <PasswordField
            name="password"
            autoComplete="current-password"
            maxLength={MAX_PASSWORD_LENGTH}
            required
            isInvalid={refused?.missing.includes('password') === true}
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
