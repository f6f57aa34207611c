import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { data, Link, redirect, useActionData, useLoaderData } from 'react-router';
import { AccountFrame, Failure } from '#src/shop/accounts/web/account-frame.tsx';
import { isRefusal } from '#src/web/api.ts';
import { pageContext } from '#src/web/page-context.ts';
import { Button, ButtonLink } from '#src/web/ui/button.tsx';

/** In the place of a token, once it did its work. */
const DONE = 'done';

export const meta: MetaFunction = () => [
  { title: 'Confirm your email address · Crypto Market' },
  { name: 'description', content: 'Confirm that our mails reach you.' },
];

export function loader({ params: { token = '' } }: LoaderFunctionArgs) {
  return { isDone: token === DONE };
}

/** Pressed by a person: programs that look at the links in mails follow them and confirm nothing. */
export async function action({ context, params: { token = '' } }: ActionFunctionArgs) {
  try {
    await context.get(pageContext).call('POST /users/confirm-email', { body: { token: token.slice(0, 100) } });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return data({ status: error.status }, { status: error.status });
  }
  return redirect(`/confirm-email/${DONE}`, 303);
}

export default function ConfirmEmailPage() {
  const { isDone } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const foot = (
    <>
      Confirmed or not? See your <Link to="/dashboard/settings">settings</Link>
    </>
  );
  if (isDone) {
    return (
      <AccountFrame
        title="Your address is confirmed"
        lead="Thank you. Receipts and news of your orders reach you."
        foot={
          <>
            Something to change? See your <Link to="/dashboard/settings">settings</Link>
          </>
        }
      >
        <ButtonLink to="/dashboard" width="full">
          Go to your account
        </ButtonLink>
      </AccountFrame>
    );
  }
  if (refused?.status === 400) {
    return (
      <AccountFrame
        title="This link is not valid any more"
        lead="It works once, within three days, and for one address. You can have another one sent in your settings."
        foot={foot}
      >
        <ButtonLink to="/dashboard/settings" width="full">
          Go to your settings
        </ButtonLink>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame
      title="Confirm your email address"
      lead="One press, and we know that our mails reach you."
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
