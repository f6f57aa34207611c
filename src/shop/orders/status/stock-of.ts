/** Stock that an order line takes, gifts included, with the product name. */
export const toStock = (line: { readonly product_id: string; readonly name: string; readonly quantity: number }) => ({
  productId: line.product_id,
  name: line.name,
  quantity: line.quantity,
});
