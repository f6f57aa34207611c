import { call } from '#src/storefront/call.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { useDocument } from '../../kit/document/use-document.ts';
import type { ReadDocument } from '../../kit/document/use-document.ts';
import { readThreshold } from '../read-threshold.ts';

interface ThresholdFormProps {
  readonly variantId: string;
  /** Null: the shop's. */
  readonly threshold: number | null;
  readonly shopThreshold: number;
}

/** Empty is null. */
function readText({ threshold: text }: { readonly threshold: string }): ReadDocument<{ threshold: number | null }> {
  if (text.trim() === '') return { ok: true, body: { threshold: null } };
  const read = readThreshold(text.trim());
  return read.ok
    ? { ok: true, body: { threshold: read.threshold } }
    : { ok: false, problems: { threshold: read.message } };
}

/** OPS-10: the low-stock threshold of one variant. */
export function ThresholdForm({ variantId, threshold, shopThreshold }: ThresholdFormProps) {
  const { value, set, messageOf, state } = useDocument({
    name: `threshold_${variantId}`,
    what: 'this threshold',
    stored: { version: null, value: { threshold: threshold === null ? '' : String(threshold) } },
    read: readText,
    send: async (body) => {
      await call('PUT /inventory/{variant_id}/threshold', { params: { variant_id: variantId }, body });
      return null;
    },
    saved: 'Threshold saved',
  });
  return (
    <DocumentForm
      document={state}
      isInList
      gap={12}
      actions={<DocumentActions document={state} save="Save threshold" isQuiet />}
    >
      <Field
        label="Low-stock threshold"
        hint={`Empty: the threshold of the shop, ${shopThreshold}.`}
        message={messageOf('threshold')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={value.threshold}
        onChange={(event) => set({ threshold: event.currentTarget.value })}
      />
    </DocumentForm>
  );
}
