import type { SubmitEvent } from 'react';
import { Link } from 'react-router';
import { addToCart, removeFromCart, useQuantityInCart } from '../cart/cart.ts';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { preloadPicture, Picture } from '#src/ui/graphics/picture.tsx';
import { carryFromCard } from './carried-picture.ts';
import { formatCardPath } from './card-product.ts';
import type { CardProduct } from './card-product.ts';
import { ColorStrip } from './color-strip.tsx';
import { ProductPrice } from './product-price.tsx';
import { useCardColor } from './use-card-color.ts';
import styles from './product-card.module.css';
import { Unbroken } from '#src/ui/text/unbroken.tsx';

interface ProductCardProps {
  readonly product: CardProduct;
  /** Displayed width of the picture outside a row. */
  readonly sizes?: string;
  /** One of the first two cards on the page. */
  readonly isFirst?: boolean;
}

const ROW_SIZES = '(max-width: 767px) 70vw, (max-width: 1199px) 288px, 24vw';

function Card({ product, sizes = ROW_SIZES, isFirst = false }: ProductCardProps) {
  const { shown, chosen, hasFailed, choose, preview } = useCardColor(product);
  const { variant } = shown;
  const valueIds = variant?.property_value_ids ?? null;
  const isInCart = useQuantityInCart(product.id, valueIds) > 0;
  const name = variant?.name ? `${product.name} (${variant.name})` : product.name;
  const toggle = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void (isInCart ? removeFromCart(product.id, valueIds) : addToCart(product.id, valueIds));
  };
  return (
    <article className={styles.card} onPointerLeave={() => preview(null)}>
      <Picture path={shown.main_image} alt="" sizes={sizes} isFirst={isFirst} className={styles.picture} />
      <div className={styles.text}>
        <h3>
          <Link
            to={formatCardPath(shown)}
            prefetch="intent"
            viewTransition
            className={styles.link}
            onClick={({ currentTarget }) => carryFromCard(currentTarget)}
          >
            <Unbroken text={product.name} />
          </Link>
        </h3>
        {/* A choice moves nothing. */}
        {product.variant?.name && variant && (
          <p className={styles.variant}>
            <Unbroken text={variant.name} />
          </p>
        )}
        <p className={styles.description}>
          <Unbroken text={product.sub_description} />
        </p>
      </div>
      {product.colors && (
        <ColorStrip
          product={product}
          packed={product.colors}
          chosen={chosen}
          onChoose={hasFailed ? null : choose}
          onPreview={preview}
        />
      )}
      <div className={styles.foot}>
        <ProductPrice product={shown} />
        {shown.is_sold_out && !isInCart ? (
          <p className={styles.soldOut}>Sold out</p>
        ) : (
          <form method="post" action="/cart" className={styles.form} onSubmit={toggle}>
            {/* Without JavaScript the form submits the values of the variant. */}
            {valueIds?.map((id) => (
              <input key={id} type="hidden" name="value" value={id} />
            ))}
            <button
              type="submit"
              name={isInCart ? 'remove' : 'add'}
              value={product.id}
              className={styles.toggle}
              data-in-cart={isInCart || undefined}
              aria-label={isInCart ? `Remove ${name} from cart` : `Add ${name} to cart`}
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
