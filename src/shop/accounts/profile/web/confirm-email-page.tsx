import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useActionData, useLoaderData } from 'react-router';
import { confirmByLink, isConfirmed } from '../../web/confirm-by-link.ts';
import { ConfirmForm } from '../../web/confirm-form.tsx';
import type { ConfirmOutcome } from '../../web/confirm-form.tsx';
import { LINK_PAGE_HEADERS } from '#src/storefront/page/link-page-headers.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Confirm your email address', matches) },
  { name: 'description', content: 'Confirm your email address for order updates.' },
];

export const headers = () => LINK_PAGE_HEADERS;

export const loader = ({ params: { token } }: LoaderFunctionArgs) => ({ isDone: isConfirmed(token) });

export function action({ context, params }: ActionFunctionArgs) {
  const { call } = context.get(pageContext);
  return confirmByLink(
    (token) => call('POST /users/confirm-email', { body: { token } }),
    '/confirm-email',
    params.token,
  );
}

const DONE: ConfirmOutcome = {
  title: 'Your address is confirmed',
  lead: 'We send receipts and order updates to this address.',
  next: { to: '/dashboard', text: 'Go to your account' },
};
const INVALID: ConfirmOutcome = {
  title: 'This link is no longer valid',
  lead: 'A link works once, for 3 days and one address. Request a new link in your settings.',
  next: { to: '/dashboard/settings', text: 'Go to your settings' },
};

export default function ConfirmEmailPage() {
  const { isDone } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const unless = refused?.status === 400 ? INVALID : null;
  return (
    <ConfirmForm
      title="Confirm your email address"
      lead="Receive receipts and order updates at this address."
      outcome={isDone ? DONE : unless}
      isRateLimited={refused !== undefined}
      footer={
        <>
          {isDone ? 'Wrong address?' : 'Already confirmed?'} Go to your <Link to="/dashboard/settings">settings</Link>
        </>
      }
    />
  );
}
