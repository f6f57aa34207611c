import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { parseCatalogueQuery } from '../../filters/catalogue-query.ts';
import { CategoryGroup } from '../../web/category-group.tsx';
import { FilteredProducts } from '../../filters/web/filtered-products.tsx';
import { loadFilters, loadGroups, loadSuggestions, splitByText } from '../../filters/web/load-products.ts';
import styles from './search-page.module.css';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  { title: formatPageTitle(`${loaderData?.text ? `"${loaderData.text}" · ` : ''}Search`, matches) },
  { name: 'robots', content: 'noindex' },
];

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { call } = context.get(pageContext);
  const requested = parseCatalogueQuery(new URL(request.url).searchParams, 'query');
  if (requested.text === '') return { text: '', view: null, exact: [], similar: [], suggestions: null };
  const filtered = await loadFilters(
    call,
    { ...requested, offset: 0 },
    { textName: 'query', hasCategories: true, hasBrands: true, hasProperty: () => true },
  );
  const [groups, suggestions] = await Promise.all([loadGroups(call, filtered), loadSuggestions(call, filtered.view)]);
  return { text: requested.text, view: filtered.view, ...splitByText(requested.text, groups), suggestions };
}

export default function SearchPage() {
  const { text, view, exact, similar, suggestions } = useLoaderData<typeof loader>();
  return (
    <div className={styles.page}>
      <h1>
        Search Results
        {text !== '' && <span className="muted">{` "${text}"`}</span>}
      </h1>
      {view === null ? (
        <EmptyState title="What are you looking for?" action={<ButtonLink to="/catalog">Go to the catalog</ButtonLink>}>
          <p>Enter a product name in the search box.</p>
        </EmptyState>
      ) : (
        <FilteredProducts view={view} emptyMessage={`No products found for "${text}"`} suggestions={suggestions}>
          {exact.map((group, index) => (
            <CategoryGroup key={group.id} group={group} isFirst={index === 0} />
          ))}
          {similar.length > 0 && (
            <p className="large">
              {exact.length > 0 ? 'Similar products:' : `No exact matches for "${text}". Similar products:`}
            </p>
          )}
          {similar.map((group, index) => (
            <CategoryGroup
              key={`similar-${group.id}`}
              group={group}
              isFirst={exact.length === 0 && index === 0}
              isSimilar
            />
          ))}
        </FilteredProducts>
      )}
    </div>
  );
}
