import { Badge } from '#src/ui/display/badge.tsx';
import type { BadgeTone } from '#src/ui/display/badge.tsx';
import type { Order } from '../contract.ts';
import { getOrderHeading, getStatusHeading } from '../status/payment-messages.ts';
import styles from './order-status.module.css';

type Status = Order['payment_status'];

/** DASH-03: Paid or Pending, and the other statuses. */
function formatListedStatus(
  status: Status,
  payment: Pick<Order['payment'], 'loss' | 'state'> | undefined,
  isForStaff: boolean,
): string {
  if (payment !== undefined && payment.loss !== null && status === 'user_paid') {
    return getOrderHeading({ payment_status: status, payment }).status;
  }
  return !isForStaff && (status === 'pending' || status === 'user_paid') ? 'Pending' : getStatusHeading(status).status;
}

const TONES: Readonly<Record<Status, BadgeTone>> = {
  pending: 'waiting',
  user_paid: 'waiting',
  paid: 'good',
  expired: 'neutral',
  cancelled: 'neutral',
  refunded: 'neutral',
};

interface OrderStatusProps {
  readonly order: Pick<Order, 'payment_status' | 'fulfilment_status'> & {
    readonly payment?: Pick<Order['payment'], 'loss' | 'state'>;
  };
  /** Shows the payment state of a pending order, in the words of the back office's filter. */
  readonly isForStaff?: boolean;
}

const FULFILLED = {
  unfulfilled: null,
  partly_shipped: 'Partly shipped',
  shipped: 'Shipped',
  delivered: 'Delivered',
} as const;

/** Payment and fulfilment status of an order. */
export function OrderStatus({ order, isForStaff = false }: OrderStatusProps) {
  const { payment_status: status, fulfilment_status: fulfilment, payment } = order;
  const fulfilled = FULFILLED[fulfilment];
  return (
    <span className={styles.both}>
      <Badge tone={TONES[status]}>{formatListedStatus(status, payment, isForStaff)}</Badge>
      {fulfilled !== null && <Badge>{fulfilled}</Badge>}
    </span>
  );
}
