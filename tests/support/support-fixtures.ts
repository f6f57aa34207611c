/** Customers with tickets, messages and reviews, created over HTTP. */
import assert from 'node:assert/strict';
import { createOrder } from './new-order.ts';
import { listAt, textAt, valueAt } from './read-json.ts';
import type { TestShop } from './shop.ts';

const PASSWORD = 'crypto-market';
let count = 0;

interface TestCustomer {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly token: string;
}

export const signIn = (shop: TestShop, username: string) =>
  shop.api('POST', '/users/login', { body: { username, password: PASSWORD } });

export async function createCustomer(shop: TestShop, username = `client-${(count += 1)}-${Date.now()}`) {
  const email = `c${(count += 1)}-${Date.now()}@customers.example`;
  const registered = await shop.api('POST', '/users/register', { body: { username, email, password: PASSWORD } });
  assert.equal(registered.status, 201, JSON.stringify(registered.body));
  const { body } = await signIn(shop, username);
  const customer: TestCustomer = {
    id: textAt(body, 'user', 'id'),
    username,
    email,
    token: textAt(body, 'tokens', 'accessToken'),
  };
  return customer;
}

/** Returns the id of the ticket. */
export async function createTicket(shop: TestShop, token: string, title = 'Where is my parcel?'): Promise<string> {
  const body = { title, theme: 'Delivery', description: 'It was due yesterday.' };
  return textAt((await shop.api('POST', '/tickets/create', { token, body })).body, 'id');
}

/** Sends a contact message and returns its id. */
export async function createMessage(shop: TestShop, staff: string, text: string): Promise<string> {
  const body = { firstName: 'Ada', lastName: 'Lovelace', email: `m${(count += 1)}@contact.example`, message: text };
  assert.equal((await shop.api('POST', '/contact', { body })).status, 201);
  const { body: found } = await shop.api('GET', `/support/contact-messages?q=${encodeURIComponent(text)}`, {
    token: staff,
  });
  return textAt(found, 'messages', 0, 'id');
}

export interface TestReview {
  readonly id: string;
  readonly productId: string;
  readonly token: string;
}

/** A buyer with a paid order reviews the product. The review shows the username. */
export async function createReview(shop: TestShop, username: string, text: string): Promise<TestReview> {
  const order = await createOrder(shop, username);
  await shop.api('POST', '/dev/pay', { body: { order_id: order.id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  const { body } = await shop.api('GET', `/orders/${order.id}`, { token: order.token });
  const productId = textAt(listAt(body, 'order', 'order_items')[0], 'product_id');
  const review = { product_id: productId, rating: 4, text, name: username };
  const written = await shop.api('POST', '/reviews', { token: order.token, body: review });
  assert.equal(written.status, 201, JSON.stringify(written.body));
  return { id: textAt(written.body, 'id'), productId, token: order.token };
}

export const readErrorCode = ({ status, body }: { status: number; body: unknown }): string =>
  `${status} ${String(valueAt(body, 'error', 'code'))}`;
