import { Suspense } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { computeAverageRating } from '#src/shop/reviews/average-rating.ts';
import { ProductReviews } from '#src/shop/reviews/web/product-reviews.tsx';
import { isApiFailure } from '#src/storefront/api.ts';
import { describePage } from '#src/storefront/page/describe-page.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { rethrowAsNotFound, throwNotFound } from '#src/storefront/page/page-responses.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import { isWithoutRate } from '#src/storefront/products/is-without-rate.ts';
import { toCardProduct } from '#src/storefront/products/product-card.tsx';
import { ProductRow } from '#src/storefront/products/product-row.tsx';
import { listOfferedOptions } from '../../filters/offered-options.ts';
import { Breadcrumb } from '../../web/breadcrumb.tsx';
import { describeProduct } from './describe-product.ts';
import { ProductDetails } from './product-details.tsx';
import styles from './product-page.module.css';
import { ProductTop } from './product-top.tsx';
import { RecentProducts } from './recent-products.ts';
import { formatPageTitle } from '#src/shop/shop-identity.ts';

const MAX_OTHERS = 12;

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const page = context.get(pageContext);
  const { call } = page;
  const product = await call('GET /products/{slug}', { params: { slug: params.slug ?? '' } }).catch((error: unknown) =>
    // An invalid slug is a product that does not exist.
    isApiFailure(error) && error.status === 400 ? throwNotFound() : rethrowAsNotFound(error),
  );
  const [categories, brands, neighbours, reviews] = await Promise.all([
    call('GET /categories'),
    call('GET /brands'),
    call('GET /products', { query: { category: product.category_id, limit: String(MAX_OTHERS + 1) } }),
    call('GET /reviews/product/{id}', { params: { id: product.id } }),
  ]);
  const { selected_property_values: offeredIds, category_id, brand_id, sold_units: _sold, ...rest } = product;
  const category = categories.find(({ id }) => id === category_id);
  const categoryPath = category ? `/catalog/category/${category.slug}` : '/catalog';
  const otherProducts = neighbours.filter(({ id }) => id !== product.id).slice(0, MAX_OTHERS);
  const brand = brands.find(({ id }) => id === brand_id)?.name ?? null;
  const mean = computeAverageRating(reviews.map(({ rating }) => rating));
  const rating = mean === null ? null : { mean, count: reviews.length };
  describePage(page, describeProduct(new URL(request.url).origin, { product, brand, categoryPath, rating }));
  return {
    product: rest,
    categoryPath,
    properties: listOfferedOptions(category?.properties ?? [], offeredIds),
    others: otherProducts.map(toCardProduct),
    reviews,
  };
}

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [];
  const { product } = loaderData;
  const { base_price_in_btc: btc, base_price_in_usd: usd } = product;
  const price = isWithoutRate(btc, usd)
    ? `$${formatUsdAmount(usd)}`
    : `${formatBtcAmount(btc)} BTC or $${formatUsdAmount(usd)}`;
  return [
    { title: formatPageTitle(product.name) },
    { name: 'description', content: `${product.name}: ${product.sub_description}. From ${price}.` },
  ];
};

export default function ProductPage() {
  const { product, properties, others, reviews, categoryPath } = useLoaderData<typeof loader>();
  const isAlive = useHydrated();
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <div className={styles.trail}>
          <Breadcrumb category={{ name: product.category_name, path: categoryPath }} />
        </div>
        {/* Remount for another product: first picture, first values. */}
        <ProductTop key={product.id} product={product} properties={properties} />
      </div>
      <ProductDetails product={product} />
      <ProductReviews name={product.name} reviews={reviews} />
      {others.length > 0 && (
        <ProductRow title={`Check out other ${product.category_name}`} to={categoryPath} products={others} />
      )}
      {isAlive && (
        <Suspense>
          <RecentProducts current={product.id} />
        </Suspense>
      )}
    </div>
  );
}
