interface OrderedVariant {
  readonly product_id: string;
  readonly variant_id: string | null;
  readonly name: string;
  readonly property_values: readonly { readonly value: string }[];
  readonly quantity: number;
}

/** Stock that an order line takes, gifts included, with the names of the product and its values. */
export const toStock = (line: OrderedVariant) => ({
  productId: line.product_id,
  variantId: line.variant_id,
  name: line.name,
  values: line.property_values.map(({ value }) => value),
  quantity: line.quantity,
});
