import { Moment } from '#src/storefront/moment.tsx';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { formatExactBtc, toSats } from '#src/shop/payments/ledger/exact-amounts.ts';
import { formatDepth } from '#src/shop/payments/ledger/format-depth.ts';
import { getDustLimit } from '#src/shop/payments/ledger/min-refund.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Row } from '#src/ui/layout/row.ts';
import { CopyButton } from '#src/ui/copy/copy-button.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { WalletAddress } from '#src/shop/payments/web/wallet-address.tsx';
import type { WholeOrder } from '../contract.ts';
import { describeLoss, describeState } from '../state-messages.ts';
import styles from './order-ledger.module.css';

/** An accepted difference to the amount due, and why it is accepted. */
const describeShort = (btc: number, address: string): string =>
  `${formatExactBtc(btc)} BTC, ${toSats(btc) < getDustLimit(address) ? 'too little to send' : 'within the tolerance'}`;

/** Amounts due and received. What was waived and refunded stands below the items. */
export function Amounts({ whole }: { readonly whole: WholeOrder }) {
  const { order, settled_btc: settled, present_btc: present } = whole;
  const { payment } = order;
  const rows: readonly (readonly [string, string] | null)[] = [
    ['State', payment.loss === null ? describeState(payment.state) : describeLoss(payment.loss)],
    ['Due', `$${formatUsdAmount(order.total_usd_after)}, ${formatExactBtc(whole.due_btc)} BTC`],
    settled === null ? null : ['Accepted as paid', `${formatExactBtc(settled)} BTC`],
    ['Received', `${formatExactBtc(payment.received_btc)} BTC`],
    ['Confirmed', `${formatExactBtc(whole.deep_btc)} BTC`],
    payment.received_btc > 0
      ? ['Confirmations', formatDepth(payment.confirmations, payment.required_confirmations)]
      : null,
    whole.missing_btc > 0 ? ['Missing', `${formatExactBtc(whole.missing_btc)} BTC`] : null,
    whole.surplus_btc > 0 ? ['Overpaid', `${formatExactBtc(whole.surplus_btc)} BTC`] : null,
    payment.short_btc > 0 ? ['Less than due', describeShort(payment.short_btc, payment.address)] : null,
    whole.lost_btc > 0 ? ['Lost', `${formatExactBtc(whole.lost_btc)} BTC`] : null,
    whole.returned_btc > 0 ? ['Overpayment refunded', `${formatExactBtc(whole.returned_btc)} BTC`] : null,
    ['Rate of the quote', `1 BTC = $${formatUsdAmount(whole.rate_usd)}`],
    present === null || order.payment_status === 'paid'
      ? null
      : ['At the present rate', `${formatExactBtc(present)} BTC`],
  ];
  return (
    <Facts className={styles.facts}>
      {rows.map(
        (row) =>
          row !== null && (
            <Fact key={row[0]} label={row[0]}>
              {row[1]}
            </Fact>
          ),
      )}
    </Facts>
  );
}

/** Payment address with its derivation path. */
export function PaidTo({ address: { address, derivation_index: index, path } }: Pick<WholeOrder, 'address'>) {
  return (
    <>
      <Row as="p" gap={16} rowGap={0}>
        <span className={classNames('fine', styles.code)}>
          <WalletAddress address={address} />
        </span>
        <CopyButton text={address} contentName="address" variant="quaternary" />
      </Row>
      <p className="muted small wrap-anywhere">
        Address {index} of {path === null ? 'an account that was in use before' : 'the account'}
        {path !== null && (
          <span>
            : <code translate="no">{path}</code>
          </span>
        )}
      </p>
    </>
  );
}

const LEFT = { replaced: 'Replaced by another transaction', dropped: 'Dropped by the network' } as const;

function describeDepth(output: WholeOrder['outputs'][number], required: number): string {
  if (output.is_credit) return 'Credit of an exchange';
  if (output.is_lost_for_good) return `Double-spent: its coins were spent in block ${output.conflict_height}`;
  if (output.conflict_height !== null) return `Its coins were spent in block ${output.conflict_height}`;
  if (!output.is_live) return output.left_because === null ? 'Lost in a reorganization' : LEFT[output.left_because];
  if (output.height === null) return 'Unconfirmed';
  const depth = output.confirmations >= required ? 'Confirmed' : `${output.confirmations} of ${required} confirmations`;
  return `${depth}, in block ${output.height}`;
}

/** All outputs that ever paid the order. */
export function Outputs({
  outputs,
  more_dust: more,
  required,
}: Pick<WholeOrder, 'outputs' | 'more_dust'> & { readonly required: number }) {
  if (outputs.length === 0) return <p className="muted small wrap-anywhere">No payments yet.</p>;
  return (
    <Lines isFramed>
      {outputs.map((output) => (
        <li key={`${output.txid}:${output.vout}`}>
          <Row as="p" gap={16} rowGap={0}>
            {output.is_live ? (
              <strong translate="no">{formatExactBtc(output.amount_btc)} BTC</strong>
            ) : (
              <s translate="no">{formatExactBtc(output.amount_btc)} BTC</s>
            )}
            <span className="muted small wrap-anywhere">{describeDepth(output, required)}</span>
            {output.is_coinbase && <span className="muted small wrap-anywhere">Mining reward</span>}
            <span className="muted small wrap-anywhere">
              {output.is_credit ? 'Credited' : 'Seen'} <Moment at={output.first_seen} shows="moment" />
            </span>
          </Row>
          {!output.is_credit && (
            <Row as="p" gap={16} rowGap={0}>
              <code translate="no" className={classNames('fine', styles.code)}>
                {output.txid}:{output.vout}
              </code>
              <CopyButton text={output.txid} contentName="transaction id" variant="quaternary" />
            </Row>
          )}
        </li>
      ))}
      {more.outputs > 0 && (
        <li>
          <p className="muted small wrap-anywhere">
            {more.outputs} more outputs below 294 satoshis, {formatExactBtc(more.amount_btc)} BTC in all
          </p>
        </li>
      )}
    </Lines>
  );
}

/** Oldest first, with the notes of staff. */
export function History({ timeline }: Pick<WholeOrder, 'timeline'>) {
  return (
    <Lines as="ol" isFramed>
      {timeline.map(({ kind, text, at, received_btc: received, note, by }, index) => (
        <li key={`${at} ${kind}`}>
          <p>{text}</p>
          {note !== null && <p className="multiline measure">{note}</p>}
          <p className="muted small wrap-anywhere">
            <Moment at={at} shows="moment" />
            {by !== null && <span> · by {by}</span>}
            {received !== null && received > 0 && received !== timeline[index - 1]?.received_btc && (
              <span> · {formatExactBtc(received)} BTC received</span>
            )}
          </p>
        </li>
      ))}
    </Lines>
  );
}
