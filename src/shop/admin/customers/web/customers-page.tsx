import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { formatTotal } from '#src/shop/counted-list.ts';
import { formatNumber } from '#src/shop/format-number.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Badge } from '#src/ui/display/badge.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ColumnChoice } from '../../kit/column-choice.tsx';
import { DataTable } from '../../kit/data-table.tsx';
import type { Column } from '../../kit/data-table.tsx';
import { ChoiceFilter, ListFilters, SearchFilter } from '../../kit/list-filters.tsx';
import { ListTitle } from '../../kit/list-title.tsx';
import { NoMatch, PagedList } from '../../kit/paged-list.tsx';
import { RowLink } from '../../kit/row-list.tsx';
import { readChoice, readPageNumber, readSearchText, requireStaff } from '../../kit/staff-page.ts';
import { useShownColumns } from '../../kit/use-shown-columns.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import type { ListedCustomer } from '#src/shop/accounts/customers/contract.ts';

const MAX_QUERY = 200;
const SHOWN = ['with-orders', 'blocked'] as const;
const SORTS = ['newest', 'oldest', 'name'] as const;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Customers · Back office', matches) },
  { name: 'description', content: 'All accounts, found by name, address or order.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/customers', 'customers');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const q = readSearchText(parameters, MAX_QUERY);
  const show = readChoice(parameters, 'show', SHOWN);
  const sort = readChoice(parameters, 'sort', SORTS) ?? 'newest';
  const query = { page: String(page), q, sort, ...(show && { show }) };
  return { found: await call('GET /support/customers', { query }).catch(() => null), page, q, sort, show: show ?? '' };
}

/** OPS-14: all accounts. */
export default function CustomersPage() {
  const { found, page, q, sort, show } = useLiveLoaderData<typeof loader>(['customers', 'orders']);
  const columns = useShownColumns('customers', COLUMNS);
  const isFiltered = q !== '' || show !== '';
  return (
    <AdminFrame
      title={<ListTitle text="Customers" count={found && formatTotal(found.total, found.has_more)} />}
      beside={<ColumnChoice columns={COLUMNS} {...columns} />}
    >
      <ListFilters filter={{ q, show, sort }}>
        <SearchFilter label="Name, email address or order number" value={q} maxLength={MAX_QUERY} />
        <ChoiceFilter
          label="Show"
          name="show"
          value={show}
          hasAll
          options={[
            ['with-orders', 'With orders'],
            ['blocked', 'Blocked'],
          ]}
        />
        <ChoiceFilter
          label="Order"
          name="sort"
          value={sort}
          options={[
            ['newest', 'Newest'],
            ['oldest', 'Oldest'],
            ['name', 'Name'],
          ]}
        />
      </ListFilters>
      <PagedList
        found={found}
        page={page}
        failure="The customers could not be loaded."
        previous="Previous"
        next="Next"
        empty={
          isFiltered ? (
            <NoMatch title="No customer matches." showAll="Show all customers" to="/admin/customers" />
          ) : (
            <EmptyState title="There are no customers yet." />
          )
        }
      >
        {({ customers }) => (
          <DataTable label="Customers" columns={columns.shown} rows={customers} idOf={({ id }) => id} sort={sort} />
        )}
      </PagedList>
    </AdminFrame>
  );
}

const formatOrders = (orders: number): string => `${formatNumber(orders)} ${orders === 1 ? 'order' : 'orders'}`;

const COLUMNS: readonly Column<ListedCustomer>[] = [
  {
    id: 'customer',
    title: 'Customer',
    isName: true,
    sorts: [{ value: 'name', isAscending: true }],
    render: ({ id, username }) => <RowLink to={`/admin/customers/${id}`}>{username}</RowLink>,
  },
  { id: 'email', title: 'Email address', render: ({ email }) => email },
  {
    id: 'since',
    title: 'Since',
    sorts: [
      { value: 'newest', isAscending: false },
      { value: 'oldest', isAscending: true },
    ],
    render: ({ created_at: at }) => <Moment at={at} shows="day" />,
  },
  { id: 'state', title: 'State', render: ({ blocked_at: at }) => at !== null && <Badge tone="bad">Blocked</Badge> },
  { id: 'orders', title: 'Orders', isFigure: true, phone: 'beside', render: ({ orders }) => formatOrders(orders) },
];
