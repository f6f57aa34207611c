import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import type { Payment } from '../contract.ts';
import { CopyButton } from '#src/ui/copy/copy-button.tsx';
import { Moment } from '#src/storefront/moment.tsx';
import styles from './transactions.module.css';

/** A payment that left the mempool. */
interface LeftPayment {
  readonly txid: string;
  readonly vout: number;
  readonly amount_btc: number;
  readonly because: 'replaced' | 'dropped';
  readonly left_at: string;
}

interface TransactionsProps {
  readonly payment: Pick<Payment, 'transactions' | 'received_btc' | 'required_confirmations' | 'address'>;
  /** Payments that were replaced or dropped. */
  readonly left?: readonly LeftPayment[];
  /** Heading level, to fit the surrounding headings. */
  readonly level?: 'h2' | 'h3';
}

const NONE: readonly LeftPayment[] = [];
const BECAUSE = { replaced: 'Replaced by another transaction', dropped: 'Dropped by the network' } as const;

/** Block explorer URL of a transaction; null for test chains. */
const formatExplorerUrl = (address: string, txid: string): string | null =>
  address.startsWith('bc1') ? `https://mempool.space/tx/${txid}` : null;

function describeState(
  { confirmations, immature_blocks: left, is_credit: isCredit }: Payment['transactions'][number],
  required: number,
): string {
  if (isCredit) return 'Credit of your return';
  if (left > 0) return `Spendable after 100 blocks, ${left} left`;
  if (confirmations >= required) return 'Confirmed';
  return `${confirmations} of ${required} ${required === 1 ? 'confirmation' : 'confirmations'}`;
}

/** Received payments and payments that left; renders nothing without any. */
export function Transactions({ payment, left = NONE, level: Heading = 'h3' }: TransactionsProps) {
  const { transactions, received_btc: received, required_confirmations: required, address } = payment;
  if (transactions.length + left.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="transactions-title">
      <Heading id="transactions-title">
        {received > 0 ? `Received ${formatExactBtc(received)} BTC` : 'Nothing received yet'}
      </Heading>
      <ul className={styles.list}>
        {transactions.map((transaction) => {
          const explorer = transaction.is_credit ? null : formatExplorerUrl(address, transaction.txid);
          return (
            <li key={`${transaction.txid}:${transaction.vout}`}>
              <p className={styles.facts}>
                <strong translate="no">{formatExactBtc(transaction.amount_btc)} BTC</strong>
                <span>{describeState(transaction, required)}</span>
                {transaction.fee_rate !== null && <span>Fee {transaction.fee_rate} sat/vB</span>}
                <span>
                  {transaction.is_credit ? 'Credited' : 'Seen'} <Moment at={transaction.first_seen} shows="moment" />
                </span>
              </p>
              {!transaction.is_credit && (
                <p className={styles.id}>
                  <code translate="no" className={styles.txid}>
                    {transaction.txid}
                  </code>
                  <CopyButton text={transaction.txid} contentName="transaction id" variant="quaternary" />
                </p>
              )}
              {explorer !== null && (
                <a className={styles.explorer} href={explorer} rel="noreferrer" target="_blank">
                  View on mempool.space
                </a>
              )}
            </li>
          );
        })}
        {left.map((transaction) => (
          <li key={`${transaction.txid}:${transaction.vout}`} className="muted">
            <p className={styles.facts}>
              <s translate="no">{formatExactBtc(transaction.amount_btc)} BTC</s>
              <span>{BECAUSE[transaction.because]}</span>
              <Moment at={transaction.left_at} shows="moment" />
            </p>
            <code translate="no" className={styles.txid}>
              {transaction.txid}
            </code>
          </li>
        ))}
      </ul>
    </section>
  );
}
