import { useState } from 'react';
import type { MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { AccountFrame } from '../../web/account-frame.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { RequestCodeForm } from './request-code-form.tsx';
import { formatPageTitle } from '#src/shop/shop-identity.ts';

export const meta: MetaFunction = () => [
  { title: formatPageTitle('Lost password') },
  { name: 'description', content: 'Set a new password with a code that we send to your email address.' },
];

/** Two steps: a code is sent, and then used. */
export default function LostPasswordPage() {
  const [email, setEmail] = useState('');
  const [isSent, setIsSent] = useState(false);
  return (
    <AccountFrame
      title="Lost password"
      lead={
        isSent
          ? 'If the address has an account, a code is on its way to it. It works for 10 minutes.'
          : 'We send a code to your email address. With it you set a new password.'
      }
      footer={
        <>
          You remember it? <Link to="/login">Login</Link>
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
