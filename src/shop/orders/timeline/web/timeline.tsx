import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import type { Timeline as OrderTimeline } from '../contract.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './timeline.module.css';

/** Timeline of an order, newest last. */
export function Timeline({ events }: { readonly events: OrderTimeline['timeline'] }) {
  return (
    <ol className={styles.events}>
      {events.map(({ kind, text, at, received_btc: received }, index) => (
        <li key={`${at} ${kind}`}>
          <p className="wrap-anywhere">{text}</p>
          <p className={classNames('muted small tabular', styles.when)}>
            <Moment at={at} shows="moment" />
          </p>
          {received !== null && received > 0 && received !== events[index - 1]?.received_btc && (
            <p
              className={classNames('muted small tabular', styles.when)}
            >{`${formatExactBtc(received)} BTC received`}</p>
          )}
        </li>
      ))}
    </ol>
  );
}
