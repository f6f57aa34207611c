import { useState } from 'react';
import type { Order } from '#src/shop/orders/contract.ts';
import { headingOf, tellPayment } from '#src/shop/orders/payment-words.ts';
import { call } from '#src/web/call.ts';
import { logFault } from '#src/web/log-fault.ts';
import { loadOrder } from '#src/web/session.ts';
import { btcText } from '#src/web/ui/amounts.ts';
import { Button, ButtonLink } from '#src/web/ui/button.tsx';
import { CopyButton } from '#src/web/ui/copy-button.tsx';
import { QrCode } from '#src/web/ui/qr-code.tsx';
import { showToast } from '#src/web/ui/toast.tsx';
import styles from './complete-order.module.css';
import { Countdown } from './countdown.tsx';
import { Transactions } from './transactions.tsx';
import { usePaymentCheck } from './use-payment-check.ts';

/** What is still to be sent, as the payment URI says it. */
function missingOf(bip21: string | null): string | null {
  const amount = bip21 === null ? null : new URLSearchParams(bip21.split('?')[1]).get('amount');
  return amount === null ? null : btcText(Number(amount));
}

/** Step 3: paying, and waiting for the chain. */
export function CompleteOrder({ order }: { readonly order: Order }) {
  const { payment, payment_status: status } = order;
  const isChainUp = usePaymentCheck(order);
  const words = headingOf(status);
  const isOpen = status === 'pending' || status === 'user_paid';
  const missing = missingOf(payment.bip21);
  const told = tellPayment({
    state: payment.state,
    confirmations: payment.confirmations,
    required: payment.required_confirmations,
    missingBtc: missing,
    isExpired: status === 'expired',
  });

  return (
    <div className={styles.order}>
      <div className={styles.head}>
        <h2 id="step-title" tabIndex={-1}>
          {words.heading}
        </h2>
        {status === 'pending' && <Countdown expiresAt={order.expires_at} />}
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Order</dt>
          <dd>{order.number}</dd>
        </div>
        <div>
          <dt>Status</dt>
          <dd data-tone={status === 'paid' ? 'good' : undefined}>{words.status}</dd>
        </div>
      </dl>
      <output className={styles.told}>
        {told}
        {!isChainUp &&
          ' We cannot see the Bitcoin network at the moment; your payment is safe and will be noticed later.'}
      </output>
      {isOpen && missing !== null && payment.bip21 !== null && (
        <PaymentBox address={payment.address} amount={missing} bip21={payment.bip21} />
      )}
      {status === 'pending' && <IPaid orderId={order.id} />}
      {payment.transactions.length > 0 && <Transactions payment={payment} />}
      {!isOpen && (
        <ButtonLink to="/catalog" variant={status === 'paid' ? 'secondary' : 'primary'}>
          {status === 'paid' ? 'Continue shopping' : 'Back to the catalog'}
        </ButtonLink>
      )}
    </div>
  );
}

interface PaymentBoxProps {
  readonly address: string;
  readonly amount: string;
  readonly bip21: string;
}

function PaymentBox({ address, amount, bip21 }: PaymentBoxProps) {
  // A scheme and a bech32 address mean the same in capitals, and make a code that is easier to scan.
  const [target = ''] = bip21.split('?');
  const qr = bip21.replace(target, target.toUpperCase());
  return (
    <div className={styles.box}>
      <div className={styles.code}>
        <QrCode content={qr} label={`QR code: pay ${amount} BTC to ${address}`} />
        <a className={styles.wallet} href={bip21}>
          Open in wallet
        </a>
      </div>
      <dl className={styles.pay}>
        <div>
          <dt>Amount</dt>
          <dd>
            <span className={styles.amount}>{amount} BTC</span>
            <CopyButton text={amount} what="amount" />
          </dd>
        </div>
        <div>
          <dt>Wallet address</dt>
          <dd>
            <span className={styles.address}>
              {[...address.matchAll(/.{1,4}/g)].map(({ 0: group, index }) => (
                <span key={index}>{group}</span>
              ))}
            </span>
            <CopyButton text={address} what="wallet address" />
          </dd>
        </div>
      </dl>
    </div>
  );
}

function IPaid({ orderId }: { readonly orderId: string }) {
  const [isBusy, setIsBusy] = useState(false);
  const tell = async () => {
    setIsBusy(true);
    try {
      await call('PUT /orders/paid', { body: { order_id: orderId } });
      await loadOrder();
    } catch (error) {
      logFault('the shop was not told of the payment', error);
      showToast('error', 'That did not work. Please try again.');
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div className={styles.said}>
      <Button variant="secondary" onClick={() => void tell()} isBusy={isBusy}>
        I paid
      </Button>
      <p>Not needed: your payment is noticed by itself. It only tells us that you have sent it.</p>
    </div>
  );
}
