import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { isLateState } from '#src/shop/payments/ledger/payment-state.ts';
import { PaymentBox } from '#src/shop/payments/web/payment-box.tsx';
import { toQrContent } from '#src/shop/payments/web/qr-content.ts';
import { Transactions } from '#src/shop/payments/web/transactions.tsx';
import { isApiFailure } from '#src/storefront/api.ts';
import { LINK_PAGE_HEADERS } from '#src/storefront/page/link-page-headers.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { rethrowAsNotFound, throwNotFound } from '#src/storefront/page/page-responses.ts';
import { reloadPage, useReloadEvery } from '#src/storefront/reload-page.ts';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { CheckoutFrame } from './checkout-frame.tsx';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Section } from '#src/ui/layout/section.tsx';
import styles from './payment-stage.module.css';
import { OrderPaymentStatus } from './order-payment-status.tsx';
import { PaymentHead } from './payment-head.tsx';
import { isPaymentLostForGood, isOpen, isRequotable, readTimelineFacts, mayOweMoney } from './read-order.ts';
import { choosePollInterval } from './poll-interval.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

/** Refresh interval of the page without JavaScript. */
const REFRESH_S = 30;

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  { title: formatPageTitle(loaderData ? `Order ${loaderData.order.number}` : 'Order', matches) },
  { name: 'description', content: 'Amount, address and status of the payment.' },
  { name: 'robots', content: 'noindex' },
];

export const headers = () => LINK_PAGE_HEADERS;

export async function loader({ context, params }: LoaderFunctionArgs) {
  const { call } = context.get(pageContext);
  const order = await call('GET /pay/{token}', { params: { token: params.token ?? '' } }).catch(throwForBadLink);
  const { bip21 } = order.payment;
  // The browser imports it on demand too: a static import would make that one useless.
  const { drawQr } = await import('#src/ui/copy/draw-qr.ts');
  return { order, drawn: isOpen(order) && bip21 !== null ? drawQr(toQrContent(bip21)) : null };
}

/** Any invalid link is a 404. */
function throwForBadLink(error: unknown): never {
  if (isApiFailure(error) && error.status === 400) throwNotFound();
  return rethrowAsNotFound(error);
}

type PayOrder = Awaited<ReturnType<typeof loader>>['order'];

/** Next action of the signed-in buyer. */
function getNextStep(order: PayOrder): { readonly to: string; readonly text: string; readonly isMain: boolean } {
  if (isPaymentLostForGood(order)) return { to: '/dashboard/orders', text: 'Log in to pay again', isMain: true };
  if (isRequotable(order, order)) {
    return isLateState(order.payment.state)
      ? { to: '/dashboard/orders', text: 'Log in to pay the difference', isMain: true }
      : { to: '/cart', text: 'Log in for a new price', isMain: true };
  }
  if (mayOweMoney(order)) return { to: '/dashboard/orders', text: 'Log in to enter a refund address', isMain: true };
  return { to: '/cart', text: 'Log in to see the order', isMain: false };
}

/** Payment of an order for anyone with the link; no personal data. */
export default function PayPage() {
  const { order, drawn } = useLoaderData<typeof loader>();
  const { payment, payment_status: status } = order;
  const next = getNextStep(order);
  const isAsked = isOpen(order) && payment.bip21 !== null;
  useReloadEvery(choosePollInterval(status));
  const signIn = (
    <Row>
      <ButtonLink
        to={`/login?to=${encodeURIComponent(next.to)}`}
        variant={next.isMain ? 'primary' : 'secondary'}
        prefetch="none"
      >
        {next.text}
      </ButtonLink>
    </Row>
  );
  const state = (
    <OrderPaymentStatus order={order} hasCode layout={isAsked ? 'line' : 'stage'} facts={readTimelineFacts(order)} />
  );
  return (
    <CheckoutFrame summary={<PaySummary order={order} />}>
      {isOpen(order) && (
        <noscript>
          <meta httpEquiv="refresh" content={String(REFRESH_S)} />
        </noscript>
      )}
      <div className={classNames(styles.stage, styles.titles)}>
        <PaymentHead order={order} startedAt={order.window_started_at} onOver={() => void reloadPage()} />
        {isOpen(order) && payment.bip21 !== null ? (
          <PaymentBox
            address={payment.address}
            bip21={payment.bip21}
            isRest={payment.received_btc > 0}
            usd={formatUsdAmount(order.total_usd)}
            rate={order.rate_usd}
            until={order.expires_at}
            drawn={drawn ?? undefined}
          >
            {state}
          </PaymentBox>
        ) : (
          state
        )}
        {!isOpen(order) && signIn}
        {mayOweMoney(order) && (
          <p>
            To get a refund, log in, open the order and enter an address of your own wallet. We send refunds there once
            you have confirmed it by mail.
          </p>
        )}
        <Transactions payment={payment} level="h2" />
        {isOpen(order) && signIn}
      </div>
    </CheckoutFrame>
  );
}

/** What is paid, without what is bought. */
function PaySummary({ order: { number, payment, rate_usd: rate, total_usd: usd } }: { readonly order: PayOrder }) {
  return (
    <Section title="Your payment" size={18} surface="soft">
      <Facts layout="sums">
        <Fact label="Order" translate="no" className="unbroken">
          {number}
        </Fact>
        <Fact label="Rate" translate="no">
          1 BTC = ${formatUsdAmount(rate)}
        </Fact>
        <Fact label="Total" isTotal translate="no">
          {formatExactBtc(payment.amount_btc)} BTC <span className="muted regular">${formatUsdAmount(usd)}</span>
        </Fact>
      </Facts>
    </Section>
  );
}
