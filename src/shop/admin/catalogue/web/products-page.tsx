import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import type { ListedProduct } from '#src/shop/catalogue/editing/contract.ts';
import { MAX_BULK } from '#src/shop/catalogue/editing/product-limits.ts';
import { productSorts, productStates } from '#src/shop/catalogue/editing/product-state.ts';
import { FEED_PATH } from '#src/shop/catalogue/feed/feed-path.ts';
import { formatNumber, formatUsdAmount } from '#src/shop/format-number.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { CopyButton } from '#src/ui/copy/copy-button.tsx';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Section } from '#src/ui/layout/section.tsx';
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
import { SORT_NAMES, STATE_NAMES } from '../state-names.ts';
import { BulkEditor } from './bulk-editor.tsx';
import catalogueStyles from './catalogue.module.css';
import { ProductStateBadges } from './product-state-badges.tsx';
import styles from './products-page.module.css';

const MAX_QUERY = 200;
const MAX_PAGE = 400;
const MAX_COUNTED = 10_000;
const STATES = [...productStates, 'changed', 'reduced'] as const;

export const meta: MetaFunction = ({ matches }) => [{ title: formatPageTitle('Products · Back office', matches) }];

function readFilter(parameters: URLSearchParams) {
  const state = readChoice(parameters, 'state', STATES);
  const category = parameters.get('category') ?? '';
  const brand = parameters.get('brand') ?? '';
  return {
    q: readSearchText(parameters, MAX_QUERY),
    ...(state === undefined ? {} : { state }),
    ...(category === '' ? {} : { category }),
    ...(brand === '' ? {} : { brand }),
  };
}

const toOptions = (list: readonly { readonly id: string; readonly name: string }[]) =>
  list.map(({ id, name }) => ({ id, name }));

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/products', 'catalogue');
  const parameters = new URL(args.request.url).searchParams;
  const page = Math.min(readPageNumber(parameters), MAX_PAGE);
  const filter = readFilter(parameters);
  const sort = readChoice(parameters, 'sort', productSorts) ?? 'newest';
  const [found, categories, brands] = await Promise.all([
    call('GET /catalogue/products', { query: { ...filter, sort, page: String(page) } }).catch(() => null),
    call('GET /categories'),
    call('GET /brands'),
  ]);
  return {
    feedUrl: new URL(FEED_PATH, args.request.url).href,
    found,
    page,
    sort,
    filter,
    categories: toOptions(categories),
    brands: toOptions(brands),
  };
}

/** OPS-02: all products, with filters and bulk edits. */
export default function ProductsPage() {
  const { feedUrl, found, page, sort, filter, categories } = useLiveLoaderData<typeof loader>(['catalogue', 'orders']);
  const columns = useShownColumns('products', COLUMNS);
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const total = found === null ? null : formatNumber(found.total) + (found.total >= MAX_COUNTED ? '+' : '');
  return (
    <AdminFrame
      title={<ListTitle text="Products" count={total} />}
      beside={
        <>
          <ButtonLink to="/admin/products/new">Add product</ButtonLink>
          <ColumnChoice columns={COLUMNS} {...columns} />
        </>
      }
    >
      {(isFiltered || found?.total !== 0) && <Filters />}
      <PagedList
        found={found}
        page={page}
        failure="The products could not be loaded."
        empty={
          isFiltered ? (
            <NoMatch title="No product matches." showAll="Show all products" to="/admin/products" />
          ) : (
            <EmptyState
              title="There are no products yet."
              action={<ButtonLink to="/admin/products/new">Add product</ButtonLink>}
            />
          )
        }
        previous="Previous"
        next="Next"
      >
        {({ products, total: matching }) => (
          // Another page or filter starts with nothing selected.
          <List
            key={JSON.stringify([filter, sort, page])}
            products={products}
            total={matching}
            filter={filter}
            sort={sort}
            columns={columns.shown}
            categories={categories}
          />
        )}
      </PagedList>
      <ProductFeed url={feedUrl} />
    </AdminFrame>
  );
}

/** What merchants give to Google Merchant Center. */
function ProductFeed({ url }: { readonly url: string }) {
  return (
    <Section title="Product feed" gap={8} className={styles.feed}>
      <p className="muted small">
        Add this address as a scheduled fetch in Google Merchant Center. It lists every variant on sale with its present
        price and availability.
      </p>
      <Row as="p" gap={8} rowGap={4}>
        <a href={url} className="link">
          {url}
        </a>
        <CopyButton text={url} contentName="the address of the product feed" />
      </Row>
    </Section>
  );
}

function Filters() {
  const { filter, sort, categories, brands } = useLoaderData<typeof loader>();
  const { q, state = '', category = '', brand = '' } = filter;
  return (
    <ListFilters filter={{ ...filter, sort }} firstWidth="line">
      <SearchFilter label="Name, article number, SKU or URL" value={q} maxLength={MAX_QUERY} />
      <ChoiceFilter
        label="State"
        name="state"
        value={state}
        hasAll
        options={STATES.map((one) => [one, STATE_NAMES[one]])}
      />
      <ChoiceFilter
        label="Category"
        name="category"
        value={category}
        hasAll
        options={categories.map(({ id, name }) => [id, name])}
      />
      <ChoiceFilter
        label="Brand"
        name="brand"
        value={brand}
        hasAll
        options={brands.map(({ id, name }) => [id, name])}
      />
      <ChoiceFilter
        label="Sort by"
        name="sort"
        value={sort}
        options={productSorts.map((one) => [one, SORT_NAMES[one]])}
      />
    </ListFilters>
  );
}

const COLUMNS: readonly Column<ListedProduct>[] = [
  {
    id: 'name',
    title: 'Product',
    isName: true,
    sorts: [{ value: 'name', isAscending: true }],
    render: (product) => <Name product={product} />,
  },
  { id: 'state', title: 'State', render: (product) => <ProductStateBadges product={product} /> },
  { id: 'category', title: 'Category', render: ({ category_name: category }) => category },
  { id: 'brand', title: 'Brand', render: ({ brand_name: brand }) => brand },
  {
    id: 'price',
    title: 'Price',
    isFigure: true,
    phone: 'beside',
    sorts: [
      { value: 'price_desc', isAscending: false },
      { value: 'price_asc', isAscending: true },
    ],
    render: ({ base_price_usd: price, sale_price_usd: sale }) => (
      <>
        <p translate="no" className="unbroken">
          ${formatUsdAmount(price)}
        </p>
        {sale !== null && <p className="muted small unbroken">Sale price ${formatUsdAmount(sale)}</p>}
      </>
    ),
  },
  {
    id: 'sold',
    title: 'Sold',
    isFigure: true,
    phone: 'hidden',
    sorts: [{ value: 'best_sold', isAscending: false }],
    render: ({ sold_units: sold }) => formatNumber(sold),
  },
];

const Name = ({ product }: { readonly product: ListedProduct }) => (
  <span className={styles.name}>
    {product.main_image === '' ? (
      <span className={catalogueStyles.thumbnail} />
    ) : (
      <Picture
        className={catalogueStyles.thumbnail}
        path={product.main_image}
        alt=""
        sizes="48px"
        width={48}
        height={48}
      />
    )}
    <span>
      <RowLink to={`/admin/products/${product.id}`}>{product.name}</RowLink>
      <span className="muted small">{product.article}</span>
    </span>
  </span>
);

interface ListProps {
  readonly products: readonly ListedProduct[];
  readonly total: number;
  readonly filter: ReturnType<typeof readFilter>;
  readonly sort: string;
  readonly columns: readonly Column<ListedProduct>[];
  readonly categories: readonly { readonly id: string; readonly name: string }[];
}

function List({ products, total, filter, sort, columns, categories }: ListProps) {
  return (
    <DataTable
      label="Products"
      columns={columns}
      rows={products}
      idOf={({ id }) => id}
      sort={sort}
      selection={{
        nameOf: ({ name }) => `Select ${name}`,
        renderActions: (ids, clear) => (
          <BulkChange
            ids={ids}
            matching={ids.length === products.length && total > ids.length && total <= MAX_BULK ? total : null}
            filter={filter}
            categories={categories}
            onDone={clear}
          />
        ),
      }}
    />
  );
}

interface BulkChangeProps extends Pick<ListProps, 'filter' | 'categories'> {
  readonly ids: readonly string[];
  /** How many match the filters; null if those of other pages can't be selected. */
  readonly matching: number | null;
  readonly onDone: () => void;
}

/** Changes the selected products, or all that match the filters. */
function BulkChange({ ids, matching, filter, categories, onDone }: BulkChangeProps) {
  const [isAllMatching, setIsAllMatching] = useState(false);
  const isAll = isAllMatching && matching !== null;
  return (
    <>
      {matching !== null && (
        <Button variant="quaternary" aria-pressed={isAll} onClick={() => setIsAllMatching(!isAll)}>
          Select all {formatNumber(matching)} that match
        </Button>
      )}
      <BulkEditor
        selection={isAll ? { filter } : { ids: [...ids] }}
        count={isAll ? matching : ids.length}
        categories={categories}
        onDone={() => {
          setIsAllMatching(false);
          onDone();
        }}
      />
    </>
  );
}
