import { MAX_ADDRESS_CHARACTERS } from '#src/shop/refunds/typed-address.ts';
import { useState } from 'react';
import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import type { RefundProblem } from '#src/shop/refunds/refundable.ts';
import { call } from '#src/storefront/call.ts';
import { BtcField, readBtc } from '#src/storefront/forms/btc-field.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import styles from '../../kit/part.module.css';
import { formatBtcAtRate } from './decision-amount.ts';
import { readText } from '../../kit/form-text.ts';
import { describeAmount, DollarsField, readDollars } from './amount-refund-form.tsx';
import { listUnitsFields, readChoice } from './line-choice.ts';
import type { UnitsField } from './line-choice.ts';
import { ChosenLines, describeChoice, LineFields, NOTHING, readLines } from './line-fields.tsx';
import { Reason } from './reason.tsx';

interface RecordElsewhereProps {
  readonly orderId: string;
  /** BTC. */
  readonly amounts: Readonly<Record<'surplus' | 'whole', number>>;
  readonly lines: RefundsOfOrder['lines'];
  readonly returns: RefundsOfOrder['returns'];
}

const COVERS = { surplus: 'Overpayment', whole: 'Full payment', lines: 'Items', amount: 'An amount' } as const;
type Covers = keyof typeof COVERS;

/** The record names an address itself. */
const WITHOUT_ADDRESS: ReadonlySet<RefundProblem> = new Set(['no-address', 'address-not-confirmed', 'address-waits']);

/** What the form sends. */
function readRecord(data: FormData, covers: Covers, fields: readonly UnitsField[]) {
  const [amount, fee] = [readBtc(data, 'amount'), readBtc(data, 'fee')];
  return {
    covers,
    ...(covers === 'lines' ? { lines: readLines(data, fields) } : {}),
    txid: readText(data, 'txid').toLowerCase(),
    address: readText(data, 'address'),
    reason: readText(data, 'reason'),
    ...(covers === 'amount' ? { amount_usd: readDollars(data) ?? 0 } : {}),
    ...(amount === null ? {} : { amount_btc: amount }),
    ...(fee === null ? {} : { fee_btc: fee }),
  };
}

/** OPS-25: records a refund that was sent without a refund made in the shop. */
export function RecordElsewhere({ orderId, amounts, lines, returns }: RecordElsewhereProps) {
  const fields = listUnitsFields(lines);
  const isOfLines = (lines.refused === null || WITHOUT_ADDRESS.has(lines.refused)) && fields.length > 0;
  const isOfAmount = lines.amount_refused === null || WITHOUT_ADDRESS.has(lines.amount_refused);
  const possible: readonly Covers[] = [
    ...(['surplus', 'whole'] as const).filter((covers) => amounts[covers] > 0),
    ...(isOfLines ? (['lines'] as const) : []),
    ...(isOfAmount ? (['amount'] as const) : []),
  ];
  const [chosen, setChosen] = useState<Covers | null>(null);
  const [choice, setChoice] = useState(NOTHING);
  const [usd, setUsd] = useState(0);
  const [hasFee, setHasFee] = useState(false);
  const toCovers = (name: string | null): Covers => possible.find((one) => one === name) ?? possible[0] ?? 'surplus';
  const covers = toCovers(chosen);
  return (
    <Section title="Record a refund that was sent elsewhere" level={3} size={16} className={styles.part}>
      <ConfirmedAction
        button="Record refund"
        question="Record this refund?"
        renderMeaning={(data) => (
          <>
            <ArrivedAmount amount={readBtc(data, 'amount')} rate={returns.rate_usd} />
            {covers === 'lines' && (
              <ChosenLines lines={lines} returns={returns} choice={readChoice(data, fields)} fields={fields} />
            )}
            <p>
              {COVERS[covers]} {covers === 'lines' ? 'count' : 'counts'} as refunded without a check on the network. The
              buyer gets a mail with the transaction.
            </p>
          </>
        )}
        confirm="Record refund"
        done="The refund was recorded"
        onConfirm={async (data) => {
          await call('POST /orders/{id}/refunds/elsewhere', {
            params: { id: orderId },
            body: readRecord(data, covers, fields),
          });
          setChosen(null);
          setChoice(NOTHING);
          setHasFee(false);
        }}
      >
        <Select
          label="Covers"
          name="covers"
          value={covers}
          onChange={({ currentTarget }) => {
            setChosen(toCovers(currentTarget.value));
            setChoice(NOTHING);
          }}
        >
          {possible.map((one) => (
            <option key={one} value={one}>
              {one === 'lines' || one === 'amount'
                ? COVERS[one]
                : `${COVERS[one]}: ${formatBtcAtRate(amounts[one], returns.rate_usd)}`}
            </option>
          ))}
        </Select>
        {covers === 'lines' && (
          <>
            <LineFields lines={lines} fields={fields} onChoose={setChoice} />
            <output>{describeChoice({ lines, returns }, choice)}</output>
          </>
        )}
        {covers === 'amount' && (
          <>
            <DollarsField lines={lines} onChange={setUsd} />
            <output>{describeAmount({ lines, returns }, usd)}</output>
          </>
        )}
        <SentFields hasFee={hasFee} onFee={setHasFee} />
        <Reason to="record it" />
      </ConfirmedAction>
    </Section>
  );
}

/** The amount as it was read. */
const ArrivedAmount = ({ amount, rate }: { readonly amount: number | null; readonly rate: number | null }) =>
  amount === null ? null : <p>{formatBtcAtRate(amount, rate)} arrived.</p>;

/** The transaction that was sent. */
function SentFields({ hasFee, onFee }: { readonly hasFee: boolean; readonly onFee: (hasFee: boolean) => void }) {
  return (
    <>
      <Field
        label="Transaction id"
        name="txid"
        required
        pattern="\s*[0-9a-fA-F]{64}\s*"
        title="Enter 64 characters, 0 to 9 and a to f"
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        label="Sent to"
        name="address"
        required
        maxLength={MAX_ADDRESS_CHARACTERS}
        autoComplete="off"
        spellCheck={false}
      />
      <BtcField
        label={`Amount that arrived in BTC${hasFee ? '' : ' (optional)'}`}
        name="amount"
        minimum={0.000_000_01}
        required={hasFee}
        hint="Leave empty if it is what the refund returns now."
      />
      <BtcField
        label="Network fee taken off it in BTC (optional)"
        name="fee"
        onAmount={(fee) => onFee(fee !== null)}
        hint="If the fee was deducted from the refund. Then enter the amount that arrived too."
      />
    </>
  );
}
