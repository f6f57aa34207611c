import type { PaidOrderMailSettings } from '#src/shop/orders/desk/contract.ts';
import { paidOrderMailModes } from '#src/shop/orders/desk/paid-order-mail-mode.ts';
import { call } from '#src/storefront/call.ts';
import { Select } from '#src/ui/field.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readText } from '../../kit/form-text.ts';

const MODES: Readonly<Record<PaidOrderMailSettings['mode'], string>> = {
  each: 'For each paid order',
  hourly: 'Once an hour',
  never: 'Never',
};

/** OPS-13: when staff get mails about paid orders. For owners. */
export function PaidOrderMails({ settings: { mode, version } }: { readonly settings: PaidOrderMailSettings }) {
  return (
    <details>
      <summary className="link">Mails about paid orders</summary>
      <ConfirmedAction
        key={version}
        button="Save"
        question="Change the mails about paid orders?"
        meaning={<p>They go to the support address of the settings. Without one, nobody gets them.</p>}
        confirm="Save"
        done="Setting saved"
        onConfirm={(data) => {
          const chosen = paidOrderMailModes.find((one) => one === readText(data, 'mode')) ?? mode;
          return call('PUT /support/paid-order-mails', { body: { mode: chosen, version } });
        }}
      >
        <Select label="Staff get a mail" name="mode" defaultValue={mode}>
          {paidOrderMailModes.map((one) => (
            <option key={one} value={one}>
              {MODES[one]}
            </option>
          ))}
        </Select>
      </ConfirmedAction>
    </details>
  );
}
