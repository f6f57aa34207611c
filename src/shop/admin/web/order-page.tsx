import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData, useRevalidator } from 'react-router';
import { Moment } from '#src/storefront/moment.tsx';
import { OrderAddress } from '#src/shop/orders/web/order-facts.tsx';
import { InvoiceList } from '#src/shop/invoices/web/invoice-list.tsx';
import type { ShownInvoice } from '#src/shop/invoices/contract.ts';
import { OrderItems } from '#src/shop/orders/web/order-items.tsx';
import { OrderStatus } from '#src/shop/orders/web/order-status.tsx';
import { isRefundStopped } from '#src/shop/orders/web/read-order.ts';
import { usePolling } from '#src/ui/use-polling.ts';
import { SideColumns } from '#src/storefront/layout/side-columns.tsx';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import { ErrorState } from '#src/ui/states.tsx';
import type { StaffTaskKind } from '../tasks/staff-task.ts';
import { describeStaffTask, isUrgent } from '../tasks/staff-task-messages.ts';
import type { WholeOrder } from '../contract.ts';
import { AdminFrame } from './admin-frame.tsx';
import { CloseAsLoss } from './close-as-loss.tsx';
import { CancelAsUnpayable } from './cancel-as-unpayable.tsx';
import { Amounts, History, Outputs, PaidTo } from './order-ledger.tsx';
import styles from './order-page.module.css';
import { RefundActions } from '../refunds/web/refund-actions.tsx';
import { ManualRefunds } from '../refunds/web/manual-refunds.tsx';
import { AcceptAsPaid } from './accept-as-paid.tsx';
import { Ship } from './ship.tsx';
import { requireStaff } from './staff-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

/** Tasks that need a refund. */
const MONEY_BACK: Readonly<Record<StaffTaskKind, boolean>> = {
  'reorged-out': false,
  'refund-lost': false,
  'refund-uncovered': false,
  'refund-stopped': false,
  'shipped-unpaid': false,
  'part-double-spent': false,
  'double-spent': false,
  'units-gone': false,
  'refund-superseded': false,
  'refunded-twice': false,
  'paid-after-refund': true,
  'paid-after-write-off': false,
  claimed: true,
  'refund-to-send': false,
  'late-sold-out': false,
  'late-promo': false,
  'late-rate': false,
  'late-unconfirmed': false,
  'cancelled-paid': false,
  'underpaid-over': false,
  'surplus-ready': true,
  surplus: false,
  'late-confirming': false,
  'late-no-rate': false,
  'refund-sent': false,
  immature: false,
};
const POLL_MS = 10_000;

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  {
    title: formatPageTitle(`${loaderData ? `Order ${loaderData.whole.order.number}` : 'Order'} · Back office`, matches),
  },
  { name: 'description', content: 'An order with its payment and actions.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params['id'] ?? '';
  const call = requireStaff(args, `/admin/orders/${id}`);
  const [whole, refunds, documents] = await Promise.all([
    call('GET /support/orders/{id}', { params: { id } }),
    // The order is shown even if its refunds or invoices could not be loaded.
    call('GET /orders/{id}/refunds', { params: { id } }).catch(() => null),
    call('GET /support/orders/{id}/invoices', { params: { id } }).catch(() => null),
  ]).catch(rethrowAsNotFound);
  return { whole, refunds, invoices: documents?.invoices ?? [] };
}

/** OPS-03: an order with its payment, history and staff actions. */
export default function OrderPage() {
  const { whole, refunds, invoices } = useLoaderData<typeof loader>();
  const { order } = whole;
  const { state, revalidate } = useRevalidator();
  usePolling(POLL_MS, () => {
    if (state === 'idle') void revalidate();
  });
  return (
    <AdminFrame title={`Order ${order.number}`} beside={<OrderStatus order={order} />}>
      {whole.attention !== null && <StaffTask attention={whole.attention} />}
      <SideColumns sidebar={<Facts whole={whole} invoices={invoices} />}>
        <section aria-labelledby="payment-title">
          <h2 id="payment-title">Payment</h2>
          <Amounts whole={whole} />
        </section>
        <AcceptAsPaid whole={whole} />
        <CancelAsUnpayable whole={whole} />
        <CloseAsLoss whole={whole} />
        {refunds === null ? (
          <ErrorState title="The refunds could not be loaded." onRetry={() => void revalidate()} />
        ) : (
          <>
            <RefundActions
              orderId={order.id}
              refunds={refunds}
              isAsked={whole.attention !== null && MONEY_BACK[whole.attention.kind]}
              isStopped={isRefundStopped(order)}
            />
            <ManualRefunds orderId={order.id} refunds={refunds} />
          </>
        )}
        <Ship whole={whole} />
        <section aria-labelledby="outputs-title">
          <h2 id="outputs-title">Transactions</h2>
          <Outputs
            outputs={whole.outputs}
            more_dust={whole.more_dust}
            required={order.payment.required_confirmations}
          />
        </section>
        <section aria-labelledby="history-title">
          <h2 id="history-title">Timeline</h2>
          <History timeline={whole.timeline} />
        </section>
      </SideColumns>
    </AdminFrame>
  );
}

/** Buyer, delivery address, invoices and items. */
function Facts({ whole, invoices }: { readonly whole: WholeOrder; readonly invoices: readonly ShownInvoice[] }) {
  const { order, buyer } = whole;
  return (
    <>
      <section aria-labelledby="buyer-title">
        <h2 id="buyer-title">Buyer</h2>
        <p className={styles.text}>{buyer.username}</p>
        {buyer.email !== '' && (
          <p className={styles.text}>
            <a href={`mailto:${buyer.email}`}>{buyer.email}</a>
          </p>
        )}
        <p className={styles.muted}>
          Ordered <Moment at={order.created_at} shows="moment" />
        </p>
      </section>
      <section aria-labelledby="delivery-title">
        <h2 id="delivery-title">Delivery address</h2>
        <OrderAddress billing={order.billing} />
        {whole.tracking_reference !== null && (
          <p className={styles.muted}>
            Tracking reference <code>{whole.tracking_reference}</code>
          </p>
        )}
      </section>
      <section aria-labelledby="address-title">
        <h2 id="address-title">Payment address</h2>
        <PaidTo address={whole.address} />
      </section>
      <InvoiceList invoices={invoices} toPath={(id) => `/support/invoices/${id}/pdf`} />
      <section aria-labelledby="items-title">
        <h2 id="items-title">Items</h2>
        <OrderItems items={order.order_items} />
      </section>
    </>
  );
}

function StaffTask({ attention }: { readonly attention: NonNullable<WholeOrder['attention']> }) {
  const { title, text } = describeStaffTask(attention.kind);
  return (
    <section
      className={styles.attention}
      data-tone={isUrgent(attention.kind) ? 'bad' : undefined}
      aria-labelledby="attention-title"
    >
      <h2 id="attention-title">{title}</h2>
      <p>{text}</p>
      <p className={styles.muted}>
        Since <Moment at={attention.since} shows="moment" />
      </p>
    </section>
  );
}
