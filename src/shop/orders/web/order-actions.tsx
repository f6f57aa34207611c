import { useState } from 'react';
import type { Order } from '../contract.ts';
import { describeMarkedPaid } from '../status/payment-messages.ts';
import { call } from '#src/storefront/call.ts';
import { focusFirstWithin } from '#src/ui/browser/focus-fallback.ts';
import { loadCheckout, session } from '#src/storefront/session/session.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { saveStep } from './saved-step.ts';
import { Failure } from './failure.tsx';
import styles from './order-actions.module.css';

/** PAY-04: the buyer marks the order as paid. Then says so in its place. */
export function MarkPaid({ order: { id, payment, payment_status: status } }: { readonly order: Order }) {
  const { isBusy, failed, run } = useCallAction({ log: 'the order was not marked as paid', describe: describeFailure });
  const marked = describeMarkedPaid(payment.state);
  const reportPaid = () =>
    run(async () => {
      const { order } = await call('PUT /orders/paid', { body: { order_id: id } });
      session.update({ order });
      showToast('success', 'Marked as paid', describeMarkedPaid(order.payment.state));
      focusFirstWithin(null);
    });
  if (status !== 'pending') return marked === null ? null : <p className={styles.hint}>{marked}</p>;
  return (
    <div className={styles.action}>
      <Button variant="secondary" onClick={() => void reportPaid()} isBusy={isBusy}>
        I paid
      </Button>
      <p className={styles.hint}>Optional. We detect your payment automatically.</p>
      <Failure text={failed} />
    </div>
  );
}

/** PAY-11: cancels the order; its lines return to the cart. */
export function CancelOrder({ order }: { readonly order: Order }) {
  const [isAsked, setIsAsked] = useState(false);
  const { isBusy, failed, run } = useCallAction({ log: 'the order was not cancelled', describe: describeFailure });
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
        <Failure text={failed} />
      </Dialog>
    </>
  );
}
