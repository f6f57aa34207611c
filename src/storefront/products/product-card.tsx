import type { SubmitEvent } from 'react';
import { Link } from 'react-router';
import type { Product } from '#src/shop/catalogue/contract.ts';
import { addToCart, removeFromCart, useQuantityInCart } from '../cart/cart.ts';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { Icon } from '#src/ui/icons.tsx';
import { preloadPicture, Picture } from '#src/ui/picture.tsx';
import { ProductPrice } from './product-price.tsx';
import styles from './product-card.module.css';

export type CardProduct = Pick<
  Product,
  | 'id'
  | 'name'
  | 'slug'
  | 'sub_description'
  | 'main_image'
  | 'lowest_price_btc'
  | 'lowest_price_usd'
  | 'is_price_from'
  | 'is_sold_out'
> &
  Partial<Pick<Product, 'was_price_usd'>>;

/** Only what a card shows: all loader data is sent with the page. */
export const toCardProduct = (product: Product): CardProduct => ({
  id: product.id,
  name: product.name,
  slug: product.slug,
  sub_description: product.sub_description,
  main_image: product.main_image,
  lowest_price_btc: product.lowest_price_btc,
  lowest_price_usd: product.lowest_price_usd,
  is_price_from: product.is_price_from,
  is_sold_out: product.is_sold_out,
  ...(product.was_price_usd !== null && { was_price_usd: product.was_price_usd }),
});

interface ProductCardProps {
  readonly product: CardProduct;
  /** Displayed width of the picture outside a row. */
  readonly sizes?: string;
  /** One of the first two cards on the page. */
  readonly isFirst?: boolean;
}

const ROW_SIZES = '(max-width: 767px) 70vw, 288px';

function Card({ product, sizes = ROW_SIZES, isFirst = false }: ProductCardProps) {
  const isInCart = useQuantityInCart(product.id) > 0;
  const toggle = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void (isInCart ? removeFromCart(product.id) : addToCart(product.id));
  };
  return (
    <article className={styles.card}>
      <Picture path={product.main_image} alt="" sizes={sizes} isFirst={isFirst} className={styles.picture} />
      <div className={styles.text}>
        <h3>
          <Link to={`/catalog/product/${product.slug}`} prefetch="intent" className={styles.link}>
            {product.name}
          </Link>
        </h3>
        <p className={styles.description}>{product.sub_description}</p>
      </div>
      <div className={styles.foot}>
        <ProductPrice product={product} />
        {product.is_sold_out && !isInCart ? (
          <p className={styles.soldOut}>Sold out</p>
        ) : (
          <form method="post" action="/cart" className={styles.form} onSubmit={toggle}>
            <button
              type="submit"
              name={isInCart ? 'remove' : 'add'}
              value={product.id}
              className={styles.toggle}
              data-in-cart={isInCart || undefined}
              aria-label={isInCart ? `Remove ${product.name} from cart` : `Add ${product.name} to cart`}
            >
              <Icon name={isInCart ? 'check' : 'plus'} />
            </button>
          </form>
        )}
      </div>
    </article>
  );
}

/** One link over the whole card, and a cart button in a form that works without a script. */
export const ProductCard = !import.meta.env.SSR
  ? Card
  : cacheFragment(Card, (props) => {
      const { product, sizes = ROW_SIZES, isFirst } = props;
      if (isFirst) preloadPicture(product.main_image, sizes);
      return JSON.stringify(props);
    });
