import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useActionData, useLoaderData, useNavigate } from 'react-router';
import { ROLE_NAMES } from '#src/shop/permissions.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { LINK_PAGE_HEADERS } from '#src/storefront/page/link-page-headers.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { signOut } from '#src/storefront/session/session.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { appendReturnPath } from '../../sessions/return-path.ts';
import { AccountFrame, FailureMessage } from '../../web/account-frame.tsx';
import { StaffAccountFields } from '../../web/staff-account-fields.tsx';
import { readMember, toAcceptFailure, toJoinFailure } from './join-form.ts';
import { submitJoin } from './submit-join.ts';
import { getNoticeText } from '../../sessions/web/login-notice.ts';
import { Stack } from '#src/ui/layout/stack.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Invitation to the team', matches) },
  { name: 'description', content: 'Join the team of the shop.' },
];

export const headers = () => LINK_PAGE_HEADERS;

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

export const action = (args: ActionFunctionArgs) => submitJoin(args);

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
  const result = useActionData<typeof action>();
  const { ref, submit, isBusy, failed } = useCallForm({
    log: 'The invitation was not accepted',
    read: () => ({ token }),
    send: async (body) => {
      await call('POST /invitations/accept', { body });
      // The sessions of the account have ended.
      await signOut();
      showToast('success', 'You belong to the team. Please log in again.');
      await navigate(appendReturnPath('/login', '/admin'), { state: { username } });
    },
    describe: toAcceptFailure,
    refused: result?.failed,
  });
  return (
    <AccountFrame
      title="Join the team"
      lead={`You were invited as ${role}. Accept with your account ${username}, then log in again.`}
      footer={`The invitation is for the account of ${email}.`}
    >
      <Stack as="form" ref={ref} method="post" onSubmit={submit}>
        {failed && <FailureMessage {...failed} />}
        <Button type="submit" width="full" isBusy={isBusy}>
          Accept the invitation
        </Button>
      </Stack>
    </AccountFrame>
  );
}

/** A new account. Who has one logs in instead. */
function JoinAsNew({ token, email, role }: JoinProps) {
  const navigate = useNavigate();
  const result = useActionData<typeof action>();
  const { ref, submit, isBusy, failed, bind } = useCallForm({
    log: 'The account was not created',
    read: (form) => readMember(new FormData(form)),
    send: async (member) => {
      const { username } = await call('POST /invitations/register', { body: { token, ...member } });
      showToast('success', getNoticeText('joined'));
      await navigate(appendReturnPath('/login', '/admin'), { state: { username } });
    },
    describe: toJoinFailure,
    refused: result?.failed,
  });

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
      <Stack as="form" ref={ref} method="post" onSubmit={submit} noValidate>
        {failed && <FailureMessage {...failed} />}
        <p className="wrap-anywhere">Your address: {email}</p>
        <StaffAccountFields bind={bind} username={result?.username} />
        <Button type="submit" width="full" isBusy={isBusy}>
          Create account and join
        </Button>
      </Stack>
    </AccountFrame>
  );
}
