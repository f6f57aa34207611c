import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { formatNumber } from '#src/shop/format-number.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Disclosure } from '#src/ui/display/disclosure.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ChoiceFilter, ListFilters, SearchFilter } from '../../kit/list-filters.tsx';
import { ListTitle } from '../../kit/list-title.tsx';
import { NoMatch, PagedList } from '../../kit/paged-list.tsx';
import { readChoice, readPageNumber, readSearchText, requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { MAX_LISTED, stockFilters, stockSorts } from '#src/shop/inventory/stock-list/stock-list.ts';
import type { StockFilter, StockSort } from '#src/shop/inventory/stock-list/stock-list.ts';
import { CellsBar } from './cells-bar.tsx';
import styles from './inventory-page.module.css';
import { LowStockSettings } from './low-stock-settings.tsx';
import { StockTable } from './stock-table.tsx';
import { useStockCells } from './use-stock-cells.ts';

const MAX_QUERY = 200;
const FILTERS: Readonly<Record<StockFilter, string>> = {
  all: 'All',
  low: 'Low or sold out',
  sold_out: 'Sold out',
  short: 'Short of what orders promise',
  untracked: 'Not tracked',
};
const SORTS: Readonly<Record<StockSort, string>> = {
  name: 'Name',
  sku: 'SKU',
  least_available: 'Least available',
  most_available: 'Most available',
};

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Inventory · Back office', matches) },
  { name: 'description', content: 'The stock of every variant.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/inventory', 'stock');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const q = readSearchText(parameters, MAX_QUERY);
  const show = readChoice(parameters, 'show', stockFilters) ?? 'all';
  const sort = readChoice(parameters, 'sort', stockSorts) ?? 'name';
  const found = await call('GET /inventory', { query: { page: String(page), q, show, sort } }).catch(() => null);
  return { found, page, q, show, sort };
}

const formatTotal = (total: number): string =>
  total >= MAX_LISTED ? `${formatNumber(MAX_LISTED)}+` : formatNumber(total);

/** OPS-10: the stock of every variant, with its changes. */
export default function InventoryPage() {
  const { found, page, q, show, sort } = useLiveLoaderData<typeof loader>(['stock']);
  const mayAdd = useMayUse('catalogue');
  const shown = found?.variants ?? [];
  const cells = useStockCells(shown);
  const isFiltered = q !== '' || show !== 'all';
  return (
    <AdminFrame title={<ListTitle text="Inventory" count={found && formatTotal(found.total)} />}>
      {(isFiltered || found?.total !== 0) && (
        <ListFilters filter={{ q, show, sort }}>
          <SearchFilter label="Product name or start of SKU" value={q} maxLength={MAX_QUERY} />
          <ChoiceFilter
            label="Show"
            name="show"
            value={show}
            options={stockFilters.map((one) => [one, FILTERS[one]])}
          />
          <ChoiceFilter label="Sort by" name="sort" value={sort} options={stockSorts.map((one) => [one, SORTS[one]])} />
        </ListFilters>
      )}
      {found !== null && (
        <Disclosure summary="Low-stock settings" className={styles.settings}>
          <LowStockSettings settings={found.settings} />
        </Disclosure>
      )}
      <PagedList
        found={found}
        page={page}
        failure="The inventory could not be loaded."
        empty={
          isFiltered ? (
            <NoMatch title="No variant matches." showAll="Show all variants" to="/admin/inventory" />
          ) : (
            <EmptyState
              title="There are no variants yet."
              action={mayAdd && <ButtonLink to="/admin/products/new">Add product</ButtonLink>}
            >
              <p>Every product that you create appears here with its variants.</p>
            </EmptyState>
          )
        }
        previous="Previous"
        next="Next"
      >
        {({ variants, settings, total }) => (
          <>
            <StockTable variants={variants} shopThreshold={settings.threshold} sort={sort} cells={cells} />
            {total >= MAX_LISTED && (
              <p className="muted small">
                Only the first {formatNumber(MAX_LISTED)} variants are listed. Search or filter to find others.
              </p>
            )}
          </>
        )}
      </PagedList>
      <CellsBar cells={cells} shown={new Set(shown.map((one) => one.variant_id))} />
    </AdminFrame>
  );
}
