import styles from './cart-link.module.css';

/** Shown while the cart has items: by `data-cart`, which the head script and `session.ts` set. */
export function CartDot() {
  return <span className={styles.dot} />;
}

/** The accessible name is "Cart, has items". Separate hidden text would be read with a gap. */
export function CartName() {
  return (
    <>
      <span aria-hidden="true">Cart</span>
      <span className="visually-hidden">
        Cart<span className={styles.items}>, has items</span>
      </span>
    </>
  );
}
