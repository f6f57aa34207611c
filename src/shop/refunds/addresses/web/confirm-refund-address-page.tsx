import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useActionData, useLoaderData } from 'react-router';
import { confirmByLink, isConfirmed } from '#src/shop/accounts/web/confirm-by-link.ts';
import { ConfirmForm } from '#src/shop/accounts/web/confirm-form.tsx';
import { LINK_PAGE_HEADERS } from '#src/storefront/page/link-page-headers.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Confirm your refund address', matches) },
  { name: 'description', content: 'Confirm the Bitcoin address for your refunds.' },
  { name: 'robots', content: 'noindex' },
];

export const headers = () => LINK_PAGE_HEADERS;

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
    lead: 'We send your refund to this address and mail you when it is sent.',
  },
  changed: {
    title: 'The address was changed',
    lead: 'Nothing was confirmed. Use the link in the newest mail to confirm the current address.',
  },
  invalid: {
    title: 'This link has expired',
    lead: 'A link works once, for seven days. Open your order to see your refund address or to get a new link.',
  },
} as const;
const REFUSED: Readonly<Record<number, keyof typeof OUTCOMES>> = { 400: 'invalid', 409: 'changed' };

export default function ConfirmRefundAddressPage() {
  const { isDone } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const outcome = isDone ? 'done' : REFUSED[refused?.status ?? 0];
  return (
    <ConfirmForm
      title="Confirm your refund address"
      lead="Confirm only if the address in our mail matches the address in your wallet exactly."
      outcome={
        outcome === undefined
          ? null
          : { ...OUTCOMES[outcome], next: { to: '/dashboard/orders', text: 'Go to your orders' } }
      }
      isRateLimited={refused !== undefined}
      footer={
        <>
          Not your address? <Link to="/dashboard/orders">Enter another one in your order</Link>
        </>
      }
    />
  );
}
