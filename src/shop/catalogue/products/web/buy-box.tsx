import type { SubmitEvent } from 'react';
import { Suspense, useEffect, useRef } from 'react';
import { addToCart, updateCartLine, useQuantityInCart } from '#src/storefront/cart/cart.ts';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { EnergyArrow } from '#src/storefront/products/energy-arrow.tsx';
import { Price, Reduction } from '#src/storefront/products/price.tsx';
import { PriceNote } from '#src/storefront/products/price-note.tsx';
import { BackInStock } from '#src/shop/inventory/alerts/web/back-in-stock.ts';
import { QuantityControl } from '#src/ui/controls/quantity-control.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import type { Product } from '../../contract.ts';
import type { VariantChoice } from '../variant-table.ts';
import styles from './buy-box.module.css';

/** Id of the form that adds the product to the cart. */
export const BUY_FORM = 'buy';

interface BuyBoxProps {
  readonly product: Pick<Product, 'id' | 'name' | 'slug' | 'energy_label'>;
  /** One value of each property. */
  readonly valueIds: readonly string[];
  /** Null if the combination is not sold. */
  readonly variant: VariantChoice | null;
  /** End of the sale price; null without one. */
  readonly saleEnd: string | null;
}

/** Why a variant can't be ordered. */
export function getProblem(variant: VariantChoice | null): string | undefined {
  if (variant === null) return 'Not available';
  return variant.isSoldOut ? 'Sold out' : undefined;
}

/** Price and cart controls, which stay in view while values are being chosen, and what is said of the price. */
export function BuyBox({ product, valueIds, variant, saleEnd }: BuyBoxProps) {
  const problem = getProblem(variant);
  const quantity = useQuantityInCart(product.id, valueIds);
  const isInCart = quantity > 0;
  const isHydrated = useHydrated();
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
    <>
      <div className={styles.place}>
        <div className={styles.box}>
          <div className={styles.price}>
            <div aria-live="polite">{variant && <Price btc={variant.btc} usd={variant.usd} size="large" />}</div>
            <EnergyArrow slug={product.slug} letter={product.energy_label?.class} />
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
                <Button type="submit" width="full" name="add" value={product.id} disabled={problem !== undefined}>
                  {problem ?? 'Add to Cart'}
                </Button>
              </form>
            )}
          </div>
        </div>
      </div>
      <div className={classNames(styles.notes, 'hide-empty')}>
        {variant?.was && (
          <>
            <Reduction was={variant.was} />
            {saleEnd && <p>{`Sale ends ${saleEnd}`}</p>}
          </>
        )}
        {variant && <PriceNote />}
        {variant?.isSoldOut && isHydrated && (
          <Suspense>
            <BackInStock name={product.name} productId={product.id} valueIds={valueIds} />
          </Suspense>
        )}
      </div>
    </>
  );
}
