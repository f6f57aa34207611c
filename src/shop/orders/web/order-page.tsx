import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData, useNavigate } from 'react-router';
import type { Order } from '../contract.ts';
import { Transactions } from '#src/shop/payments/web/transactions.tsx';
import { InvoiceList } from '#src/shop/invoices/web/invoice-list.tsx';
import { OrderWithdrawals } from '#src/shop/returns/withdrawal/web/order-withdrawals.tsx';
import { OrderRefunds } from '#src/shop/refunds/web/order-refunds.tsx';
import { RefundAddress } from '#src/shop/refunds/addresses/web/refund-address.tsx';
import { OrderReturns } from '#src/shop/returns/web/order-returns.tsx';
import { OrderReviews } from '#src/shop/reviews/web/order-reviews.tsx';
import { SideColumns } from '#src/storefront/layout/side-columns.tsx';
import { TitledPage } from '#src/storefront/layout/titled-page.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { rethrowAsNotFound, throwRedirect } from '#src/storefront/page/page-responses.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { reloadPage, useReloadEvery } from '#src/storefront/reload-page.ts';
import { OrderAddress, OrderPayment, OrderTotals } from './order-facts.tsx';
import { CancelOrder } from './order-actions.tsx';
import { Requote } from './requote.tsx';
import { isConfirming } from '../status/payment-messages.ts';
import { OrderLines } from './order-lines.tsx';
import { loadArrival } from './load-arrival.ts';
import { OrderParcel } from './order-parcel.tsx';
import { OrderPaymentStatus } from './order-payment-status.tsx';
import { PaymentStatusBox } from '#src/shop/payments/web/payment-status-box.tsx';
import styles from './order-page.module.css';
import stageStyles from './payment-stage.module.css';
import { OrderStatus } from './order-status.tsx';
import {
  isRefundStopped,
  isCancellable,
  isPaymentLostForGood,
  isPayable,
  isRequotable,
  readTimelineFacts,
  isRestOwed,
  mayOweMoney,
} from './read-order.ts';
import { OrderTerms } from '../terms/web/order-terms.tsx';
import { Timeline } from '../timeline/web/timeline.tsx';
import { useLiveBeginning, useLivePayment } from './use-live-order.ts';
import { choosePollInterval } from './poll-interval.ts';
import type { ShopDescription } from '#src/shop/shop-settings/contract.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { OrderNumber } from './order-number.tsx';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  { title: formatPageTitle(loaderData ? `Order ${loaderData.order.number}` : 'Order', matches) },
  { name: 'description', content: 'Your order, its status and its receipt.' },
];

export async function loader({ context, params }: LoaderFunctionArgs) {
  const { call, visitor } = context.get(pageContext);
  const id = params.id ?? '';
  if (!visitor.user) return throwRedirect(`/login?to=${encodeURIComponent(`/dashboard/orders/${id}`)}`);
  const [{ order }, orderTimeline, shop, reviews, reviewName, documents, withdrawals, returns, placed] =
    await Promise.all([
      call('GET /orders/{id}', { params: { id } }),
      call('GET /orders/{id}/timeline', { params: { id } }),
      call('GET /shop'),
      // The order is shown even if reviews, invoices or withdrawals fail to load.
      call('GET /reviews/own').catch(() => null),
      call('GET /reviews/name').catch(() => null),
      call('GET /orders/{id}/invoices', { params: { id } }).catch(() => null),
      call('GET /orders/{id}/withdrawals', { params: { id } }).catch(() => null),
      call('GET /orders/{id}/returns', { params: { id } }).catch(() => null),
      call('GET /orders/{id}/terms', { params: { id } }).catch(() => null),
    ]).catch(rethrowAsNotFound);
  return {
    arrival: await loadArrival(call, order, orderTimeline),
    order,
    orderTimeline,
    reviews,
    reviewName: reviewName?.name ?? '',
    shop,
    invoices: documents?.invoices ?? [],
    withdrawals,
    returns,
    terms: placed?.terms ?? null,
  };
}

const reload = (): void => void reloadPage({ isAutomatic: true });

const isSettled = ({ payment_status: status }: Order): boolean => status === 'paid' || status === 'refunded';

/** Address and legal identity of the seller. */
const listSellerFacts = ({ address, company, name, registration_number: number, tax_number: tax }: ShopDescription) =>
  [
    name === '' || company === name ? '' : company,
    address,
    number && `Company number ${number}`,
    tax && `Tax number ${tax}`,
  ].filter((text) => text !== '');

/** Distinct products of the order. */
const listProducts = ({ order_items: items }: Order) => [
  ...new Map(items.map(({ product_id: id, product: { name, slug } }) => [id, { id, name, slug }])).values(),
];

/** DASH-04: an order with all details. Prints as a receipt. */
export default function OrderPage() {
  const { order, orderTimeline, reviews, reviewName, shop, invoices, arrival, terms, ...found } =
    useLoaderData<typeof loader>();
  const { payment, payment_status: status } = order;
  useReloadEvery(choosePollInterval(status));
  // A paid order still changes, for example when shipped.
  useLivePayment(order.id, reload);
  // Paid orders are not polled, so load once the connection opens.
  useLiveBeginning(choosePollInterval(status) === null, reload);
  const paidAt = isSettled(order) ? orderTimeline.timeline.find(({ kind }) => kind === 'paid')?.at : undefined;
  const facts = readTimelineFacts(orderTimeline);
  // No notice once the refund is under way.
  const isOwed = (mayOweMoney(order) && facts.refundRoute !== 'going') || isRestOwed(order, orderTimeline);
  // Nothing is shipped, and nothing is left to ship.
  const isStopped =
    status === 'paid' &&
    order.fulfilment_status === 'unfulfilled' &&
    found.withdrawals?.problem === 'nothing-left' &&
    found.withdrawals.withdrawals.length > 0;
  const refundAddress = isOwed && (
    <div className={styles.refund}>
      <RefundAddress orderId={order.id} isDue onChanged={reload} />
    </div>
  );
  return (
    <TitledPage
      above={<BackLink to="/dashboard/orders" text="Your orders" />}
      title={
        <>
          Order <OrderNumber number={order.number} />
        </>
      }
      className={styles.page}
      beside={
        <>
          <p className="muted">
            <Moment at={order.created_at} shows="moment" />
          </p>
          <p>
            <span className="visually-hidden">Status </span>
            <OrderStatus order={order} />
          </p>
          <p className={styles.seller}>
            <strong>{shop.name || shop.company}</strong>
            <strong>{isSettled(order) ? 'Receipt' : 'Order'}</strong>
            <span>{listSellerFacts(shop).join(' · ')}</span>
          </p>
        </>
      }
    >
      <div className={styles.top}>
        {isStopped ? (
          <PaymentStatusBox
            tone="attention"
            title="You withdrew from this order"
            text="We do not ship it. Your payment is refunded as the section about the withdrawal says."
            progress={null}
          />
        ) : (
          <OrderParcel
            order={order}
            orderTimeline={orderTimeline}
            arrival={arrival}
            status={<OrderPaymentStatus order={order} hasCode={false} layout="line" facts={facts} />}
          />
        )}
        <Papers orderId={order.id} invoices={invoices} {...found} />
      </div>
      {isSettled(order) && refundAddress}
      <Actions order={order} orderTimeline={orderTimeline} isOwed={isOwed} />
      {!isSettled(order) && refundAddress}
      <SideColumns
        sidebar={
          <>
            <section className={styles.timeline} aria-labelledby="timeline-title">
              <h2 id="timeline-title">Timeline</h2>
              <Timeline events={orderTimeline.timeline} />
            </section>
            <section aria-labelledby="address-title">
              <h2 id="address-title">Delivery address</h2>
              <OrderAddress billing={order.billing} />
            </section>
            <section aria-labelledby="payment-title">
              <h2 id="payment-title">Payment</h2>
              <OrderPayment order={order} rate={orderTimeline.rate_usd} paidAt={paidAt ?? null} />
            </section>
            {status !== 'refunded' && !isOwed && (
              <div className={styles.refund}>
                <RefundAddress orderId={order.id} isDue={false} onChanged={reload} />
              </div>
            )}
            <OrderTerms terms={terms} path={`/orders/${order.id}/terms/pdf`} className={styles.refund} />
          </>
        }
      >
        <section aria-labelledby="items-title">
          <h2 id="items-title" className={styles.itemsTitle}>
            Items
          </h2>
          <div className={styles.sheet}>
            <div className={styles.repeated} aria-hidden="true">
              <p>
                <span>
                  Items of order <OrderNumber number={order.number} />
                </span>
                <span>Line total</span>
              </p>
            </div>
            <OrderLines items={order.order_items} />
            <OrderTotals order={order} />
          </div>
        </section>
        <Transactions payment={payment} left={orderTimeline.left_payments} level="h2" />
        <OrderRefunds refunds={orderTimeline.refunds} level="h2" isStopped={isRefundStopped(order)} />
        {status === 'paid' && reviews !== null && (
          <OrderReviews products={listProducts(order)} ownReviews={reviews} defaultName={reviewName} />
        )}
      </SideColumns>
    </TitledPage>
  );
}

interface PapersProps extends Pick<Awaited<ReturnType<typeof loader>>, 'invoices' | 'returns' | 'withdrawals'> {
  readonly orderId: string;
}

/** Invoices, returns and withdrawal, beside the parcel. */
const Papers = ({ orderId, invoices, returns, withdrawals }: PapersProps) => (
  <Stack className={classNames('hide-empty', stageStyles.titles, styles.papers)}>
    <InvoiceList invoices={invoices} toPath={(id) => `/invoices/${id}/pdf`} />
    {returns !== null && <OrderReturns orderId={orderId} found={returns} />}
    {withdrawals !== null && <OrderWithdrawals orderId={orderId} className={styles.refund} {...withdrawals} />}
  </Stack>
);

interface ActionsProps {
  readonly order: Order;
  readonly orderTimeline: Awaited<ReturnType<typeof loader>>['orderTimeline'];
  /** A refund may be owed. */
  readonly isOwed: boolean;
}

/** Actions of the buyer: pay, requote, cancel, contact, print. */
function Actions({ order, orderTimeline, isOwed }: ActionsProps) {
  const navigate = useNavigate();
  const isQuotable = isRequotable(order, orderTimeline);
  const isToWrite = order.payment.loss !== null && order.payment_status !== 'pending' && !isSettled(order);
  const writeToUs = ((isOwed && !isSettled(order) && !isConfirming(order)) || isToWrite) && (
    <ButtonLink to="/dashboard/tickets/create" variant="secondary">
      Write to us
    </ButtonLink>
  );
  return (
    <div className={styles.actions}>
      {isPayable(order) && <ButtonLink to="/cart">Go to payment</ButtonLink>}
      {isQuotable && (
        <Requote order={order} next={orderTimeline.next_quote} onDone={() => void navigate('/cart')}>
          {writeToUs}
        </Requote>
      )}
      {isPaymentLostForGood(order) && isCancellable(order) && <CancelOrder order={order} />}
      {!isQuotable && writeToUs}
      {isSettled(order) && (
        <Button variant="secondary" onClick={() => window.print()}>
          Print receipt
        </Button>
      )}
    </div>
  );
}
