import type { PaidOrderMailSettings } from '#src/shop/orders/desk/contract.ts';
import { paidOrderMailModes } from '#src/shop/orders/desk/paid-order-mail-mode.ts';
import { call } from '#src/storefront/call.ts';
import { Select } from '#src/ui/fields/field.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { readAsIs, useDocument } from '../../kit/document/use-document.ts';

const MODES: Readonly<Record<PaidOrderMailSettings['mode'], string>> = {
  each: 'For each paid order',
  hourly: 'Once an hour',
  never: 'Never',
};

const toStored = ({ version, mode }: PaidOrderMailSettings) => ({ version, value: { mode } });

/** OPS-13: when staff get mails about paid orders. For owners. */
export function PaidOrderMails({ settings }: { readonly settings: PaidOrderMailSettings }) {
  const { value, set, state } = useDocument({
    name: 'paid_order_mails',
    what: 'this setting',
    stored: toStored(settings),
    read: readAsIs<Pick<PaidOrderMailSettings, 'mode'>>,
    send: async (body, { version }) =>
      toStored(await call('PUT /support/paid-order-mails', { body: { ...body, version } })),
    saved: 'Setting saved',
  });
  return (
    <details>
      <summary className="link">Mails about paid orders</summary>
      <DocumentForm document={state} isInList actions={<DocumentActions document={state} save="Save" isQuiet />}>
        <Select
          label="Staff get a mail"
          hint="Mails go to the support address of the settings. Without one, nobody gets them."
          value={value.mode}
          onChange={({ currentTarget }) =>
            set({ mode: paidOrderMailModes.find((one) => one === currentTarget.value) ?? value.mode })
          }
        >
          {paidOrderMailModes.map((one) => (
            <option key={one} value={one}>
              {MODES[one]}
            </option>
          ))}
        </Select>
      </DocumentForm>
    </details>
  );
}
