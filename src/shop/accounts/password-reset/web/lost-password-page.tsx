import { useState } from 'react';
import type { MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { AccountFrame } from '../../web/account-frame.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { RequestCodeForm } from './request-code-form.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Lost password', matches) },
  { name: 'description', content: 'Reset your password with a code sent to your email address.' },
];

/** Two steps: request a code, then use it. */
export default function LostPasswordPage() {
  const [email, setEmail] = useState('');
  const [isSent, setIsSent] = useState(false);
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
        <NewPasswordForm email={email} onBack={() => setIsSent(false)} />
      ) : (
        <RequestCodeForm
          email={email}
          onSent={(sentTo) => {
            setEmail(sentTo);
            setIsSent(true);
          }}
        />
      )}
    </AccountFrame>
  );
}
