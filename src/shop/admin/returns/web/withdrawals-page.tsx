import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { formatTotal } from '#src/shop/counted-list.ts';
import type { UnmatchedWithdrawal } from '#src/shop/returns/withdrawal/contract.ts';
import { unmatchedViews } from '#src/shop/returns/withdrawal/kinds.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { ChoiceFilter, ListFilters } from '../../kit/list-filters.tsx';
import { ListTitle } from '../../kit/list-title.tsx';
import { PagedList } from '../../kit/paged-list.tsx';
import { readChoice, readPageNumber, requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Withdrawals without order · Back office', matches) },
  { name: 'description', content: 'Statements of withdrawal that name no order of the shop.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const callAs = requireStaff(args, '/admin/withdrawals', 'orders');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const view = readChoice(parameters, 'view', unmatchedViews) ?? 'open';
  const found = await callAs('GET /support/withdrawals', { query: { page: String(page), view } }).catch(() => null);
  return { found, page, view };
}

/** RET-01: statements of withdrawal whose number and address belong to no order. */
export default function WithdrawalsPage() {
  const { found, page, view } = useLiveLoaderData<typeof loader>(['orders']);
  return (
    <AdminFrame
      title={<ListTitle text="Withdrawals without order" count={found && formatTotal(found.total, found.has_more)} />}
    >
      <p className="muted measure">
        The order number and mail address of these statements do not belong together. A mistyped statement is still a
        withdrawal: find the order that is meant and write to the buyer, who got no mail. Statements are deleted 30 days
        after they were made.
      </p>
      <ListFilters filter={{ view }}>
        <ChoiceFilter
          label="Show"
          name="view"
          value={view}
          options={[
            ['open', 'To answer'],
            ['answered', 'Answered'],
          ]}
        />
      </ListFilters>
      <PagedList
        found={found}
        page={page}
        failure="The statements could not be loaded."
        empty={
          <EmptyState title={view === 'open' ? 'No statement waits for an answer.' : 'No statement was answered.'} />
        }
      >
        {({ withdrawals }) => (
          <Lines isFramed gap={16}>
            {withdrawals.map((one) => (
              <Stack as="li" key={one.id} gap={12}>
                <Statement one={one} />
              </Stack>
            ))}
          </Lines>
        )}
      </PagedList>
    </AdminFrame>
  );
}

const MailLink = ({ address }: { readonly address: string }) => (
  <a href={`mailto:${encodeURIComponent(address)}`} className="link accent wrap-anywhere" translate="no">
    {address}
  </a>
);

function Statement({ one }: { readonly one: UnmatchedWithdrawal }) {
  const mayAnswer = useMayUse('shipping');
  const { acknowledgement_email: copy, answered_at: answeredAt, id, order_email: email, order_number: number } = one;
  return (
    <>
      <h2 className="medium" translate="no">
        {one.reference}
      </h2>
      <Facts>
        <Fact label="Name" className="wrap-anywhere">
          {one.name}
        </Fact>
        <Fact label="Order number as typed">
          <Link to={`/admin/orders?${new URLSearchParams({ q: number })}`} className="link accent wrap-anywhere">
            {number}
          </Link>
        </Fact>
        {email !== null && (
          <Fact label="Mail address">
            <MailLink address={email} />
          </Fact>
        )}
        {copy !== null && copy !== email && (
          <Fact label="Acknowledgement to">
            <MailLink address={copy} />
          </Fact>
        )}
        <Fact label="Stated">
          <Moment at={one.stated_at} shows="moment" />
        </Fact>
        {answeredAt !== null && (
          <Fact label="Answered">
            <Moment at={answeredAt} shows="moment" />
          </Fact>
        )}
      </Facts>
      <p className="multiline wrap-anywhere measure">{one.statement}</p>
      {mayAnswer && answeredAt === null && (
        <ConfirmedAction
          button="Mark as answered"
          label={`Mark as answered: ${one.reference}`}
          question="Was this buyer answered?"
          meaning={<p>The statement leaves the tasks. No mail is sent.</p>}
          confirm="Mark as answered"
          done="Statement closed"
          onConfirm={() => call('POST /support/withdrawals/{id}/answer', { params: { id } })}
        />
      )}
    </>
  );
}
