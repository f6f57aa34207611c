/** Returns of a test shop, by the calls of buyer and staff. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ApiResponse } from './api-client.ts';
import { testKey } from './devchain.ts';
import { listAt, numberAt, textAt } from './read-json.ts';
import type { Buyer, RefundShop } from './refund-shop.ts';
import { runWithShopDatabase } from './stock-stress.ts';
import { BILLING } from './stress-buyer.ts';

/** Of each line: conditions that add up to the units that arrived. */
export type Condition = Readonly<Record<string, string | number>>;

export class ReturnCalls {
  readonly #shop: RefundShop;
  /** How the refund of a return is sent. */
  readonly anyWallet = { from: 'any-wallet', fee_paid_by: 'shop' };

  constructor(shop: RefundShop) {
    this.#shop = shop;
  }

  /** A paid and shipped order of units of $999 with shipping and tax, and a confirmed refund address. */
  async createShippedOrder(
    quantity: number,
    numbers: readonly string[] = [],
  ): Promise<{ readonly buyer: Buyer; readonly id: string }> {
    const { buyer, id } = await this.createPaidOrder(quantity);
    const serials = numbers.length === 0 ? [] : [{ position: 0, numbers }];
    const shipped = await this.#shop.post(`/orders/${id}/ship`, { serials });
    assert.equal(shipped.status, 200, JSON.stringify(shipped.body));
    return { buyer, id };
  }

  /** The same, not shipped. */
  async createPaidOrder(quantity: number): Promise<{ readonly buyer: Buyer; readonly id: string }> {
    const shop = this.#shop;
    const buyer = await shop.createBuyer();
    const cart = await shop.shop.api('GET', '/cart', { token: buyer.token });
    if (quantity > 1) {
      const body = { product_id: textAt(cart.body, 'cart_items', 0, 'product_id'), quantity: quantity - 1 };
      assert.equal((await shop.shop.api('POST', '/cart/add', { token: buyer.token, body })).status, 200);
    }
    const billing = { ...BILLING, region: 'Europe', country: 'DE', postcode: '10115' };
    const placed = await shop.shop.api('POST', '/cart/checkout', { token: buyer.token, body: billing });
    const id = textAt(placed.body, 'order', 'id');
    await shop.callDemoTool('pay', { order_id: id });
    await shop.mine(6);
    await shop.confirmAddress(buyer, id, testKey().address);
    return { buyer, id };
  }

  request(buyer: Buyer, orderId: string, quantity: number, cause = 'defect'): Promise<ApiResponse> {
    const body = { cause, lines: [{ position: 0, quantity }], reason: 'It does not start' };
    return this.#shop.post(`/orders/${orderId}/returns`, body, buyer.token);
  }

  /** The return of a withdrawal. @param quantity units of the first line; null: everything that is left */
  async withdraw(buyer: Buyer, orderId: string, quantity: number | null = null): Promise<string> {
    const units = quantity === null ? null : [{ position: 0, quantity }];
    const statement = { order_id: orderId, name: 'Ada', units, acknowledgement_email: null, reason: null };
    const stated = await this.#shop.post('/withdrawal', { ...statement, key: randomUUID() }, buyer.token);
    assert.equal(stated.status, 201, JSON.stringify(stated.body));
    const { body } = await this.#shop.shop.api('GET', `/orders/${orderId}/returns`, { token: buyer.token });
    return textAt(listAt(body, 'returns').at(-1), 'id');
  }

  async read(id: string): Promise<unknown> {
    const { body, status } = await this.#shop.shop.api('GET', `/support/returns/${id}`, { token: this.#shop.staff });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /** A step of staff, based on the present version. */
  async step(id: string, action: string, more: object = {}): Promise<ApiResponse> {
    const version = numberAt(await this.read(id), 'return', 'version');
    return this.#shop.post(`/support/returns/${id}/${action}`, { version, ...more });
  }

  async receiveAndInspect(id: string, units: number, condition: Condition): Promise<void> {
    const steps = [
      ['approve', {}],
      ['receive', { position: 0, units }],
      ['inspect', { lines: [{ position: 0, ...condition }] }],
    ] as const;
    for (const [action, more] of steps) {
      const done = await this.step(id, action, more);
      assert.equal(done.status, 200, JSON.stringify(done.body));
    }
  }

  readUserId({ name }: Buyer): Promise<string> {
    return runWithShopDatabase(this.#shop.shop, async (db) => {
      const { rows } = await sql<{ id: string }>`select id from users where username = ${name}`.execute(db);
      return rows[0]?.id ?? assert.fail('there is no such user');
    });
  }
}

export const openReturns = (shop: RefundShop): ReturnCalls => new ReturnCalls(shop);
