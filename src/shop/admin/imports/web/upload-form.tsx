import { useNavigate } from 'react-router';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import styles from './import-page.module.css';
import { uploadFile } from './transfer-file.ts';

const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** The chosen file; an empty one without a name if none is. */
function readFile(form: HTMLFormElement): File {
  const file = new FormData(form).get('file');
  return file instanceof File ? file : new File([], '');
}

function describeProblem({ name, size }: File): string | null {
  if (name === '') return 'Choose a CSV file.';
  if (size === 0) return 'The file is empty. Choose another one.';
  return size > MAX_FILE_BYTES ? 'The file is larger than 20 MB. Split it and import the parts.' : null;
}

/** Uploads a file and opens its check. */
export function UploadForm() {
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const { ref, submit, isBusy, bind } = useCallForm({
    log: 'the file could not be uploaded',
    read: readFile,
    check: (file) => ({ file: describeProblem(file) }),
    send: async (file) => navigate(`/admin/import/${await uploadFile(file)}`),
    describe: (error) => ({ text: null, problems: { file: describeFailure(error) } }),
  });

  return (
    <Stack as="form" ref={ref} onSubmit={submit} noValidate>
      <Field
        label="CSV file"
        {...bind('file')}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        required
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
