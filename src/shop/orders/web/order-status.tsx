import type { Order } from '#src/shop/orders/contract.ts';
import { headingOf } from '#src/shop/orders/payment-words.ts';
import styles from './order-status.module.css';

type Status = Order['payment_status'];

/** DASH-03: Paid, or Pending until it is; and what else an order can be. */
function listedStatus(status: Status): string {
  return status === 'pending' || status === 'user_paid' ? 'Pending' : headingOf(status).status;
}

const TONES: Readonly<Record<Status, 'good' | 'waiting' | 'over'>> = {
  pending: 'waiting',
  user_paid: 'waiting',
  paid: 'good',
  expired: 'over',
  cancelled: 'over',
  refunded: 'over',
};

export function OrderStatus({ status }: { readonly status: Status }) {
  return (
    <span className={styles.status} data-tone={TONES[status]}>
      {listedStatus(status)}
    </span>
  );
}
