import { useNavigate } from 'react-router';
import type { Cart } from '#src/shop/cart/contract.ts';
import { isBlocked } from '#src/shop/cart/web/cart-line.tsx';
import { CartTotals } from '#src/shop/cart/web/cart-totals.tsx';
import { PromoBox } from '#src/shop/cart/web/promo-box.tsx';
import { acceptPrices } from '#src/shop/cart/web/change-cart.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { useSession } from '#src/storefront/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import styles from './checkout-page.module.css';
import { saveStep } from '../../web/saved-step.ts';
import type { Step } from './steps.tsx';
import { toTotals } from './to-totals.ts';

interface CartSideProps {
  readonly cart: Cart;
  readonly step: Step;
  readonly isSignedIn: boolean;
}

/** Cart total, promo code, and the button to the next step. */
export function CartSide({ cart, step, isSignedIn }: CartSideProps) {
  const navigate = useNavigate();
  const isStale = useSession((state) => state.isCartLoading);
  const { isBusy, run } = useCallAction({ log: 'the new prices were not accepted', describe: () => null });
  const isEmpty = cart.cart_items.length === 0;
  const blocked = cart.cart_items.filter(isBlocked).length;
  const isRepriced = cart.cart_items.some(({ notices }) => notices.some(({ code }) => code === 'repriced'));

  const proceed = async () => {
    // Continuing below the new prices accepts them.
    if (isRepriced) await run(acceptPrices);
    saveStep(2);
    if (!isSignedIn) await navigate(`/login?to=${encodeURIComponent('/cart')}`);
  };
  return (
    <CartTotals totals={toTotals(cart, step)} isStale={isStale}>
      <PromoBox cart={cart} isDisabled={isEmpty && cart.appliedPromoCode === null} />
      {step === 1 && (
        <Button
          width="full"
          disabled={isEmpty || blocked > 0}
          isBusy={isBusy}
          aria-describedby={blocked > 0 ? 'blocked-hint' : undefined}
          onClick={() => void proceed()}
        >
          Continue to Checkout
        </Button>
      )}
      {step === 1 && blocked > 0 && (
        <p id="blocked-hint" className={styles.note}>
          {blocked === 1
            ? 'One item can’t be ordered. Change or remove it to continue.'
            : `${blocked} items can’t be ordered. Change or remove them to continue.`}
        </p>
      )}
      <noscript>
        <p className={styles.note}>Turn on JavaScript to check out.</p>
      </noscript>
      {step === 1 && !isEmpty && blocked === 0 && !isSignedIn && (
        <p className={styles.note}>Log in at the next step. Your cart is saved.</p>
      )}
    </CartTotals>
  );
}
