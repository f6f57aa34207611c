import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { data, Link, redirect, useActionData, useLoaderData } from 'react-router';
import { AccountFrame, Failure } from '#src/shop/accounts/web/account-frame.tsx';
import { isRefusal } from '#src/web/api.ts';
import { pageContext } from '#src/web/page-context.ts';
import { Button, ButtonLink } from '#src/web/ui/button.tsx';

/** In the place of a token, once it did its work. */
const DONE = 'done';

export const meta: MetaFunction = () => [
  { title: 'Confirm your address for refunds · Crypto Market' },
  { name: 'description', content: 'Confirm where money that goes back to you is sent.' },
  { name: 'robots', content: 'noindex' },
];

export function loader({ params: { token = '' } }: LoaderFunctionArgs) {
  return { isDone: token === DONE };
}

/** Pressed by a person: programs that look at the links in mails follow them and confirm nothing. */
export async function action({ context, params: { token = '' } }: ActionFunctionArgs) {
  try {
    await context.get(pageContext).call('POST /refund-addresses/confirm', { body: { token: token.slice(0, 100) } });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return data({ status: error.status }, { status: error.status });
  }
  return redirect(`/confirm-refund-address/${DONE}`, 303);
}

const WORDS = {
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

export default function ConfirmRefundAddressPage() {
  const { isDone } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const foot = (
    <>
      Not your address? Name another one with <Link to="/dashboard/orders">your order</Link>
    </>
  );
  const outcome = isDone ? 'done' : ({ 400: 'invalid', 409: 'changed' } as const)[refused?.status ?? 0];
  if (outcome !== undefined) {
    return (
      <AccountFrame {...WORDS[outcome]} foot={foot}>
        <ButtonLink to="/dashboard/orders" width="full">
          Go to your orders
        </ButtonLink>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame
      title="Confirm your address for refunds"
      lead="Only if the address in our mail is the one that your own wallet shows, all of it."
      foot={foot}
    >
      {/* As it stands, without a script too. */}
      <form method="post">
        {refused && <Failure title="That was too often." detail="Please wait a minute and try again." />}
        <Button type="submit" width="full">
          Confirm
        </Button>
      </form>
    </AccountFrame>
  );
}
