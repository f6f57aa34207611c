import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { Advantages } from '#src/shop/content/web/advantages.tsx';
import { createFaqJsonLd, FaqSection } from '#src/shop/content/web/faq-section.tsx';
import { Partners } from '#src/shop/content/web/partners.tsx';
import { PromoBanner } from '#src/shop/content/web/promo-banner.tsx';
import { ShopReviews } from '#src/shop/reviews/web/shop-reviews.tsx';
import { describePage } from '#src/storefront/page/describe-page.ts';
import { createShopJsonLd } from '#src/storefront/page/describe-shop.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { ButtonLink } from '#src/ui/button.tsx';
import { toCardProduct } from '#src/storefront/products/product-card.tsx';
import { Picture } from '#src/ui/picture.tsx';
import { ProductRow } from '#src/storefront/products/product-row.tsx';
import styles from './home-page.module.css';
import { SHOP_NAME } from '#src/shop/shop-identity.ts';

const ROW_LENGTH = '4';

export const meta: MetaFunction = () => [
  { title: `${SHOP_NAME}: buy Apple devices with Bitcoin` },
  {
    name: 'description',
    content: 'iPhone, MacBook and iPad, paid in Bitcoin. From 0.009 BTC or $999, delivered today.',
  },
];

export async function loader({ context, request }: LoaderFunctionArgs) {
  const page = context.get(pageContext);
  const { call } = page;
  const categories = await call('GET /categories');
  const listFirstProducts = async (part: string) => {
    const slugs = categories.filter(({ name }) => name.toLowerCase().includes(part)).map(({ slug }) => slug);
    if (slugs.length === 0) return [];
    return call('GET /products', { query: { category: slugs, limit: ROW_LENGTH } });
  };
  const [all, iphones, macbooks, ipads, faq, reviews] = await Promise.all([
    call('GET /products', { query: { limit: ROW_LENGTH } }),
    listFirstProducts('iphone'),
    listFirstProducts('macbook'),
    listFirstProducts('ipad'),
    call('GET /faq'),
    call('GET /reviews/shop'),
  ]);
  const shop = createShopJsonLd(new URL(request.url).origin);
  describePage(page, { jsonLd: [...shop, ...(faq.length > 0 ? [createFaqJsonLd(faq)] : [])] });
  return {
    rows: [
      { title: 'Apple Products', products: all.map(toCardProduct) },
      { title: 'Buy new Iphone', products: iphones.map(toCardProduct) },
      { title: 'Buy new Macbook', products: macbooks.map(toCardProduct) },
      { title: 'Buy new iPad', products: ipads.map(toCardProduct) },
    ],
    faq,
    reviews,
  };
}

export default function HomePage() {
  const { rows, faq, reviews } = useLoaderData<typeof loader>();
  return (
    <div className={styles.page}>
      <Hero />
      {rows
        .filter(({ products }) => products.length > 0)
        .map(({ title, products }) => (
          <ProductRow key={title} title={title} to="/catalog" products={products} />
        ))}
      <Advantages />
      <PromoBanner />
      <Partners />
      {faq.length > 0 && <FaqSection items={faq} />}
      {reviews.length > 0 && <ShopReviews reviews={reviews} />}
    </div>
  );
}

function Hero() {
  return (
    <section className={styles.hero} aria-labelledby="hero-title">
      <div className={styles.content}>
        <p className={styles.line}>Apple Intelligence available now</p>
        <h1 id="hero-title" className={styles.title}>
          Buy out gadgets with cryptocurrency
        </h1>
        <p className={styles.subtitle}>From 0.009 BTC or $999</p>
        <div className={styles.actions}>
          <ButtonLink to="/catalog">Shop now</ButtonLink>
          <ButtonLink to="/catalog" variant="secondary">
            Catalog
          </ButtonLink>
        </div>
      </div>
      <Picture
        path="/images/hero.avif"
        alt="A laptop, a phone and a gold bitcoin"
        sizes="(max-width: 767px) 320px, 560px"
        widths={[640, 1024, 1600]}
        width={560}
        height={560}
        isFirst
        className={styles.device}
      />
    </section>
  );
}
