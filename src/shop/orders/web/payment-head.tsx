import type { ReactNode } from 'react';
import type { Order } from '../contract.ts';
import { getOrderHeading } from '../status/payment-messages.ts';
import styles from './complete-order.module.css';
import { Countdown } from './countdown.tsx';
import { hasCountdown } from './read-order.ts';

interface PaymentHeadProps {
  readonly order: Pick<Order, 'number' | 'payment_status' | 'expires_at' | 'payment'>;
  /** Heading, from `getOrderHeading`. */
  readonly children: ReactNode;
  /** Order total, if not shown elsewhere. */
  readonly total?: ReactNode;
  /** The payment window has ended. */
  readonly onOver: () => void;
}

/** PAY-01: status of an order and its countdown. */
export function PaymentHead({ order, total, onOver, children }: PaymentHeadProps) {
  const { number, payment_status: status } = order;
  return (
    <>
      <div className={styles.head}>
        {children}
        {hasCountdown(order) && (
          <Countdown expiresAt={order.expires_at} isHeld={order.payment.chain === 'down'} onOver={onOver} />
        )}
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Order</dt>
          <dd translate="no" className="unbroken">
            {number}
          </dd>
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
