import { Suspense } from 'react';
import type { CartItem } from '../contract.ts';
import { RecentProducts } from '#src/shop/catalogue/products/web/recent-products.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { ButtonLink } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/states.tsx';
import { CartLine } from './cart-line.tsx';
import styles from './order-details.module.css';
import { UndoRemoval } from './undo-removal.tsx';

interface OrderDetailsProps {
  readonly items: readonly CartItem[];
  /** Names of property values by their id. */
  readonly valueNames: Readonly<Record<string, string>>;
  /** The code that a gift came with. */
  readonly giftCode: string | null;
}

/** Step 1: what is in the cart. */
export function OrderDetails({ items, valueNames, giftCode }: OrderDetailsProps) {
  const isAlive = useHydrated();
  return (
    <>
      <UndoRemoval />
      {items.length === 0 ? (
        <>
          <EmptyState title="No items in cart" action={<ButtonLink to="/catalog">Browse the catalog</ButtonLink>}>
            What you add stays here, also while you are not logged in.
          </EmptyState>
          <div className={styles.recent}>
            {isAlive && (
              <Suspense>
                <RecentProducts />
              </Suspense>
            )}
          </div>
        </>
      ) : (
        <ul className={styles.lines}>
          {items.map((item) => (
            <CartLine
              key={`${item.product_id} ${item.property_value_ids.join()} ${item.isFree}`}
              item={item}
              chosen={item.property_value_ids.flatMap((id) => valueNames[id] ?? []).join(', ')}
              giftCode={giftCode}
            />
          ))}
        </ul>
      )}
    </>
  );
}
