import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { getStatusHeading } from '#src/shop/orders/status/payment-messages.ts';
import { formatTotal } from '#src/shop/counted-list.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { OrderStatus } from '#src/shop/orders/web/order-status.tsx';
import { formatZone } from '#src/shop/format.ts';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import { mayUse } from '#src/shop/permissions.ts';
import { findCountryName, listCountries, regionNames } from '#src/shop/regions.ts';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import type { SupportedOrder } from '#src/shop/orders/list/contract.ts';
import { findTotalProblems, readOrderFilter, toFilterQuery } from '#src/shop/orders/list/list-query.ts';
import type { OrderListFilter } from '#src/shop/orders/list/list-query.ts';
import { orderSorts } from '#src/shop/orders/list/order-sort.ts';
import { PaidOrderMails } from './paid-order-mails.tsx';
import { SavedFilters } from './saved-filters.tsx';
import { describeState } from '../state-messages.ts';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ColumnChoice } from '../../kit/column-choice.tsx';
import { DataTable } from '../../kit/data-table.tsx';
import type { Column, RowSelection } from '../../kit/data-table.tsx';
import type { FilterChip } from '../../kit/filter-chips.tsx';
import { ChoiceFilter, ListFilters, SearchFilter } from '../../kit/list-filters.tsx';
import { DownloadButton } from '#src/storefront/forms/download-button.tsx';
import { ListTitle } from '../../kit/list-title.tsx';
import styles from './orders-page.module.css';
import { NoMatch, PagedList } from '../../kit/paged-list.tsx';
import { RowLink } from '../../kit/row-list.tsx';
import { isImpliedByStatus } from '#src/shop/payments/ledger/payment-state.ts';
import { readChoice, readPageNumber, readRole, requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { useShownColumns } from '../../kit/use-shown-columns.ts';
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

const MAX_QUERY = 200;

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
  const sort = readChoice(parameters, 'sort', orderSorts) ?? '';
  const query = { page: String(page), ...toFilterQuery(filter), ...(sort !== '' && { sort }) };
  const [found, saved, paidMails] = await Promise.all([
    call('GET /support/orders', { query }).catch(() => null),
    call('GET /support/order-filters').catch(() => null),
    mayUse(readRole(args), 'settings-changes') ? call('GET /support/paid-order-mails').catch(() => null) : null,
  ]);
  return { found, page, filter, sort, totalProblems, saved: saved?.filters ?? null, paidMails };
}

/** OPS-03, OPS-13: all orders with filters, and the queue to ship. */
export default function OrdersPage() {
  const loaded = useLiveLoaderData<typeof loader>(['orders', 'payments']);
  const { found, page, filter, sort, saved, paidMails } = loaded;
  const [mayChange, mayCreate] = [useMayUse('settings-changes'), useMayUse('manual-orders')];
  const mayExport = useMayUse('reports');
  useVisitedList('orders', found?.orders.map(({ id, number }) => ({ id, name: number })) ?? []);
  const columns = useShownColumns('orders', COLUMNS);
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
        <ColumnChoice columns={COLUMNS} {...columns} />
      </Row>
      <OrderFilters {...loaded} />
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
        {({ orders }) => (
          <DataTable
            label={isQueue ? 'Orders to ship' : 'Orders'}
            columns={columns.shown}
            rows={orders}
            idOf={({ id }) => id}
            sort={sort === '' && !isQueue ? 'newest' : sort}
            selection={SELECTION}
          />
        )}
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

type Loaded = Awaited<ReturnType<typeof loader>>;

const listSorts = (isQueue: boolean) =>
  [
    ['', isQueue ? 'Longest paid' : 'Newest'],
    ...(isQueue ? ([['newest', 'Newest']] as const) : []),
    ['oldest', 'Oldest'],
    ['highest', 'Highest total'],
    ['lowest', 'Lowest total'],
  ] as const;

/** Chosen filters of the part that is folded. */
function listMoreChips({ country, from, max, min, promotion, to }: OrderListFilter): FilterChip[] {
  const texts = [
    ['from', from, `Ordered from: ${from}`],
    ['to', to, `Ordered until: ${to}`],
    ['country', country, `Country: ${findCountryName(country) ?? country}`],
    ['min', min, `Total from: $${min}`],
    ['max', max, `Total up to: $${max}`],
    ['promotion', promotion, `Promo code: ${promotion}`],
  ] as const;
  return texts.flatMap(([name, value, text]) => (value === '' ? [] : [{ names: [name], text }]));
}

function OrderFilters({
  filter,
  sort,
  totalProblems,
  found,
}: Pick<Loaded, 'filter' | 'sort' | 'totalProblems' | 'found'>) {
  const zone = found === null ? '' : ` (${formatZone(found.time_zone)})`;
  const isQueue = filter.queue !== '';
  const shown = { ...filter, min: totalProblems.min?.text ?? filter.min, max: totalProblems.max?.text ?? filter.max };
  const hasMore = [shown.from, shown.to, shown.country, shown.min, shown.max, shown.promotion].some(Boolean);
  return (
    <ListFilters filter={{ ...shown, sort }} chips={listMoreChips(filter)}>
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
      <div className={styles.sort}>
        <ChoiceFilter label="Sort by" name="sort" value={sort} options={listSorts(isQueue)} />
      </div>
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

/** Those that can be shipped can be selected, for several at once. */
const SELECTION: RowSelection<SupportedOrder> = {
  nameOf: ({ can_ship: canShip, number }) => (canShip ? `Choose ${number}` : null),
  action: '/admin/orders/ship',
  renderActions: () => (
    <>
      <Button type="submit">Ship</Button>
      <Button type="submit" variant="secondary" formAction="/admin/orders/pick-list">
        Pick list
      </Button>
      <Button type="submit" variant="secondary" formAction="/admin/orders/packing-slips">
        Packing slips
      </Button>
    </>
  ),
};

const COLUMNS: readonly Column<SupportedOrder>[] = [
  {
    id: 'number',
    title: 'Order',
    isName: true,
    render: ({ id, number }) => (
      <RowLink to={`/admin/orders/${id}`}>
        <OrderNumber number={number} />
      </RowLink>
    ),
  },
  {
    id: 'ordered',
    title: 'Ordered',
    sorts: [
      { value: 'newest', isAscending: false },
      { value: 'oldest', isAscending: true },
    ],
    render: ({ created_at: at }) => <Moment at={at} shows="moment" />,
  },
  { id: 'customer', title: 'Customer', render: ({ username }) => username },
  {
    id: 'recipient',
    title: 'Recipient',
    render: ({ recipient, country }) => `${recipient}, ${findCountryName(country) ?? country}`,
  },
  { id: 'status', title: 'Status', render: (order) => <Status order={order} /> },
  {
    id: 'total',
    title: 'Total',
    isFigure: true,
    phone: 'beside',
    sorts: [
      { value: 'highest', isAscending: false },
      { value: 'lowest', isAscending: true },
    ],
    render: (order) => <Total order={order} />,
  },
  {
    id: 'bitcoin',
    title: 'Bitcoin',
    isFigure: true,
    phone: 'hidden',
    render: ({ due_btc: due }) => (
      <span translate="no" className="muted">
        {formatBtcAmount(due)} BTC
      </span>
    ),
  },
];

const Status = ({ order }: { readonly order: SupportedOrder }) => (
  <Row rowGap={4}>
    <OrderStatus order={order} isForStaff />
    {!isImpliedByStatus(order.state) && <span className="muted small">{describeState(order.state)}</span>}
  </Row>
);

function Total({ order }: { readonly order: SupportedOrder }) {
  const { refunded_usd: refunded, total_usd: total, waived_usd: waived } = order;
  return (
    <>
      <p translate="no" className="strong unbroken">
        ${formatUsdAmount(total - waived)}
      </p>
      {waived > 0 && <p className="muted small unbroken">${formatUsdAmount(waived)} waived</p>}
      {refunded > 0 && <p className="muted small unbroken">${formatUsdAmount(refunded)} refunded</p>}
    </>
  );
}
