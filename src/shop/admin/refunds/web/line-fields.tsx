import { formatUsdAmount } from '#src/shop/format-number.ts';
import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import type { LineProblem, LinesToRefund } from '#src/shop/refunds/lines/line-refund.ts';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { MAX_REASON, readText } from '../../kit/form-text.ts';
import { computeChoice, readChoice } from './line-choice.ts';
import type { UnitsField } from './line-choice.ts';
import { describeReturn } from './return-text.ts';

const PROBLEMS: Readonly<Record<LineProblem, string>> = {
  'too-many-units': 'These are more units than are left.',
  'shipping-refunded': 'The shipping is refunded already.',
  'shipping-due': 'Nothing of this order would be left to ship. Select the shipping too.',
  'deduction-too-large': 'A deduction is more than the units cost.',
};

export const NOTHING: LinesToRefund = { units: [], shipping: false };

type Refunds = Pick<RefundsOfOrder, 'lines' | 'returns'>;

/** What a refund of the chosen units returns, or what is missing. */
export function describeChoice({ lines, returns }: Refunds, choice: LinesToRefund): string {
  if (choice.units.length === 0 && !choice.shipping) return 'Choose the units to refund.';
  const refund = computeChoice(lines, choice);
  if (!refund.ok) return PROBLEMS[refund.reason];
  if (refund.debitSats === 0n) return 'These units cost nothing, so there is nothing to refund.';
  return describeReturn({ value: refund.totalCents, debit: refund.debitSats }, returns);
}

/** What `LineFields` sends with a refund of lines. */
export function readLines(data: FormData, fields: readonly UnitsField[]) {
  const { shipping, units } = readChoice(data, fields);
  return {
    units: units.map(({ isShipped, ...one }) => ({ ...one, shipped: isShipped })),
    shipping,
    reason: readText(data, 'lines_reason'),
    restock: readText(data, 'restock') !== '',
  };
}

interface LineFieldsProps {
  readonly lines: RefundsOfOrder['lines'];
  readonly fields: readonly UnitsField[];
  /** Called with what is chosen so far. */
  readonly onChoose: (choice: LinesToRefund) => void;
}

/** Units of lines to refund, the shipping, and why. */
export function LineFields({ lines, fields, onChoose }: LineFieldsProps) {
  const update = ({ currentTarget: { form } }: { readonly currentTarget: HTMLInputElement }) =>
    form && onChoose(readChoice(new FormData(form), fields));
  return (
    <>
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
          hint={
            isShipped
              ? `${left} can be refunded.`
              : `${left} can be refunded. ${left === 1 ? 'It is' : 'They are'} not shipped any more.`
          }
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
      <TextArea label="Reason, for staff only" name="lines_reason" rows={2} required maxLength={MAX_REASON} />
    </>
  );
}

interface ChosenLinesProps extends Refunds {
  readonly choice: LinesToRefund;
  readonly fields: readonly UnitsField[];
}

const isChosen =
  (field: UnitsField) =>
  ({ isShipped, position }: LinesToRefund['units'][number]): boolean =>
    field.position === position && field.isShipped === isShipped;

/** The chosen units with their amount. */
export function ChosenLines({ lines, returns, choice, fields }: ChosenLinesProps) {
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
      <p>{describeChoice({ lines, returns }, choice)}</p>
    </>
  );
}
