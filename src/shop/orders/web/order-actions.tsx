import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Order } from '../contract.ts';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import type { Timeline } from '../timeline/contract.ts';
import { call } from '#src/storefront/call.ts';
import { focusFirstWithin } from '#src/ui/focus-fallback.ts';
import { loadCheckout, session } from '#src/storefront/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { NeedsScript } from '#src/ui/needs-script.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import { saveStep } from '../checkout/web/saved-step.ts';
import styles from './order-actions.module.css';
import { useOrderAction } from './use-order-action.ts';

/** PAY-04: the buyer marks the order as paid. */
export function MarkPaid({ orderId }: { readonly orderId: string }) {
  const { isBusy, failure, run } = useOrderAction('the order was not marked as paid');
  const reportPaid = () =>
    run(async () => {
      const { order } = await call('PUT /orders/paid', { body: { order_id: orderId } });
      session.update({ order });
      focusFirstWithin(null);
    });
  return (
    <div className={styles.action}>
      <Button variant="secondary" onClick={() => void reportPaid()} isBusy={isBusy}>
        I paid
      </Button>
      <p className={styles.hint}>Optional. We detect your payment automatically.</p>
      <Failure text={failure} />
    </div>
  );
}

interface RequoteProps {
  readonly order: Pick<Order, 'id' | 'payment'>;
  /** Preview of the new quote; null if unknown. */
  readonly next: Timeline['next_quote'];
  /** Called once the order can be paid again. */
  readonly onDone: () => void;
  /** Further actions. */
  readonly children?: ReactNode;
}

/** PAY-11: requotes the order at the present rate. */
export function Requote({ order, next, onDone, children }: RequoteProps) {
  const { isBusy, failure, run } = useOrderAction('the order was not requoted');
  const requote = () =>
    run(async () => {
      const { order: quoted } = await call('POST /orders/{id}/requote', { params: { id: order.id } });
      session.update({ order: quoted });
      onDone();
    });
  const rest =
    next === null ? null : `${formatExactBtc(next.missing_btc)} BTC at 1 BTC = $${formatUsdAmount(next.rate_usd)}`;
  const isDifference = order.payment.state === 'late' && next !== null && next.missing_btc > 0;
  const hint = isDifference
    ? `You pay ${rest}, with a new payment window. Everything you sent counts.`
    : `Same order and dollar price, at today’s rate${rest === null ? '' : `: ${rest}`}, with a new payment window.`;
  return (
    <div className={styles.action}>
      <Button onClick={() => void requote()} isBusy={isBusy}>
        {isDifference ? 'Pay the difference' : 'Get a new price'}
      </Button>
      {children}
      <p className={styles.hint}>{hint}</p>
      <NeedsScript />
      <Failure text={failure} />
    </div>
  );
}

/** PAY-11: cancels the order; its lines return to the cart. */
export function CancelOrder({ order }: { readonly order: Order }) {
  const [isAsked, setIsAsked] = useState(false);
  const { isBusy, failure, run } = useOrderAction('the order was not cancelled');
  const cancel = () =>
    run(async () => {
      await call('POST /orders/{id}/cancel', { params: { id: order.id } });
      setIsAsked(false);
      saveStep(1);
      await loadCheckout();
      showToast('success', 'Order cancelled', 'Your items are back in your cart.');
    });
  return (
    <>
      <Button variant="quaternary" onClick={() => setIsAsked(true)}>
        Cancel order
      </Button>
      <Dialog
        title="Cancel this order?"
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        actions={
          <>
            <Button variant="secondary" onClick={() => void cancel()} isBusy={isBusy}>
              Cancel order
            </Button>
            <Button onClick={() => setIsAsked(false)}>Keep order</Button>
          </>
        }
      >
        <p>
          Your items return to your cart, and you lose this price. Don’t cancel if you have already sent the payment: it
          may still be on its way.
        </p>
        <Failure text={failure} />
      </Dialog>
    </>
  );
}

function Failure({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <p role="alert" className={styles.failure}>
      {text}
    </p>
  );
}
