import { useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData, useNavigate } from 'react-router';
import { ROLE_NAMES } from '#src/shop/permissions.ts';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { signOut } from '#src/storefront/session/session.ts';
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
import styles from './invitation-page.module.css';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Invitation to the team', matches) },
  { name: 'description', content: 'Join the team of the shop.' },
];

export async function loader({ context, params: { token = '' } }: LoaderFunctionArgs) {
  const { call: read, visitor } = context.get(pageContext);
  const username = visitor.user?.username ?? null;
  try {
    const invitation = await read('POST /invitations/read', { body: { token: token.slice(0, 100) } });
    // The name is looked up here: the table of roles belongs to the scripts of the back office.
    return { token, username, invitation: { ...invitation, role: ROLE_NAMES[invitation.role] }, isRateLimited: false };
  } catch (error) {
    if (!isApiFailure(error) || error.status >= 500) throw error;
    return { token, username, invitation: null, isRateLimited: error.status === 429 };
  }
}

type ClosedState = 'used' | 'expired' | 'withdrawn' | 'unknown' | 'limited';

const CLOSED: Readonly<Record<ClosedState, { readonly title: string; readonly lead: string }>> = {
  used: {
    title: 'This invitation was used',
    lead: 'An account joined the team with it. If it was yours, log in to open the back office.',
  },
  expired: { title: 'This invitation has expired', lead: 'A link works for seven days. Ask for a new one.' },
  withdrawn: { title: 'This invitation was withdrawn', lead: 'Ask the person who invited you.' },
  unknown: {
    title: 'This link is not valid',
    lead: 'Open the link of the newest mail: a new link replaces the former one. Or ask for a new invitation.',
  },
  limited: { title: 'Too many attempts', lead: 'Wait a minute and open the link again.' },
};

/** OPS-17: what an invited person opens from the mail. */
export default function InvitationPage() {
  const { token, username, invitation, isRateLimited } = useLoaderData<typeof loader>();
  if (invitation?.state !== 'open') {
    const { title, lead } = CLOSED[invitation?.state ?? (isRateLimited ? 'limited' : 'unknown')];
    return (
      <AccountFrame title={title} lead={lead} footer={<Link to="/">Go to the shop</Link>}>
        <ButtonLink to={username === null ? '/login?to=%2Fadmin' : '/dashboard'} width="full">
          {username === null ? 'Log in' : 'Go to your account'}
        </ButtonLink>
      </AccountFrame>
    );
  }
  const { email, role } = invitation;
  return username === null ? (
    <JoinAsNew token={token} email={email} role={role} />
  ) : (
    <JoinAsUser token={token} email={email} role={role} username={username} />
  );
}

interface JoinProps {
  readonly token: string;
  readonly email: string;
  /** Its name on the screen. */
  readonly role: string;
}

function JoinAsUser({ token, email, role, username }: JoinProps & { readonly username: string }) {
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const accept = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      await call('POST /invitations/accept', { body: { token } });
      // The sessions of the account have ended.
      await signOut();
      showToast('success', 'You belong to the team. Please log in again.');
      await navigate(appendReturnPath('/login', '/admin'), { state: { username } });
    } catch (error) {
      if (!isRefusal(error)) logError('The invitation was not accepted', error);
      setFailure(describeOutage(error) ?? (isRefusal(error) ? `${error.message}.` : null));
      setIsBusy(false);
    }
  };
  return (
    <AccountFrame
      title="Join the team"
      lead={`You were invited as ${role}. Accept with your account ${username}, then log in again.`}
      footer={`The invitation is for the account of ${email}.`}
    >
      {failure !== null && <FailureMessage title="Not accepted" detail={failure} />}
      <Button width="full" isBusy={isBusy || !isHydrated} onClick={() => void accept()}>
        Accept the invitation
      </Button>
    </AccountFrame>
  );
}

type Messages = Readonly<Record<string, string>>;
const LABELS: Messages = { username: 'Username', password: 'Password', email: 'The address' };

/** A new account. Who has one logs in instead. */
function JoinAsNew({ token, email, role }: JoinProps) {
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
    const isClosed = isApiFailure(error) && error.code === 'invitation-closed';
    const [, first] = texts[0] ?? [];
    const hint = 'email' in fields ? '. Log in with that account to accept' : '';
    setFailure(
      describeOutage(error) ?? (isClosed ? `${error.message}.` : `${first ?? 'The account was not created'}${hint}.`),
    );
    const invalid = ['username', 'password'].find((name) => name in fields);
    if (invalid !== undefined) form.current?.querySelector<HTMLInputElement>(`[name="${invalid}"]`)?.focus();
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    const data = new FormData(event.currentTarget);
    setIsBusy(true);
    setFailure(null);
    setMessages({});
    try {
      const body = { token, username: readField(data, 'username').trim(), password: readField(data, 'password') };
      const { username } = await call('POST /invitations/register', { body });
      showToast('success', 'You belong to the team. Please log in.');
      await navigate(appendReturnPath('/login', '/admin'), { state: { username } });
    } catch (error) {
      if (!isRefusal(error)) logError('The account was not created', error);
      show(error);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <AccountFrame
      title="Join the team"
      lead={`You were invited as ${role}. Choose a username and a password.`}
      footer={
        <>
          Do you have an account with this address?{' '}
          <Link to={appendReturnPath('/login', `/invitation/${token}`)}>Log in to accept</Link>
        </>
      }
    >
      <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        {failure !== null && <FailureMessage title="Not accepted" detail={failure} />}
        <p className={styles.address}>Your address: {email}</p>
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
        <PasswordField
          name="password"
          autoComplete="new-password"
          maxLength={128}
          required
          hint={`At least ${MIN_STAFF_PASSWORD_LENGTH} characters.`}
          message={messages['password']}
        />
        <Button type="submit" width="full" isBusy={isBusy || !isHydrated}>
          Create account and join
        </Button>
      </form>
    </AccountFrame>
  );
}
