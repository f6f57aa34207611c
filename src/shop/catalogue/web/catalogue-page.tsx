import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData, useLocation } from 'react-router';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { parseCatalogueQuery } from '../filters/catalogue-query.ts';
import styles from './catalogue-page.module.css';
import { CategoryGroup } from './category-group.tsx';
import { FilteredProducts } from '../filters/web/filtered-products.tsx';
import { loadFilters, loadGroups } from '../filters/web/load-products.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

const STORAGE = 'Memory Capacity';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  { title: formatPageTitle('Catalog', matches) },
  {
    name: 'description',
    content: `${loaderData?.groups.map(({ name }) => name).join(', ')}: every product we sell, paid in Bitcoin.`,
  },
  { tagName: 'link', rel: 'canonical', href: loaderData?.url },
];

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { call } = context.get(pageContext);
  const requested = parseCatalogueQuery(new URL(request.url).searchParams, 'q');
  const filtered = await loadFilters(
    call,
    { ...requested, text: '', offset: 0 },
    { textName: 'q', hasBrands: true, hasProperty: (name) => name === STORAGE },
  );
  return {
    url: new URL('/catalog', request.url).href,
    view: filtered.view,
    groups: await loadGroups(call, filtered),
  };
}

export default function CataloguePage() {
  const { view, groups } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  return (
    <div className={styles.page} data-wide>
      <div className={styles.head}>
        <h1 className={styles.title}>Explore our catalog of Different Devices</h1>
        <nav aria-label="Categories on this page" className={styles.jumps}>
          <ul>
            {groups.map(({ id, name, slug }) => (
              <li key={id}>
                <Link to={{ search, hash: slug }}>{name}</Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <FilteredProducts view={view} emptyMessage="No products found">
        {groups.map((group, index) => (
          <CategoryGroup key={group.id} group={group} isFirst={index === 0} />
        ))}
      </FilteredProducts>
    </div>
  );
}
