import { PasswordField } from '#src/shop/accounts/web/password-field.tsx';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Columns } from '#src/ui/layout/columns.ts';
import { FormActions } from '#src/ui/layout/form-actions.tsx';
import { readField } from '#src/ui/form/read-field.ts';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';

/** As the contract has it, which browsers do not load. */
const MIN_PASSPHRASE = 12;
const MAX_PASSPHRASE = 200;
/** A large database over a slow line. */
const TIMEOUT_MS = 3_600_000;

interface Passphrases {
  readonly passphrase: string;
  readonly repeated: string;
}

/** Makes a backup and downloads it. */
export function BackupForm() {
  const isHydrated = useHydrated();
  const { ref, submit, isBusy, failure, bind } = useCallForm<Passphrases>({
    log: 'the backup was not downloaded',
    read: (form) => {
      const data = new FormData(form);
      return { passphrase: readField(data, 'passphrase'), repeated: readField(data, 'repeated') };
    },
    check: ({ passphrase, repeated }) => ({
      passphrase:
        passphrase.trim().length < MIN_PASSPHRASE ? `The passphrase needs at least ${MIN_PASSPHRASE} characters` : null,
      repeated: repeated === passphrase ? null : 'Both passphrases must be the same',
    }),
    send: async ({ passphrase }) => {
      const { downloadFile } = await import('#src/storefront/download-file.ts');
      await downloadFile('/exports/backup', { body: { passphrase }, timeoutMs: TIMEOUT_MS });
      ref.current?.reset();
    },
    saved: 'The backup was downloaded',
  });
  return (
    <Stack as="form" ref={ref} onSubmit={submit} noValidate aria-label="Download a backup">
      <Columns width={18}>
        <PasswordField
          label="Passphrase"
          {...bind('passphrase')}
          autoComplete="new-password"
          maxLength={MAX_PASSPHRASE}
          hint={`At least ${MIN_PASSPHRASE} characters. Store it apart from the file: nobody can read the backup without it.`}
        />
        <PasswordField
          label="Passphrase again"
          {...bind('repeated')}
          autoComplete="new-password"
          maxLength={MAX_PASSPHRASE}
        />
      </Columns>
      {failure !== null && (
        <Notice role="alert" tone="bad">
          {failure}
        </Notice>
      )}
      <FormActions state={isBusy ? 'The backup is being made. Keep this page open.' : ''}>
        <Button type="submit" disabled={!isHydrated} isBusy={isBusy}>
          Download backup
        </Button>
      </FormActions>
      <NeedsScript />
    </Stack>
  );
}
