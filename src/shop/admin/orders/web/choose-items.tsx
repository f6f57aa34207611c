import type { Cart } from '#src/shop/cart/contract.ts';
import { MAX_CART_LINES, MAX_LINE_QUANTITY } from '#src/shop/cart/cart-limits.ts';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { call } from '#src/storefront/call.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { Grid } from '#src/ui/layout/grid.ts';
import type { OrderVariant } from '#src/shop/orders/manual/contract.ts';
import styles from './new-order.module.css';
import { SearchBox } from './search-box.tsx';

export interface DraftLine {
  readonly variant: OrderVariant;
  readonly quantity: number;
}

const toVariantKey = ({ product_id: id, property_value_ids: values }: OrderVariant): string => `${id} ${values.join()}`;

const describeValues = ({ values, sku }: OrderVariant): string =>
  [...values.map(({ value }) => value), `SKU ${sku}`].join(', ');

const describeStock = ({ available }: OrderVariant): string => {
  if (available === null) return 'Stock not tracked';
  return available > 0 ? `${available} in stock` : 'Sold out';
};

interface ChooseItemsProps {
  readonly lines: readonly DraftLine[];
  /** Null before the first preview. */
  readonly cart: Cart | null;
  readonly onChange: (lines: readonly DraftLine[]) => void;
}

/** Items of a new order. */
export function ChooseItems({ lines, cart, onChange }: ChooseItemsProps) {
  const add = (variant: OrderVariant) => {
    const key = toVariantKey(variant);
    const isNew = lines.every((line) => toVariantKey(line.variant) !== key);
    if (isNew) return onChange([...lines, { variant, quantity: 1 }]);
    return onChange(
      lines.map((line) =>
        toVariantKey(line.variant) === key
          ? { ...line, quantity: Math.min(MAX_LINE_QUANTITY, line.quantity + 1) }
          : line,
      ),
    );
  };
  const gifts = cart?.cart_items.filter(({ isFree }) => isFree) ?? [];
  return (
    <Section title="Items" surface="outlined">
      <SearchBox
        label="Add an item"
        hint="Words of the name and its values, such as “iphone 256gb blue”, or the start of the SKU."
        none="Nothing on sale matches."
        more="There are more. Add a value to narrow the search."
        load={async (q, signal) => {
          const found = await call('GET /support/order-variants', { query: { q } }, { signal });
          return { items: found.variants, hasMore: found.has_more };
        }}
        toKey={toVariantKey}
        findObstacle={({ available }) => {
          if (available !== null && available <= 0) return 'Sold out';
          return lines.length >= MAX_CART_LINES ? `At most ${MAX_CART_LINES} items` : null;
        }}
        renderItem={(variant) => (
          <>
            <span className={styles.names}>
              <span>{variant.name}</span>
              <span className="muted small wrap-anywhere">{describeValues(variant)}</span>
            </span>
            <span className={styles.price}>
              ${formatUsdAmount(variant.price_usd)}
              {(variant.available === null || variant.available > 0) && (
                <span className="muted small wrap-anywhere">{describeStock(variant)}</span>
              )}
            </span>
          </>
        )}
        onChoose={add}
      />
      {lines.length === 0 ? (
        <p className="muted small wrap-anywhere">No items yet. Search for one to add it.</p>
      ) : (
        <Lines className="tabular">
          {lines.map((line) => (
            <Line
              key={toVariantKey(line.variant)}
              line={line}
              cart={cart}
              onQuantity={(quantity) => onChange(lines.map((one) => (one === line ? { ...one, quantity } : one)))}
              onRemove={() => onChange(lines.filter((one) => one !== line))}
            />
          ))}
          {gifts.map((gift) => (
            <Grid
              as="li"
              key={`gift ${gift.product_id}`}
              foldsAt={767}
              rowGap={8}
              align="center"
              className={styles.line}
            >
              <p className={styles.names}>
                <span>{gift.product.name}</span>
                <span className="muted small wrap-anywhere">Free gift of the promo code</span>
              </p>
            </Grid>
          ))}
        </Lines>
      )}
    </Section>
  );
}

interface LineProps {
  readonly line: DraftLine;
  readonly cart: Cart | null;
  readonly onQuantity: (quantity: number) => void;
  readonly onRemove: () => void;
}

function Line({ line: { variant, quantity }, cart, onQuantity, onRemove }: LineProps) {
  const priced = cart?.cart_items.find(
    (item) =>
      !item.isFree &&
      item.product_id === variant.product_id &&
      item.property_value_ids.join() === variant.property_value_ids.join(),
  );
  const notice = priced?.notices[0]?.message ?? null;
  return (
    <Grid as="li" foldsAt={767} rowGap={8} align="center" className={styles.line}>
      <p className={styles.names}>
        <span>{variant.name}</span>
        <span className="muted small wrap-anywhere">
          {describeValues(variant)}. {describeStock(variant)}
        </span>
      </p>
      <Field
        label={`Quantity of ${variant.name}`}
        type="number"
        inputMode="numeric"
        min={1}
        max={MAX_LINE_QUANTITY}
        required
        className={styles.quantity}
        value={quantity === 0 ? '' : String(quantity)}
        message={notice}
        onChange={({ currentTarget }) =>
          onQuantity(Math.min(MAX_LINE_QUANTITY, Math.max(0, Math.floor(Number(currentTarget.value)))))
        }
      />
      <p translate="no" className={styles.price}>
        ${formatUsdAmount(priced?.total_usd ?? variant.price_usd * quantity)}
      </p>
      <Button variant="quaternary" aria-label={`Remove ${variant.name}, ${describeValues(variant)}`} onClick={onRemove}>
        Remove
      </Button>
    </Grid>
  );
}
