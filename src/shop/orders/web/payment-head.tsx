import type { ReactNode } from 'react';
import type { Order } from '../contract.ts';
import { getOrderHeading, isConfirming } from '../status/payment-messages.ts';
import styles from '../checkout/web/complete-order.module.css';
import { Countdown } from './countdown.tsx';

interface PaymentHeadProps {
  readonly order: Pick<Order, 'number' | 'payment_status' | 'expires_at' | 'payment'>;
  /** The heading itself; its words are `headingOf`'s. */
  readonly children: ReactNode;
  /** What the order comes to, where nothing beside says so. */
  readonly total?: ReactNode;
  /** The time to pay is over. */
  readonly onOver: () => void;
}

/** PAY-01: where an order stands, and how long it can be paid. */
export function PaymentHead({ order, total, onOver, children }: PaymentHeadProps) {
  const { number, payment_status: status } = order;
  return (
    <>
      <div className={styles.head}>
        {children}
        {status === 'pending' && !isConfirming(order) && order.payment.bip21 !== null && (
          <Countdown expiresAt={order.expires_at} isHeld={order.payment.chain === 'down'} onOver={onOver} />
        )}
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Order</dt>
          <dd>{number}</dd>
        </div>
        {total !== undefined && (
          <div>
            <dt>Total</dt>
            <dd>{total}</dd>
          </div>
        )}
        <div>
          <dt>Status</dt>
          <dd data-tone={status === 'paid' ? 'good' : undefined}>{getOrderHeading(order).status}</dd>
        </div>
      </dl>
    </>
  );
}
