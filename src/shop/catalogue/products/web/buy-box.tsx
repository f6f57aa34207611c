import type { SubmitEvent } from 'react';
import { useEffect, useRef } from 'react';
import { addToCart, updateCartLine, useQuantityInCart } from '#src/storefront/cart/cart.ts';
import { Button, ButtonLink } from '#src/ui/button.tsx';
import { Price } from '#src/storefront/products/price.tsx';
import { QuantityControl } from '#src/ui/quantity-control.tsx';
import type { Product } from '../../contract.ts';
import type { DisplayAmounts } from '../display-price.ts';
import styles from './buy-box.module.css';

/** The id of the form that puts the product into the cart. */
export const BUY_FORM = 'buy';

interface BuyBoxProps {
  readonly product: Pick<Product, 'id' | 'name'>;
  /** One value of each property. */
  readonly valueIds: readonly string[];
  /** With the increases of these values. */
  readonly price: DisplayAmounts;
}

/** The price and the way into the cart; it stays in sight while the values above it are being chosen. */
export function BuyBox({ product, valueIds, price }: BuyBoxProps) {
  const quantity = useQuantityInCart(product.id, valueIds);
  const isInCart = quantity > 0;
  const actions = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);

  // The button that was pressed gives way to others: the focus goes on to them instead of getting lost.
  useEffect(() => {
    if (!isPressed.current) return;
    isPressed.current = false;
    actions.current?.querySelector<HTMLButtonElement>('button:last-of-type')?.focus({ preventScroll: true });
  });

  const add = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    isPressed.current = true;
    void addToCart(product.id, valueIds);
  };
  const change = (wanted: number) => {
    isPressed.current = wanted < 1;
    void updateCartLine(product.id, wanted, valueIds);
  };

  return (
    <div className={styles.place}>
      <div className={styles.box}>
        <div aria-live="polite">
          <Price btc={price.btc} usd={price.usd} size="large" />
        </div>
        <div ref={actions} className={styles.actions}>
          {isInCart ? (
            <>
              <QuantityControl quantity={quantity} label={product.name} onChange={change} />
              <ButtonLink to="/cart">Go to cart</ButtonLink>
            </>
          ) : (
            // Without a script the form takes the values along that are chosen above.
            <form id={BUY_FORM} method="post" action="/cart" onSubmit={add}>
              <Button type="submit" width="full" name="add" value={product.id}>
                Add to Cart
              </Button>
            </form>
          )}
        </div>
      </div>
    </div>
  );
}
