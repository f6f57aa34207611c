import { Link } from 'react-router';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { AccountFrame } from '../../web/account-frame.tsx';
import { Stack } from '#src/ui/layout/stack.ts';

interface PlainCodeFormProps {
  readonly message: string | null;
}

/** The second factor without scripts, and until they are loaded. It takes codes only: passkeys need a script. */
export const PlainCodeForm = ({ message }: PlainCodeFormProps) => (
  <AccountFrame
    title="Enter your code"
    lead="Enter the six digits that your authenticator app shows for this shop, or one of your recovery codes."
    footer={<Link to="/login">Use another account</Link>}
  >
    <Stack as="form" method="post" noValidate>
      <Field
        label="Code"
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        required
        message={message}
      />
      <noscript>
        {/* React renders no children of `noscript` in a browser. */}
        {import.meta.env.SSR && <p>A passkey needs JavaScript, which is off in your browser.</p>}
      </noscript>
      <Button type="submit" width="full">
        Log in
      </Button>
    </Stack>
  </AccountFrame>
);
