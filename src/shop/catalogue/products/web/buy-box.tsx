import type { SubmitEvent } from 'react';
import { useEffect, useRef } from 'react';
import { addToCart, updateCartLine, useQuantityInCart } from '#src/storefront/cart/cart.ts';
import { Button, ButtonLink } from '#src/ui/button.tsx';
import { Price } from '#src/storefront/products/price.tsx';
import { QuantityControl } from '#src/ui/quantity-control.tsx';
import type { Product } from '../../contract.ts';
import type { DisplayAmounts } from '../display-price.ts';
import styles from './buy-box.module.css';

/** Id of the form that adds the product to the cart. */
export const BUY_FORM = 'buy';

interface BuyBoxProps {
  readonly product: Pick<Product, 'id' | 'name'>;
  /** One value of each property. */
  readonly valueIds: readonly string[];
  /** Including the increases of these values. */
  readonly price: DisplayAmounts;
}

/** Price and cart controls; sticky while values are being chosen. */
export function BuyBox({ product, valueIds, price }: BuyBoxProps) {
  const quantity = useQuantityInCart(product.id, valueIds);
  const isInCart = quantity > 0;
  const actions = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);

  // The pressed button is replaced: move the focus to its replacement.
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
  const change = (newQuantity: number) => {
    isPressed.current = newQuantity < 1;
    void updateCartLine(product.id, newQuantity, valueIds);
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
            // Without JavaScript the form submits the selected values.
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
