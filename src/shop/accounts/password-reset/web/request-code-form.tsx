import { FailureMessage } from '../../web/account-frame.tsx';
import { readField } from '#src/ui/form/read-field.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { NOT_SENT_LOG, requestCode } from './request-code.ts';
import { toEmailMissing, toNotSent } from './reset-failure.ts';

const MAX_EMAIL_LENGTH = 254;

interface RequestCodeFormProps {
  /** Initial value when the user comes back to this step. */
  readonly email: string;
  /** Failure of a request without scripts. */
  readonly refused: FormFailure | null;
  readonly onSent: (email: string) => void;
}

export function RequestCodeForm({ email, refused, onSent }: RequestCodeFormProps) {
  const { ref, submit, isBusy, failed, bind } = useCallForm({
    log: NOT_SENT_LOG,
    read: (form) => readField(new FormData(form), 'email').trim(),
    check: (address) => (address === '' ? toEmailMissing('request').problems : {}),
    send: async (address) => {
      await requestCode(address);
      onSent(address);
    },
    describe: toNotSent,
    focus: 'email',
    onFailure: ({ title, text, problems }) => showToast('error', title ?? problems['email'] ?? '', text),
    refused,
  });

  return (
    <form ref={ref} method="post" action="/lost-password" onSubmit={submit} noValidate>
      {failed && <FailureMessage {...failed} />}
      <Field
        label="Email"
        {...bind('email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={MAX_EMAIL_LENGTH}
        defaultValue={email}
        required
      />
      <Button type="submit" width="full" isBusy={isBusy}>
        Send reset code
      </Button>
    </form>
  );
}
