import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { formatTotal } from '#src/shop/counted-list.ts';
import { formatNumber } from '#src/shop/format-number.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Row } from '#src/ui/row.ts';
import { EmptyState } from '#src/ui/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ChoiceFilter, ListFilters, SearchFilter } from '../../kit/list-filters.tsx';
import { ListTitle } from '../../kit/list-title.tsx';
import { NoMatch, PagedList } from '../../kit/paged-list.tsx';
import { ListRow, RowLink, RowList } from '../../kit/row-list.tsx';
import { readChoice, readPageNumber, readSearchText, requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import type { ListedCustomer } from '#src/shop/accounts/customers/contract.ts';
import styles from './customers-page.module.css';

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
  const isFiltered = q !== '' || show !== '';
  return (
    <AdminFrame title={<ListTitle text="Customers" count={found && formatTotal(found.total, found.has_more)} />}>
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
          <RowList>
            {customers.map((customer) => (
              <ListRow key={customer.id} className={styles.customer}>
                <CustomerRow customer={customer} />
              </ListRow>
            ))}
          </RowList>
        )}
      </PagedList>
    </AdminFrame>
  );
}

function CustomerRow({ customer }: { readonly customer: ListedCustomer }) {
  return (
    <>
      <div>
        <RowLink to={`/admin/customers/${customer.id}`}>{customer.username}</RowLink>
        <p className="muted small">{customer.email}</p>
      </div>
      <p className="muted small">
        Since <Moment at={customer.created_at} shows="day" />
      </p>
      <p className="muted small">
        {formatNumber(customer.orders)} {customer.orders === 1 ? 'order' : 'orders'}
      </p>
      <Row rowGap={4}>{customer.blocked_at !== null && <Badge tone="bad">Blocked</Badge>}</Row>
    </>
  );
}
