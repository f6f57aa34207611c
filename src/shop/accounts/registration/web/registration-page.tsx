import { useEffect, useState } from 'react';
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useActionData, useNavigate, useSearchParams } from 'react-router';
import { checkRegistration, MIN_PASSWORD_LENGTH } from '../check-registration.ts';
import { resolveReturnPath, appendReturnPath } from '../../sessions/return-path.ts';
import { CART_MARK_KEY, readStored } from '#src/ui/browser/browser-storage.ts';
import { call } from '#src/storefront/call.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { session } from '#src/storefront/session/session.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { useLegalTexts } from '#src/storefront/layout/legal-link.tsx';
import { AccountFrame, FailureMessage } from '../../web/account-frame.tsx';
import { PasswordField } from '../../web/password-field.tsx';
import { getNoticeText } from '../../sessions/web/login-notice.ts';
import { FIELDS, readForm, toFailure } from './registration-failure.ts';
import type { FieldName, TypedRegistration } from './registration-failure.ts';
import styles from './registration-page.module.css';
import { submitRegistration } from './submit-registration.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters.`;
const MAX_LENGTHS = { username: 60, email: 254, password: 128 };

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Register account', matches) },
  { name: 'description', content: 'Register to save your cart and orders.' },
];

export function loader({ context, request }: LoaderFunctionArgs) {
  const { visitor } = context.get(pageContext);
  if (visitor.user) {
    const to = new URL(request.url).searchParams.get('to');
    throwRedirect(resolveReturnPath(to, { isStaff: visitor.user.role !== 'customer' }));
  }
  return null;
}

export const action = (args: ActionFunctionArgs) => submitRegistration(args);

const EMPTY: TypedRegistration = { username: '', email: '', password: '', hasAgreed: false };

const hasGuestCart = (): boolean => {
  const { cart, isSignedIn } = session.get();
  if (isSignedIn) return false;
  // Submitted before the cart was loaded: use the stored mark.
  if (cart === null) return Number.parseInt(readStored(CART_MARK_KEY) ?? '0', 10) > 0;
  return cart.has_guest_cart || cart.cart_items.length > 0;
};

/** The form, with what is typed, so that it can say what is missing. */
function useRegistrationForm(refused: FormFailure | null) {
  const navigate = useNavigate();
  const to = useSearchParams()[0].get('to');
  const [state, setState] = useState(EMPTY);
  const [changed, setChanged] = useState<ReadonlySet<FieldName>>(new Set());

  const messages = checkRegistration(state);
  const isValid = FIELDS.every((name) => messages[name] === null);
  // A shop without terms has nothing to agree to.
  const hasTerms = useLegalTexts().includes('Terms');
  const hasAgreed = state.hasAgreed || !hasTerms;
  const isReady = isValid && hasAgreed;

  const { ref, submit, isBusy, failed, messageOf, recheck } = useCallForm({
    log: 'Registration failed',
    read: () => (isReady ? state : null),
    send: async ({ username, email, password }) => {
      await call('POST /users/register', { body: { username: username.trim(), email: email.trim(), password } });
      showToast('success', getNoticeText(hasGuestCart() ? 'registered-with-cart' : 'registered'));
      await navigate(appendReturnPath('/login', to), { state: { username: username.trim() } });
    },
    describe: toFailure,
    onFailure: ({ title = '', text }) => showToast('error', title, text),
    refused,
  });

  useEffect(() => {
    // Values typed or autofilled before hydration.
    if (ref.current) setState(readForm(new FormData(ref.current)));
  }, [ref]);

  const change = (name: FieldName | null) => {
    if (ref.current) setState(readForm(new FormData(ref.current)));
    if (name === null) return;
    setChanged((names) => new Set(names).add(name));
    // The server's message applied to the previous value.
    recheck(name);
  };
  const hasPasswordHint = messages.password !== null && !changed.has('password');
  const bind = (name: FieldName) => ({
    name,
    maxLength: MAX_LENGTHS[name],
    required: true,
    message: (changed.has(name) ? messages[name] : null) ?? messageOf(name),
    onChange: () => change(name),
  });
  const hint = getHint({ isValid, hasTerms, hasAgreed });
  return { ref, submit, isBusy, failed, bind, change, isReady, hasTerms, hint, hasPasswordHint };
}

export default function RegistrationPage() {
  const to = useSearchParams()[0].get('to');
  const result = useActionData<typeof action>();
  const isHydrated = useHydrated();
  const form = useRegistrationForm(result?.failed ?? null);
  const { ref, submit, isBusy, failed, bind, change } = form;
  return (
    <AccountFrame
      title="Register account"
      lead="Register an account. Items already in your cart stay there."
      footer={
        <>
          Already registered? <Link to={appendReturnPath('/login', to)}>Login</Link>
        </>
      }
    >
      <form ref={ref} method="post" onSubmit={submit} noValidate>
        {failed && <FailureMessage {...failed} />}
        <Field
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={result?.typed.username}
          {...bind('username')}
        />
        <Field
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          defaultValue={result?.typed.email}
          {...bind('email')}
        />
        <PasswordField
          autoComplete="new-password"
          {...(form.hasPasswordHint && { hint: PASSWORD_HINT })}
          {...bind('password')}
        />
        {form.hasTerms && (
          <Checkbox name="terms" required defaultChecked={result?.typed.hasAgreed} onChange={() => change(null)}>
            I have read and agree to the website{' '}
            <Link to="/terms" target="_blank">
              terms and conditions
            </Link>
          </Checkbox>
        )}
        <div className={styles.submit}>
          <Button
            type="submit"
            width="full"
            disabled={isHydrated && !form.isReady}
            isBusy={isBusy}
            aria-describedby="register-hint"
          >
            Register
          </Button>
          <p id="register-hint" className={styles.hint}>
            {form.hint}
          </p>
        </div>
      </form>
    </AccountFrame>
  );
}

interface Progress {
  readonly isValid: boolean;
  readonly hasTerms: boolean;
  readonly hasAgreed: boolean;
}

function getHint({ isValid, hasTerms, hasAgreed }: Progress): string {
  if (!isValid) return `Complete all fields${hasTerms ? ' and agree to the terms' : ''} to register.`;
  return hasAgreed ? 'Next, log in to your account.' : 'Agree to the terms to register.';
}
