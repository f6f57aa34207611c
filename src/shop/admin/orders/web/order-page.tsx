import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { Moment } from '#src/storefront/moment.tsx';
import { OrderAddress, OrderTotals } from '#src/shop/orders/web/order-facts.tsx';
import { InvoiceList } from '#src/shop/invoices/web/invoice-list.tsx';
import type { ShownInvoice } from '#src/shop/invoices/contract.ts';
import { OrderItems } from '#src/shop/orders/web/order-items.tsx';
import { OrderStatus } from '#src/shop/orders/web/order-status.tsx';
import { isRefundStopped } from '#src/shop/orders/web/read-order.ts';
import { SideColumns } from '#src/storefront/layout/side-columns.tsx';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import type { StaffTaskKind } from '../../tasks/staff-task.ts';
import { describeStaffTask, isUrgent } from '../../tasks/staff-task-messages.ts';
import type { OrderToShip } from '#src/shop/orders/fulfilment/contract.ts';
import type { WholeOrder } from '../contract.ts';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { CloseAsLoss } from './close-as-loss.tsx';
import { CancelByStaff } from './cancel-by-staff.tsx';
import { LoadedPart } from './loaded-part.tsx';
import { Amounts, History, Outputs, PaidTo } from './order-ledger.tsx';
import styles from './order-page.module.css';
import { RefundActions } from '../../refunds/web/refund-actions.tsx';
import { ManualRefunds } from '../../refunds/web/manual-refunds.tsx';
import { AcceptAsPaid } from './accept-as-paid.tsx';
import { ChangeAddress } from './change-address.tsx';
import { ManualOrder, PaymentLink } from './manual-order.tsx';
import { OrderNotes } from './order-notes.tsx';
import { RepeatMail } from './repeat-mail.tsx';
import { Ship } from './ship.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { WithdrawalsForStaff } from '#src/shop/returns/withdrawal/web/staff-withdrawals.tsx';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';
import { Section } from '#src/ui/section.tsx';

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
  withdrawal: true,
  'late-sold-out': false,
  'late-promo': false,
  'late-rate': false,
  'late-overdue': false,
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
export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  {
    title: formatPageTitle(`${loaderData ? `Order ${loaderData.whole.order.number}` : 'Order'} · Back office`, matches),
  },
  { name: 'description', content: 'An order with its payment and actions.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params['id'] ?? '';
  const call = requireStaff(args, `/admin/orders/${id}`, 'orders');
  const params = { id };
  const [whole, refunds, toShip, listed, noted, mails, documents, withdrawals] = await Promise.all([
    call('GET /support/orders/{id}', { params }),
    // The order is shown even if a part of it could not be loaded.
    call('GET /orders/{id}/refunds', { params }).catch(() => null),
    call('GET /support/fulfilment', { query: { ids: id } }).catch(() => null),
    call('GET /carriers').catch(() => null),
    call('GET /orders/{id}/notes', { params }).catch(() => null),
    call('GET /orders/{id}/mails', { params }).catch(() => null),
    call('GET /support/orders/{id}/invoices', { params }).catch(() => null),
    call('GET /support/orders/{id}/withdrawals', { params }).catch(() => null),
  ]).catch(rethrowAsNotFound);
  return {
    whole,
    refunds,
    shipping: toShip?.orders[0] ?? null,
    carriers: listed?.carriers ?? [],
    notes: noted?.notes ?? null,
    mails,
    invoices: documents?.invoices ?? [],
    withdrawals,
  };
}

/** OPS-03: an order with its payment, history and staff actions. */
export default function OrderPage() {
  const { whole, refunds, shipping, carriers, notes, mails, invoices, withdrawals } = useLiveLoaderData<typeof loader>([
    'orders',
    'payments',
    'refunds',
  ]);
  const { order } = whole;
  const [mayDecide, mayShip, mayCreate] = [useMayUse('money'), useMayUse('shipping'), useMayUse('manual-orders')];
  return (
    <AdminFrame
      title={
        <>
          Order <OrderNumber number={order.number} />
        </>
      }
      beside={<OrderStatus order={order} isForStaff />}
    >
      {whole.attention !== null && <StaffTask attention={whole.attention} />}
      <SideColumns sidebar={<Sidebar whole={whole} shipping={shipping} invoices={invoices} />}>
        <LoadedPart
          key={`withdrawals of ${order.id}`}
          data={withdrawals}
          failure="The withdrawals could not be loaded."
        >
          {(loaded) => <WithdrawalsForStaff {...loaded} />}
        </LoadedPart>
        <Section title="Payment" gap={12}>
          <Amounts whole={whole} />
        </Section>
        <PaymentLink whole={whole} />
        {mayCreate && <ManualOrder whole={whole} />}
        {mayDecide && (
          <>
            <AcceptAsPaid whole={whole} />
            <CancelByStaff whole={whole} />
            <CloseAsLoss whole={whole} />
          </>
        )}
        {mayShip && (
          <LoadedPart key={`parcels of ${order.id}`} data={shipping} failure="The parcels could not be loaded.">
            {(loaded) => <Ship whole={whole} shipping={loaded} carriers={carriers} />}
          </LoadedPart>
        )}
        <LoadedPart key={`refunds of ${order.id}`} data={refunds} failure="The refunds could not be loaded.">
          {(loaded) => (
            <>
              <RefundActions
                orderId={order.id}
                refunds={loaded}
                isAsked={whole.attention !== null && MONEY_BACK[whole.attention.kind]}
                isStopped={isRefundStopped(order)}
              />
              {mayDecide && <ManualRefunds orderId={order.id} refunds={loaded} />}
            </>
          )}
        </LoadedPart>
        <LoadedPart key={`notes of ${order.id}`} data={notes} failure="The notes could not be loaded.">
          {(loaded) => <OrderNotes orderId={order.id} notes={loaded} />}
        </LoadedPart>
        {mails !== null && <RepeatMail orderId={order.id} {...mails} />}
        <Section title="Transactions" gap={12}>
          <Outputs
            outputs={whole.outputs}
            more_dust={whole.more_dust}
            required={order.payment.required_confirmations}
          />
        </Section>
        <Section title="Timeline" gap={12}>
          <History timeline={whole.timeline} />
        </Section>
      </SideColumns>
    </AdminFrame>
  );
}

interface SidebarProps {
  readonly whole: WholeOrder;
  readonly shipping: OrderToShip | null;
  readonly invoices: readonly ShownInvoice[];
}

/** Buyer, addresses, items and invoices. */
function Sidebar({ whole, shipping, invoices }: SidebarProps) {
  const { order, buyer } = whole;
  // Without an address the account was erased or belongs to the team.
  const maySeeCustomer = useMayUse('customers') && buyer.email !== '';
  return (
    <>
      <Section title="Buyer" gap={12}>
        <div>
          <p className="wrap-anywhere">
            {maySeeCustomer ? (
              <Link to={`/admin/customers/${buyer.id}`} className="link accent">
                {buyer.username}
              </Link>
            ) : (
              buyer.username
            )}
          </p>
          {buyer.email !== '' && (
            <p className="wrap-anywhere">
              <a className="link accent" href={`mailto:${buyer.email}`}>
                {buyer.email}
              </a>
            </p>
          )}
          <p className="muted small wrap-anywhere">
            Ordered <Moment at={order.created_at} shows="moment" />
          </p>
          {whole.created_by !== null && (
            <p className="muted small wrap-anywhere">Created by staff: {whole.created_by}</p>
          )}
        </div>
      </Section>
      <Section title="Delivery address" gap={12}>
        <div>
          <OrderAddress billing={order.billing} />
          {shipping?.is_address_changeable === true && <ChangeAddress shipping={shipping} />}
        </div>
      </Section>
      <Section title="Payment address" gap={12}>
        <div>
          <PaidTo address={whole.address} />
        </div>
      </Section>
      <Section title="Items" gap={12}>
        <div>
          <OrderItems items={order.order_items} />
          {(order.shipping_usd > 0 || order.tax !== null) && <OrderTotals order={order} />}
        </div>
      </Section>
      {/* Last, since it appears a moment after the payment and must not move what staff are reading. */}
      <InvoiceList invoices={invoices} toPath={(id) => `/support/invoices/${id}/pdf`} />
    </>
  );
}

function StaffTask({ attention }: { readonly attention: NonNullable<WholeOrder['attention']> }) {
  const { title, text } = describeStaffTask(attention.kind);
  return (
    <Section
      title={title}
      gap={4}
      surface="soft"
      className={styles.attention}
      data-tone={isUrgent(attention.kind) ? 'bad' : undefined}
    >
      <p className="measure">{text}</p>
      <p className="muted small wrap-anywhere">
        Since <Moment at={attention.since} shows="moment" />
      </p>
    </Section>
  );
}
