/** Places an order over HTTP as a new buyer. */
import assert from 'node:assert/strict';
import { numberAt, textAt, valueAt } from './read-json.ts';
import type { TestShop } from './shop.ts';
import { createStockBuyer } from './stock-stress.ts';
import { BILLING } from './stress-buyer.ts';

export interface NewOrder {
  readonly username: string;
  readonly email: string;
  readonly token: string;
  readonly id: string;
  readonly number: string;
  /** Decimal bitcoin. */
  readonly due: number;
  readonly address: string;
  /** As the checkout returned it. */
  readonly order: unknown;
}

/** The first product of the catalogue. */
export const findFirstProduct = async (shop: Pick<TestShop, 'api'>): Promise<string> =>
  textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');

/** Places an unpaid order with one item, by default one unit of it. */
export async function createOrder(
  shop: TestShop,
  username: string,
  billing: object = BILLING,
  quantity = 1,
): Promise<NewOrder> {
  const productId = await findFirstProduct(shop);
  const token = await createStockBuyer(shop, username, productId);
  const more = { product_id: productId, quantity: quantity - 1 };
  if (quantity > 1) await shop.api('POST', '/cart/add', { token, body: more });
  const { body, status } = await shop.api('POST', '/cart/checkout', { token, body: billing });
  assert.equal(status, 201, JSON.stringify(body));
  const order = valueAt(body, 'order');
  return {
    username,
    email: `${username}@stock.example`,
    token,
    id: textAt(order, 'id'),
    number: textAt(order, 'number'),
    due: numberAt(order, 'payment', 'amount_btc'),
    address: textAt(order, 'payment', 'address'),
    order,
  };
}
