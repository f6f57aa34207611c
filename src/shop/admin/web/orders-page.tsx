import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { fulfilmentStatuses } from '#src/shop/orders/kinds.ts';
import { getStatusHeading } from '#src/shop/orders/status/payment-messages.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { OrderStatus } from '#src/shop/orders/web/order-status.tsx';
import { formatBtcAmount, formatNumber } from '#src/shop/format-number.ts';
import { classNames } from '#src/ui/class-names.ts';
import { EmptyState } from '#src/ui/states.tsx';
import type { SupportedOrder } from '../contract.ts';
import { describeState } from '../state-messages.ts';
import { AdminFrame } from './admin-frame.tsx';
import { ChoiceFilter, ListFilters, SearchFilter } from './list-filters.tsx';
import { ListTitle } from './list-title.tsx';
import styles from './orders-page.module.css';
import { NoMatch, PagedList } from './paged-list.tsx';
import { ListRow, RowLink, RowList } from './row-list.tsx';
import rows from './row-list.module.css';
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import { readChoice, readPageNumber, readSearchText, requireStaff } from './staff-page.ts';
import { useStaffChanges } from './use-staff-changes.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

const STATUSES = ['pending', 'user_paid', 'paid', 'expired', 'cancelled', 'refunded'] as const;
/** Payment states that the status already implies. */
const IS_IMPLIED_BY_STATUS: Readonly<Record<PaymentState, boolean>> = {
  awaiting: false,
  seen: false,
  confirming: false,
  underpaid: false,
  paid: true,
  overpaid: false,
  late: false,
  expired: true,
  replaced: false,
  dropped: false,
  reorged_out: false,
  refunding: false,
  refunded: true,
  written_off: false,
};
const FULFILMENT_NAMES = { unfulfilled: 'Not shipped', shipped: 'Shipped', delivered: 'Delivered' } as const;
const MAX_QUERY = 200;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Orders · Back office', matches) },
  { name: 'description', content: 'All orders of the shop.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/orders');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const q = readSearchText(parameters, MAX_QUERY);
  const status = readChoice(parameters, 'status', STATUSES);
  const fulfilment = readChoice(parameters, 'fulfilment', fulfilmentStatuses);
  const query = { page: String(page), q, ...(status && { status }), ...(fulfilment && { fulfilment }) };
  const found = await call('GET /support/orders', { query }).catch(() => null);
  return { found, page, q, status: status ?? '', fulfilment: fulfilment ?? '' };
}

/** OPS-03: all orders, found by number, buyer, transaction or address. */
export default function OrdersPage() {
  const { found, page, q, status, fulfilment } = useLoaderData<typeof loader>();
  useStaffChanges(['orders', 'payments']);
  const isFiltered = q !== '' || status !== '' || fulfilment !== '';
  return (
    <AdminFrame title={<ListTitle text="Orders" count={found?.total ?? null} />}>
      <ListFilters filter={{ q, status, fulfilment }}>
        <SearchFilter label="Number, buyer, transaction or address" value={q} maxLength={MAX_QUERY} />
        <ChoiceFilter
          label="Status"
          name="status"
          value={status}
          hasAll
          options={STATUSES.map((one) => [one, getStatusHeading(one).status])}
        />
        <ChoiceFilter
          label="Fulfilment"
          name="fulfilment"
          value={fulfilment}
          hasAll
          options={fulfilmentStatuses.map((one) => [one, FULFILMENT_NAMES[one]])}
        />
      </ListFilters>
      <PagedList
        found={found}
        page={page}
        failure="The orders could not be loaded."
        empty={
          isFiltered ? (
            <NoMatch title="No order matches." showAll="Show all orders" to="/admin/orders" />
          ) : (
            <EmptyState title="There are no orders yet." />
          )
        }
      >
        {({ orders }) => (
          <RowList>
            {orders.map((order) => (
              <ListRow key={order.id} className={styles.order}>
                <Row order={order} />
              </ListRow>
            ))}
          </RowList>
        )}
      </PagedList>
    </AdminFrame>
  );
}

function Row({ order }: { readonly order: SupportedOrder }) {
  return (
    <>
      <div className={rows.name}>
        <RowLink to={`/admin/orders/${order.id}`}>{order.number}</RowLink>
        <p className={rows.muted}>{order.username}</p>
      </div>
      <p className={rows.muted}>
        <Moment at={order.created_at} shows="moment" />
      </p>
      <div className={classNames(rows.states, styles.status)}>
        <OrderStatus order={order} />
        {!IS_IMPLIED_BY_STATUS[order.state] && <span className={rows.muted}>{describeState(order.state)}</span>}
      </div>
      <div className={styles.total}>
        <p className={rows.strong}>{formatBtcAmount(order.due_btc)} BTC</p>
        <p className={rows.muted}>${formatNumber(order.total_usd)}</p>
      </div>
    </>
  );
}
