import { exactBtcText, lessBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { call } from '#src/storefront/call.ts';
import { TextArea } from '#src/ui/text-area.tsx';
import type { WholeOrder } from '../contract.ts';
import { notSettledWords } from '../state-words.ts';
import { ConfirmedDeed } from './confirmed-deed.tsx';
import styles from './deeds.module.css';
import { MAX_REASON, textOf } from './form-text.ts';

/** OPS-03: what was received is taken for the whole; nothing for an order that is paid or never had money. */
export function Settle({ whole }: { readonly whole: WholeOrder }) {
  const { order, settling, due_btc: due } = whole;
  const { amount_btc: amount, refusal } = settling;
  if (amount === null && refusal !== 'not-confirmed') return null;
  const waived = amount === null ? 0 : lessBtc(due, amount);
  return (
    <section className={styles.deeds} aria-labelledby="settle-title">
      <h2 id="settle-title">Settle by hand</h2>
      {amount === null ? (
        <p className={styles.muted}>{notSettledWords(refusal ?? '')} Then you can accept it as the whole payment.</p>
      ) : (
        <>
          <p className={styles.muted}>
            Accept {exactBtcText(amount)} BTC as the whole payment.
            {waived > 0 && ` ${exactBtcText(waived)} BTC are waived.`} The order is paid at once.
          </p>
          <ConfirmedDeed
            button="Settle the order"
            question={`Settle ${order.number}?`}
            meaning={
              <p>
                {exactBtcText(amount)} BTC count as the whole payment
                {waived > 0 && `, though ${exactBtcText(waived)} BTC less than was due`}. The buyer gets the receipt.
                This can’t be undone.
              </p>
            }
            confirm="Yes, settle it"
            done="The order is paid"
            onConfirm={(data) =>
              call('POST /orders/{id}/settle', { params: { id: order.id }, body: { reason: textOf(data, 'reason') } })
            }
          >
            <TextArea label="Reason, for staff only" name="reason" rows={2} required maxLength={MAX_REASON} />
          </ConfirmedDeed>
        </>
      )}
    </section>
  );
}
