import type { ReactNode } from 'react';
import type { Order } from '../contract.ts';
import { getOrderHeading } from '../status/payment-messages.ts';
import styles from './payment-stage.module.css';
import { Countdown } from './countdown.tsx';
import { hasCountdown } from './read-order.ts';

interface PaymentHeadProps {
  readonly order: Pick<Order, 'number' | 'payment_status' | 'expires_at' | 'payment'>;
  /** Begin of the payment window; null while it is unknown. */
  readonly startedAt: string | null;
  /** The payment window has ended. */
  readonly onOver: () => void;
  /** Before the heading. */
  readonly children?: ReactNode;
}

/** PAY-01: heading and status of an order, and its countdown. */
export function PaymentHead({ order, startedAt, onOver, children }: PaymentHeadProps) {
  const { number, payment_status: status } = order;
  const { heading, status: text } = getOrderHeading(order);
  return (
    <div className={styles.head}>
      <div className="wrap-anywhere">
        {children}
        <h1 id="step-title" tabIndex={-1}>
          {heading}
        </h1>
        <dl className={styles.facts}>
          <div>
            <dt className="muted">Order</dt>
            <dd translate="no" className="unbroken">
              {number}
            </dd>
          </div>
          <div>
            <dt className="muted">Status</dt>
            <dd className={status === 'paid' ? 'success' : undefined}>{text}</dd>
          </div>
        </dl>
      </div>
      {hasCountdown(order) && (
        <Countdown
          expiresAt={order.expires_at}
          startedAt={startedAt}
          isHeld={order.payment.chain === 'down'}
          onOver={onOver}
        />
      )}
    </div>
  );
}
