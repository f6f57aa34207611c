/** The units that a line of an order takes from stock, a gift's too, and the name they are known by. */
export const stockOf = (line: { readonly product_id: string; readonly name: string; readonly quantity: number }) => ({
  productId: line.product_id,
  name: line.name,
  quantity: line.quantity,
});
