import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Form, Link, useLoaderData, useRevalidator } from 'react-router';
import { getStatusHeading } from '#src/shop/orders/status/payment-messages.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { OrderStatus } from '#src/shop/orders/web/order-status.tsx';
import { formatBtcAmount, formatNumber } from '#src/shop/format-number.ts';
import { Button, ButtonLink } from '#src/ui/button.tsx';
import { Field, Select } from '#src/ui/field.tsx';
import { EmptyState, ErrorState } from '#src/ui/states.tsx';
import type { SupportedOrder } from '../contract.ts';
import { describeState } from '../state-messages.ts';
import { AdminFrame } from './admin-frame.tsx';
import { ListPages } from './list-pages.tsx';
import styles from './orders-page.module.css';
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import { requireStaff, readPageNumber } from './staff-page.ts';
import { formatPageTitle } from '#src/shop/shop-identity.ts';

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
const MAX_QUERY = 200;

export const meta: MetaFunction = () => [
  { title: formatPageTitle('Orders · Back office') },
  { name: 'description', content: 'All orders of the shop.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/orders');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const q = (parameters.get('q') ?? '').slice(0, MAX_QUERY);
  const status = STATUSES.find((one) => one === parameters.get('status'));
  const query = { page: String(page), q, ...(status === undefined ? {} : { status }) };
  const found = await call('GET /support/orders', { query }).catch(() => null);
  return { found, page, q, status: status ?? '' };
}

/** OPS-03: all orders, found by number, buyer, transaction or address. */
export default function OrdersPage() {
  const { found, page, q, status } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const isFiltered = q !== '' || status !== '';
  return (
    <AdminFrame title={<>Orders {found !== null && <span className={styles.count}>{found.total}</span>}</>}>
      <search>
        <Form method="get" className={styles.filter} key={`${q} ${status}`}>
          <Field
            label="Number, buyer, transaction or address"
            name="q"
            type="search"
            defaultValue={q}
            maxLength={MAX_QUERY}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Select label="Status" name="status" defaultValue={status}>
            <option value="">All</option>
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {getStatusHeading(one).status}
              </option>
            ))}
          </Select>
          <Button type="submit" variant="secondary">
            Search
          </Button>
        </Form>
      </search>
      {found === null && <ErrorState title="The orders could not be loaded." onRetry={() => void revalidate()} />}
      {found?.total === 0 && (
        <EmptyState
          title={isFiltered ? 'No order matches.' : 'There are no orders yet.'}
          action={
            isFiltered ? (
              <ButtonLink to="/admin/orders" variant="secondary">
                Show all orders
              </ButtonLink>
            ) : undefined
          }
        />
      )}
      {found !== null && found.orders.length > 0 && (
        <ul className={styles.list}>
          {found.orders.map((order) => (
            <li key={order.id} className={styles.order}>
              <Row order={order} />
            </li>
          ))}
        </ul>
      )}
      {found !== null && <ListPages page={page} total={found.total} />}
    </AdminFrame>
  );
}

function Row({ order }: { readonly order: SupportedOrder }) {
  return (
    <>
      <div className={styles.who}>
        <p className={styles.number}>
          <Link to={`/admin/orders/${order.id}`}>{order.number}</Link>
        </p>
        <p className={styles.muted}>{order.username}</p>
      </div>
      <p className={styles.muted}>
        <Moment at={order.created_at} shows="moment" />
      </p>
      <div className={styles.status}>
        <OrderStatus order={order} />
        {!IS_IMPLIED_BY_STATUS[order.state] && <span className={styles.muted}>{describeState(order.state)}</span>}
      </div>
      <div className={styles.total}>
        <p className={styles.btc}>{formatBtcAmount(order.due_btc)} BTC</p>
        <p className={styles.muted}>${formatNumber(order.total_usd)}</p>
      </div>
    </>
  );
}
