import { call } from '#src/storefront/call.ts';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { useDocument } from '../../kit/document/use-document.ts';
import type { LowStockForm } from '#src/shop/inventory/stock-list/contract.ts';
import { readThreshold } from '../read-threshold.ts';

const toStored = ({ version, threshold, is_mailed: isMailed }: LowStockForm) => ({
  version,
  value: { threshold: String(threshold), isMailed },
});

/** OPS-10: the low-stock threshold of the shop, and its daily mail. */
export function LowStockSettings({ settings }: { readonly settings: LowStockForm }) {
  const { value, set, messageOf, state } = useDocument({
    name: 'low_stock',
    what: 'these settings',
    stored: toStored(settings),
    read: ({ threshold: text, isMailed }) => {
      const read = readThreshold(text.trim());
      return read.ok
        ? { ok: true, body: { threshold: read.threshold, is_mailed: isMailed } }
        : { ok: false, problems: { threshold: read.message } };
    },
    send: async (body, { version }) => toStored(await call('PUT /low-stock', { body: { ...body, version } })),
    saved: 'Settings saved',
  });
  return (
    <DocumentForm
      document={state}
      isInList
      gap={12}
      actions={<DocumentActions document={state} save="Save settings" isQuiet />}
    >
      <Field
        label="Low-stock threshold of the shop"
        hint="A variant with this many available units or fewer is low. A variant can have its own."
        message={messageOf('threshold')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={value.threshold}
        onChange={(event) => set({ threshold: event.currentTarget.value })}
      />
      <Checkbox checked={value.isMailed} onChange={(event) => set({ isMailed: event.currentTarget.checked })}>
        Mail what is newly low or sold out to the support address, at most once a day
      </Checkbox>
    </DocumentForm>
  );
}
