import { useEffect } from 'react';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call, setFactorPrompt } from '#src/storefront/call.ts';
import { logAndDescribe } from '#src/storefront/forms/use-call-action.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { FormActions } from '#src/ui/layout/form-actions.tsx';
import { useQuestion } from '#src/ui/dialog/use-question.ts';
import { readText } from '../../kit/form-text.ts';

interface FactorDialogProps {
  readonly hasApp: boolean;
  readonly hasPasskey: boolean;
}

/** OPS-17: asks for the second factor when a change needs one. The change is then made again. */
export function FactorDialog(props: FactorDialogProps) {
  const { isOpen, ask, answer } = useQuestion();
  useEffect(() => {
    setFactorPrompt(ask);
    return () => setFactorPrompt(null);
  }, [ask]);

  return (
    <Dialog title="Confirm it is you" isOpen={isOpen} onClose={() => answer(false)}>
      {isOpen && <FactorForm {...props} onDone={() => answer(true)} onCancel={() => answer(false)} />}
    </Dialog>
  );
}

interface FactorFormProps extends FactorDialogProps {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

const LOG = 'Confirming the second factor failed';

const describeReason = (error: unknown): string =>
  describeOutage(error) ?? (isRefusal(error) ? `${error.message}.` : 'Try again.');

const describePasskeyFailure = (error: unknown): FormFailure => ({ text: describeReason(error), problems: {} });

function FactorForm({ hasApp, hasPasskey, onDone, onCancel }: FactorFormProps) {
  const { ref, submit, isBusy, failure, bind, run } = useCallForm({
    log: LOG,
    read: (form) => readText(new FormData(form), 'code'),
    send: async (code) => {
      await call('POST /second-factor/verify', { body: { code } });
      onDone();
    },
    describe: (error) => ({ text: null, problems: { code: describeReason(error) } }),
  });
  useEffect(() => ref.current?.querySelector<HTMLElement>('button, input')?.focus(), [ref]);
  const pressPasskey = async (): Promise<void> => {
    if (await run(confirmWithPasskey, logAndDescribe(LOG, describePasskeyFailure))) onDone();
  };

  return (
    <Stack as="form" ref={ref} onSubmit={submit} noValidate>
      <p>Changes of second factors need one that you have at hand.</p>
      {hasPasskey && (
        <>
          <Button isBusy={isBusy} onClick={() => void pressPasskey()}>
            Use a passkey
          </Button>
          {failure !== null && (
            <p role="alert" className="danger">
              {failure}
            </p>
          )}
        </>
      )}
      <Field
        label={hasApp ? 'Code of the app' : 'Recovery code'}
        {...bind('code')}
        hint={`${hasApp ? 'Or a recovery code: the' : 'The'} change then takes effect after 24 hours. You get a mail with which you can cancel it.`}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={64}
        required
      />
      <FormActions>
        <Button type="submit" variant={hasPasskey ? 'secondary' : 'primary'} isBusy={isBusy}>
          Continue
        </Button>
        <Button variant="quaternary" onClick={onCancel}>
          Cancel
        </Button>
      </FormActions>
    </Stack>
  );
}

async function confirmWithPasskey(): Promise<void> {
  // Loaded here: most visits of the page use no passkey.
  const { signWithPasskey } = await import('#src/shop/accounts/second-factor/web/browser-passkeys.ts');
  const { passkey_options: options } = await call('POST /second-factor/verification-options');
  if (options === null) throw new Error('the passkey was removed');
  await call('POST /second-factor/verify-passkey', { body: { credential: await signWithPasskey(options) } });
}
