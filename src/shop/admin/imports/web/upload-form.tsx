import type { SubmitEvent } from 'react';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { isRefusal } from '#src/storefront/api.ts';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { logError } from '#src/ui/log-error.ts';
import { NeedsScript } from '#src/ui/needs-script.tsx';
import { Stack } from '#src/ui/stack.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import styles from './import-page.module.css';
import { uploadFile } from './transfer-file.ts';

const MAX_FILE_BYTES = 20 * 1024 * 1024;

function describeProblem(file: File | undefined): string | null {
  if (file === undefined) return 'Choose a CSV file.';
  if (file.size === 0) return 'The file is empty. Choose another one.';
  return file.size > MAX_FILE_BYTES ? 'The file is larger than 20 MB. Split it and import the parts.' : null;
}

/** Uploads a file and opens its check. */
export function UploadForm() {
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const [message, setMessage] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  const findInput = () => form.current?.querySelector<HTMLInputElement>('input[type="file"]');
  const refuse = (text: string) => {
    setMessage(text);
    findInput()?.focus();
  };
  const upload = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const file = findInput()?.files?.[0];
    const problem = describeProblem(file);
    if (problem !== null || file === undefined) return refuse(problem ?? '');
    setMessage(null);
    setIsBusy(true);
    try {
      await navigate(`/admin/import/${await uploadFile(file)}`);
    } catch (error) {
      setIsBusy(false);
      if (!isRefusal(error)) logError('the file could not be uploaded', error);
      refuse(describeFailure(error));
    }
  };

  return (
    <Stack as="form" ref={form} onSubmit={(event) => void upload(event)} noValidate>
      <Field
        label="CSV file"
        name="file"
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        required
        message={message}
        hint="At most 20 MB and 150,000 lines"
        className={styles.fileField ?? ''}
      />
      <Button type="submit" variant="primary" disabled={!isHydrated} isBusy={isBusy}>
        {isBusy ? 'Uploading' : 'Upload and check'}
      </Button>
      <NeedsScript />
    </Stack>
  );
}
