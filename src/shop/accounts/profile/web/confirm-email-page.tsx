import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useActionData, useLoaderData } from 'react-router';
import { confirmByLink, isConfirmed } from '../../web/confirm-by-link.ts';
import { ConfirmForm } from '../../web/confirm-form.tsx';
import type { ConfirmOutcome } from '../../web/confirm-form.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { formatPageTitle } from '#src/shop/shop-identity.ts';

export const meta: MetaFunction = () => [
  { title: formatPageTitle('Confirm your email address') },
  { name: 'description', content: 'Confirm that our mails reach you.' },
];

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
  lead: 'Thank you. Receipts and news of your orders reach you.',
  next: { to: '/dashboard', text: 'Go to your account' },
};
const INVALID: ConfirmOutcome = {
  title: 'This link is not valid any more',
  lead: 'It works once, within three days, and for one address. You can have another one sent in your settings.',
  next: { to: '/dashboard/settings', text: 'Go to your settings' },
};

export default function ConfirmEmailPage() {
  const { isDone } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const unless = refused?.status === 400 ? INVALID : null;
  return (
    <ConfirmForm
      title="Confirm your email address"
      lead="One press, and we know that our mails reach you."
      outcome={isDone ? DONE : unless}
      isRateLimited={refused !== undefined}
      footer={
        <>
          {isDone ? 'Something to change?' : 'Confirmed or not?'} See your{' '}
          <Link to="/dashboard/settings">settings</Link>
        </>
      }
    />
  );
}
