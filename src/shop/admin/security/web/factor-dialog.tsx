import { useEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call, setFactorPrompt } from '#src/storefront/call.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Field } from '#src/ui/field.tsx';
import { Stack } from '#src/ui/stack.ts';
import { FormActions } from '#src/ui/form-actions.tsx';
import { logError } from '#src/ui/log-error.ts';
import { readText } from '../../kit/form-text.ts';

interface FactorDialogProps {
  readonly hasApp: boolean;
  readonly hasPasskey: boolean;
}

/** OPS-17: asks for the second factor when a change needs one. The change is then made again. */
export function FactorDialog(props: FactorDialogProps) {
  const [isOpen, setIsOpen] = useState(false);
  /** Concurrent calls share one question. */
  const question = useRef<PromiseWithResolvers<boolean> | null>(null);

  const answer = (isConfirmed: boolean): void => {
    question.current?.resolve(isConfirmed);
    question.current = null;
    setIsOpen(false);
  };
  useEffect(() => {
    setFactorPrompt(() => {
      question.current ??= Promise.withResolvers<boolean>();
      setIsOpen(true);
      return question.current.promise;
    });
    return () => {
      setFactorPrompt(null);
      question.current?.resolve(false);
      question.current = null;
    };
  }, []);

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

function FactorForm({ hasApp, hasPasskey, onDone, onCancel }: FactorFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<{ readonly of: 'code' | 'passkey'; readonly text: string } | null>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('button, input')?.focus(), []);

  const confirm = async (of: 'code' | 'passkey', send: () => Promise<unknown>): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(null);
    try {
      await send();
      onDone();
    } catch (error) {
      if (!isRefusal(error)) logError('Confirming the second factor failed', error);
      const refusal = isRefusal(error) ? `${error.message}.` : 'Try again.';
      setFailure({ of, text: describeOutage(error) ?? refusal });
      setIsBusy(false);
    }
  };
  const enterCode = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const code = readText(new FormData(event.currentTarget), 'code');
    void confirm('code', () => call('POST /second-factor/verify', { body: { code } }));
  };

  return (
    <Stack as="form" ref={form} onSubmit={enterCode} noValidate>
      <p>Changes of second factors need one that you have at hand.</p>
      {hasPasskey && (
        <>
          <Button isBusy={isBusy} onClick={() => void confirm('passkey', confirmWithPasskey)}>
            Use a passkey
          </Button>
          {failure?.of === 'passkey' && (
            <p role="alert" className="danger">
              {failure.text}
            </p>
          )}
        </>
      )}
      <Field
        label={hasApp ? 'Code of the app' : 'Recovery code'}
        name="code"
        hint={`${hasApp ? 'Or a recovery code: the' : 'The'} change then takes effect after 24 hours. You get a mail with which you can cancel it.`}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={64}
        required
        message={failure?.of === 'code' ? failure.text : null}
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
