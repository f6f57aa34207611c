import { useNavigate } from 'react-router';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { useSendOnce } from '#src/storefront/forms/use-send-once.ts';
import type { FormFailure, FormState } from '#src/ui/form/use-form.ts';
import type { Billing } from '../../contract.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { serialize, loadCart, loadCheckout, session } from '#src/storefront/session/session.ts';
import { createLoginPath } from '#src/shop/accounts/sessions/web/login-notice.ts';
import { saveStep } from '../../web/saved-step.ts';
import { clearBillingDraft } from './use-billing-draft.ts';

const OF_CART: ReadonlySet<string> = new Set([
  'empty-cart',
  'below-dust',
  'withdrawn',
  'repriced',
  'sold-out',
  'promo',
]);

/** Marks `cart` if the failure concerns the cart. */
const toCheckoutFailure = (error: unknown): FormFailure => ({
  text: describeFailure(error, { assurance: 'You will not order twice.' }),
  problems: isApiFailure(error) && OF_CART.has(error.code) ? { cart: '' } : {},
});

/**
 * BILL-03: places the order; shows failures in place.
 * @param read null as long as the order can't be placed
 */
export function useCheckout(read: () => Billing | null): FormState {
  const navigate = useNavigate();
  const sendOnce = useSendOnce();
  const logInAgain = async (): Promise<void> => {
    // Leads back to the form, which still has what was typed.
    saveStep(2);
    await navigate(createLoginPath('/cart', { notice: 'session-ended' }));
  };
  const order = async (billing: Billing): Promise<void> => {
    try {
      // Runs after pending cart changes.
      const placed = await serialize(() => {
        const body = { ...billing, expected_total_usd: session.get().cart?.totalCartValue };
        return sendOnce(body, (options) => call('POST /cart/checkout', { body }, options));
      });
      // The order in the session moves the page to step 3 without another request.
      session.update({ order: placed.order });
      clearBillingDraft();
      await loadCart();
    } catch (error) {
      if (isApiFailure(error) && error.status === 401) await logInAgain();
      if (isApiFailure(error) && error.status === 409) await loadCheckout();
      throw error;
    }
  };
  return useCallForm({ log: 'the checkout failed', read, send: order, describe: toCheckoutFailure });
}
