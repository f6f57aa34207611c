import type { SubmitEvent } from 'react';
import { Link } from 'react-router';
import type { ListedProduct, Product, ProductCard as ProductOfCard } from '#src/shop/catalogue/contract.ts';
import type { EnergyClass } from '#src/shop/catalogue/compliance/energy-label.ts';
import { formatVariantPath } from '#src/shop/catalogue/products/variant-path.ts';
import { addToCart, removeFromCart, useQuantityInCart } from '../cart/cart.ts';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { Icon } from '#src/ui/icons.tsx';
import { preloadPicture, Picture } from '#src/ui/picture.tsx';
import { ProductPrice } from './product-price.tsx';
import styles from './product-card.module.css';
import { Unbroken } from '#src/ui/unbroken.tsx';

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
  Partial<Pick<Product, 'was_price_usd'>> & {
    /** Absent without an energy label. */
    readonly energy_class?: EnergyClass | undefined;
    /** What the card means if the product has several variants and a filter selects some; else the product. */
    readonly variant?: Pick<NonNullable<ListedProduct['matching_variant']>, 'name' | 'sku' | 'property_value_ids'>;
  };

/** Path of the page that shows what the card does. */
export const formatCardPath = ({ slug, variant }: CardProduct): string =>
  variant ? formatVariantPath(slug, variant.sku) : `/catalog/product/${slug}`;

/** Only what a card shows: all loader data is sent with the page. */
export function toCardProduct(product: ProductOfCard): CardProduct {
  const { matching_variant: variant } = product;
  const was = variant === undefined ? product.was_price_usd : variant.was_price_usd;
  return {
    id: product.id,
    name: product.name,
    slug: product.slug,
    sub_description: product.sub_description,
    main_image: variant?.image ?? product.main_image,
    lowest_price_btc: variant === undefined ? product.lowest_price_btc : variant.price_btc,
    lowest_price_usd: variant?.price_usd ?? product.lowest_price_usd,
    is_price_from: variant === undefined && product.is_price_from,
    is_sold_out: variant === undefined ? product.is_sold_out : !variant.is_available,
    ...(was !== null && { was_price_usd: was }),
    ...(product.energy_label && { energy_class: product.energy_label.class }),
    ...(variant !== undefined && {
      variant: { name: variant.name, sku: variant.sku, property_value_ids: variant.property_value_ids },
    }),
  };
}

interface ProductCardProps {
  readonly product: CardProduct;
  /** Displayed width of the picture outside a row. */
  readonly sizes?: string;
  /** One of the first two cards on the page. */
  readonly isFirst?: boolean;
}

const ROW_SIZES = '(max-width: 767px) 70vw, 288px';

function Card({ product, sizes = ROW_SIZES, isFirst = false }: ProductCardProps) {
  const { variant } = product;
  const valueIds = variant?.property_value_ids ?? null;
  const isInCart = useQuantityInCart(product.id, valueIds) > 0;
  const name = variant?.name ? `${product.name} (${variant.name})` : product.name;
  const toggle = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void (isInCart ? removeFromCart(product.id, valueIds) : addToCart(product.id, valueIds));
  };
  return (
    <article className={styles.card}>
      <Picture path={product.main_image} alt="" sizes={sizes} isFirst={isFirst} className={styles.picture} />
      <div className={styles.text}>
        <h3>
          <Link to={formatCardPath(product)} prefetch="intent" className={styles.link}>
            <Unbroken text={product.name} />
          </Link>
        </h3>
        {variant?.name && (
          <p className={styles.variant}>
            <Unbroken text={variant.name} />
          </p>
        )}
        <p className={styles.description}>
          <Unbroken text={product.sub_description} />
        </p>
      </div>
      <div className={styles.foot}>
        <ProductPrice product={product} />
        {product.is_sold_out && !isInCart ? (
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
