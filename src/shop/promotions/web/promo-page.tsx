import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { isApiFailure } from '#src/storefront/api.ts';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { toCardProduct } from '#src/storefront/products/to-card-product.ts';
import { ProductRow } from '#src/storefront/products/product-row.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { PromotionCard } from './promotion-card.tsx';
import styles from './promo-page.module.css';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

const ROW_LENGTH = '8';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Promotions', matches) },
  { name: 'description', content: 'Current promo codes, their conditions, and how to use them.' },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const { call } = context.get(pageContext);
  const loadGift = async (slug: string) => {
    try {
      return toCardProduct(await call('GET /products/{slug}', { params: { slug } }));
    } catch (error) {
      // Withdrawn: the promotion is shown without a picture.
      if (isApiFailure(error) && error.status === 404) return null;
      throw error;
    }
  };
  const [promotions, products] = await Promise.all([
    call('GET /promotions'),
    call('GET /products', { query: { sort: 'best_sold', limit: ROW_LENGTH } }),
  ]);
  return {
    promotions: await Promise.all(
      promotions.map(async (promotion) => ({
        ...promotion,
        gift: promotion.gift_product && (await loadGift(promotion.gift_product.slug)),
      })),
    ),
    products: products.map(toCardProduct),
  };
}

export default function PromoPage() {
  const { promotions, products } = useLoaderData<typeof loader>();
  return (
    <TextPage
      title="Promotions"
      lead="Copy a code and enter it in your cart. One code per order: codes cannot be combined."
    >
      {promotions.length === 0 ? (
        <EmptyState
          title="No promotions right now."
          action={<ButtonLink to="/catalog">Go to the catalog</ButtonLink>}
        />
      ) : (
        <>
          <ul className={styles.promotions}>
            {promotions.map(({ gift, ...promotion }) => (
              <li key={promotion.code} data-wide={gift !== null || undefined}>
                <PromotionCard promotion={promotion} gift={gift} />
              </li>
            ))}
          </ul>
          <section aria-labelledby="how-title" className={styles.how}>
            <h2 id="how-title">How to use a code</h2>
            <ol>
              <li>Add items to your cart.</li>
              <li>Enter the code beside the totals and press Apply. A new code replaces it.</li>
              <li>Check the new total in dollars and bitcoin.</li>
            </ol>
            <ButtonLink to="/catalog">Shop now</ButtonLink>
          </section>
        </>
      )}
      {products.length > 0 && <ProductRow title="Use a code on our best sellers" to="/catalog" products={products} />}
    </TextPage>
  );
}
