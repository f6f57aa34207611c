import { useState } from 'react';
import { formatBtc, formatUsd, formatUsdAmount } from '#src/shop/format-number.ts';
import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import type { LineProblem, LinesToRefund } from '#src/shop/refunds/lines/line-refund.ts';
import { call } from '#src/storefront/call.ts';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { Field } from '#src/ui/field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { ConfirmedAction } from '../../web/confirmed-action.tsx';
import styles from '../../web/actions.module.css';
import { MAX_REASON, readText } from '../../web/form-text.ts';
import { computeChoice, listUnitsFields, readChoice } from './line-choice.ts';
import type { UnitsField } from './line-choice.ts';
import { readSending, SendingFields } from './sending-fields.tsx';

interface LineRefundFormProps {
  readonly orderId: string;
  readonly lines: RefundsOfOrder['lines'];
  readonly address: { readonly address: string; readonly confirmed: boolean };
  readonly forgotten: RefundsOfOrder['may_be_forgotten'];
}

const PROBLEMS: Readonly<Record<LineProblem, string>> = {
  'too-many-units': 'These are more units than are left.',
  'shipping-refunded': 'The shipping is refunded already.',
  'shipping-due': 'Nothing of this order would be left to ship. Select the shipping too.',
};

const NOTHING: LinesToRefund = { units: [], shipping: false };

/** "$999.00 (0.009 BTC)", or what is missing. */
function describeChoice(lines: RefundsOfOrder['lines'], choice: LinesToRefund): string {
  if (choice.units.length === 0 && !choice.shipping) return 'Choose the units to refund.';
  const refund = computeChoice(lines, choice);
  if (!refund.ok) return PROBLEMS[refund.reason];
  if (refund.debitSats === 0n) return 'These units cost nothing, so there is nothing to refund.';
  return `Refund: ${formatUsd(refund.totalCents)} with tax, ${formatBtc(refund.debitSats)} at the bitcoin price of the order.`;
}

/** PAY-13: a refund of units of lines. The order stays paid. */
export function LineRefundForm({ orderId, lines, address, forgotten }: LineRefundFormProps) {
  const fields = listUnitsFields(lines);
  const [choice, setChoice] = useState(NOTHING);
  const update = ({ currentTarget: { form } }: { readonly currentTarget: HTMLInputElement }) =>
    form && setChoice(readChoice(new FormData(form), fields));
  return (
    <div className={styles.refund}>
      <h3>Refund items</h3>
      <ConfirmedAction
        button="Refund items"
        question="Refund these items?"
        renderMeaning={(data) => (
          <Meaning lines={lines} choice={readChoice(data, fields)} fields={fields} address={address} />
        )}
        confirm="Create refund"
        done="Refund created. Sign its transaction to send it"
        onConfirm={async (data) => {
          const { shipping, units } = readChoice(data, fields);
          await call('POST /orders/{id}/refunds', {
            params: { id: orderId },
            body: {
              covers: 'lines',
              lines: {
                units: units.map(({ isShipped, ...one }) => ({ ...one, shipped: isShipped })),
                shipping,
                reason: readText(data, 'reason'),
                restock: readText(data, 'restock') !== '',
              },
              ...readSending(data),
            },
          });
          setChoice(NOTHING);
        }}
      >
        {fields.map(({ isShipped, left, name, title }) => (
          <Field
            key={name}
            label={`${title}, ${isShipped ? 'shipped' : 'not shipped'}`}
            name={name}
            type="number"
            inputMode="numeric"
            min={0}
            max={left}
            defaultValue={0}
            required
            onChange={update}
            hint={isShipped ? `${left} can be refunded.` : `${left} can be refunded. They are not shipped any more.`}
          />
        ))}
        {!lines.shipping.is_refunded && lines.shipping.net_usd + lines.shipping.tax_usd > 0 && (
          <Checkbox name="shipping" value="yes" onChange={update}>
            Refund the shipping, ${formatUsdAmount(lines.shipping.net_usd + lines.shipping.tax_usd)}
          </Checkbox>
        )}
        <Checkbox name="restock" value="yes">
          Put the units back in stock once the refund is confirmed
        </Checkbox>
        <TextArea label="Reason, for staff only" name="reason" rows={2} required maxLength={MAX_REASON} />
        <SendingFields forgotten={forgotten} />
        <output>{describeChoice(lines, choice)}</output>
      </ConfirmedAction>
    </div>
  );
}

interface MeaningProps extends Pick<LineRefundFormProps, 'lines' | 'address'> {
  readonly choice: LinesToRefund;
  readonly fields: readonly UnitsField[];
}

const isChosen =
  (field: UnitsField) =>
  ({ isShipped, position }: LinesToRefund['units'][number]): boolean =>
    field.position === position && field.isShipped === isShipped;

/** Summary of a refund before it is made. */
function Meaning({ lines, choice, fields, address }: MeaningProps) {
  return (
    <>
      <ul>
        {fields.map((field) => {
          const units = choice.units.find(isChosen(field));
          return (
            units && (
              <li key={field.name}>
                {units.quantity} × {field.title}
              </li>
            )
          );
        })}
        {choice.shipping && <li>Shipping</li>}
      </ul>
      <p>{describeChoice(lines, choice)}</p>
      <p>It goes to the address that {address.confirmed ? 'the buyer confirmed' : 'staff entered'}:</p>
      <p>
        <code>{address.address}</code>
      </p>
      <p>Nothing is sent until you sign the transaction in your wallet.</p>
    </>
  );
}
