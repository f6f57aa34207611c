import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { data, Link, useLoaderData } from 'react-router';
import { formatNumber } from '#src/shop/format-number.ts';
import { createBreadcrumbJsonLd, describePage } from '#src/storefront/page/describe-page.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwMoved } from '#src/storefront/page/page-responses.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { PAGE_SIZE, formatCatalogueQuery, parseCatalogueQuery } from '../filters/catalogue-query.ts';
import type { CatalogueQuery } from '../filters/catalogue-query.ts';
import styles from './category-page.module.css';
import { Comparison } from '../compare/web/comparison.tsx';
import { FilteredProducts } from '../filters/web/filtered-products.tsx';
import type { FilteredView } from '../filters/web/load-products.ts';
import { loadFilters, loadPage, loadSuggestions } from '../filters/web/load-products.ts';
import { PageLinks } from '../filters/web/page-links.tsx';
import { ProductGrid } from '../filters/web/product-grid.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

const formatTitle = (slug: string): string => `${slug.charAt(0).toUpperCase()}${slug.slice(1)}`;

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => {
  if (!loaderData?.category) return [{ title: formatPageTitle('Category not found', matches) }];
  const { url, category, view } = loaderData;
  return [
    { title: formatPageTitle(category.name, matches) },
    {
      name: 'description',
      content: `${category.name}: ${formatNumber(view.total)} to choose from, paid in Bitcoin.`,
    },
    { tagName: 'link', rel: 'canonical', href: url },
  ];
};

/** A page beyond the last becomes the last one. */
const clampPage = (query: CatalogueQuery, total: number): CatalogueQuery => {
  const last = Math.max(0, Math.ceil(total / PAGE_SIZE) - 1);
  return { ...query, offset: Math.min(query.offset, last * PAGE_SIZE) };
};

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const page = context.get(pageContext);
  const { call } = page;
  const { slug = '' } = params;
  const category = (await call('GET /categories')).find((candidate) => candidate.slug === slug);
  if (!category) {
    const renamed = await call('GET /categories/{slug}', { params: { slug } }).catch(() => null);
    if (renamed) throwMoved(`/catalog/category/${renamed.slug}`);
    return data({ category: null }, { status: 404 });
  }
  const url = new URL(request.url);
  const requested = { ...parseCatalogueQuery(url.searchParams, 'q'), categories: [] };
  const filtered = await loadFilters(call, requested, { textName: 'q', category: slug, hasProperty: () => true });
  const query = clampPage(filtered.view.query, filtered.view.total);
  const view: FilteredView = { ...filtered.view, query };
  const path = `/catalog/category/${slug}`;
  const { href } = new URL(path, url);
  const trail = [
    ['Catalog', '/catalog'],
    [category.name, path],
  ] as const;
  describePage(page, { jsonLd: [createBreadcrumbJsonLd(url.origin, trail)] });
  return {
    category: { slug, name: category.name },
    // Each page has its own canonical URL; filtered views belong to the first.
    url: query.offset > 0 ? `${href}?offset=${query.offset}` : href,
    view,
    products: await loadPage(call, { ...query, categories: [slug] }),
    suggestions: await loadSuggestions(call, view),
  };
}

export default function CategoryPage() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <div className={styles.page} data-wide>
      <Link to="/catalog" prefetch="intent" className={styles.back}>
        <Icon name="chevronLeft" size={16} />
        Back to catalog
      </Link>
      {loaded.category === null ? (
        <div className={styles.missing}>
          <h1>Category not found.</h1>
          <ButtonLink to="/catalog">Go to the catalog</ButtonLink>
        </div>
      ) : (
        <CategoryProducts {...loaded} />
      )}
    </div>
  );
}

type Loaded = Extract<ReturnType<typeof useLoaderData<typeof loader>>, { category: object }>;

function CategoryProducts({ category, view, products, suggestions }: Omit<Loaded, 'url'>) {
  const { text } = view.query;
  return (
    <>
      <div>
        <h1>{formatTitle(category.slug)}</h1>
        {text !== '' && (
          <p className={styles.text}>
            {`Results for "${text}". `}
            <Link to={`/catalog/category/${category.slug}${formatCatalogueQuery({ ...view.query, text: '' }, 'q')}`}>
              Show all
            </Link>
          </p>
        )}
      </div>
      <FilteredProducts view={view} emptyMessage="No products found" suggestions={suggestions}>
        <section aria-labelledby="products-title" className={styles.products}>
          <h2 id="products-title" className="visually-hidden">
            Products
          </h2>
          <ProductGrid products={products} isFirst isComparable />
          <PageLinks view={view} />
          <Comparison category={category.slug} products={products} />
        </section>
      </FilteredProducts>
    </>
  );
}
