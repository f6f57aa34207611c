import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Form, useLoaderData } from 'react-router';
import type { ApiCall } from '#src/storefront/api.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { Select } from '#src/ui/fields/field.tsx';
import { PriceNote } from '#src/storefront/products/price-note.tsx';
import { toCardProduct } from '#src/storefront/products/to-card-product.ts';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { parseComparedSlugs, MAX_COMPARED } from '../compare-url.ts';
import { compareSpecifications } from '../compare-specifications.ts';
import type { ProductDetail } from '../../contract.ts';
import { listOfferedOptions } from '../../products/offered-options.ts';
import styles from './compare-page.module.css';
import { CompareTable } from './compare-table.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

/** Maximum number of products offered to add. */
const MAX_OFFERED = '100';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => {
  const names = loaderData?.products.map(({ name }) => name) ?? [];
  return [
    { title: formatPageTitle(names.length > 0 ? `Compare ${names.join(', ')}` : 'Compare products', matches) },
    { name: 'robots', content: 'noindex' },
  ];
};

/** Null if the product is not on sale. */
async function findProduct(call: ApiCall, slug: string): Promise<ProductDetail | null> {
  try {
    return await call('GET /products/{slug}', { params: { slug } });
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

const isProduct = (product: ProductDetail | null): product is ProductDetail => product !== null;
const getName = ({ name }: ProductDetail): string => name;

const are = (count: number): string => (count === 1 ? 'product is' : 'products are');

/** Explains why products of the URL are not in the table. */
function listNotes(
  missing: number,
  foreign: readonly ProductDetail[],
  category: string,
  surplus: readonly ProductDetail[],
) {
  return [
    ...(missing > 0 ? [`${missing} ${are(missing)} not available.`] : []),
    ...(foreign.length > 0
      ? [`Not compared, because only ${category} can be compared here: ${foreign.map(getName).join(', ')}.`]
      : []),
    ...(surplus.length > 0
      ? [`Not compared, because the maximum is ${MAX_COMPARED} products: ${surplus.map(getName).join(', ')}.`]
      : []),
  ];
}

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { call } = context.get(pageContext);
  const slugs = parseComparedSlugs(new URL(request.url).searchParams);
  const products = (await Promise.all(slugs.map((slug) => findProduct(call, slug)))).filter(isProduct);
  const missing = slugs.length - products.length;
  const [first] = products;
  if (!first) return { category: null, products: [], rows: [], offered: [], notes: listNotes(missing, [], '', []) };
  const ofCategory = products.filter(({ category_id }) => category_id === first.category_id);
  const foreign = products.filter(({ category_id }) => category_id !== first.category_id);
  const compared = ofCategory.slice(0, MAX_COMPARED);
  const [categories, inCategory] = await Promise.all([
    call('GET /categories'),
    compared.length < MAX_COMPARED
      ? call('GET /products', { query: { category: first.category_id, sort: 'best_sold', limit: MAX_OFFERED } })
      : [],
  ]);
  const category = categories.find(({ id }) => id === first.category_id);
  const listOptions = (product: ProductDetail): Readonly<Record<string, string>> =>
    Object.fromEntries(
      listOfferedOptions(category?.properties ?? [], product.value_increases).map(({ name, values }) => [
        name,
        values.map(({ value }) => value).join(', '),
      ]),
    );
  const comparedIds = new Set(compared.map(({ id }) => id));
  return {
    category: { name: first.category_name, path: category ? `/catalog/category/${category.slug}` : '/catalog' },
    products: compared.map(toCardProduct),
    rows: compareSpecifications(compared.map((product) => ({ ...listOptions(product), ...product.specifications }))),
    offered: inCategory.filter(({ id }) => !comparedIds.has(id)).map(({ slug, name }) => ({ slug, name })),
    notes: listNotes(missing, foreign, first.category_name, ofCategory.slice(MAX_COMPARED)),
  };
}

export default function ComparePage() {
  const { category, products, rows, offered, notes } = useLoaderData<typeof loader>();
  return (
    <div className={styles.page} data-wide>
      <BackLink to={category?.path ?? '/catalog'} text={category ? `All ${category.name}` : 'Catalog'} />
      <h1>{category ? `Compare ${category.name}` : 'Compare products'}</h1>
      {notes.length > 0 && (
        <output className={styles.notes}>
          {notes.map((note) => (
            <span key={note}>{note}</span>
          ))}
        </output>
      )}
      {products.length > 0 ? (
        <>
          <CompareTable products={products} rows={rows} />
          <PriceNote isOfList />
        </>
      ) : (
        <EmptyState title="No products to compare" action={<ButtonLink to="/catalog">Go to the catalog</ButtonLink>}>
          Open a category and select Compare on up to 4 products.
        </EmptyState>
      )}
      {offered.length > 0 && (
        <Form action="/compare" className={styles.add} preventScrollReset>
          {products.map(({ slug }) => (
            <input key={slug} type="hidden" name="products" value={slug} />
          ))}
          {/* Remount with a new list, so that nothing is selected. */}
          <Select key={products.length} label={`Add ${category?.name ?? 'a product'}`} name="products">
            {offered.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </Select>
          <Button type="submit" variant="secondary">
            Add to comparison
          </Button>
        </Form>
      )}
    </div>
  );
}
