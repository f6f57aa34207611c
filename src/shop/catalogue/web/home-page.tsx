import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { Advantages } from '#src/shop/content/web/advantages.tsx';
import { createFaqJsonLd, FaqSection } from '#src/shop/content/web/faq-section.tsx';
import { Hero } from '#src/shop/content/web/hero.tsx';
import { Partners } from '#src/shop/content/web/partners.tsx';
import { PromoBanner } from '#src/shop/content/web/promo-banner.tsx';
import { toPreviewUrl } from '#src/shop/pictures/picture-url.ts';
import { SHOP_REVIEWS_NOTE } from '#src/shop/reviews/describe-reviews.ts';
import { ShopReviews } from '#src/shop/reviews/web/shop-reviews.tsx';
import { describePage } from '#src/storefront/page/describe-page.ts';
import { createShopJsonLd } from '#src/storefront/page/describe-shop.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { toCardProduct } from '#src/storefront/products/to-card-product.ts';
import { ProductRow } from '#src/storefront/products/product-row.tsx';
import type { ProductRowProps } from '#src/storefront/products/product-row.tsx';
import { CategoryTiles } from './category-tiles.tsx';
import styles from './home-page.module.css';
import { loadTiles } from './load-tiles.ts';

const DEMO_LOGO = '/icon-512.png';

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => [
  { title: loaderData?.title },
  ...(loaderData?.description ? [{ name: 'description', content: loaderData.description }] : []),
];

export async function loader({ context, request }: LoaderFunctionArgs) {
  const page = context.get(pageContext);
  const { call } = page;
  const [{ rows, search, ...home }, rate, faq, reviews, replies, shop] = await Promise.all([
    call('GET /home'),
    call('GET /rate'),
    call('GET /faq'),
    call('GET /reviews/shop'),
    call('GET /review-replies/shop'),
    call('GET /shop'),
  ]);
  const { origin } = new URL(request.url);
  const demoLogo = page.isDemo ? DEMO_LOGO : null;
  const logo = shop.logo_path === null ? demoLogo : toPreviewUrl(shop.logo_path);
  describePage(page, {
    jsonLd: [...createShopJsonLd(origin, shop, logo), ...(faq.length > 0 ? [createFaqJsonLd(faq)] : [])],
  });
  const shown = await Promise.all(
    (rows?.rows ?? []).map(async ({ title, categories: category, count }) => {
      const products = await call('GET /products', { query: { category, limit: String(count) } });
      return { title, products: products.map(toCardProduct) };
    }),
  );
  return {
    title: search?.title || shop.name || 'Home',
    description: search?.description,
    home,
    rate: rate.rate_usd === null ? null : { usd: rate.rate_usd, updatedAt: rate.updated_at },
    rows: shown.filter(({ products }) => products.length > 0),
    tiles: await loadTiles(call, shown[0]?.products.map(({ id }) => id) ?? []),
    faq,
    reviews,
    replies,
    reviewNote: SHOP_REVIEWS_NOTE,
    shopName: shop.name,
  };
}

const renderRow = ({ title, products }: ProductRowProps, index: number) => (
  <ProductRow key={title} title={title} to="/catalog" products={products} hasLargeTile={index % 2 === 0} />
);

export default function HomePage() {
  const { home, rate, rows, tiles, faq, reviews, replies, reviewNote, shopName } = useLoaderData<typeof loader>();
  return (
    <div className={styles.page} data-wide>
      {home.hero ? <Hero hero={home.hero} rate={rate} /> : <Welcome isEmpty={rows.length === 0} />}
      {rows.slice(0, 1).map(renderRow)}
      {tiles.length > 1 && <CategoryTiles tiles={tiles} />}
      {home.banner && <PromoBanner {...home.banner} />}
      {rows.slice(1).map(renderRow)}
      {home.advantages && <Advantages {...home.advantages} />}
      {home.partners && <Partners {...home.partners} />}
      {faq.length > 0 && <FaqSection items={faq} />}
      {reviews.length > 0 && <ShopReviews reviews={reviews} replies={replies} shopName={shopName} note={reviewNote} />}
    </div>
  );
}

/** The top of a home page without the merchant's texts. */
function Welcome({ isEmpty }: { readonly isEmpty: boolean }) {
  return (
    <section className={styles.welcome}>
      <h1>Welcome</h1>
      {isEmpty ? <p>There are no products yet.</p> : <ButtonLink to="/catalog">Catalog</ButtonLink>}
    </section>
  );
}
