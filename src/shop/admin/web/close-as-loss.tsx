import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { call } from '#src/storefront/call.ts';
import { TextArea } from '#src/ui/text-area.tsx';
import type { WholeOrder } from '../contract.ts';
import { ConfirmedAction } from './confirmed-action.tsx';
import styles from './actions.module.css';
import { MAX_REASON, readText } from './form-text.ts';

/** PAY-14: an order that was sent and is not paid, or was refunded without cover, is closed as a loss. */
export function CloseAsLoss({ whole }: { readonly whole: WholeOrder }) {
  const { order, can_be_closed_as_loss: canBeClosed, lost_btc: lost, outputs } = whole;
  if (!canBeClosed) return null;
  const isRefund = order.payment.loss === 'refund_lost' || order.payment.loss === 'refund_uncovered';
  const isForGood = outputs.some((output) => output.is_lost_for_good);
  const amount = lost > 0 ? `${formatExactBtc(lost)} BTC` : 'What is missing';
  return (
    <section className={styles.deeds} aria-labelledby="close-title">
      <h2 id="close-title">Close as a loss</h2>
      <p className={styles.muted}>
        {isRefund ? 'More was sent back than is confirmed. ' : 'The order was sent, and is not paid. '}
        {isForGood
          ? 'Its coins were spent by another transaction, which is confirmed: that payment will not return.'
          : 'Nothing is on its way. It may still be paid, or paid again.'}
      </p>
      <ConfirmedAction
        button="Close as a loss"
        isDestructive
        question={`Close ${order.number} as a loss?`}
        meaning={
          <p>
            {amount} {lost > 0 ? 'stand' : 'stands'} in the accounting export as a loss.{' '}
            {isRefund
              ? 'The buyer gets no mail. If the payment is confirmed again, the loss is taken back by itself.'
              : 'The buyer gets a mail. If the order is paid after all, the loss is taken back by itself.'}
          </p>
        }
        confirm="Yes, close it"
        done="The order is closed as a loss"
        onConfirm={(data) =>
          call('POST /orders/{id}/close-as-loss', {
            params: { id: order.id },
            body: { reason: readText(data, 'reason') },
          })
        }
      >
        <TextArea label="Reason, for staff only" name="reason" rows={2} required maxLength={MAX_REASON} />
      </ConfirmedAction>
    </section>
  );
}
