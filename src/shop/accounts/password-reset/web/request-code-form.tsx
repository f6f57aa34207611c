import { useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { FailureMessage } from '../../web/account-frame.tsx';
import { readField } from '../../web/read-field.ts';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import { requestCode } from './request-code.ts';
import { EMAIL_MISSING, NOT_SENT } from './reset-failure.ts';
import type { ResetFailure } from './reset-failure.ts';

const MAX_EMAIL_LENGTH = 254;

interface RequestCodeFormProps {
  /** Initial value when the user comes back to this step. */
  readonly email: string;
  /** Failure of a request without scripts. */
  readonly refused: ResetFailure | null;
  readonly onSent: (email: string) => void;
}

export function RequestCodeForm({ email, refused: refusedBefore, onSent }: RequestCodeFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [isMissing, setIsMissing] = useState(refusedBefore?.title === EMAIL_MISSING);
  const [failed, setFailed] = useState<{ readonly detail: string | null } | null>(isMissing ? null : refusedBefore);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const address = readField(new FormData(event.currentTarget), 'email').trim();
    setIsMissing(address === '');
    setFailed(null);
    if (address === '') showToast('error', EMAIL_MISSING);
    else {
      setIsBusy(true);
      const refused = await requestCode(address);
      setIsBusy(false);
      if (refused === null) {
        onSent(address);
        return;
      }
      setFailed(refused);
    }
    form.current?.querySelector<HTMLInputElement>('[name="email"]')?.focus();
  };

  return (
    <form ref={form} method="post" action="/lost-password" onSubmit={(event) => void submit(event)} noValidate>
      {failed && <FailureMessage title={NOT_SENT} detail={failed.detail} />}
      <Field
        label="Email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={MAX_EMAIL_LENGTH}
        defaultValue={email}
        required
        message={isMissing ? EMAIL_MISSING : null}
      />
      <Button type="submit" width="full" isBusy={isBusy}>
        Send reset code
      </Button>
    </form>
  );
}
