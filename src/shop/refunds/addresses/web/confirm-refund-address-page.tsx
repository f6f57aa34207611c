import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useActionData, useLoaderData } from 'react-router';
import { confirmByLink, isConfirmed } from '#src/shop/accounts/web/confirm-by-link.ts';
import { ConfirmForm } from '#src/shop/accounts/web/confirm-form.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { formatPageTitle } from '#src/shop/shop-identity.ts';

export const meta: MetaFunction = () => [
  { title: formatPageTitle('Confirm your address for refunds') },
  { name: 'description', content: 'Confirm where money that goes back to you is sent.' },
  { name: 'robots', content: 'noindex' },
];

export const loader = ({ params: { token } }: LoaderFunctionArgs) => ({ isDone: isConfirmed(token) });

export function action({ context, params }: ActionFunctionArgs) {
  const { call } = context.get(pageContext);
  return confirmByLink(
    (token) => call('POST /refund-addresses/confirm', { body: { token } }),
    '/confirm-refund-address',
    params.token,
  );
}

const OUTCOMES = {
  done: {
    title: 'Your address is confirmed',
    lead: 'Thank you. What goes back to you is sent there, and you get a mail when it is.',
  },
  changed: {
    title: 'Another address was named since',
    lead: 'So nothing was confirmed. The newest mail has the link for the address that your order has now.',
  },
  invalid: {
    title: 'This link is not valid any more',
    lead: 'It works once, within seven days. Your order says whether its address is confirmed, and sends another link.',
  },
} as const;
const REFUSED: Readonly<Record<number, keyof typeof OUTCOMES>> = { 400: 'invalid', 409: 'changed' };

export default function ConfirmRefundAddressPage() {
  const { isDone } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const outcome = isDone ? 'done' : REFUSED[refused?.status ?? 0];
  return (
    <ConfirmForm
      title="Confirm your address for refunds"
      lead="Only if the address in our mail is the one that your own wallet shows, all of it."
      outcome={
        outcome === undefined
          ? null
          : { ...OUTCOMES[outcome], next: { to: '/dashboard/orders', text: 'Go to your orders' } }
      }
      isRateLimited={refused !== undefined}
      footer={
        <>
          Not your address? Name another one with <Link to="/dashboard/orders">your order</Link>
        </>
      }
    />
  );
}
