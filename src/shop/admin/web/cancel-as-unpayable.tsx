import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { call } from '#src/storefront/call.ts';
import { TextArea } from '#src/ui/text-area.tsx';
import type { WholeOrder } from '../contract.ts';
import { ConfirmedAction } from './confirmed-action.tsx';
import styles from './actions.module.css';
import { MAX_REASON, readText } from './form-text.ts';

/** OPS-03: an order whose payment a reorganisation took back for good is cancelled; nothing for any other. */
export function CancelAsUnpayable({ whole }: { readonly whole: WholeOrder }) {
  const { order, can_be_given_up: canBeGivenUp } = whole;
  const part = order.payment.received_btc;
  if (!canBeGivenUp) return null;
  const isTakenBack = order.payment.state === 'reorged_out';
  return (
    <section className={styles.deeds} aria-labelledby="give-up-title">
      <h2 id="give-up-title">Give it up</h2>
      <p className={styles.muted}>
        {isTakenBack
          ? `${
              part > 0
                ? `${formatExactBtc(part)} BTC of its payment are left in the chain, and nothing is on its way.`
                : 'Nothing of its payment is left in the chain, nor on its way.'
            } If the coins of the rest were spent otherwise, it will not come again: cancel the order, and what is in it is for sale again.${part > 0 ? ' The part then waits to be sent back.' : ''}`
          : 'It received only dust, which can’t be sent back. You can cancel the order; its books keep the dust.'}
      </p>
      <ConfirmedAction
        button="Give the order up"
        isDestructive
        question={`Give ${order.number} up?`}
        meaning={
          <p>
            The order is cancelled, what is in it is for sale again, and the buyer gets a mail. Should the payment come
            all the same, you can still settle the order, or send the money back.
          </p>
        }
        confirm="Yes, give it up"
        done="The order is cancelled"
        onConfirm={(data) =>
          call('POST /orders/{id}/give-up', { params: { id: order.id }, body: { reason: readText(data, 'reason') } })
        }
      >
        <TextArea label="Reason, for staff only" name="reason" rows={2} required maxLength={MAX_REASON} />
      </ConfirmedAction>
    </section>
  );
}
