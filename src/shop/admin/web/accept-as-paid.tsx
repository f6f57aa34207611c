import { formatExactBtc, subtractBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { call } from '#src/storefront/call.ts';
import { TextArea } from '#src/ui/text-area.tsx';
import type { WholeOrder } from '../contract.ts';
import { describeNotAccepted } from '../state-messages.ts';
import { ConfirmedAction } from './confirmed-action.tsx';
import styles from './actions.module.css';
import { MAX_REASON, readText } from './form-text.ts';

/** OPS-03: what was received is taken for the whole; nothing for an order that is paid or never had money. */
export function AcceptAsPaid({ whole }: { readonly whole: WholeOrder }) {
  const { order, settling, due_btc: due } = whole;
  const { amount_btc: amount, refusal } = settling;
  if (amount === null && refusal !== 'not-confirmed') return null;
  const waived = amount === null ? 0 : subtractBtc(due, amount);
  return (
    <section className={styles.deeds} aria-labelledby="settle-title">
      <h2 id="settle-title">Settle by hand</h2>
      {amount === null ? (
        <p className={styles.muted}>
          {describeNotAccepted(refusal ?? '')} Then you can accept it as the whole payment.
        </p>
      ) : (
        <>
          <p className={styles.muted}>
            Accept {formatExactBtc(amount)} BTC as the whole payment.
            {waived > 0 && ` ${formatExactBtc(waived)} BTC are waived.`} The order is paid at once.
          </p>
          <ConfirmedAction
            button="Settle the order"
            question={`Settle ${order.number}?`}
            meaning={
              <p>
                {formatExactBtc(amount)} BTC count as the whole payment
                {waived > 0 && `, though ${formatExactBtc(waived)} BTC less than was due`}. The buyer gets the receipt.
                This can’t be undone.
              </p>
            }
            confirm="Yes, settle it"
            done="The order is paid"
            onConfirm={(data) =>
              call('POST /orders/{id}/settle', { params: { id: order.id }, body: { reason: readText(data, 'reason') } })
            }
          >
            <TextArea label="Reason, for staff only" name="reason" rows={2} required maxLength={MAX_REASON} />
          </ConfirmedAction>
        </>
      )}
    </section>
  );
}
