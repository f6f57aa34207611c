/** A buyer of the edit stress test: fills a cart, orders, and cancels or pays, again and again. */
import { listAt, numberAt, textAt, valueAt } from '../read-json.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { BILLING } from '../stress-buyer.ts';
import { describeRefusal } from './process-pool.ts';
import type { Method, PoolResponse, ProcessPool } from './process-pool.ts';

/** An acknowledged order, with what the buyer saw before. */
export interface PlacedOrder {
  readonly id: string;
  /** Null if the checkout named none. */
  readonly expectedTotalUsd: number | null;
  readonly totalUsd: number;
  /** Lines that cost more than the buyer accepted. */
  readonly dearer: readonly string[];
}

export interface BuyerOptions {
  readonly name: string;
  readonly pool: ProcessPool;
  readonly random: SeededRandom;
  /** Slugs of the products. */
  readonly slugs: readonly string[];
  readonly codes: ReadonlySet<string>;
  readonly isOver: () => boolean;
  readonly placed: PlacedOrder[];
  readonly refusals: Map<string, number>;
  readonly outcomes: Record<'cancelled' | 'paid' | 'left', number>;
}

const PASSWORD = 'crypto-market';
const CONFIRMATIONS = 6;
const createLineKey = (item: unknown, valueIds: readonly unknown[]): string =>
  `${textAt(item, 'product_id')} ${valueIds.map(String).toSorted().join()}`;

/** Lines that are no gift. A gift can be of a product that the buyer also pays for. */
const listPaidLines = (of: unknown, key: string): readonly unknown[] =>
  listAt(of, key).filter((item) => valueAt(item, 'isFree') !== true);

/**
 * The price that the buyer accepted; a notice says if it is another one now. Unknown while the line is
 * withdrawn: it then shows none, and keeps the accepted one if the product is brought back.
 */
function readSeenPrice(item: unknown): number {
  if (listAt(item, 'notices').some((notice) => textAt(notice, 'code') === 'withdrawn')) return Number.POSITIVE_INFINITY;
  const repriced = listAt(item, 'notices').find((notice) => textAt(notice, 'code') === 'repriced');
  return numberAt(repriced ?? item, repriced === undefined ? 'price_usd' : 'was_usd');
}

export class EditBuyer {
  readonly #options: BuyerOptions;
  #token = '';
  #account = 0;
  #checkouts = 0;

  constructor(options: BuyerOptions) {
    this.#options = options;
  }

  /** The session, to read the cart later. */
  get token(): string {
    return this.#token;
  }

  async signUp(): Promise<void> {
    const { name, pool } = this.#options;
    this.#account += 1;
    const username = `${name}-${this.#account}`;
    const account = { username, password: PASSWORD };
    await pool.call('POST', '/users/register', { body: { ...account, email: `${username}@edits.example` } });
    const { body } = await pool.call('POST', '/users/login', { body: account });
    this.#token = textAt(body, 'tokens', 'accessToken');
  }

  async buyUntilOver(): Promise<void> {
    while (!this.#options.isOver()) {
      await this.#fillCart();
      const order = await this.#checkOut();
      if (order !== null) await this.#finish(order);
    }
  }

  #call(method: Method, path: string, body?: unknown, key?: string): Promise<PoolResponse> {
    const request = { ...(body === undefined ? {} : { body }), ...(key === undefined ? {} : { key }) };
    return this.#options.pool.call(method, path, { ...request, token: this.#token });
  }

  #countRefusal(response: PoolResponse): void {
    const { refusals } = this.#options;
    const why = describeRefusal(response);
    refusals.set(why, (refusals.get(why) ?? 0) + 1);
  }

  async #fillCart(): Promise<void> {
    const { random, slugs, codes } = this.#options;
    for (let left = 1 + random.pickBelow(3); left > 0; left -= 1) {
      const { status, body } = await this.#call('GET', `/products/${random.pick(slugs)}`);
      if (status !== 200) continue;
      const variants = listAt(body, 'variants');
      if (variants.length === 0) continue;
      const property_value_ids = valueAt(random.pick(variants), 'property_value_ids');
      const line = { product_id: textAt(body, 'id'), quantity: 1 + random.pickBelow(2), property_value_ids };
      const added = await this.#call('POST', '/cart/add', line);
      if (added.status !== 200) this.#countRefusal(added);
    }
    if (random.isOneIn(2) && codes.size > 0) {
      const applied = await this.#call('POST', '/promocodes/apply', { code: random.pick([...codes]) });
      if (applied.status !== 200) this.#countRefusal(applied);
    }
  }

  /** Orders as the page does: after a refusal it shows the cart again and the buyer tries once more. */
  async #checkOut(): Promise<unknown> {
    const { random } = this.#options;
    for (let triesLeft = 4; triesLeft > 0; triesLeft -= 1) {
      const { body: cart } = await this.#call('GET', '/cart');
      const seen = new Map(
        listPaidLines(cart, 'cart_items').map((item) => [
          createLineKey(item, listAt(item, 'property_value_ids')),
          readSeenPrice(item),
        ]),
      );
      const expected = random.isOneIn(3) ? null : numberAt(cart, 'totalCartValue');
      const body = expected === null ? BILLING : { ...BILLING, expected_total_usd: expected };
      const key = `${this.#options.name}-${(this.#checkouts += 1)}`;
      const response = await this.#call('POST', '/cart/checkout', body, key);
      if (response.status === 201) return this.#acknowledge(valueAt(response.body, 'order'), expected, seen);
      this.#countRefusal(response);
      await this.#mend(response);
    }
    return null;
  }

  #acknowledge(order: unknown, expectedTotalUsd: number | null, seen: ReadonlyMap<string, number>): unknown {
    const dearer = listPaidLines(order, 'order_items').flatMap((item) => {
      const valueIds = listAt(item, 'property_values').map((value) => valueAt(value, 'id'));
      const before = seen.get(createLineKey(item, valueIds)) ?? Number.POSITIVE_INFINITY;
      return numberAt(item, 'price_usd') > before ? [`${textAt(item, 'product', 'name')}, ${before} before`] : [];
    });
    const totalUsd = numberAt(order, 'total_usd_after');
    this.#options.placed.push({ id: textAt(order, 'id'), expectedTotalUsd, totalUsd, dearer });
    return order;
  }

  async #mend(response: PoolResponse): Promise<void> {
    const why = describeRefusal(response);
    if (why === '409 repriced') await this.#call('POST', '/cart/accept-prices');
    else if (why === '409 promo') await this.#call('DELETE', '/promocodes/apply');
    else if (why === '409 order-open') await this.#cancelOpen();
    else if (why === '400 empty-cart') await this.#fillCart();
    else await this.#removeLines();
  }

  /** Removes the lines with a notice, or all lines. */
  async #removeLines(): Promise<void> {
    const { body } = await this.#call('GET', '/cart');
    const items = listAt(body, 'cart_items').filter((item) => valueAt(item, 'isFree') !== true);
    const unavailable = items.filter((item) =>
      listAt(item, 'notices').some((notice) => textAt(notice, 'code') !== 'repriced'),
    );
    for (const item of unavailable.length === 0 ? items : unavailable) {
      const [product_id, property_value_ids] = [textAt(item, 'product_id'), valueAt(item, 'property_value_ids')];
      await this.#call('DELETE', '/cart/remove', { product_id, property_value_ids });
    }
  }

  async #cancelOpen(): Promise<void> {
    const { body } = await this.#call('GET', '/orders');
    const order = valueAt(body, 'order');
    if (order !== null) await this.#call('POST', `/orders/${textAt(order, 'id')}/cancel`);
  }

  async #finish(order: unknown): Promise<void> {
    const { random, outcomes } = this.#options;
    const id = textAt(order, 'id');
    // A free order is paid at once.
    if (textAt(order, 'payment_status') === 'paid') return;
    if (!random.isOneIn(3)) {
      const { status } = await this.#call('POST', `/orders/${id}/cancel`);
      if (status === 200) outcomes.cancelled += 1;
      await this.#removeLines();
      return;
    }
    const isPaying = random.isOneIn(2);
    outcomes[isPaying ? 'paid' : 'left'] += 1;
    if (isPaying) {
      await this.#options.pool.callDemo('/dev/pay', { order_id: id });
      await this.#options.pool.callDemo('/dev/mine', { blocks: CONFIRMATIONS });
    }
    // The next order is placed by another account, since this one may have an open order.
    await this.signUp();
  }
}
