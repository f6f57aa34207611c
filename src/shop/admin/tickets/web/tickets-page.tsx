import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { formatTotal } from '#src/shop/counted-list.ts';
import { formatNumber } from '#src/shop/format-number.ts';
import type { QueuedTicket } from '#src/shop/support/tickets/contract.ts';
import { StatusLabel } from '#src/shop/support/tickets/web/status-label.tsx';
import { Moment } from '#src/storefront/moment.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Badge } from '#src/ui/display/badge.tsx';
import { Row } from '#src/ui/layout/row.ts';
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

const MAX_QUERY = 200;
const SHOWN = ['waiting', 'open', 'in_progress', 'closed'] as const;
const ASSIGNEES = ['me', 'nobody'] as const;
const SORTS = ['waiting', 'newest'] as const;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Tickets · Back office', matches) },
  { name: 'description', content: 'Tickets of customers, the longest waiting first.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/tickets', 'support');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const q = readSearchText(parameters, MAX_QUERY);
  const show = readChoice(parameters, 'show', SHOWN);
  const assignee = readChoice(parameters, 'assignee', ASSIGNEES);
  const sort = readChoice(parameters, 'sort', SORTS) ?? 'waiting';
  const ofStatus = show === 'waiting' ? { waiting: 'true' as const } : show !== undefined && { status: show };
  const query = { page: String(page), q, sort, ...ofStatus, ...(assignee && { assignee }) };
  const [found, counts] = await Promise.all([
    call('GET /support/tickets', { query }).catch(() => null),
    call('GET /support/ticket-counts').catch(() => null),
  ]);
  return { found, counts, page, filter: { q, show: show ?? '', assignee: assignee ?? '', sort } };
}

const withCount = (text: string, count: number | undefined): string =>
  count === undefined ? text : `${text} (${formatNumber(count)})`;

/** OPS-04: the queue of tickets. It follows the changes of others. */
export default function TicketsPage() {
  const { found, counts, page, filter } = useLiveLoaderData<typeof loader>(['tickets']);
  const columns = useShownColumns('tickets', COLUMNS);
  const { q, show, assignee, sort } = filter;
  const isFiltered = q !== '' || show !== '' || assignee !== '';
  return (
    <AdminFrame
      title={<ListTitle text="Tickets" count={found && formatTotal(found.total, found.has_more)} />}
      beside={<ColumnChoice columns={COLUMNS} {...columns} />}
    >
      <ListFilters filter={filter} firstWidth="line">
        <SearchFilter label="Number, title, customer or order" value={q} maxLength={MAX_QUERY} />
        <ChoiceFilter
          label="Status"
          name="show"
          value={show}
          hasAll
          options={[
            ['waiting', withCount('Waiting for an answer', counts?.waiting)],
            ['open', withCount('Open', counts?.open)],
            ['in_progress', withCount('In Progress', counts?.in_progress)],
            ['closed', 'Closed'],
          ]}
        />
        <ChoiceFilter
          label="Assigned to"
          name="assignee"
          value={assignee}
          hasAll
          options={[
            ['me', withCount('Me', counts?.mine)],
            ['nobody', withCount('Nobody', counts?.unassigned)],
          ]}
        />
        <ChoiceFilter
          label="First"
          name="sort"
          value={sort}
          options={[
            ['waiting', 'Longest wait'],
            ['newest', 'Newest'],
          ]}
        />
      </ListFilters>
      <PagedList
        found={found}
        page={page}
        failure="The tickets could not be loaded."
        previous="Previous"
        next="Next"
        empty={
          isFiltered ? (
            <NoMatch title="No ticket matches." showAll="Show all tickets" to="/admin/tickets" />
          ) : (
            <EmptyState title="There are no tickets yet." />
          )
        }
      >
        {({ tickets }) => (
          <DataTable label="Tickets" columns={columns.shown} rows={tickets} idOf={({ id }) => id} sort={sort} />
        )}
      </PagedList>
    </AdminFrame>
  );
}

const COLUMNS: readonly Column<QueuedTicket>[] = [
  {
    id: 'title',
    title: 'Ticket',
    isName: true,
    render: ({ id, number, title }) => (
      <>
        <RowLink to={`/admin/tickets/${id}`}>{title}</RowLink>
        <p className="muted small">#{number}</p>
      </>
    ),
  },
  { id: 'customer', title: 'Customer', render: ({ username }) => username },
  {
    id: 'status',
    title: 'Status',
    render: ({ status, unread }) => (
      <Row rowGap={4}>
        <StatusLabel status={status} />
        {unread > 0 && <Badge tone="waiting">{formatNumber(unread)} new</Badge>}
      </Row>
    ),
  },
  {
    id: 'waiting',
    title: 'Waiting since',
    isLabelled: true,
    sorts: [{ value: 'waiting', isAscending: true }],
    render: ({ waiting_since: since }) => since !== null && <Moment at={since} shows="moment" />,
  },
  {
    id: 'message',
    title: 'Last message',
    isLabelled: true,
    sorts: [{ value: 'newest', isAscending: false }],
    render: ({ last_message_at: at }) => <Moment at={at} shows="moment" />,
  },
  {
    id: 'assignee',
    title: 'Assigned to',
    isLabelled: true,
    render: ({ assignee }) => assignee?.username ?? 'Nobody',
  },
];
