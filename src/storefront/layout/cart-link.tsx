import { useEffect, useRef } from 'react';
import { useSession } from '../session/session.ts';
import styles from './cart-link.module.css';

/** Shown while the cart has items: by `data-cart`, which the head script and `session.ts` set. It beats as one is added. */
export function CartDot() {
  const dot = useRef<HTMLSpanElement>(null);
  const isAdding = useSession((state) => state.optimisticUpdates.some(({ isAddition }) => isAddition));
  useEffect(() => {
    if (isAdding && !matchMedia('(prefers-reduced-motion: reduce)').matches)
      dot.current?.animate({ scale: [1, 1.8, 1] }, 300);
  }, [isAdding]);
  return <span ref={dot} className={styles.dot} />;
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
