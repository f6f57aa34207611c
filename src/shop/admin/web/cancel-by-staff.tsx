import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { call } from '#src/storefront/call.ts';
import { TextArea } from '#src/ui/text-area.tsx';
import type { WholeOrder } from '../contract.ts';
import { ConfirmedAction } from './confirmed-action.tsx';
import styles from './actions.module.css';
import { MAX_REASON, readText } from './form-text.ts';

/**
 * OPS-03: cancels an order whose payment was lost in a reorganization. Renders nothing for others.
 */
export function CancelAsUnpayable({ whole }: { readonly whole: WholeOrder }) {
  const { order, can_be_given_up: canBeGivenUp } = whole;
  const part = order.payment.received_btc;
  if (!canBeGivenUp) return null;
  const isTakenBack = order.payment.state === 'reorged_out';
  return (
    <section className={styles.actions} aria-labelledby="give-up-title">
      <h2 id="give-up-title">Cancel the order</h2>
      <p className={styles.muted}>
        {isTakenBack
          ? `${
              part > 0
                ? `${formatExactBtc(part)} BTC of its payment is still confirmed, and nothing is on its way.`
                : 'None of its payment is confirmed or on its way.'
            } If another transaction spent the coins of the rest, it will not return: cancel the order to release its stock.${part > 0 ? ' Then refund the received part.' : ''}`
          : 'The order received only dust, which can’t be refunded. You can cancel it; the accounting export keeps the dust.'}
      </p>
      <ConfirmedAction
        button="Cancel order"
        isDestructive
        question={`Cancel ${order.number}?`}
        meaning={
          <p>
            The order is cancelled, its stock is released, and the buyer gets a mail. If the payment arrives later, you
            can still accept it as paid or refund it.
          </p>
        }
        confirm="Cancel order"
        done="The order was cancelled"
        onConfirm={(data) =>
          call('POST /orders/{id}/give-up', { params: { id: order.id }, body: { reason: readText(data, 'reason') } })
        }
      >
        <TextArea label="Reason, for staff only" name="reason" rows={2} required maxLength={MAX_REASON} />
      </ConfirmedAction>
    </section>
  );
}
