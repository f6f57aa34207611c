import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { pageContext } from '#src/web/page-context.ts';
import { ButtonLink } from '#src/web/ui/button.tsx';
import { EmptyState } from '#src/web/ui/states.tsx';
import { parseCatalogueQuery } from '../catalogue-query.ts';
import { CategoryGroup } from './category-group.tsx';
import { FilteredProducts } from './filtered-products.tsx';
import { loadFilters, loadGroups } from './load-products.ts';
import styles from './search-page.module.css';

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => [
  { title: `${loaderData?.text ? `"${loaderData.text}" · ` : ''}Search · Crypto Market` },
  { name: 'robots', content: 'noindex' },
];

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { call } = context.get(pageContext);
  const asked = parseCatalogueQuery(new URL(request.url).searchParams, 'query');
  if (asked.text === '') return { text: '', view: null, groups: [] };
  const filtered = await loadFilters(
    call,
    { ...asked, offset: 0 },
    { textName: 'query', hasCategories: true, hasBrands: true, hasProperty: () => true },
  );
  return { text: asked.text, view: filtered.view, groups: await loadGroups(call, filtered) };
}

export default function SearchPage() {
  const { text, view, groups } = useLoaderData<typeof loader>();
  return (
    <div className={styles.page}>
      <h1>
        Search Results
        {text !== '' && <span className={styles.text}>{` "${text}"`}</span>}
      </h1>
      {view === null ? (
        <EmptyState title="What are you looking for?" action={<ButtonLink to="/catalog">Go to the catalog</ButtonLink>}>
          <p>Type a part of a name into the search box above.</p>
        </EmptyState>
      ) : (
        <FilteredProducts view={view} nothing={`No products found for "${text}"`}>
          {groups.map((group, index) => (
            <CategoryGroup key={group.id} group={group} isFirst={index === 0} />
          ))}
        </FilteredProducts>
      )}
    </div>
  );
}
