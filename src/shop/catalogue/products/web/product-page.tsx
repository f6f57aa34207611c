import { Suspense } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { computeAverageRating } from '#src/shop/reviews/average-rating.ts';
import { summariseReviews } from '#src/shop/reviews/describe-reviews.ts';
import { ProductReviews } from '#src/shop/reviews/web/product-reviews.tsx';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import type { ApiCall } from '#src/storefront/api.ts';
import { describePage } from '#src/storefront/page/describe-page.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { rethrowAsNotFound, throwMoved, throwNotFound } from '#src/storefront/page/page-responses.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { formatDate, UTC } from '#src/shop/format.ts';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import { isWithoutRate } from '#src/storefront/products/is-without-rate.ts';
import { toCardProduct } from '#src/storefront/products/to-card-product.ts';
import { ProductRow } from '#src/storefront/products/product-row.tsx';
import { listOfferedOptions } from '../offered-options.ts';
import { createVariantKey } from '../variants.ts';
import { VARIANT_PARAMETER } from '../variant-path.ts';
import { buildVariantTable, findFirstChoice } from '../variant-table.ts';
import { Breadcrumb } from '../../web/breadcrumb.tsx';
import { CompareStrip } from './compare-strip.tsx';
import { compareSimilar } from '../compare-similar.ts';
import { findSheetUrl } from '../../compliance/energy-label.ts';
import { listSafetyFacts } from '../../compliance/product-safety.ts';
import { describeProduct } from './describe-product.ts';
import { ProductDetails } from './product-details.tsx';
import styles from './product-page.module.css';
import { ProductTop } from './product-top.tsx';
import { RecentProducts } from './recent-products.ts';
import { formatPageTitle, useShop } from '#src/storefront/shop-identity.ts';

const MAX_OTHERS = 12;

/** A product by its slug, or, in the preview of staff, any product by its id. */
async function loadProduct(call: ApiCall, { id, slug = '' }: LoaderFunctionArgs['params']) {
  if (id !== undefined) {
    const preview = await call('GET /catalogue/products/{id}/preview', { params: { id } }).catch((error: unknown) =>
      isRefusal(error) ? throwNotFound() : rethrowAsNotFound(error),
    );
    return preview.product;
  }
  const product = await call('GET /products/{slug}', { params: { slug } }).catch((error: unknown) =>
    // An invalid slug is a product that does not exist.
    isApiFailure(error) && error.status === 400 ? throwNotFound() : rethrowAsNotFound(error),
  );
  if (product.slug !== slug) throwMoved(`/catalog/product/${product.slug}`);
  return product;
}

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const page = context.get(pageContext);
  const { call } = page;
  const product = await loadProduct(call, params);
  const [categories, brands, neighbours, reviews, replies, verified] = await Promise.all([
    call('GET /categories'),
    call('GET /brands'),
    call('GET /products', { query: { category: product.category_id, limit: String(MAX_OTHERS + 1) } }),
    // A draft in the preview has none.
    call('GET /reviews/product/{id}', { params: { id: product.id } }).catch(() => []),
    call('GET /review-replies/product/{id}', { params: { id: product.id } }).catch(() => []),
    call('GET /verified-reviews/product/{id}', { params: { id: product.id } }).catch(() => []),
  ]);
  const { selected_property_values: _values, category_id, brand_id, sold_units: _sold, ...described } = product;
  const {
    variants,
    value_increases: increases,
    sale_ends_at: saleEnd,
    matching_variant: _variant,
    safety = null,
    ...rest
  } = described;
  const category = categories.find(({ id }) => id === category_id);
  const properties = listOfferedOptions(category?.properties ?? [], increases);
  const table = buildVariantTable(properties, variants);
  const categoryPath = category ? `/catalog/category/${category.slug}` : '/catalog';
  const otherProducts = neighbours.filter(({ id }) => id !== product.id).slice(0, MAX_OTHERS);
  const { origin, searchParams } = new URL(request.url);
  const wanted = variants.find(({ sku }) => sku === searchParams.get(VARIANT_PARAMETER));
  const brand = brands.find(({ id }) => id === brand_id)?.name ?? null;
  const ratings = reviews.map(({ rating }) => rating);
  const mean = computeAverageRating(ratings);
  const summary = summariseReviews(ratings, verified.length);
  const rating = mean === null ? null : { mean, count: reviews.length };
  const firstChoice = findFirstChoice(properties, table, wanted?.property_value_ids);
  const firstKey = createVariantKey(Object.values(firstChoice));
  const shown = variants.find(({ property_value_ids: ids }) => createVariantKey(ids) === firstKey);
  describePage(
    page,
    describeProduct(origin, { product, shown, isWanted: wanted !== undefined, brand, categoryPath, rating }),
  );
  const { lowest_price_btc: btc, lowest_price_usd: usd } = toCardProduct(product);
  const price = isWithoutRate(btc, usd)
    ? `$${formatUsdAmount(usd)}`
    : `${formatBtcAmount(btc)} BTC or $${formatUsdAmount(usd)}`;
  return {
    product: rest,
    // Written on the server, with the price of the cards.
    description: `${[rest.name, rest.sub_description].filter(Boolean).join(': ')}. From ${price}.`,
    // Written on the server: formatters of dates are not loaded with the page.
    saleEnd: saleEnd && formatDate(saleEnd, 'moment', UTC),
    categoryPath,
    properties,
    table,
    firstChoice,
    rating,
    compared: compareSimilar(product, otherProducts),
    safety: listSafetyFacts(safety),
    sheet: rest.energy_label ? findSheetUrl(rest.energy_label) : null,
    others: otherProducts.map(toCardProduct),
    reviewed: { reviews, replies, verified, summary },
  };
}

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => {
  if (!loaderData) return [];
  return [
    { title: formatPageTitle(loaderData.product.name, matches) },
    { name: 'description', content: loaderData.description },
  ];
};

export default function ProductPage() {
  const { product, rating, sheet, saleEnd, properties, table, firstChoice, ...rest } = useLoaderData<typeof loader>();
  const { safety, compared, others, reviewed, categoryPath } = rest;
  const { name: shopName = '' } = useShop();
  const isAlive = useHydrated();
  return (
    <div className={styles.page} data-wide>
      <div className={styles.top}>
        <div className={styles.trail}>
          <Breadcrumb category={{ name: product.category_name, path: categoryPath }} />
        </div>
        {/* Remount for another product or variant of the URL: first picture, first values. */}
        <ProductTop
          key={[product.id, ...Object.values(firstChoice)].join()}
          product={product}
          rating={rating}
          sheet={sheet}
          saleEnd={saleEnd}
          properties={properties}
          table={table}
          firstChoice={firstChoice}
        />
      </div>
      <ProductDetails product={product} safety={safety} />
      {compared && <CompareStrip {...compared} current={product.slug} />}
      <ProductReviews name={product.name} shopName={shopName} {...reviewed} />
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
