import { call } from '#src/storefront/call.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import type { WholeOrder } from '../contract.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { formatBtcAtRate } from '../../refunds/web/decision-amount.ts';
import { MAX_REASON, readText } from '../../kit/form-text.ts';

/** PAY-14: closes a shipped but unpaid order, or one refunded without cover, as a loss. */
export function CloseAsLoss({ whole }: { readonly whole: WholeOrder }) {
  const { order, can_be_closed_as_loss: canBeClosed, lost_btc: lost, outputs } = whole;
  if (!canBeClosed) return null;
  const isRefund = order.payment.loss === 'refund_lost' || order.payment.loss === 'refund_uncovered';
  const isForGood = outputs.some((output) => output.is_lost_for_good);
  const amount = lost > 0 ? formatBtcAtRate(lost, whole.rate_usd) : 'The missing amount';
  return (
    <Section title="Close as a loss" surface="outlined">
      <p className="muted measure">
        {isRefund ? 'More was refunded than is confirmed. ' : 'The order was shipped and is not paid. '}
        {isForGood
          ? 'A confirmed transaction spent the coins of its payment, which will not return.'
          : 'No payment is on its way. The buyer may still pay.'}
      </p>
      <ConfirmedAction
        button="Close as a loss"
        isDestructive
        question={`Close ${order.number} as a loss?`}
        meaning={
          <p>
            {amount} appears in the accounting export as a loss.{' '}
            {isRefund
              ? 'The buyer gets no mail. If the payment is confirmed again, the loss is reversed automatically.'
              : 'The buyer gets a mail. If the order is paid after all, the loss is reversed automatically.'}
          </p>
        }
        confirm="Close as a loss"
        done="The order was closed as a loss"
        onConfirm={(data) =>
          call('POST /orders/{id}/close-as-loss', {
            params: { id: order.id },
            body: { reason: readText(data, 'reason') },
          })
        }
      >
        <TextArea label="Reason, for staff only" name="reason" rows={2} required maxLength={MAX_REASON} />
      </ConfirmedAction>
    </Section>
  );
}
