import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData, useLocation, useNavigate, useSearchParams } from 'react-router';
import { resolveReturnPath, appendReturnPath } from '../return-path.ts';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { logError } from '#src/ui/log-error.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { signIn } from '#src/storefront/session/session.ts';
import { isSeparatePath } from '#src/storefront/page/separate-pages.ts';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { AccountFrame, FailureMessage } from '../../web/account-frame.tsx';
import { describeFailure } from '../../web/describe-failure.ts';
import styles from './login-page.module.css';
import { PasswordField } from '../../web/password-field.tsx';
import { readField } from '../../web/read-field.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

const REFUSED_MESSAGE = 'Please check your credentials';
const BLOCKED_MESSAGE = 'This account is blocked';
const BLOCKED_DETAIL = 'You can’t log in or order. Use the contact page if you think this is a mistake.';
const MAX_NAME_LENGTH = 254;
const MAX_PASSWORD_LENGTH = 128;

const CodeForm = lazy(async () => ({ default: (await import('../../second-factor/web/code-form.tsx')).CodeForm }));

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Login', matches) },
  { name: 'description', content: 'Log in to see your orders and check out.' },
];

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { findSessionEnd, visitor } = context.get(pageContext);
  if (visitor.user) throwRedirect(resolveReturnPath(new URL(request.url).searchParams.get('to')));
  const end = await findSessionEnd();
  return { ended: end && ENDED_MESSAGES[end] };
}

const ENDED_MESSAGES = {
  'too-old': 'You were logged out: sessions of the team end 24 hours after the login. Log in again to continue.',
  idle: 'You were logged out: sessions of the team end after 12 hours without a visit. Log in again to continue.',
} as const;

interface Refused {
  readonly title: string;
  readonly detail: string | null;
  readonly missing: readonly string[];
}

/** ACC-13: username of the account that was just registered. */
function readUsername(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('username' in state)) return null;
  return typeof state.username === 'string' ? state.username : null;
}

export default function LoginPage() {
  const navigate = useNavigate();
  const to = useSearchParams()[0].get('to');
  const registered = readUsername(useLocation().state);
  const { ended } = useLoaderData<typeof loader>();
  const isHydrated = useHydrated();
  const [isBusy, setIsBusy] = useState(false);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [isCodeNeeded, setIsCodeNeeded] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (registered !== null) form.current?.querySelector<HTMLInputElement>('[name="password"]')?.focus();
  }, [registered]);

  const showFailure = (detail: string | null, missing: readonly string[], title = REFUSED_MESSAGE) => {
    setRefused({ title, detail, missing });
    showToast('error', title, detail);
    const [first = 'password'] = missing;
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
    const path = resolveReturnPath(to);
    if (isSeparatePath(path)) location.replace(path);
    else await navigate(path, { replace: true });
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    // Read from the form, which includes values autofilled before hydration.
    const data = new FormData(event.currentTarget);
    const username = readField(data, 'username').trim();
    const password = readField(data, 'password');
    const missing = [...(username === '' ? ['username'] : []), ...(password === '' ? ['password'] : [])];
    if (missing.length > 0) {
      showFailure(null, missing);
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
      if (isApiFailure(error) && error.code === 'blocked') showFailure(BLOCKED_DETAIL, [], BLOCKED_MESSAGE);
      else showFailure(describeFailure(error), []);
    } finally {
      setIsBusy(false);
    }
  };

  if (isCodeNeeded) {
    return (
      <Suspense>
        <CodeForm
          onSignedIn={enter}
          onCancel={() => setIsCodeNeeded(false)}
          onExpired={() => {
            setIsCodeNeeded(false);
            setRefused({
              title: REFUSED_MESSAGE,
              detail: 'The login has expired. Enter your password again.',
              missing: [],
            });
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
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
        {ended !== null && !refused && <p className={styles.ended}>{ended}</p>}
        {refused && <FailureMessage title={refused.title} detail={refused.detail} />}
        <Field
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_NAME_LENGTH}
          required
          defaultValue={registered ?? undefined}
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
        <Button type="submit" width="full" isBusy={isBusy || !isHydrated}>
          Login
        </Button>
      </form>
    </AccountFrame>
  );
}
