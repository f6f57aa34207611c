import type { Cents } from '#src/shop/money.ts';

interface OrderedProduct {
  readonly product_id: string;
  readonly property_values: readonly { readonly id: string }[];
  readonly quantity: number;
  readonly price_cents: Cents;
}

/** Converts an order line to a cart line. */
export const toCartLine = (line: OrderedProduct) => ({
  productId: line.product_id,
  valueIds: line.property_values.map(({ id }) => id).toSorted(),
  quantity: line.quantity,
  seenCents: line.price_cents,
});
