import type { Payment } from '#src/shop/payments/contract.ts';
import { btcText } from '#src/web/ui/amounts.ts';
import styles from './transactions.module.css';

/** What has arrived so far. */
export function Transactions({ payment }: { readonly payment: Payment }) {
  const { transactions, received_btc: received, required_confirmations: required } = payment;
  return (
    <section className={styles.section} aria-labelledby="transactions-title">
      <h3 id="transactions-title">Received {btcText(received)} BTC</h3>
      <ul className={styles.list}>
        {transactions.map((one) => (
          <li key={`${one.txid}:${one.vout}`}>
            <code className={styles.txid}>{one.txid}</code>
            <p>
              {btcText(one.amount_btc)} BTC · {Math.min(one.confirmations, required)} of {required} confirmations
            </p>
            <progress max={required} value={Math.min(one.confirmations, required)} aria-label="Confirmations" />
          </li>
        ))}
      </ul>
    </section>
  );
}
