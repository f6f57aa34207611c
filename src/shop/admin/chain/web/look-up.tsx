import { formatDepth } from '#src/shop/payments/ledger/format-depth.ts';
import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { Form, Link } from 'react-router';
import { Moment } from '#src/storefront/moment.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import type { LookedUpTransaction } from '#src/shop/orders/transactions/contract.ts';
import { describeVerdict } from '#src/shop/orders/transactions/payment-verdict.ts';
import styles from './chain-page.module.css';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';
import { Grid } from '#src/ui/layout/grid.ts';

interface LookUpProps {
  /** The input as typed; empty for none. */
  readonly txid: string;
  readonly isTxid: boolean;
  /** Null if the look-up failed. */
  readonly found: LookedUpTransaction | null;
  readonly onRetry: () => void;
}

/** Looks up a transaction id. */
export function LookUp({ txid, isTxid, found, onRetry }: LookUpProps) {
  const isWrong = txid !== '' && !isTxid;
  return (
    <Section title="Look up a transaction">
      <search>
        <Form method="get" key={txid}>
          <Grid foldsAt={767} align="end" className={styles.form}>
            <Field
              label="Transaction id"
              name="txid"
              defaultValue={txid}
              maxLength={200}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              isInvalid={isWrong}
              message={isWrong ? 'Enter a transaction id: 64 characters, 0 to 9 and a to f.' : undefined}
            />
            <Button type="submit" variant="secondary">
              Look up
            </Button>
          </Grid>
        </Form>
      </search>
      {isTxid && found === null && <ErrorState title="The transaction could not be looked up." onRetry={onRetry} />}
      {found !== null && <Found found={found} />}
    </Section>
  );
}

function describeNetwork({ network, payments }: LookedUpTransaction): string {
  switch (network.state) {
    case 'block':
      return `Confirmed in block ${network.height ?? ''}, ${network.confirmations} ${network.confirmations === 1 ? 'confirmation' : 'confirmations'}.`;
    case 'mempool':
      return 'In the mempool of the node, not confirmed yet.';
    case 'unreachable':
      return 'The node does not respond, so only the shop’s ledger was searched.';
    case 'unknown':
      return payments.length > 0
        ? 'The node does not find it any more. Its outputs may have been spent since.'
        : 'Not found by the shop or the node. It was not sent on this network, was dropped, or pays other addresses and was spent since. Look it up in a block explorer.';
    default:
      return network.state satisfies never;
  }
}

function Found({ found }: { readonly found: LookedUpTransaction }) {
  const { payments, refunds, network, others, others_total: total } = found;
  const missed = others.filter(({ order }) => order !== null);
  const strangers = others.filter(({ order }) => order === null);
  const isOurs = payments.length + refunds.length + missed.length > 0;
  return (
    <Stack surface="soft">
      <p>{describeNetwork(found)}</p>
      {!isOurs && total > 0 && (
        <p>
          {network.is_complete
            ? 'It pays none of the shop’s addresses.'
            : 'None of the outputs that the node still finds pays an address of the shop.'}
        </p>
      )}
      <Lines className={styles.list}>
        {payments.map((payment) => (
          <li key={`${payment.order_id}:${payment.vout}`}>
            <p className="tabular wrap-anywhere">
              <strong translate="no">{formatExactBtc(payment.amount_btc)} BTC</strong> to{' '}
              <Link to={`/admin/orders/${payment.order_id}`}>
                order <OrderNumber number={payment.number} />
              </Link>{' '}
              of {payment.username}
            </p>
            <p>{describeVerdict(payment.verdict)}</p>
            <p className="muted tabular measure">
              Output {payment.vout} · Confirmations:{' '}
              {formatDepth(payment.confirmations, payment.required_confirmations)} · seen{' '}
              <Moment at={payment.first_seen} shows="moment" />
            </p>
          </li>
        ))}
        {missed.map(({ vout, amount_btc: amount, order }) => (
          <li key={vout}>
            <p className="tabular wrap-anywhere">
              <strong translate="no">{formatExactBtc(amount)} BTC</strong> to{' '}
              <Link to={`/admin/orders/${order?.id ?? ''}`}>
                order {order && <OrderNumber number={order.number} />}
              </Link>
            </p>
            <p className="tabular wrap-anywhere">
              {network.height === null ? (
                'Not recorded yet. The next chain sync records it within seconds.'
              ) : (
                <>
                  Missing in the shop’s ledger:{' '}
                  <Link to={`/admin/chain?from=${network.height}`}>rescan from block {network.height}</Link>.
                </>
              )}
            </p>
          </li>
        ))}
        {refunds.map((refund) => (
          <li key={`${refund.order_id} ${refund.state}`}>
            <p className="tabular wrap-anywhere">
              A refund of <strong translate="no">{formatExactBtc(refund.amount_btc)} BTC</strong> for{' '}
              <Link to={`/admin/orders/${refund.order_id}`}>
                order <OrderNumber number={refund.number} />
              </Link>
              : {refund.state}
            </p>
          </li>
        ))}
        {strangers.map(({ vout, amount_btc: amount, address }) => (
          <li key={vout}>
            <p className="muted tabular measure">
              Output {vout}: {formatExactBtc(amount)} BTC to{' '}
              {address === null ? <span>no address</span> : <code translate="no">{address}</code>}
            </p>
          </li>
        ))}
        {total > others.length && <li className="muted tabular measure">and {total - others.length} more outputs</li>}
      </Lines>
    </Stack>
  );
}
