import { Link } from 'react-router';
import type { CartItem } from '#src/shop/cart/contract.ts';
import { cartRemove, cartUpdate, useQuantityInCart } from '#src/web/cart.ts';
import { useSession } from '#src/web/session.ts';
import { ButtonLink } from '#src/web/ui/button.tsx';
import { Icon } from '#src/web/ui/icons.tsx';
import { Picture } from '#src/web/ui/picture.tsx';
import { Price } from '#src/web/ui/price.tsx';
import { QuantityControl } from '#src/web/ui/quantity-control.tsx';
import { EmptyState } from '#src/web/ui/states.tsx';
import styles from './order-details.module.css';

interface OrderDetailsProps {
  readonly items: readonly CartItem[];
  /** Names of property values by their id. */
  readonly valueNames: Readonly<Record<string, string>>;
}

/** Step 1: what is in the cart. */
export function OrderDetails({ items, valueNames }: OrderDetailsProps) {
  if (items.length === 0) {
    return (
      <EmptyState title="No items in cart" action={<ButtonLink to="/catalog">Browse the catalog</ButtonLink>}>
        What you add stays here, also while you are not logged in.
      </EmptyState>
    );
  }
  return (
    <ul className={styles.lines}>
      {items.map((item) => (
        <Line
          key={`${item.product_id} ${item.property_value_ids.join()} ${item.isFree}`}
          item={item}
          valueNames={valueNames}
        />
      ))}
    </ul>
  );
}

interface LineProps extends Pick<OrderDetailsProps, 'valueNames'> {
  readonly item: CartItem;
}

function Line({ item, valueNames }: LineProps) {
  const { product, product_id: productId, property_value_ids: valueIds, isFree } = item;
  const inCart = useQuantityInCart(productId, valueIds);
  // What the page came with stands until the browser has loaded the cart.
  const wanted = useSession((state) => state.cart !== null) ? inCart : item.quantity;
  // Taken away a moment ago: gone from the screen before the server has said so.
  if (wanted === 0 && !isFree) return null;
  const chosen = valueIds.flatMap((id) => valueNames[id] ?? []).join(', ');
  return (
    <li className={styles.line}>
      <Link to={`/catalog/product/${product.slug}`} className={styles.picture} tabIndex={-1} aria-hidden="true">
        <Picture path={product.main_image} alt="" sizes="128px" width={128} height={128} />
      </Link>
      <div className={styles.words}>
        <Link to={`/catalog/product/${product.slug}`} className={styles.name}>
          {product.name}
        </Link>
        <p className={styles.about}>{chosen || product.sub_description}</p>
      </div>
      <div className={styles.price}>
        {isFree ? (
          <p className={styles.free}>
            Free <span>0 BTC</span>
          </p>
        ) : (
          <Price btc={item.price_btc} usd={item.price_usd} />
        )}
      </div>
      {!isFree && (
        <form method="post" action="/cart" className={styles.controls} onSubmit={(event) => event.preventDefault()}>
          <input type="hidden" name="product" value={productId} />
          {valueIds.map((id) => (
            <input key={id} type="hidden" name="value" value={id} />
          ))}
          <QuantityControl
            quantity={wanted}
            label={product.name}
            onChange={(quantity) => void cartUpdate(productId, quantity, valueIds)}
            isInForm
          />
          <button
            type="submit"
            name="quantity"
            value={0}
            className={styles.remove}
            aria-label={`Remove ${product.name}`}
            onClick={() => void cartRemove(productId, valueIds)}
          >
            <Icon name="trash" size={20} />
          </button>
        </form>
      )}
    </li>
  );
}
