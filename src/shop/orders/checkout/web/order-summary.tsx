import type { Cart } from '#src/shop/cart/contract.ts';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import { isWithoutRate } from '#src/storefront/products/is-without-rate.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Unbroken } from '#src/ui/text/unbroken.tsx';
import { toTotals } from './to-totals.ts';

interface OrderSummaryProps {
  readonly cart: Cart;
  /** Names of property values by id. */
  readonly valueNames: Readonly<Record<string, string>>;
}

const formatDollars = (usd: number): string => `$${formatUsdAmount(usd)}`;

/** What is bought, and the total with tax and delivery, directly above the order button (2011/83/EU, article 8(2)). */
export function OrderSummary({ cart, valueNames }: OrderSummaryProps) {
  const { charges, discountUsd, totalBtc, totalUsd } = toTotals(cart, 2);
  const rows = charges?.rows ?? [{ label: 'Shipping', value: 'Free' }];
  return (
    <section aria-labelledby="summary-title">
      <h3 id="summary-title">Your order</h3>
      <Facts layout="sums">
        {cart.cart_items.map(
          ({ product_id: id, property_value_ids: ids, isFree, quantity, product, total_usd: usd }) => {
            const values = ids.flatMap((value) => valueNames[value] ?? []).join(', ');
            const name = `${quantity} × ${product.name}${values === '' ? '' : ` (${values})`}`;
            return (
              <Fact key={[id, ...ids, isFree].join()} label={<Unbroken text={name} />}>
                {isFree ? 'Free' : formatDollars(usd)}
              </Fact>
            );
          },
        )}
        {discountUsd > 0 && <Fact label="Discount">{`−${formatDollars(discountUsd)}`}</Fact>}
        {rows.map(({ label, value, isDeduction }) => (
          <Fact key={label} label={label}>
            {typeof value === 'string' ? value : `${isDeduction ? '−' : ''}${formatDollars(value.usd)}`}
          </Fact>
        ))}
        <Fact label="Total" isTotal>
          <span translate="no">
            {isWithoutRate(totalBtc, cart.totalCartValue)
              ? `$${totalUsd}`
              : `${formatBtcAmount(totalBtc)} BTC or $${totalUsd}`}
          </span>
        </Fact>
        {charges?.included.map(({ label, usd }) => (
          <Fact key={label} label={label}>
            {formatDollars(usd)}
          </Fact>
        ))}
      </Facts>
    </section>
  );
}
