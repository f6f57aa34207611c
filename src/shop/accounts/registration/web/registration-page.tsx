import { useEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { checkRegistration, MIN_PASSWORD_LENGTH } from '../check-registration.ts';
import type { RegistrationDraft } from '../check-registration.ts';
import { resolveReturnPath, appendReturnPath } from '../../sessions/return-path.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { CART_MARK_KEY, readStored } from '#src/ui/browser-storage.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { session } from '#src/storefront/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { Field } from '#src/ui/field.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import { useLegalTexts } from '#src/storefront/layout/legal-link.tsx';
import { formatWait } from '#src/storefront/format-wait.ts';
import { AccountFrame, FailureMessage } from '../../web/account-frame.tsx';
import { PasswordField } from '../../web/password-field.tsx';
import styles from './registration-page.module.css';
import { readField } from '../../web/read-field.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

type FieldName = keyof RegistrationDraft;
type Messages = Partial<Record<FieldName, string>>;

const LABELS: Readonly<Record<FieldName, string>> = { username: 'Username', email: 'Email', password: 'Password' };
const FIELDS = ['username', 'email', 'password'] as const;
const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters.`;
const MAX_LENGTHS = { username: 60, email: 254, password: 128 };

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Register account', matches) },
  { name: 'description', content: 'Register to save your cart and orders.' },
];

export function loader({ context, request }: LoaderFunctionArgs) {
  const { visitor } = context.get(pageContext);
  if (visitor.user) throwRedirect(resolveReturnPath(new URL(request.url).searchParams.get('to')));
  return null;
}

interface FormState extends RegistrationDraft {
  readonly hasAgreed: boolean;
}

const EMPTY: FormState = { username: '', email: '', password: '', hasAgreed: false };

function readForm(form: HTMLFormElement): FormState {
  const data = new FormData(form);
  return {
    username: readField(data, 'username'),
    email: readField(data, 'email'),
    password: readField(data, 'password'),
    hasAgreed: data.has('terms'),
  };
}

interface RegistrationFailure {
  readonly title: string;
  readonly detail: string | null;
  readonly messages: Messages;
}

/** Title, detail and field errors of a failed registration. */
function toFailure(error: unknown): RegistrationFailure {
  if (!isRefusal(error)) {
    return { title: 'Registration failed. Please try again later.', detail: null, messages: {} };
  }
  const title = 'Registration failed. Please try again.';
  if (error.status === 429) {
    return { title, detail: `Too many attempts. ${formatWait(error.retryAfterSeconds)}`, messages: {} };
  }
  const messages: Messages = {};
  for (const name of FIELDS) {
    const reason = error.fields[name];
    if (reason !== undefined) messages[name] = `${LABELS[name]} ${reason}`;
  }
  // A password is explained at its field only, where it is typed again.
  const { password: _password, ...others } = messages;
  const reasons = Object.values(others).map((text) => `${text}.`);
  return { title, detail: reasons.length > 0 ? reasons.join(' ') : null, messages };
}

const hasGuestCart = (): boolean => {
  const { cart, isSignedIn } = session.get();
  if (isSignedIn) return false;
  // Submitted before the cart was loaded: use the stored mark.
  if (cart === null) return Number.parseInt(readStored(CART_MARK_KEY) ?? '0', 10) > 0;
  return cart.has_guest_cart || cart.cart_items.length > 0;
};

export default function RegistrationPage() {
  const navigate = useNavigate();
  const to = useSearchParams()[0].get('to');
  const form = useRef<HTMLFormElement>(null);
  const [state, setState] = useState(EMPTY);
  const [changed, setChanged] = useState<ReadonlySet<FieldName>>(new Set());
  const [isBusy, setIsBusy] = useState(false);
  const [failed, setFailed] = useState<RegistrationFailure | null>(null);

  useEffect(() => {
    // Values typed or autofilled before hydration.
    if (form.current) setState(readForm(form.current));
  }, []);

  const messages = checkRegistration(state);
  const isValid = FIELDS.every((name) => messages[name] === null);
  // A shop without terms has nothing to agree to.
  const hasTerms = useLegalTexts().includes('Terms');
  const hasAgreed = state.hasAgreed || !hasTerms;
  const isReady = isValid && hasAgreed;

  const change = (name: FieldName | null) => {
    if (form.current) setState(readForm(form.current));
    if (name === null) return;
    setChanged((names) => new Set(names).add(name));
    // The server's message applied to the previous value.
    setFailed((old) => old && { ...old, messages: { ...old.messages, [name]: undefined } });
  };
  const bind = (name: FieldName) => ({
    name,
    maxLength: MAX_LENGTHS[name],
    required: true,
    message: (changed.has(name) ? messages[name] : null) ?? failed?.messages[name],
    onChange: () => change(name),
  });

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isReady || isBusy) return;
    setIsBusy(true);
    setFailed(null);
    const { username, email, password } = state;
    try {
      await call('POST /users/register', { body: { username: username.trim(), email: email.trim(), password } });
      showToast(
        'success',
        hasGuestCart()
          ? 'Registration successful! Please log in to access your existing cart items.'
          : 'Registration successful! Please log in.',
      );
      await navigate(appendReturnPath('/login', to), { state: { username: username.trim() } });
    } catch (error) {
      if (!isRefusal(error)) logError('Registration failed', error);
      const failure = toFailure(error);
      setFailed(failure);
      showToast('error', failure.title, failure.detail);
      const first = FIELDS.find((name) => failure.messages[name] !== undefined);
      if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    } finally {
      setIsBusy(false);
    }
  };

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
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
        {failed && <FailureMessage title={failed.title} detail={failed.detail} />}
        <Field
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...bind('username')}
        />
        <Field label="Email" type="email" inputMode="email" autoComplete="email" {...bind('email')} />
        <PasswordField
          autoComplete="new-password"
          {...(messages.password !== null && !changed.has('password') && { hint: PASSWORD_HINT })}
          {...bind('password')}
        />
        {hasTerms && (
          <Checkbox name="terms" required onChange={() => change(null)}>
            I have read and agree to the website{' '}
            <Link to="/terms" target="_blank">
              terms and conditions
            </Link>
          </Checkbox>
        )}
        <div className={styles.submit}>
          <Button type="submit" width="full" disabled={!isReady} isBusy={isBusy} aria-describedby="register-hint">
            Register
          </Button>
          <p id="register-hint" className={styles.hint}>
            {getHint({ isValid, hasTerms, hasAgreed })}
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
