import { foldText } from '#src/shop/fold-text.ts';
import type { ApiCall } from '#src/storefront/api.ts';
import type { CardProduct } from '#src/storefront/products/card-product.ts';
import { toCardProduct } from '#src/storefront/products/to-card-product.ts';
import { toApiFilter, PAGE_SIZE, formatCatalogueQuery } from '../catalogue-query.ts';
import type { CatalogueQuery, TextName } from '../catalogue-query.ts';
import type { FilterOptions } from '../../contract.ts';
import {
  listActiveFilters,
  dropUnknownNames,
  toPanelOptions,
  buildPropertyGroups,
  createGroupQuery,
  filterVisibleOptions,
} from '../filter-panel.ts';
import type { PanelGroup, PanelOption } from '../filter-panel.ts';
import { computeBounds, dropDefaultBounds } from '../price-range.ts';
import type { PriceRange } from '../price-range.ts';
import type { SuggestedProducts } from './suggested-products.tsx';

/** Filters of the page besides price. */
export interface PanelScope {
  readonly textName: TextName;
  /** Slug of the only category of the page. */
  readonly category?: string;
  readonly hasCategories?: boolean;
  readonly hasBrands?: boolean;
  readonly hasProperty: (name: string) => boolean;
}

/** Everything around the products of a filtered list. */
export interface FilteredView {
  readonly textName: TextName;
  readonly query: CatalogueQuery;
  readonly total: number;
  readonly bounds: PriceRange;
  readonly categories: readonly PanelOption[];
  readonly brands: readonly PanelOption[];
  readonly properties: readonly PanelGroup[];
  /** Active filters, each with the URL query without it. */
  readonly active: readonly { readonly label: string; readonly search: string }[];
}

interface FilteredResult {
  readonly view: FilteredView;
  readonly options: FilterOptions;
}

/** Loads the filter options for the URL and drops names that are not in the catalogue. */
export async function loadFilters(
  call: ApiCall,
  requested: CatalogueQuery,
  scope: PanelScope,
): Promise<FilteredResult> {
  const { category, textName } = scope;
  const loadOptions = async (query: CatalogueQuery) => {
    const ownQuery = category === undefined ? query : { ...query, categories: [category] };
    const options = await call('GET /filters', { query: toApiFilter(ownQuery) });
    const id = options.categories.find(({ slug }) => slug === category)?.id;
    if (id === undefined) return options;
    return { ...options, properties: options.properties.filter((property) => property.category_id === id) };
  };
  const first = await loadOptions(requested);
  const cleaned = dropUnknownNames(requested, first);
  const options = cleaned === requested ? first : await loadOptions(cleaned);
  const bounds = computeBounds(options.prices);
  const query = options.prices === null ? cleaned : { ...cleaned, ...dropDefaultBounds(cleaned, bounds) };
  const offered = buildPropertyGroups(options.properties.filter(({ name }) => scope.hasProperty(name)));
  const view: FilteredView = {
    textName,
    query,
    total: options.total,
    bounds,
    categories: scope.hasCategories ? filterVisibleOptions(toPanelOptions(options.categories), query.categories) : [],
    brands: scope.hasBrands ? filterVisibleOptions(toPanelOptions(options.brands), query.brands) : [],
    properties: offered
      .map(({ name, options: boxes }) => ({ name, options: filterVisibleOptions(boxes, query.values) }))
      .filter(({ options: boxes }) => boxes.length > 0),
    active: listActiveFilters(query, options).map(({ label, without }) => ({
      label,
      search: formatCatalogueQuery(without, textName),
    })),
  };
  return { view, options };
}

export interface ProductGroup {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** Total number, including products not listed here. */
  readonly total: number;
  readonly products: readonly CardProduct[];
  /** URL query of the category page with all of them. */
  readonly search: string;
}

/** Splits groups into products whose names contain the text and similar ones. */
export function splitByText(
  text: string,
  groups: readonly ProductGroup[],
): { readonly exact: readonly ProductGroup[]; readonly similar: readonly ProductGroup[] } {
  const part = foldText(text);
  const exact: ProductGroup[] = [];
  const similar: ProductGroup[] = [];
  for (const group of groups) {
    const isNamed = ({ name }: CardProduct) => foldText(name).includes(part);
    const named = group.products.filter(isNamed);
    const similarProducts = group.products.filter((product) => !isNamed(product));
    // Exact matches come first: if a similar one follows, all of them are loaded.
    const exactTotal = similarProducts.length > 0 ? named.length : group.total;
    if (named.length > 0) exact.push({ ...group, products: named, total: exactTotal });
    if (similarProducts.length > 0)
      similar.push({ ...group, products: similarProducts, total: group.total - exactTotal });
  }
  return { exact, similar };
}

/** Suggestions for a search without results; null for other lists. */
export async function loadSuggestions(
  call: ApiCall,
  { total, query }: FilteredView,
): Promise<SuggestedProducts | null> {
  if (total > 0 || query.text === '') return null;
  const { nearest, popular } = await call('GET /search/suggestions', { query: { q: query.text } });
  return { nearest: nearest.map(toCardProduct), popular: popular.map(toCardProduct) };
}

/** Products of a filtered list by category, the first page of each. */
export async function loadGroups(call: ApiCall, { view, options }: FilteredResult): Promise<readonly ProductGroup[]> {
  const { query } = view;
  const isSelected = ({ id, slug }: { readonly id: string; readonly slug: string }) =>
    query.categories.length === 0 || query.categories.includes(slug) || query.categories.includes(id);
  const categories = options.categories.filter((category) => category.count > 0 && isSelected(category));
  return Promise.all(
    categories.map(async ({ id, name, slug, count }) => {
      const ofCategory = options.properties.filter(({ category_id }) => category_id === id);
      const ownValues = new Set(ofCategory.flatMap(({ values }) => values.map((value) => value.id)));
      return {
        id,
        name,
        slug,
        total: count,
        products: await loadPage(call, { ...query, categories: [slug], offset: 0 }),
        search: formatCatalogueQuery(createGroupQuery(query, ownValues), 'q'),
      };
    }),
  );
}

export async function loadPage(call: ApiCall, query: CatalogueQuery): Promise<readonly CardProduct[]> {
  const { sort, offset } = query;
  const products = await call('GET /products', {
    query: {
      ...toApiFilter(query),
      ...(sort === null ? {} : { sort }),
      limit: String(PAGE_SIZE),
      offset: String(offset),
    },
  });
  return products.map(toCardProduct);
}
