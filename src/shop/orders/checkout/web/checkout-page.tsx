import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction, ShouldRevalidateFunctionArgs } from 'react-router';
import { data, Link, redirect, useActionData, useLoaderData, useMatches } from 'react-router';
import { parseCartForm } from '#src/shop/cart/cart-form.ts';
import { CartTotals } from '#src/shop/cart/web/cart-totals.tsx';
import type { Totals } from '#src/shop/cart/web/cart-totals.tsx';
import { OrderDetails } from '#src/shop/cart/web/order-details.tsx';
import type { Order } from '../../contract.ts';
import { formatPromoLabel } from '#src/shop/promotions/promo-label.ts';
import { loadCart, session, useSession } from '#src/storefront/session/session.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { toQrContent } from '#src/shop/payments/web/qr-content.ts';
import { isPageLoading } from '#src/storefront/reload-page.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { BillingDetails } from './billing-details.tsx';
import styles from './checkout-page.module.css';
import { CartSide, ProceedBar } from './cart-side.tsx';
import { RefundAddress } from '#src/shop/refunds/addresses/web/refund-address.tsx';
import { OrderRefunds } from '#src/shop/refunds/web/order-refunds.tsx';
import { CompleteOrder } from './complete-order.tsx';
import { PaidOrder } from './paid-order.tsx';
import { OrderItems } from '../../web/order-items.tsx';
import { loadArrival } from '../../web/load-arrival.ts';
import { isOpen, listOrderCharges } from '../../web/read-order.ts';
import { useLiveOrder } from '../../web/use-live-order.ts';
import { usePaymentCheck } from '../../web/use-payment-check.ts';
import { saveStep, stepOfRequest, useSavedStep } from '../../web/saved-step.ts';
import { OrderSummary } from './order-summary.tsx';
import { Steps } from './steps.tsx';
import { CheckoutFrame } from '../../web/checkout-frame.tsx';
import { ShopFrame } from '#src/storefront/layout/page-frame.tsx';
import { formatNumber, formatUsdAmount } from '#src/shop/format-number.ts';
import type { Step } from './steps.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

const isPaid = (order: Order | null | undefined): boolean => order?.payment_status === 'paid';

/** @param hasLeftCart the buyer is at billing or payment */
function formatTitle(order: Order | null | undefined, hasLeftCart: boolean): string {
  if (isPaid(order)) return 'Order paid.';
  return hasLeftCart ? 'Checkout' : 'Cart';
}

const REFUND_PANELS = { RefundAddress, OrderRefunds };

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  { title: formatPageTitle(formatTitle(loaderData?.order, Boolean(loaderData?.order)), matches) },
  { name: 'description', content: 'Your cart, billing details and payment.' },
];

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { call, visitor } = context.get(pageContext);
  const [cart, categories, chain, shop, open, last] = await Promise.all([
    call('GET /cart'),
    call('GET /categories'),
    call('GET /payments/chain'),
    call('GET /shop'),
    visitor.user ? call('GET /orders') : null,
    visitor.user ? call('GET /orders/billing') : null,
  ]);
  const order = open?.order ?? null;
  const orderTimeline =
    order && (await call('GET /orders/{id}/timeline', { params: { id: order.id } }).catch(() => null));
  // The browser imports it on demand too: a static import would make that one useless.
  const { drawQr } = await import('#src/ui/copy/draw-qr.ts');
  const values = categories.flatMap(({ properties }) => properties.flatMap((property) => property.values));
  return {
    cart,
    order,
    orderTimeline,
    arrival: order && orderTimeline && (await loadArrival(call, order, orderTimeline)),
    chain: chain.state,
    // Render the QR code on the server, so that it shows before scripts load.
    drawn: order && isOpen(order) && order.payment.bip21 !== null ? drawQr(toQrContent(order.payment.bip21)) : null,
    lastBilling: last?.billing ?? null,
    // Null: the shop delivers to all countries.
    countries: cart.delivery === null ? null : (await call('GET /shipping')).countries,
    // 2011/83/EU, article 8(2).
    orderButton: shop.sells_to_eu_consumers ? 'Order with obligation to pay' : 'Continue to payment',
    hasLegalGuarantee: shop.sells_to_eu_consumers,
    isSignedIn: visitor.user !== null,
    step: stepOfRequest(request),
    valueNames: Object.fromEntries(values.map(({ id, value }) => [id, value])),
  };
}

/** Handles forms sent without JavaScript: an add-to-cart button, or a cart line. */
export async function action({ context, request }: ActionFunctionArgs) {
  const { call } = context.get(pageContext);
  const change = parseCartForm(await request.formData());
  try {
    if (change?.kind === 'add') await call('POST /cart/add', { body: change.line });
    else if (change?.kind === 'update') await call('PUT /cart/update', { body: change.line });
    else if (change?.kind === 'remove') await call('DELETE /cart/remove', { body: change.line });
    else if (change?.kind === 'apply-promo') await call('POST /promocodes/apply', { body: { code: change.code } });
    else if (change) await call('DELETE /promocodes/apply');
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return data({ refusal: error.message }, { status: error.status });
  }
  return redirect('/cart', 303);
}

/** A step is a history entry of the same page and loads nothing; `reloadPage` does. */
export const shouldRevalidate = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) =>
  formMethod === undefined && currentUrl.href === nextUrl.href && !isPageLoading() ? false : defaultShouldRevalidate;

export default function CheckoutPage() {
  const loaded = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  const isLoaded = useSession((state) => state.isLoaded);
  const browserCart = useSession((state) => state.cart);
  const browserOrder = useSession((state) => state.order);
  const isSignedIn = useSession((state) => state.isSignedIn) || (!isLoaded && loaded.isSignedIn);
  // The server's cart until the browser has its own.
  const cart = browserCart ?? loaded.cart;
  const order = isLoaded ? browserOrder : (browserOrder ?? loaded.order);
  const hasLines = cart.cart_items.length > 0;
  const saved = useSavedStep(loaded.step, hasLines && isSignedIn && order === null);
  const step = useStep({ hasLines, hasOrder: order !== null, isSignedIn, saved: saved.step });

  useStepFocus(isPaid(order) ? 'paid' : step);
  useCartReload();
  useDocumentTitle(formatTitle(order, step > 1));

  const alerts = (
    <>
      {refusal !== undefined && (
        <Notice role="alert" tone="bad">
          {refusal}
        </Notice>
      )}
      {step < 3 && loaded.chain === 'down' && (
        <Notice>
          We can’t reach the Bitcoin network right now. You can still order: we detect your payment later, and your
          order does not expire until then.
        </Notice>
      )}
    </>
  );
  const steps = <Steps current={isPaid(order) ? null : step} />;
  if (order) return <OrderStage key={order.id} order={order} loaded={loaded} steps={steps} />;
  const summary = <CartSide cart={cart} step={step} isSignedIn={isSignedIn} />;
  if (step === 1) {
    return (
      <ShopFrame>
        <div className={styles.page}>
          <h1 className={styles.title}>{formatTitle(order, false)}</h1>
          {steps}
          {alerts}
          <div className={styles.columns}>
            <section className={styles.main} aria-labelledby="step-title">
              <h2 id="step-title" tabIndex={-1}>
                Order Details
              </h2>
              <OrderDetails
                items={cart.cart_items}
                valueNames={loaded.valueNames}
                giftCode={cart.appliedPromoCode?.code ?? null}
              />
            </section>
            <div className={styles.side}>{summary}</div>
          </div>
          <ProceedBar cart={cart} isSignedIn={isSignedIn} />
        </div>
      </ShopFrame>
    );
  }
  return (
    <CheckoutFrame back={{ to: '/cart', text: 'Cart', onFollow: saved.goBack }} steps={steps} summary={summary}>
      <h1 className="visually-hidden">Checkout</h1>
      <section className={styles.billing} aria-labelledby="step-title">
        {alerts}
        <BillingDetails
          last={loaded.lastBilling}
          delivery={cart.delivery}
          countries={loaded.countries}
          summary={
            <>
              {loaded.hasLegalGuarantee && <LegalGuarantee />}
              <OrderSummary cart={cart} valueNames={loaded.valueNames} />
            </>
          }
          orderButton={loaded.orderButton}
          onBack={saved.goBack}
        />
      </section>
    </CheckoutFrame>
  );
}

interface OrderStageProps {
  readonly order: Order;
  readonly loaded: Awaited<ReturnType<typeof loader>>;
  readonly steps: ReactNode;
}

/** Step 3: the payment, then what was bought. */
function OrderStage({ order, loaded, steps }: OrderStageProps) {
  const { orderTimeline: timeline, arrival, order: before } = loaded;
  const known = before?.id === order.id && timeline ? { order: before, timeline, arrival } : null;
  usePaymentCheck(order);
  const isReached = useLiveOrder(order);
  return (
    <CheckoutFrame back={{ to: '/catalog', text: 'Shop' }} steps={steps} summary={<OrderSide order={order} />}>
      {isPaid(order) ? (
        <PaidOrder order={order} loaded={isPaid(before) ? known : null} refunds={REFUND_PANELS} />
      ) : (
        <CompleteOrder
          order={order}
          isReached={isReached}
          loaded={known}
          drawn={loaded.drawn}
          refunds={REFUND_PANELS}
        />
      )}
    </CheckoutFrame>
  );
}

/** The cart may have changed on another device since the last visit. */
function useCartReload(): void {
  useEffect(() => {
    const reloadCart = () => {
      if (document.visibilityState === 'visible' && !session.get().isCartLoading) void loadCart();
    };
    document.addEventListener('visibilitychange', reloadCart);
    return () => document.removeEventListener('visibilitychange', reloadCart);
  }, []);
}

/** CART-01: step 3 with an order; step 1 without lines; otherwise the saved step, if signed in. */
function useStep({
  hasLines,
  hasOrder,
  isSignedIn,
  saved,
}: {
  hasLines: boolean;
  hasOrder: boolean;
  isSignedIn: boolean;
  saved: 1 | 2;
}): Step {
  const ofCart = hasLines && isSignedIn ? saved : 1;
  const step: Step = hasOrder ? 3 : ofCart;
  useEffect(() => {
    // Saves the step for a guest who has to log in first.
    if (hasOrder) saveStep(3);
    else if (!hasLines) saveStep(1);
  }, [hasOrder, hasLines]);
  return step;
}

/** The order may become paid, and the step another one, while the page is shown. */
function useDocumentTitle(title: string): void {
  const documentTitle = formatPageTitle(title, useMatches());
  useEffect(() => {
    document.title = documentTitle;
  }, [documentTitle]);
}

/** Moves scroll position and focus to the top of a new step, as on a new page. */
function useStepFocus(step: Step | 'paid'): void {
  const shown = useRef(step);
  const hasBegun = useRef(false);
  useEffect(() => {
    // The first render takes no focus.
    const frame = requestAnimationFrame(() => {
      hasBegun.current = true;
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    if (!hasBegun.current) return;
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>('#step-title')?.focus({ preventScroll: true });
  }, [step]);
}

function OrderSide({ order }: { readonly order: Order }) {
  const hasCharges = order.shipping_usd > 0 || order.tax !== null;
  const totals: Totals = {
    subtotalBtc: order.total_price_btc,
    subtotalUsd: order.total_price_usd,
    discount: order.discount,
    discountBtc: order.discount_btc,
    discountUsd: order.discount_usd,
    totalBtc: order.total_btc_after,
    totalUsd: hasCharges ? formatUsdAmount(order.total_usd_after) : formatNumber(order.total_usd_after),
    charges: listOrderCharges(order),
    promo: order.promoCode && formatPromoLabel(order.promoCode),
  };
  return <CartTotals totals={totals}>{!isPaid(order) && <OrderItems items={order.order_items} />}</CartTotals>;
}

/** Before the buyer is bound (2011/83/EU, article 6(1)(l)). */
const LegalGuarantee = () => (
  <p>
    <Link to="/legal-guarantee" className="link">
      Legal guarantee of at least 2 years
    </Link>
  </p>
);
