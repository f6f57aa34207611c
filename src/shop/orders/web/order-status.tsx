import type { Order } from '../contract.ts';
import { getOrderHeading, getStatusHeading } from '../status/payment-messages.ts';
import styles from './order-status.module.css';

type Status = Order['payment_status'];

/** DASH-03: Paid or Pending, and the other statuses. */
function formatListedStatus(status: Status, payment: Pick<Order['payment'], 'loss' | 'state'> | undefined): string {
  if (payment !== undefined && payment.loss !== null && status === 'user_paid') {
    return getOrderHeading({ payment_status: status, payment }).status;
  }
  return status === 'pending' || status === 'user_paid' ? 'Pending' : getStatusHeading(status).status;
}

const TONES: Readonly<Record<Status, 'good' | 'waiting' | 'over'>> = {
  pending: 'waiting',
  user_paid: 'waiting',
  paid: 'good',
  expired: 'over',
  cancelled: 'over',
  refunded: 'over',
};

interface OrderStatusProps {
  readonly order: Pick<Order, 'payment_status' | 'fulfilment_status'> & {
    readonly payment?: Pick<Order['payment'], 'loss' | 'state'>;
  };
}

const FULFILLED = { unfulfilled: null, shipped: 'Shipped', delivered: 'Delivered' } as const;

/** Payment and fulfilment status of an order. */
export function OrderStatus({ order }: OrderStatusProps) {
  const { payment_status: status, fulfilment_status: fulfilment, payment } = order;
  const fulfilled = FULFILLED[fulfilment];
  return (
    <span className={styles.both}>
      <span className={styles.status} data-tone={TONES[status]}>
        {formatListedStatus(status, payment)}
      </span>
      {fulfilled !== null && <span className={styles.status}>{fulfilled}</span>}
    </span>
  );
}
