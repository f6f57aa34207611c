import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { Moment } from '#src/storefront/moment.tsx';
import styles from '#src/shop/payments/web/transactions.module.css';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { formatCoveredLines } from '../lines/format-covered-lines.ts';
import type { Refund } from '../contract.ts';
import type { Timeline } from '#src/shop/orders/timeline/contract.ts';
import { CopyButton } from '#src/ui/copy/copy-button.tsx';

const STATES: Readonly<Record<Refund['state'], string>> = {
  made: 'Not sent yet',
  sent: 'Sent, not confirmed yet',
  confirmed: 'Refund confirmed',
  withdrawn: 'Withdrawn',
};

const nameState = (state: Refund['state'], isStopped: boolean): string =>
  state === 'made' && isStopped ? 'On hold' : STATES[state];

const COVERS = {
  surplus: 'Overpayment',
  whole: 'Full refund',
  lines: 'Partial refund',
  amount: 'Partial refund',
} as const;

interface OrderRefundsProps {
  readonly refunds: Timeline['refunds'];
  /** Same level as the surrounding headings. */
  readonly level: 'h2' | 'h3';
  /** The order lost money: refunds that were not sent are on hold. */
  readonly isStopped?: boolean;
}

/** The refunds of an order with their status. Renders nothing if there are none. */
export function OrderRefunds({ refunds, level: Heading, isStopped = false }: OrderRefundsProps) {
  if (refunds.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="refunds-title">
      <Heading id="refunds-title">Refund</Heading>
      <ul className={styles.list}>
        {refunds.map(
          ({
            amount_btc: amount,
            at,
            covers,
            is_credit: isCredit,
            lines,
            method,
            rate_at: rateAt,
            rate_usd: rate,
            state,
            txid,
            value_usd: value,
          }) => (
            <li key={at}>
              <p className={styles.facts}>
                <strong translate="no">{formatExactBtc(amount)} BTC</strong>
                <span>{isCredit ? 'Exchange' : COVERS[covers]}</span>
                <span>{isCredit ? 'Credited to the new order' : nameState(state, isStopped)}</span>
                <span>
                  Made <Moment at={at} shows="moment" />
                </span>
              </p>
              {lines !== null && <p>{formatCoveredLines(lines)}</p>}
              {value !== null && (
                <p>
                  ${formatUsdAmount(value)},{' '}
                  {method === 'value' && rate !== null && rateAt !== null ? (
                    <>
                      at the bitcoin price of the refund: ${formatUsdAmount(rate)},{' '}
                      <Moment at={rateAt} shows="moment" />
                    </>
                  ) : (
                    'in the bitcoin that you paid for it'
                  )}
                </p>
              )}
              {txid !== null && (
                <p className={styles.id}>
                  <code translate="no" className={styles.txid}>
                    {txid}
                  </code>
                  <CopyButton text={txid} contentName="transaction id of the refund" variant="quaternary" />
                </p>
              )}
            </li>
          ),
        )}
      </ul>
    </section>
  );
}
