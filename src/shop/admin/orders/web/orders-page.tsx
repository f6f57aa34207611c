import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Form, Link } from 'react-router';
import { getStatusHeading } from '#src/shop/orders/status/payment-messages.ts';
import { formatTotal } from '#src/shop/counted-list.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { OrderStatus } from '#src/shop/orders/web/order-status.tsx';
import { formatZone } from '#src/shop/format.ts';
import { formatBtcAmount, formatNumber, formatUsdAmount } from '#src/shop/format-number.ts';
import { mayUse } from '#src/shop/permissions.ts';
import { findCountryName, listCountries, regionNames } from '#src/shop/regions.ts';
import { Button, ButtonLink } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { Row } from '#src/ui/row.ts';
import { Columns } from '#src/ui/columns.ts';
import { Section } from '#src/ui/section.tsx';
import { EmptyState } from '#src/ui/states.tsx';
import type { SupportedOrder } from '#src/shop/orders/list/contract.ts';
import { findTotalProblems, readOrderFilter, toFilterQuery } from '#src/shop/orders/list/list-query.ts';
import type { OrderListFilter } from '#src/shop/orders/list/list-query.ts';
import { PaidOrderMails } from './paid-order-mails.tsx';
import { SavedFilters } from './saved-filters.tsx';
import { describeState } from '../state-messages.ts';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ChoiceFilter, ListFilters, SearchFilter } from '../../kit/list-filters.tsx';
import { DownloadButton } from '../../kit/download-button.tsx';
import { ListTitle } from '../../kit/list-title.tsx';
import styles from './orders-page.module.css';
import { NoMatch, PagedList } from '../../kit/paged-list.tsx';
import { ListRow, RowLink, RowList } from '../../kit/row-list.tsx';
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import { readPageNumber, readRole, requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { useVisitedList } from '../../kit/visited-list.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';

const STATUSES = ['pending', 'user_paid', 'paid', 'expired', 'cancelled', 'refunded'] as const;
const FULFILMENTS = [
  ['unfulfilled', 'Not shipped'],
  ['partly_shipped', 'Partly shipped'],
  ['shipped', 'Shipped'],
  ['delivered', 'Delivered'],
] as const;
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

/** Whole dollars without cents. */
const formatDollarTotal = (usd: number): string => (Number.isInteger(usd) ? formatNumber(usd) : formatUsdAmount(usd));

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Orders · Back office', matches) },
  { name: 'description', content: 'All orders of the shop.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/orders', 'orders');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const filter = readOrderFilter(parameters);
  const totalProblems = findTotalProblems(parameters);
  const query = { page: String(page), ...toFilterQuery(filter) };
  const [found, saved, paidMails] = await Promise.all([
    call('GET /support/orders', { query }).catch(() => null),
    call('GET /support/order-filters').catch(() => null),
    mayUse(readRole(args), 'settings-changes') ? call('GET /support/paid-order-mails').catch(() => null) : null,
  ]);
  return { found, page, filter, totalProblems, saved: saved?.filters ?? null, paidMails };
}

/** OPS-03, OPS-13: all orders with filters, and the queue to ship. */
export default function OrdersPage() {
  const { found, page, filter, totalProblems, saved, paidMails } = useLiveLoaderData<typeof loader>([
    'orders',
    'payments',
  ]);
  const [mayChange, mayCreate] = [useMayUse('settings-changes'), useMayUse('manual-orders')];
  const mayExport = useMayUse('reports');
  useVisitedList('orders', found?.orders.map(({ id, number }) => ({ id, name: number })) ?? []);
  const isQueue = filter.queue !== '';
  const isFiltered = Object.values({ ...filter, queue: '' }).some((value) => value !== '');
  const path = isQueue ? '/admin/orders?queue=to-ship' : '/admin/orders';
  return (
    <AdminFrame
      title={
        <ListTitle
          text={isQueue ? 'Orders to ship' : 'Orders'}
          count={found && formatTotal(found.total, found.has_more)}
        />
      }
      beside={mayCreate && <ButtonLink to="/admin/orders/new">New order</ButtonLink>}
    >
      <Row as="nav" gap={8} className={styles.tabs} aria-label="Lists of orders">
        <Link to="/admin/orders" aria-current={isQueue ? undefined : 'page'}>
          All orders
        </Link>
        <Link to="/admin/orders?queue=to-ship" aria-current={isQueue ? 'page' : undefined}>
          To ship
        </Link>
      </Row>
      <OrderFilters filter={filter} totalProblems={totalProblems} timeZone={found?.time_zone ?? null} />
      {saved !== null && <SavedFilters saved={saved} query={new URLSearchParams(toFilterQuery(filter)).toString()} />}
      <PagedList
        found={found}
        page={page}
        failure="The orders could not be loaded."
        {...(isQueue && { previous: 'Previous', next: 'Next' })}
        empty={
          isFiltered ? (
            <NoMatch title="No order matches." showAll="Show all orders" to={path} />
          ) : (
            <EmptyState title={isQueue ? 'Nothing is waiting to be shipped.' : 'There are no orders yet.'} />
          )
        }
      >
        {({ orders }) => <OrderRows orders={orders} />}
      </PagedList>
      {mayExport && found !== null && found.total > 0 && <OrderExport filter={filter} isFiltered={isFiltered} />}
      {mayChange && paidMails !== null && <PaidOrderMails settings={paidMails} />}
    </AdminFrame>
  );
}

interface OrderExportProps {
  readonly filter: OrderListFilter;
  readonly isFiltered: boolean;
}

/** OPS-03: the orders of the filters as CSV. A search text is no filter of the export. */
function OrderExport({ filter, isFiltered }: OrderExportProps) {
  const query = new URLSearchParams(toFilterQuery({ ...filter, q: '' }));
  return (
    <Section title="Export" gap={12}>
      <p className="muted">
        {isFiltered ? 'The orders of these filters, ' : 'All orders, '}
        {filter.q === ''
          ? 'with names and addresses of their recipients. '
          : 'with names and addresses of their recipients; the search is not applied. '}
        Keep the file safe.
      </p>
      <DownloadButton path={`/exports/orders?${query}`} text="Download orders as CSV" />
    </Section>
  );
}

const TOTALS = [
  ['min', 'Total from ($)'],
  ['max', 'Total up to ($)'],
] as const;

interface OrderFiltersProps {
  readonly filter: OrderListFilter;
  readonly totalProblems: ReturnType<typeof findTotalProblems>;
  /** Of the shop's days; null if the orders could not be loaded. */
  readonly timeZone: string | null;
}

function OrderFilters({ filter, totalProblems, timeZone }: OrderFiltersProps) {
  const zone = timeZone === null ? '' : ` (${formatZone(timeZone)})`;
  const isQueue = filter.queue !== '';
  const shown = { ...filter, min: totalProblems.min?.text ?? filter.min, max: totalProblems.max?.text ?? filter.max };
  const hasMore = [shown.from, shown.to, shown.country, shown.min, shown.max, shown.promotion].some(Boolean);
  return (
    <ListFilters filter={shown} firstWidth="line">
      <SearchFilter label="Number, buyer, recipient, address or transaction" value={filter.q} maxLength={MAX_QUERY} />
      {isQueue ? (
        <input type="hidden" name="queue" value={filter.queue} />
      ) : (
        <ChoiceFilter
          label="Status"
          name="status"
          value={filter.status}
          hasAll
          options={STATUSES.map((one) => [one, getStatusHeading(one).status])}
        />
      )}
      <ChoiceFilter
        label="Shipping"
        name="fulfilment"
        value={filter.fulfilment}
        hasAll
        options={isQueue ? FULFILMENTS.slice(0, 2) : FULFILMENTS}
      />
      <details className={styles.more} open={hasMore}>
        <summary className="link">More filters</summary>
        <Columns width={9}>
          <Field label={`Ordered from${zone}`} name="from" type="date" defaultValue={filter.from} />
          <Field label={`Ordered until${zone}`} name="to" type="date" defaultValue={filter.to} />
          <ChoiceFilter
            label="Country"
            name="country"
            value={filter.country}
            hasAll
            options={regionNames
              .flatMap((region) => listCountries(region))
              .map(({ code, name }) => [code, name] as const)
              .toSorted(([, a], [, b]) => a.localeCompare(b, 'en'))}
          />
          {TOTALS.map(([name, label]) => (
            <Field
              key={name}
              label={label}
              name={name}
              inputMode="decimal"
              defaultValue={shown[name]}
              maxLength={14}
              message={totalProblems[name]?.message}
            />
          ))}
          <Field
            label="Promo code"
            name="promotion"
            defaultValue={filter.promotion}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
        </Columns>
      </details>
    </ListFilters>
  );
}

/** Rows of orders. Those that can be shipped can be chosen, for several at once. */
function OrderRows({ orders }: { readonly orders: readonly SupportedOrder[] }) {
  const list = (
    <RowList>
      {orders.map((order) => (
        <ListRow key={order.id} className={styles.order}>
          <OrderRow order={order} />
        </ListRow>
      ))}
    </RowList>
  );
  if (!orders.some((order) => order.can_ship)) return list;
  return (
    <Form method="get" action="/admin/orders/ship" className={styles.choice}>
      <Row as="fieldset" className={styles.chosen}>
        <legend className="muted">Chosen orders</legend>
        <Button type="submit">Ship</Button>
        <Button type="submit" variant="secondary" formAction="/admin/orders/pick-list">
          Pick list
        </Button>
        <Button type="submit" variant="secondary" formAction="/admin/orders/packing-slips">
          Packing slips
        </Button>
      </Row>
      {list}
    </Form>
  );
}

function OrderRow({ order }: { readonly order: SupportedOrder }) {
  return (
    <>
      <div className={styles.box}>
        {order.can_ship && (
          <label className={styles.choose}>
            <input type="checkbox" name="id" value={order.id} aria-label={`Choose ${order.number}`} />
          </label>
        )}
      </div>
      <div>
        <RowLink to={`/admin/orders/${order.id}`}>
          <OrderNumber number={order.number} />
        </RowLink>
        <p className="muted small">{order.username}</p>
      </div>
      <p className="muted small">
        <Moment at={order.created_at} shows="moment" />
        <br />
        {order.recipient}, {findCountryName(order.country) ?? order.country}
      </p>
      <Row rowGap={4} className={styles.status}>
        <OrderStatus order={order} isForStaff />
        {!IS_IMPLIED_BY_STATUS[order.state] && <span className="muted small">{describeState(order.state)}</span>}
      </Row>
      <div className={styles.total}>
        <p translate="no" className="strong">
          {formatBtcAmount(order.due_btc)} BTC
        </p>
        <p className="muted small">${formatDollarTotal(order.total_usd - order.waived_usd)}</p>
        {order.waived_usd > 0 && <p className="muted small">${formatUsdAmount(order.waived_usd)} waived</p>}
        {order.refunded_usd > 0 && <p className="muted small">${formatUsdAmount(order.refunded_usd)} refunded</p>}
      </div>
    </>
  );
}
