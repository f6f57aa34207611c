import { subtractBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { call } from '#src/storefront/call.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import type { WholeOrder } from '../contract.ts';
import { describeNotAccepted } from '../state-messages.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { formatBtcAtRate } from '../../refunds/web/decision-amount.ts';
import { MAX_REASON, readText } from '../../kit/form-text.ts';

/** Whether there is something to accept, now or once it is confirmed. */
export const isAcceptable = ({ settling: { amount_btc: amount, refusal } }: WholeOrder): boolean =>
  amount !== null || refusal === 'not-confirmed';

/**
 * OPS-03: accepts the received amount as full payment. Renders nothing if the order is paid or
 * received nothing.
 */
export function AcceptAsPaid({ whole }: { readonly whole: WholeOrder }) {
  const { order, rate_usd: rate, settling, due_btc: due } = whole;
  const { amount_btc: amount } = settling;
  if (!isAcceptable(whole)) return null;
  const waived = amount === null ? 0 : subtractBtc(due, amount);
  return (
    <Section title="Accept as paid" surface="outlined">
      {amount === null ? (
        <p className="muted measure">{describeNotAccepted('not-confirmed')} Then you can accept it as full payment.</p>
      ) : (
        <>
          <p className="muted measure">
            {`Accept ${formatBtcAtRate(amount, rate)} as full payment. `}
            {waived > 0
              ? `${formatBtcAtRate(waived, rate)} is waived. The order is then paid.`
              : 'The order is then paid.'}
          </p>
          <ConfirmedAction
            button="Accept as paid"
            question={`Accept ${order.number} as paid?`}
            meaning={
              <p>
                {`${formatBtcAtRate(amount, rate)} counts as full payment`}
                {waived > 0 ? `, ${formatBtcAtRate(waived, rate)} less than the amount due. ` : '. '}
                The buyer gets the receipt. This can’t be undone.
              </p>
            }
            confirm="Accept as paid"
            done="The order is paid"
            onConfirm={(data) =>
              call('POST /orders/{id}/settle', { params: { id: order.id }, body: { reason: readText(data, 'reason') } })
            }
          >
            <TextArea label="Reason, for staff only" name="reason" rows={2} required maxLength={MAX_REASON} />
          </ConfirmedAction>
        </>
      )}
    </Section>
  );
}
