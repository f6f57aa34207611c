import { isDust } from '#src/shop/orders/status/payment-messages.ts';
import { isReorgedState } from '#src/shop/payments/ledger/payment-state.ts';
import { call } from '#src/storefront/call.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import type { WholeOrder } from '../contract.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { formatBtcAtRate } from '../../refunds/web/decision-amount.ts';
import { MAX_REASON, readText } from '../../kit/form-text.ts';

/** What the order is, and why staff may cancel it. */
function describeOrder({ order, rate_usd: rate }: WholeOrder): string {
  const { payment, payment_status: status } = order;
  const part = payment.received_btc;
  if (status === 'paid')
    return 'Nothing was due for this order. If you cancel it, its items and its promo code are available again.';
  if (status === 'expired' && !isDust(part))
    return `The order expired, and ${formatBtcAtRate(part, rate)} arrived for it. If you cancel it, its buyer can’t get a new price any more. Then refund the received amount.`;
  if (status === 'expired')
    return 'The order expired. If you cancel it, its buyer can’t get a new price any more. A later payment waits for you to refund it.';
  if (!isReorgedState(payment.state))
    return 'The order received only dust, which can’t be refunded. You can cancel it; the accounting export keeps the dust.';
  const rest =
    part > 0
      ? `${formatBtcAtRate(part, rate)} of its payment is still confirmed, and nothing is on its way.`
      : 'None of its payment is confirmed or on its way.';
  return `${rest} If another transaction spent the coins of the rest, it will not return: cancel the order to release its stock.${part > 0 ? ' Then refund the received part.' : ''}`;
}

/** Whether staff may give the order up. One that staff created has this action in its own section. */
export const isGivenUpHere = (whole: WholeOrder): boolean =>
  whole.can_be_given_up && !(whole.created_by !== null && whole.can_be_cancelled);

/** OPS-03: cancels an order that expired, is free, or lost its payment. Renders nothing for others. */
export function CancelByStaff({ whole }: { readonly whole: WholeOrder }) {
  const { order } = whole;
  if (!isGivenUpHere(whole)) return null;
  return (
    <Section title="Cancel the order" surface="outlined">
      <p className="muted measure">{describeOrder(whole)}</p>
      <ConfirmedAction
        button="Cancel order"
        isDestructive
        question={`Cancel ${order.number}?`}
        meaning={
          <p>
            The order is cancelled for good, its stock is released, and the buyer gets a mail. If a payment arrives
            later, you can still accept it as paid or refund it.
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
    </Section>
  );
}
