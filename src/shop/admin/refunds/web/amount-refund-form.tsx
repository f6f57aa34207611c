import { useState } from 'react';
import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { AmountField, readAmount } from '#src/storefront/forms/amount-field.tsx';
import { call } from '#src/storefront/call.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { WalletAddress } from '#src/shop/payments/web/wallet-address.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import styles from '../../kit/part.module.css';
import { MAX_REASON, readText } from '../../kit/form-text.ts';
import { computeAmount } from './line-choice.ts';
import { describeReturn, toCents } from './return-text.ts';
import { readSending, SendingFields } from './sending-fields.tsx';

type Refunds = Pick<RefundsOfOrder, 'lines' | 'returns'>;

/** What a refund of these dollars returns, or what is wrong with them. */
export function describeAmount({ lines, returns }: Refunds, usd: number): string {
  if (!(usd > 0)) return `Enter an amount up to $${formatUsdAmount(lines.left_usd)}.`;
  const refund = computeAmount(lines, usd);
  return refund.ok
    ? describeReturn({ value: toCents(usd), debit: refund.debitSats }, returns)
    : `This is more than the $${formatUsdAmount(lines.left_usd)} that are left.`;
}

interface DollarsFieldProps {
  readonly lines: RefundsOfOrder['lines'];
  readonly onChange: (usd: number) => void;
}

const USD = { decimals: 2 } as const;

/** Dollars of a paid order. */
export const DollarsField = ({ lines, onChange }: DollarsFieldProps) => (
  <AmountField
    label="Amount in US dollars, with tax"
    name="usd"
    rules={USD}
    minimum={0.01}
    maximum={lines.left_usd}
    problem={`Enter an amount up to $${formatUsdAmount(lines.left_usd)}`}
    required
    onAmount={(usd) => onChange(usd ?? 0)}
    hint={`$${formatUsdAmount(lines.left_usd)} of $${formatUsdAmount(lines.paid_usd)} can be refunded.`}
  />
);

/** The dollars of a `DollarsField`; null if it is empty. */
export const readDollars = (data: FormData): number | null => readAmount(data, 'usd', USD);

interface AmountRefundFormProps extends Refunds {
  readonly orderId: string;
  readonly address: { readonly address: string; readonly confirmed: boolean };
  readonly forgotten: RefundsOfOrder['may_be_forgotten'];
}

/** PAY-17: a refund of an amount, such as for damage. The order stays paid. */
export function AmountRefundForm({ orderId, lines, returns, address, forgotten }: AmountRefundFormProps) {
  const [usd, setUsd] = useState(0);
  return (
    <Section title="Refund an amount" level={3} size={16} className={styles.part}>
      <ConfirmedAction
        button="Refund amount"
        question="Refund this amount?"
        renderMeaning={(data) => (
          <>
            <p>{describeAmount({ lines, returns }, readDollars(data) ?? 0)}</p>
            <p>It goes to the address that {address.confirmed ? 'the buyer confirmed' : 'staff entered'}:</p>
            <p>
              <WalletAddress address={address.address} />
            </p>
            <p>The buyer gets a credit note of this amount. Nothing is sent until you sign the transaction.</p>
          </>
        )}
        confirm="Create refund"
        done="Refund created. Sign its transaction to send it"
        onConfirm={async (data) => {
          await call('POST /orders/{id}/refunds', {
            params: { id: orderId },
            body: {
              covers: 'amount',
              amount: { usd: readDollars(data) ?? 0, reason: readText(data, 'amount_reason') },
              ...readSending(data),
            },
          });
          setUsd(0);
        }}
      >
        <DollarsField lines={lines} onChange={setUsd} />
        <TextArea label="Reason, for staff only" name="amount_reason" rows={2} required maxLength={MAX_REASON} />
        <SendingFields forgotten={forgotten} />
        <output>{describeAmount({ lines, returns }, usd)}</output>
      </ConfirmedAction>
    </Section>
  );
}
