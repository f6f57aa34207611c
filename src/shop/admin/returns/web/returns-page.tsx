import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { formatTotal } from '#src/shop/counted-list.ts';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';
import type { ListedReturn } from '#src/shop/returns/desk/contract.ts';
import { returnStates } from '#src/shop/returns/kinds.ts';
import { CAUSES, DEADLINES, nameState } from '#src/shop/returns/return-messages.ts';
import { ReturnState } from '#src/shop/returns/web/return-state.tsx';
import { Moment } from '#src/storefront/moment.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Badge } from '#src/ui/display/badge.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ChoiceFilter, ListFilters, SearchFilter } from '../../kit/list-filters.tsx';
import { ListTitle } from '../../kit/list-title.tsx';
import { NoMatch, PagedList } from '../../kit/paged-list.tsx';
import { ListRow, RowLink, RowList } from '../../kit/row-list.tsx';
import { readChoice, readPageNumber, readSearchText, requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import styles from './returns-page.module.css';

const MAX_QUERY = 60;
const VIEWS = ['waiting', 'due', 'open', ...returnStates] as const;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Returns · Back office', matches) },
  { name: 'description', content: 'Returns of customers, the next deadline first.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/returns', 'orders');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const q = readSearchText(parameters, MAX_QUERY);
  const view = readChoice(parameters, 'view', VIEWS);
  const query = { page: String(page), q, ...(view && { view }) };
  const found = await call('GET /support/returns', { query }).catch(() => null);
  return { found, page, filter: { q, view: view ?? '' } };
}

/** OPS-28: returns, the next deadline first. */
export default function ReturnsPage() {
  const { found, page, filter } = useLiveLoaderData<typeof loader>(['orders', 'refunds']);
  const isFiltered = filter.q !== '' || filter.view !== '';
  return (
    <AdminFrame title={<ListTitle text="Returns" count={found && formatTotal(found.total, found.has_more)} />}>
      <ListFilters filter={filter}>
        <SearchFilter
          label="Reference or order number"
          value={filter.q}
          maxLength={MAX_QUERY}
          autoCapitalize="characters"
        />
        <ChoiceFilter
          label="Show"
          name="view"
          value={filter.view}
          hasAll
          options={[
            ['waiting', 'To handle'],
            ['due', 'Refund due soon'],
            ['open', 'Open'],
            ...returnStates.map((state) => [state, nameState(state)] as const),
          ]}
        />
      </ListFilters>
      <PagedList
        found={found}
        page={page}
        failure="The returns could not be loaded."
        previous="Previous"
        next="Next"
        empty={
          isFiltered ? (
            <NoMatch title="No return matches." showAll="Show all returns" to="/admin/returns" />
          ) : (
            <EmptyState title="There are no returns yet." />
          )
        }
      >
        {({ returns }) => (
          <RowList>
            {returns.map((one) => (
              <ListRow key={one.return.id} className={styles.return}>
                <ReturnRow listed={one} />
              </ListRow>
            ))}
          </RowList>
        )}
      </PagedList>
    </AdminFrame>
  );
}

function ReturnRow({ listed }: { readonly listed: ListedReturn }) {
  const { order_number: number, return: one, username } = listed;
  const deadline = DEADLINES[one.deadline];
  return (
    <>
      <div>
        <RowLink to={`/admin/returns/${one.id}`}>
          <span translate="no" className="unbroken">
            {one.reference}
          </span>
        </RowLink>
        <p className="muted small">
          {CAUSES[one.cause]} · {username}
        </p>
      </div>
      <p className="muted small">
        Order <OrderNumber number={number} />
        <br />
        {one.lines.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}
      </p>
      <p className="muted small">
        {one.refund_due_at === null || one.closed_at !== null ? (
          <>
            Requested <Moment at={one.requested_at} shows="moment" />
          </>
        ) : (
          <>
            Refund by <Moment at={one.refund_due_at} shows="moment" />
          </>
        )}
      </p>
      <Row rowGap={4}>
        <ReturnState one={one} />
        {deadline !== null && <Badge tone={one.deadline === 'overdue' ? 'bad' : 'waiting'}>{deadline}</Badge>}
      </Row>
    </>
  );
}
