import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { formatNumber } from '#src/shop/format-number.ts';
import { describeBenefit } from '#src/shop/promotions/promotion-messages.ts';
import { formatPromotionState, promotionStates } from '#src/shop/promotions/promotion-state.ts';
import { formatPageTitle, useShop } from '#src/storefront/shop-identity.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { ButtonLink } from '#src/ui/controls/button.tsx';
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
import type { StaffPromotion } from '#src/shop/promotions/editing/contract.ts';
import { PromotionStateBadge } from './promotion-state-badge.tsx';
import styles from './promotions-page.module.css';

const MAX_QUERY = 60;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Promotions · Back office', matches) },
  { name: 'description', content: 'All promotions of the shop with their states and uses.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/promotions', 'catalogue');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const q = readSearchText(parameters, MAX_QUERY);
  const state = readChoice(parameters, 'state', promotionStates);
  const query = { page: String(page), q, ...(state === undefined ? {} : { state }) };
  const found = await call('GET /support/promotions', { query }).catch(() => null);
  return { found, page, q, state: state ?? '' };
}

/** OPS-11: all promotions, found by code and state. */
export default function PromotionsPage() {
  const { found, page, q, state } = useLiveLoaderData<typeof loader>(['promotions']);
  const columns = useShownColumns('promotions', COLUMNS);
  const isFiltered = q !== '' || state !== '';
  return (
    <AdminFrame
      title={<ListTitle text="Promotions" count={found?.total ?? null} />}
      beside={
        <>
          <ButtonLink to="/admin/promotions/new">Create promotion</ButtonLink>
          <ColumnChoice columns={COLUMNS} {...columns} />
        </>
      }
    >
      {(isFiltered || found?.total !== 0) && (
        <ListFilters filter={{ q, state }}>
          <SearchFilter label="Code" value={q} maxLength={MAX_QUERY} autoCapitalize="characters" />
          <ChoiceFilter
            label="State"
            name="state"
            value={state}
            hasAll
            options={promotionStates.map((one) => [one, formatPromotionState(one)])}
          />
        </ListFilters>
      )}
      <PagedList
        found={found}
        page={page}
        failure="The promotions could not be loaded."
        empty={
          isFiltered ? (
            <NoMatch title="No promotion matches." showAll="Show all promotions" to="/admin/promotions" />
          ) : (
            <EmptyState
              title="There are no promotions yet."
              action={<ButtonLink to="/admin/promotions/new">Create promotion</ButtonLink>}
            >
              <p>A promotion gives a discount or a gift to customers who enter its code in the cart.</p>
            </EmptyState>
          )
        }
      >
        {({ promotions }) => (
          <DataTable label="Promotions" columns={columns.shown} rows={promotions} idOf={({ id }) => id} />
        )}
      </PagedList>
    </AdminFrame>
  );
}

const formatUses = ({ uses, max_uses: most }: StaffPromotion): string => {
  const limit = most === null ? '' : ` of ${formatNumber(most)}`;
  return `${formatNumber(uses)}${limit} ${uses === 1 && most === null ? 'use' : 'uses'}`;
};

const COLUMNS: readonly Column<StaffPromotion>[] = [
  { id: 'code', title: 'Code', isName: true, render: (promotion) => <Code promotion={promotion} /> },
  {
    id: 'state',
    title: 'State',
    render: (promotion) => (
      <Row rowGap={4}>
        <PromotionStateBadge state={promotion.state} />
        {promotion.is_advertised && <span className="muted small">Advertised</span>}
      </Row>
    ),
  },
  { id: 'dates', title: 'Dates', render: (promotion) => <Period promotion={promotion} /> },
  { id: 'uses', title: 'Uses', isFigure: true, phone: 'beside', render: formatUses },
];

function Code({ promotion }: { readonly promotion: StaffPromotion }) {
  const benefit = describeBenefit(
    { ...promotion, is_limited: promotion.max_uses !== null },
    useShop().shipping !== 'paid',
  );
  return (
    <>
      <RowLink to={`/admin/promotions/${promotion.id}`}>
        <span translate="no" className={styles.code}>
          {promotion.code}
        </span>
      </RowLink>
      <p className="muted small">{benefit.title}</p>
    </>
  );
}

function Period({ promotion: { starts_at: start, ends_at: end } }: { readonly promotion: StaffPromotion }) {
  if (start === null && end === null) return 'No dates';
  return (
    <>
      {start !== null && (
        <span>
          From <Moment at={start} shows="moment" />
        </span>
      )}
      {start !== null && end !== null && <br />}
      {end !== null && (
        <span>
          {start === null ? 'Until ' : 'until '}
          <Moment at={end} shows="moment" />
        </span>
      )}
    </>
  );
}
