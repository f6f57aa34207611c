import { useNavigate } from 'react-router';
import type { Cart } from '#src/shop/cart/contract.ts';
import { isBlocked } from '#src/shop/cart/web/cart-line.tsx';
import { CartTotals } from '#src/shop/cart/web/cart-totals.tsx';
import { PromoBox } from '#src/shop/cart/web/promo-box.tsx';
import { acceptPrices } from '#src/shop/cart/web/change-cart.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { useSession } from '#src/storefront/session/session.ts';
import { formatBtcAmount } from '#src/shop/format-number.ts';
import { isWithoutRate } from '#src/storefront/products/is-without-rate.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Row } from '#src/ui/layout/row.ts';
import styles from './checkout-page.module.css';
import { saveStep } from '../../web/saved-step.ts';
import type { Step } from './steps.tsx';
import { toTotals } from './to-totals.ts';

interface ProceedProps {
  readonly cart: Cart;
  readonly isSignedIn: boolean;
}

const countBlocked = (cart: Cart): number => cart.cart_items.filter(isBlocked).length;

/** CART-07: the button from step 1 to step 2. */
function Proceed({ cart, isSignedIn }: ProceedProps) {
  const navigate = useNavigate();
  const { isBusy, run } = useCallAction({ log: 'the new prices were not accepted', describe: () => null });
  const isRepriced = cart.cart_items.some(({ notices }) => notices.some(({ code }) => code === 'repriced'));
  const hasBlocked = countBlocked(cart) > 0;
  const proceed = async () => {
    // Continuing below the new prices accepts them.
    if (isRepriced) await run(acceptPrices);
    saveStep(2);
    if (!isSignedIn) await navigate(`/login?to=${encodeURIComponent('/cart')}`);
  };
  return (
    <Button
      width="full"
      disabled={cart.cart_items.length === 0 || hasBlocked}
      isBusy={isBusy}
      aria-describedby={hasBlocked ? 'blocked-hint' : undefined}
      onClick={() => void proceed()}
    >
      Continue to Checkout
    </Button>
  );
}

/** On phones: total and button, which stay in view above the bottom bar. */
export function ProceedBar({ cart, isSignedIn }: ProceedProps) {
  if (cart.cart_items.length === 0) return null;
  const { totalBtc, totalUsd, subtotalBtc, subtotalUsd } = toTotals(cart, 1);
  return (
    <Row gap={16} rowGap={8} className={styles.bar}>
      <p translate="no" className={styles.barTotal} aria-hidden="true">
        {!isWithoutRate(subtotalBtc, subtotalUsd) && <strong>{formatBtcAmount(totalBtc)} BTC</strong>}
        <span className="muted small">${totalUsd}</span>
      </p>
      <Proceed cart={cart} isSignedIn={isSignedIn} />
    </Row>
  );
}

interface CartSideProps extends ProceedProps {
  readonly step: Step;
}

/** Cart total, promo code, and the button to the next step. */
export function CartSide({ cart, step, isSignedIn }: CartSideProps) {
  const isStale = useSession((state) => state.isCartLoading);
  const isEmpty = cart.cart_items.length === 0;
  const blocked = countBlocked(cart);
  return (
    <CartTotals totals={toTotals(cart, step)} isStale={isStale}>
      <PromoBox cart={cart} isDisabled={isEmpty && cart.appliedPromoCode === null} />
      {step === 1 && (
        <div className={styles.proceed} data-alone={isEmpty || undefined}>
          <Proceed cart={cart} isSignedIn={isSignedIn} />
        </div>
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
