import type { RepeatableMail } from '#src/shop/orders/desk/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Select } from '#src/ui/fields/field.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readText } from '../../kit/form-text.ts';

const NAMES: Readonly<Record<RepeatableMail['mail'], string>> = {
  made: 'Payment request',
  underpaid: 'Request for the rest of the payment',
  paid: 'Receipt',
  'partly-shipped': 'Shipment',
  shipped: 'Shipment',
};

const toName = ({ mail, shipment }: RepeatableMail): string =>
  shipment === null ? NAMES[mail] : `${NAMES[mail]} of parcel ${shipment}`;
const toValue = ({ mail, shipment }: RepeatableMail): string => `${mail} ${shipment ?? ''}`.trim();

export interface RepeatMailProps {
  readonly orderId: string;
  readonly mails: readonly RepeatableMail[];
  /** How many may be sent again this hour. */
  readonly left: number;
}

/** OPS-13: sends a mail again whose content is true now. Nothing without one. */
export function RepeatMail({ orderId, mails, left }: RepeatMailProps) {
  if (mails.length === 0) return null;
  return (
    <Section title="Mails" surface="outlined">
      {left === 0 ? (
        <p className="muted measure">
          Three mails were sent again within an hour. You can send the next one once an hour has passed.
        </p>
      ) : (
        <ConfirmedAction<unknown>
          button="Send again"
          question="Send this mail again?"
          meaning={<p>The buyer gets it once more, with the present state of the order.</p>}
          confirm="Send again"
          done="Mail is being sent"
          onConfirm={(data) => {
            const mail = mails.find((one) => toValue(one) === readText(data, 'mail'));
            return mail === undefined
              ? Promise.resolve()
              : call('POST /orders/{id}/mails', { params: { id: orderId }, body: mail });
          }}
        >
          <Select label="Mail" name="mail">
            {mails.map((mail) => (
              <option key={toValue(mail)} value={toValue(mail)}>
                {toName(mail)}
              </option>
            ))}
          </Select>
        </ConfirmedAction>
      )}
    </Section>
  );
}
