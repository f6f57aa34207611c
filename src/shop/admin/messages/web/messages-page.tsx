import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { formatNumber } from '#src/shop/format-number.ts';
import type { ContactMessage } from '#src/shop/support/contact/contract.ts';
import { formatTotal } from '#src/shop/counted-list.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
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
import { MessageState } from './message-state.tsx';
import styles from './messages-page.module.css';

const MAX_QUERY = 200;
const STATES = ['not-spam', 'new', 'answered', 'done', 'spam'] as const;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Messages · Back office', matches) },
  { name: 'description', content: 'Messages from the contact page.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/messages', 'support');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const q = readSearchText(parameters, MAX_QUERY);
  const state = readChoice(parameters, 'state', STATES) ?? 'not-spam';
  const found = await call('GET /support/contact-messages', { query: { page: String(page), q, state } }).catch(
    () => null,
  );
  return { found, page, q, state };
}

/** OPS-04, PAGE-02: contact messages with their states. */
export default function MessagesPage() {
  const { found, page, q, state } = useLiveLoaderData<typeof loader>(['messages']);
  const columns = useShownColumns('messages', COLUMNS);
  const isFiltered = q !== '' || state !== 'not-spam';
  const isNew = found === null ? 'New' : `New (${formatNumber(found.new)})`;
  return (
    <AdminFrame
      title={<ListTitle text="Messages" count={found && formatTotal(found.total, found.has_more)} />}
      beside={<ColumnChoice columns={COLUMNS} {...columns} />}
    >
      <ListFilters filter={{ q, state }}>
        <SearchFilter label="Name, address or text" value={q} maxLength={MAX_QUERY} />
        <ChoiceFilter
          label="State"
          name="state"
          value={state}
          options={[
            ['not-spam', 'All except spam'],
            ['new', isNew],
            ['answered', 'Answered'],
            ['done', 'Done'],
            ['spam', found === null ? 'Spam' : `Spam (${formatNumber(found.spam)})`],
          ]}
        />
      </ListFilters>
      {found !== null && found.spam > 0 && state !== 'spam' && (
        <p className="muted small">{describeSpam(found.spam)}</p>
      )}
      <PagedList
        found={found}
        page={page}
        failure="The messages could not be loaded."
        empty={
          isFiltered ? (
            <NoMatch title="No message matches." showAll="Show all messages" to="/admin/messages" />
          ) : (
            <EmptyState title="There are no messages yet." />
          )
        }
      >
        {({ messages }) => <DataTable label="Messages" columns={columns.shown} rows={messages} idOf={({ id }) => id} />}
      </PagedList>
    </AdminFrame>
  );
}

const describeSpam = (count: number): string =>
  count === 1 ? '1 message was put aside as spam.' : `${formatNumber(count)} messages were put aside as spam.`;

const COLUMNS: readonly Column<ContactMessage>[] = [
  {
    id: 'sender',
    title: 'From',
    isName: true,
    render: ({ email, firstName, id, lastName }) => (
      <>
        <RowLink to={`/admin/messages/${id}`}>
          {firstName} {lastName}
        </RowLink>
        <p className="muted small">{email}</p>
      </>
    ),
  },
  { id: 'text', title: 'Message', render: ({ message }) => <p className={styles.start}>{message}</p> },
  { id: 'at', title: 'Received', render: ({ created_at: at }) => <Moment at={at} shows="moment" /> },
  { id: 'state', title: 'State', render: (message) => <MessageState message={message} /> },
];
