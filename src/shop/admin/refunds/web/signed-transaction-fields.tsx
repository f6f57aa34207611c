import type { ChangeEvent } from 'react';
import { useState } from 'react';
import { logError } from '#src/ui/browser/log-error.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { MAX_SIGNED_FILE_BYTES, toSignedText } from './read-signed-file.ts';

/** The signed transaction, pasted or from a file that the wallet saved. The file stays in the browser. */
export function SignedTransactionFields() {
  const [signed, setSigned] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const readFile = async ({ currentTarget }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = currentTarget.files ?? [];
    if (file === undefined) return;
    setProblem(null);
    if (file.size > MAX_SIGNED_FILE_BYTES) {
      setProblem('This file is too large for a signed transaction.');
      return;
    }
    try {
      setSigned(toSignedText(new Uint8Array(await file.arrayBuffer())));
    } catch (error) {
      logError('the signed transaction was not read', error);
      setProblem('The file could not be read. Choose it again.');
    }
  };
  return (
    <>
      <Field
        label="File of the signed transaction"
        type="file"
        accept=".psbt,.txn,.tx,.txt"
        message={problem}
        onChange={(event) => void readFile(event)}
      />
      <TextArea
        label="Signed PSBT"
        name="psbt"
        rows={4}
        required
        spellCheck={false}
        autoComplete="off"
        hint="Or the finished transaction in hex."
        value={signed}
        onChange={(event) => setSigned(event.currentTarget.value)}
      />
    </>
  );
}
