import { Suspense } from 'react';
import type { CartItem } from '../contract.ts';
import { RecentProducts } from '#src/shop/catalogue/products/web/recent-products.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { PriceNote } from '#src/storefront/products/price-note.tsx';
import { BagDrawing } from '#src/ui/graphics/drawings.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { CartLine } from './cart-line.tsx';
import styles from './order-details.module.css';
import { UndoRemoval } from './undo-removal.tsx';

interface OrderDetailsProps {
  readonly items: readonly CartItem[];
  /** Names of property values by id. */
  readonly valueNames: Readonly<Record<string, string>>;
  /** Code of the promotion that added the gift. */
  readonly giftCode: string | null;
}

/** Step 1. */
export function OrderDetails({ items, valueNames, giftCode }: OrderDetailsProps) {
  const isHydrated = useHydrated();
  return (
    <>
      <UndoRemoval />
      {items.length === 0 ? (
        <>
          <EmptyState
            title="No items in cart"
            drawing={<BagDrawing />}
            action={<ButtonLink to="/catalog">Browse the catalog</ButtonLink>}
          >
            Items stay in your cart, even when you are logged out.
          </EmptyState>
          <div className={styles.recent}>
            {isHydrated && (
              <Suspense>
                <RecentProducts />
              </Suspense>
            )}
          </div>
        </>
      ) : (
        <>
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
          <PriceNote isOfList />
        </>
      )}
    </>
  );
}
