import { Moment } from '#src/storefront/moment.tsx';
import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import styles from '#src/shop/payments/web/transactions.module.css';
import type { Refund } from '../contract.ts';
import type { Timeline } from '#src/shop/orders/timeline/contract.ts';
import { CopyButton } from '#src/ui/copy-button.tsx';

const STATES: Readonly<Record<Refund['state'], string>> = {
  made: 'We are about to send it',
  sent: 'On its way, not confirmed yet',
  confirmed: 'Confirmed: it is yours',
  withdrawn: 'Taken back',
};

interface OrderRefundsProps {
  readonly refunds: Timeline['refunds'];
  /** As the headings around it are: a section of the page, or of a column. */
  readonly level: 'h2' | 'h3';
  /** Nothing covers what was not sent yet. */
  readonly isStopped?: boolean;
}

/** What goes back to the buyer, and how far it has come; nothing where nothing does. */
export function OrderRefunds({ refunds, level: Heading, isStopped = false }: OrderRefundsProps) {
  if (refunds.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="refunds-title">
      <Heading id="refunds-title">Refund</Heading>
      <ul className={styles.list}>
        {refunds.map(({ amount_btc: amount, at, covers, state, txid }) => (
          <li key={at}>
            <p className={styles.facts}>
              <strong>{formatExactBtc(amount)} BTC</strong>
              <span>{covers === 'whole' ? 'What you paid' : 'What you paid too much'}</span>
              <span>{state === 'made' && isStopped ? 'On hold' : STATES[state]}</span>
              <span>
                Made <Moment at={at} shows="moment" />
              </span>
            </p>
            {txid !== null && (
              <p className={styles.id}>
                <code className={styles.txid}>{txid}</code>
                <CopyButton text={txid} contentName="transaction id of the refund" variant="quaternary" />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
