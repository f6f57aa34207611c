import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import type { ListedProduct } from '#src/shop/catalogue/editing/contract.ts';
import { productSorts, productStates } from '#src/shop/catalogue/editing/product-state.ts';
import { FEED_PATH } from '#src/shop/catalogue/feed/feed-path.ts';
import { formatNumber, formatUsdAmount } from '#src/shop/format-number.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Button, ButtonLink } from '#src/ui/button.tsx';
import { CopyButton } from '#src/ui/copy-button.tsx';
import { Picture } from '#src/ui/picture.tsx';
import { Row } from '#src/ui/row.ts';
import { Section } from '#src/ui/section.tsx';
import { EmptyState } from '#src/ui/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ChoiceFilter, ListFilters, SearchFilter } from '../../kit/list-filters.tsx';
import { ListTitle } from '../../kit/list-title.tsx';
import { NoMatch, PagedList } from '../../kit/paged-list.tsx';
import { ListRow, RowLink, RowList } from '../../kit/row-list.tsx';
import { readChoice, readPageNumber, readSearchText, requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { SORT_NAMES, STATE_NAMES } from '../state-names.ts';
import { BulkEditor } from './bulk-editor.tsx';
import catalogueStyles from './catalogue.module.css';
import { ProductStateBadges } from './product-state-badges.tsx';
import styles from './products-page.module.css';

const MAX_QUERY = 200;
const MAX_PAGE = 400;
const MAX_COUNTED = 10_000;
/** Products of one bulk edit. */
const MAX_BULK = 500;
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
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const total = found === null ? null : formatNumber(found.total) + (found.total >= MAX_COUNTED ? '+' : '');
  return (
    <AdminFrame
      title={<ListTitle text="Products" count={total} />}
      beside={<ButtonLink to="/admin/products/new">Add product</ButtonLink>}
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

interface ListProps {
  readonly products: readonly ListedProduct[];
  readonly total: number;
  readonly filter: ReturnType<typeof readFilter>;
  readonly categories: readonly { readonly id: string; readonly name: string }[];
}

function List({ products, total, filter, categories }: ListProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isAllMatching, setIsAllMatching] = useState(false);
  const isPageSelected = products.every(({ id }) => selected.has(id));
  const toggle = (ids: readonly string[], isSelected: boolean): void => {
    const next = new Set(selected);
    for (const id of ids) {
      if (isSelected) next.add(id);
      else next.delete(id);
    }
    setSelected(next);
    setIsAllMatching(false);
  };
  const clear = (): void => {
    setSelected(new Set());
    setIsAllMatching(false);
  };
  return (
    <div>
      <Row gap={16} rowGap={4}>
        <label className={styles.check}>
          <input
            type="checkbox"
            aria-label="Select all on this page"
            checked={isPageSelected}
            onChange={({ target }) =>
              toggle(
                products.map(({ id }) => id),
                target.checked,
              )
            }
          />
        </label>
        <output className="muted small">{isAllMatching ? formatNumber(total) : selected.size} selected</output>
        {isPageSelected && !isAllMatching && total > products.length && total <= MAX_BULK && (
          <Button variant="quaternary" onClick={() => setIsAllMatching(true)}>
            Select all {formatNumber(total)} that match
          </Button>
        )}
      </Row>
      <RowList className={styles.list}>
        {products.map((product) => (
          <ListRow key={product.id} className={styles.product}>
            <label className={styles.check}>
              <input
                type="checkbox"
                aria-label={`Select ${product.name}`}
                checked={isAllMatching || selected.has(product.id)}
                onChange={({ target }) => toggle([product.id], target.checked)}
              />
            </label>
            <ProductRow product={product} />
          </ListRow>
        ))}
      </RowList>
      {selected.size > 0 && (
        <BulkEditor
          selection={isAllMatching ? { filter } : { ids: [...selected] }}
          count={isAllMatching ? total : selected.size}
          categories={categories}
          onDone={clear}
        />
      )}
    </div>
  );
}

function ProductRow({ product }: { readonly product: ListedProduct }) {
  return (
    <>
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
      <div>
        <RowLink to={`/admin/products/${product.id}`}>{product.name}</RowLink>
        <p className="muted small">{product.article}</p>
      </div>
      <Row rowGap={4} className={styles.status}>
        <ProductStateBadges product={product} />
        <span className="muted small">
          {product.category_name}, {product.brand_name}
        </span>
      </Row>
      <div className={styles.price}>
        <p translate="no">${formatUsdAmount(product.base_price_usd)}</p>
        {product.sale_price_usd !== null && (
          <p className="muted small">Sale price ${formatUsdAmount(product.sale_price_usd)}</p>
        )}
        <p className="muted small">{formatNumber(product.sold_units)} sold</p>
      </div>
    </>
  );
}
