import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { isApiFailure } from '#src/web/api.ts';
import type { PageHandle } from '#src/web/json-ld.ts';
import { pageContext } from '#src/web/page-context.ts';
import { missingIs404, missingPage } from '#src/web/page-outcomes.ts';
import { btcText, usdText } from '#src/web/ui/amounts.ts';
import { cardOf } from '#src/web/ui/product-card.tsx';
import { ProductRow } from '#src/web/ui/product-row.tsx';
import { offeredOptions } from '../offered-options.ts';
import { Breadcrumb } from './breadcrumb.tsx';
import { Gallery } from './gallery.tsx';
import { ProductChoice } from './product-choice.tsx';
import { ProductDetails } from './product-details.tsx';
import styles from './product-page.module.css';

const OTHERS = 12;

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const { call } = context.get(pageContext);
  const product = await call('GET /products/{slug}', { params: { slug: params.slug ?? '' } }).catch((error: unknown) =>
    // An address that can't be one of a product leads nowhere either.
    isApiFailure(error) && error.status === 400 ? missingPage() : missingIs404(error),
  );
  const [categories, brands, neighbours] = await Promise.all([
    call('GET /categories'),
    call('GET /brands'),
    call('GET /products', { query: { category: product.category_id, limit: String(OTHERS + 1) } }),
  ]);
  const { selected_property_values: offeredIds, category_id, brand_id, sold_units: _sold, ...shown } = product;
  const category = categories.find(({ id }) => id === category_id);
  const others = neighbours.filter(({ id }) => id !== product.id).slice(0, OTHERS);
  return {
    // The shop's own address, whatever the request said.
    origin: new URL(request.url).origin,
    product: shown,
    brand: brands.find(({ id }) => id === brand_id)?.name ?? null,
    categorySlug: category?.slug ?? null,
    properties: offeredOptions(category?.properties ?? [], offeredIds),
    others: others.map(cardOf),
  };
}

type Data = Awaited<ReturnType<typeof loader>>;

const urlOf = ({ origin, product }: Data): string => `${origin}/catalog/product/${product.slug}`;

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [];
  const { product } = loaderData;
  const price = `${btcText(product.base_price_in_btc)} BTC or $${usdText(product.base_price_in_usd)}`;
  return [
    { title: `${product.name} · Crypto Market` },
    { name: 'description', content: `${product.name}: ${product.sub_description}. From ${price}.` },
    { tagName: 'link', rel: 'canonical', href: urlOf(loaderData) },
  ];
};

export const handle = {
  jsonLd: (data: Data) => ({
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: data.product.name,
    description: data.product.description,
    sku: data.product.article,
    category: data.product.category_name,
    image: data.product.images.map((path) => `${data.origin}/api${path}`),
    ...(data.brand === null ? {} : { brand: { '@type': 'Brand', name: data.brand } }),
    offers: {
      '@type': 'Offer',
      url: urlOf(data),
      price: usdText(data.product.base_price_in_usd),
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
      itemCondition: 'https://schema.org/NewCondition',
    },
  }),
} satisfies PageHandle<Data>;

export default function ProductPage() {
  const { product, properties, others, categorySlug } = useLoaderData<typeof loader>();
  const categoryPath = categorySlug === null ? '/catalog' : `/catalog/category/${categorySlug}`;
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <div className={styles.trail}>
          <Breadcrumb category={{ name: product.category_name, path: categoryPath }} />
        </div>
        {/* Another product starts afresh: at its first picture, on its first values. */}
        <Gallery key={`pictures-${product.id}`} name={product.name} paths={product.images} />
        <ProductChoice key={`choice-${product.id}`} product={product} properties={properties} />
      </div>
      <ProductDetails product={product} />
      {others.length > 0 && (
        <ProductRow title={`Check out other ${product.category_name}`} to={categoryPath} products={others} />
      )}
    </div>
  );
}
