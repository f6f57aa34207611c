import { useEffect } from 'react';
import type { Order } from '../contract.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import { loadOrder } from '#src/storefront/session/session.ts';
import { showToast } from '#src/ui/feedback/show-toast.ts';

const PENDING_POLL_MS = 30_000;
const USER_PAID_POLL_MS = 15_000;

/**
 * PAY-05: checks the payment every 30 s while pending, every 15 s while user_paid, and when the tab
 * becomes visible; stops once paid.
 */
export function usePaymentCheck({ id, payment_status: status, payment }: Order): void {
  const known = JSON.stringify(payment);

  useEffect(() => {
    if (status !== 'pending' && status !== 'user_paid') return undefined;
    let isCurrent = true;
    const check = async () => {
      try {
        const response = await call('GET /payments/check/{orderId}', { params: { orderId: id } });
        if (!isCurrent) return;
        // A changed payment or chain status may mean a changed order; a paid order is reported by
        // other means.
        if ((response.success && response.isPaid) || JSON.stringify(response.payment) !== known) await loadOrder();
      } catch (error) {
        if (!isCurrent) return;
        logError('the payment was not checked', error);
        showToast('error', 'Failed to check payment status');
      }
    };
    const checkWhenBack = () => {
      if (document.visibilityState === 'visible') void check();
    };
    const timer = setInterval(() => void check(), status === 'pending' ? PENDING_POLL_MS : USER_PAID_POLL_MS);
    document.addEventListener('visibilitychange', checkWhenBack);
    return () => {
      isCurrent = false;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', checkWhenBack);
    };
  }, [id, status, known]);
}
