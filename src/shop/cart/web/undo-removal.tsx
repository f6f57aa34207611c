import { getQuantityInCart } from '#src/storefront/cart/cart.ts';
import { focusFirstWithin } from '#src/ui/browser/focus-fallback.ts';
import { useSession } from '#src/storefront/session/session.ts';
import { Button } from '#src/ui/controls/button.tsx';
import type { RemovedLine } from './removed-lines.ts';
import { startTimer, stopTimer, undoRemoval, useRemovedLines } from './removed-lines.ts';
import styles from './undo-removal.module.css';

/** CART-10: recently removed lines with an Undo button. */
export function UndoRemoval() {
  const lines = useRemovedLines();
  return (
    <output className={styles.offers}>
      {lines.map((line) => (
        <Offer key={line.id} line={line} />
      ))}
    </output>
  );
}

function Offer({ line }: { readonly line: RemovedLine }) {
  const { name, quantity } = line;
  // The server refused the removal, or the line was added again.
  const isInCart = useSession((state) => getQuantityInCart(state, line.productId, line.valueIds) > 0);
  if (isInCart) return null;
  return (
    <span className={styles.offer}>
      <span>{quantity > 1 ? `${quantity} × ${name} removed` : `${name} removed`}</span>
      <Button
        variant="tertiary"
        aria-label={`Undo: restore ${name}`}
        onPointerEnter={() => stopTimer(line)}
        onPointerLeave={() => startTimer(line)}
        onFocus={() => stopTimer(line)}
        onBlur={() => startTimer(line)}
        onClick={(event) => {
          // After keyboard activation, the focus moves to the cart.
          if (event.detail === 0) focusFirstWithin(null);
          undoRemoval(line);
        }}
      >
        Undo
      </Button>
    </span>
  );
}
