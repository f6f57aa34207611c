import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import type { Billing } from '../../contract.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { serialize, loadCart, loadCheckout, session } from '#src/storefront/session/session.ts';
import { clearBillingDraft } from './use-billing-draft.ts';

interface CheckoutFailure {
  readonly text: string;
  /** The failure concerns the cart. */
  readonly isOfCart: boolean;
}

const OF_CART: ReadonlySet<string> = new Set([
  'empty-cart',
  'below-dust',
  'withdrawn',
  'repriced',
  'sold-out',
  'promo',
]);

/** Idempotency key of one checkout: retries never create a second order. */
const createKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Message of a failed checkout. */
const toCheckoutFailure = (error: unknown): CheckoutFailure => ({
  text: describeFailure(error, { assurance: 'You will not order twice.' }),
  isOfCart: isApiFailure(error) && OF_CART.has(error.code),
});

interface Checkout {
  readonly isBusy: boolean;
  readonly failure: CheckoutFailure | null;
  readonly order: (billing: Billing) => Promise<void>;
}

/** BILL-03: places the order; shows failures in place. */
export function useCheckout(): Checkout {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<CheckoutFailure | null>(null);
  const attempt = useRef<{ readonly key: string; readonly body: string } | null>(null);

  const order = async (billing: Billing) => {
    setIsBusy(true);
    setFailure(null);
    try {
      // Runs after pending cart changes.
      const placed = await serialize(() => {
        const body = { ...billing, expected_total_usd: session.get().cart?.totalCartValue };
        const text = JSON.stringify(body);
        // A changed request needs a new key.
        if (attempt.current?.body !== text) attempt.current = { key: createKey(), body: text };
        return call('POST /cart/checkout', { body }, { idempotencyKey: attempt.current.key });
      });
      // The order in the session moves the page to step 3 without another request.
      session.update({ order: placed.order });
      clearBillingDraft();
      await loadCart();
    } catch (error) {
      logError('the checkout failed', error);
      setFailure(toCheckoutFailure(error));
      if (isApiFailure(error) && error.status === 401) await navigate(`/login?to=${encodeURIComponent('/cart')}`);
      if (isApiFailure(error) && error.status === 409) await loadCheckout();
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, failure, order };
}
