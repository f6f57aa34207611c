import { useState } from 'react';
import { formatNumber } from '#src/shop/format-number.ts';
import type { SerialImport } from '#src/shop/orders/fulfilment/contract.ts';
import { call } from '#src/storefront/call.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { Table } from '#src/ui/display/table.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';

const MAX_FILE_BYTES = 1_000_000;

interface Checked {
  readonly csv: string;
  readonly result: SerialImport;
}

/** The chosen file; an empty one without a name if none is. */
function readFile(form: HTMLFormElement): File {
  const file = new FormData(form).get('csv');
  return file instanceof File ? file : new File([], '');
}

function describeProblem({ name, size }: File): string | null {
  if (name === '') return 'Choose a CSV file.';
  if (size === 0) return 'The file is empty. Choose another one.';
  return size > MAX_FILE_BYTES ? 'The file is larger than 1 MB. Split it and import the parts.' : null;
}

const formatNumbers = (count: number): string => (count === 1 ? '1 number' : `${formatNumber(count)} numbers`);

/** Checks a file of numbers, shows what it would do, and imports it. */
export function SerialImportForm() {
  const isHydrated = useHydrated();
  const [checked, setChecked] = useState<Checked | null>(null);
  const { ref, submit, isBusy, bind, failure } = useCallForm({
    log: 'the serial numbers could not be checked',
    read: readFile,
    check: (file) => ({ csv: describeProblem(file) }),
    send: async (file) => {
      setChecked(null);
      const csv = await file.text();
      setChecked({ csv, result: await call('POST /support/serial-numbers/check', { body: { csv } }) });
    },
  });
  return (
    <Stack>
      <Stack as="form" ref={ref} onSubmit={submit} noValidate>
        <Field
          label="CSV file"
          {...bind('csv')}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          required
          hint="At most 1 MB and 5,000 numbers"
        />
        {failure !== null && (
          <Notice role="alert" tone="bad">
            {failure}
          </Notice>
        )}
        <Button type="submit" variant="secondary" disabled={!isHydrated} isBusy={isBusy}>
          Check the file
        </Button>
        <NeedsScript />
      </Stack>
      {checked !== null && <ImportResult key={checked.csv} checked={checked} onDone={() => setChecked(null)} />}
    </Stack>
  );
}

function ImportResult({
  checked: { csv, result },
  onDone,
}: {
  readonly checked: Checked;
  readonly onDone: () => void;
}) {
  const { added, orders, problem_count: problemCount, unchanged } = result;
  const { failed, isBusy, run } = useCallAction({
    log: 'the serial numbers were not imported',
    describe: describeFailure,
  });
  const apply = () =>
    run(async () => {
      const imported = await call('POST /support/serial-numbers/import', { body: { csv } });
      showToast('success', `${formatNumbers(imported.added)} imported`);
      onDone();
    });
  return (
    <Stack as="section" aria-label="Result of the check">
      <output>
        {problemCount > 0
          ? `${problemCount === 1 ? '1 line has a problem' : `${formatNumber(problemCount)} lines have a problem`}. Nothing can be imported until the file is right.`
          : `${formatNumbers(added)} for ${orders === 1 ? '1 order' : `${formatNumber(orders)} orders`} to import.${unchanged === 0 ? '' : ` ${formatNumbers(unchanged)} recorded already.`}`}
      </output>
      {problemCount > 0 && <Problems result={result} />}
      {failed !== null && (
        <Notice role="alert" tone="bad">
          {failed}
        </Notice>
      )}
      {problemCount === 0 && added > 0 && (
        <Button onClick={() => void apply()} isBusy={isBusy}>
          Import {formatNumbers(added)}
        </Button>
      )}
    </Stack>
  );
}

const Problems = ({ result: { problem_count: total, problems } }: { readonly result: SerialImport }) => (
  <Stack gap={8}>
    <Table label="Problems" className="small">
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Problem</th>
        </tr>
      </thead>
      <tbody>
        {problems.map(({ line, message }) => (
          <tr key={line}>
            <td>{line}</td>
            <td className="wrap-anywhere">{message}.</td>
          </tr>
        ))}
      </tbody>
    </Table>
    {total > problems.length && <p className="muted small">And {formatNumber(total - problems.length)} more.</p>}
  </Stack>
);
