import { useState } from 'react';
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useActionData, useLoaderData } from 'react-router';
import { AccountFrame } from '../../web/account-frame.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { RequestCodeForm } from './request-code-form.tsx';
import { readEmailCookie, submitReset } from './submit-reset.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Lost password', matches) },
  { name: 'description', content: 'Reset your password with a code sent to your email address.' },
];

export function loader({ request }: LoaderFunctionArgs) {
  const isSent = new URL(request.url).searchParams.has('sent');
  return { isSent, email: isSent ? readEmailCookie(request) : '' };
}

export const action = (args: ActionFunctionArgs) => submitReset(args);

/** Two steps: request a code, then use it. */
export default function LostPasswordPage() {
  const loaded = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const [email, setEmail] = useState(result?.email ?? loaded.email);
  const [isSent, setIsSent] = useState(result ? result.step === 'reset' : loaded.isSent);
  return (
    <AccountFrame
      title="Lost password"
      lead={
        isSent
          ? 'If this address has an account, we sent it a code. It is valid for 10 minutes.'
          : 'Enter your email address to get a code for a new password.'
      }
      footer={
        <>
          Remember your password? <Link to="/login">Login</Link>
        </>
      }
    >
      {isSent ? (
        <NewPasswordForm
          email={email}
          code={result?.code ?? ''}
          refused={result?.step === 'reset' ? result.refused : null}
          onBack={() => setIsSent(false)}
        />
      ) : (
        <RequestCodeForm
          email={email}
          refused={result?.step === 'request' ? result.refused : null}
          onSent={(sentTo) => {
            setEmail(sentTo);
            setIsSent(true);
          }}
        />
      )}
    </AccountFrame>
  );
}
