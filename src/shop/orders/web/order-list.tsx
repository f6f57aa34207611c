import { Link } from 'react-router';
import type { Order } from '../contract.ts';
import { getOrderHeading } from '../status/payment-messages.ts';
import { formatBtcAmount, formatNumber, formatUsdAmount } from '#src/shop/format-number.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { Moment } from '#src/storefront/moment.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './order-list.module.css';

/** Columns of a listed order. */
export interface ListedOrder {
  readonly id: string;
  readonly number: string;
  readonly createdAt: string;
  readonly status: Order['payment_status'];
  readonly payment: Pick<Order['payment'], 'loss' | 'state'>;
  readonly usd: number;
  readonly btc: number;
  /** Something was waived or refunded of the total. */
  readonly isReduced: boolean;
  readonly netUsd: number;
}

/** Table of orders; an open one links to its payment. */
export function OrderList({ orders }: { readonly orders: readonly ListedOrder[] }) {
  return (
    <ul className={styles.list}>
      {orders.map((order) => (
        <li key={order.id} className={styles.order}>
          <div>
            <p className={classNames('strong tabular', styles.number)}>
              <Link translate="no" className="unbroken" to={`/dashboard/orders/${order.id}`}>
                {order.number}
              </Link>
            </p>
            <p className="muted small tabular">
              <Moment at={order.createdAt} shows="day" />
            </p>
          </div>
          <Status order={order} />
          <div className={styles.total}>
            <p translate="no" className="strong tabular">
              {formatBtcAmount(order.btc)} BTC
            </p>
            <p translate="no" className="muted small tabular">
              ${formatNumber(order.usd)}
            </p>
            {order.isReduced && (
              <p className="muted small tabular">
                Net <span translate="no">${formatUsdAmount(order.netUsd)}</span>
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Status({ order: { status, payment } }: { readonly order: Pick<ListedOrder, 'status' | 'payment'> }) {
  const heading = getOrderHeading({ payment_status: status, payment }).status;
  if (status !== 'pending' && status !== 'user_paid') {
    return (
      <p className={styles.status} data-tone={status === 'paid' ? 'good' : undefined}>
        {heading}
      </p>
    );
  }
  return (
    <p className={styles.status}>
      <Link to="/cart">
        {heading}
        <Icon name="chevronRight" size={16} />
      </Link>
    </p>
  );
}
