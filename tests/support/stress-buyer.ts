/** One customer of a stress test: records responses and reports contradictions. */
import type { SeededRandom } from './seeded-random.ts';
import { listAt, numberAt, textAt } from './read-json.ts';
import type { ApiResponse } from './api-client.ts';
import type { StressCalls } from './stress-calls.ts';

/** An order that the shop has acknowledged. */
export interface Acknowledged {
  readonly key: string;
  readonly id: string;
  readonly number: string;
  readonly address: string;
  readonly totalBtc: number;
  /** Quantities by product. */
  readonly lines: Lines;
}
export type Lines = ReadonlyMap<string, number>;

/** An acknowledged payment, with the outputs that it spends. */
export interface SentPayment {
  readonly txid: string;
  readonly spends: readonly { readonly txid: string; readonly vout: number }[];
}

export const BILLING = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  region: 'Europe',
  country: 'GB',
  streetAddress: 'Elm Street',
  houseNumber: '45',
  city: 'London',
  postcode: 'W8 4AA',
};

const SETTLE_WITHIN_MS = 150_000;
const SATS = 100_000_000;
const toSats = (btc: number): number => Math.round(btc * SATS);

const isSame = (a: Lines, b: Lines): boolean => formatLines(a) === formatLines(b);
const addQuantity = (lines: Lines, product: string, quantity: number): Lines =>
  new Map(lines).set(product, (lines.get(product) ?? 0) + quantity);
/** The same text for the same lines. */
export const formatLines = (lines: Lines): string =>
  [...lines]
    .map(([product, quantity]) => `${quantity} of ${product}`)
    .toSorted()
    .join(', ');

/** The lines of a list of cart or order items. */
function readLines(items: readonly unknown[], report: (finding: string) => void): Lines {
  const lines = new Map<string, number>();
  for (const item of items) {
    const product = textAt(item, 'product_id');
    if (lines.has(product)) report(`two lines of one product: ${JSON.stringify(items)}`);
    lines.set(product, numberAt(item, 'quantity'));
  }
  return lines;
}

export class StressBuyer {
  readonly name: string;
  readonly orders: Acknowledged[] = [];
  readonly payments: SentPayment[] = [];
  token = '';
  /** Expected content of the cart. */
  cart: Lines = new Map();
  /** Whether the customer left with an unfinished order. */
  hasLeft = false;
  readonly #calls: StressCalls;
  readonly #random: SeededRandom;
  readonly #products: readonly string[];

  constructor(name: string, calls: StressCalls, random: SeededRandom, products: readonly string[]) {
    this.name = name;
    this.#calls = calls;
    this.#random = random;
    this.#products = products;
  }

  /** Fills a cart, orders and pays; sometimes stops in between. */
  async buy(): Promise<void> {
    if (this.token === '') await this.#signIn();
    const additions = 1 + this.#random.pickBelow(3);
    for (let left = additions; left > 0; left -= 1) await this.#addToCart();
    const order = await this.#checkOut();
    if (this.#random.isOneIn(5)) await this.#tryASecondOrder();
    this.hasLeft = this.#random.isOneIn(12);
    if (this.hasLeft) {
      if (this.#random.isOneIn(2)) await this.#pay(order, toSats(order.totalBtc) * 0.5);
    } else await this.#settle(order);
  }

  async readCart(): Promise<Lines> {
    return this.#readCart(await this.#call('GET', '/cart'));
  }

  /** Repeats the checkout, as after a lost response. */
  async repeatCheckout(key: string): Promise<ApiResponse> {
    return this.#call('POST', '/cart/checkout', BILLING, { 'idempotency-key': key });
  }

  #report(finding: string): void {
    this.#calls.report(`${this.name}: ${finding}`);
  }

  #call(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown, headers = {}): Promise<ApiResponse> {
    return this.#calls.callUntilResponse(method, path, {
      token: this.token,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  }

  /** Sometimes with a guest's cart, which the account's cart then contains once. */
  async #signIn(): Promise<void> {
    const account = { username: this.name, email: `${this.name}@stress.example`, password: 'crypto-market' };
    const registration = await this.#calls.callUntilResponse('POST', '/users/register', { body: account });
    // Registered by the attempt whose response was lost.
    if (registration.status !== 201 && registration.status !== 409)
      this.#report(`registration returned ${registration.status}`);
    let cookie: string | undefined;
    if (this.#random.isOneIn(2)) {
      const [product_id, quantity] = [this.#random.pick(this.#products), 1 + this.#random.pickBelow(3)];
      const added = await this.#calls.callUntilResponse('POST', '/cart/add', { body: { product_id, quantity } });
      cookie = added.headers
        .getSetCookie()
        .find((line) => line.startsWith('guest_user_id='))
        ?.split(';')[0];
      if (cookie === undefined) this.#report('a guest got no cookie');
      this.cart = addQuantity(this.cart, product_id, quantity);
    }
    const { username, password } = account;
    const body = { username, password };
    const signedIn = await this.#calls.callUntilResponse('POST', '/users/login', {
      body,
      ...(cookie ? { cookie } : {}),
    });
    this.token = textAt(signedIn.body, 'tokens', 'accessToken');
    this.#compareCart(await this.readCart(), 'after signing in');
  }

  #readCart(response: ApiResponse): Lines {
    if (response.status !== 200) {
      this.#report(`the cart returned ${response.status} ${JSON.stringify(response.body)}`);
      return this.cart;
    }
    return readLines(listAt(response.body, 'cart_items'), (finding) => this.#report(finding));
  }

  #compareCart(found: Lines, when: string): void {
    if (isSame(found, this.cart)) return;
    this.#report(`the cart ${when} contains ${formatLines(found)}, expected ${formatLines(this.cart)}`);
    this.cart = found;
  }

  async #addToCart(): Promise<void> {
    const [product_id, quantity] = [this.#random.pick(this.#products), 1 + this.#random.pickBelow(2)];
    const added = addQuantity(this.cart, product_id, quantity);
    for (;;) {
      const response = await this.#calls.callOnce('POST', '/cart/add', {
        token: this.token,
        body: { product_id, quantity },
      });
      const found = response ? this.#readCart(response) : await this.readCart();
      // An addition without a response took place once or not at all.
      if (!response && isSame(found, this.cart)) continue;
      this.cart = added;
      this.#compareCart(found, 'after an addition');
      return;
    }
  }

  async #checkOut(): Promise<Acknowledged> {
    const key = `${this.name}-${this.orders.length}`;
    // Sometimes a double click.
    const clicks = this.#random.isOneIn(4) ? 2 : 1;
    const responses = await Promise.all(Array.from({ length: clicks }, () => this.repeatCheckout(key)));
    const acknowledged = responses.map((response) => this.acknowledge(key, response));
    const [order] = acknowledged;
    if (!order) throw new Error('no response');
    if (acknowledged.some(({ id }) => id !== order.id)) this.#report(`two orders for the key ${key}`);
    if (!isSame(order.lines, this.cart)) {
      this.#report(
        `order ${order.number} contains ${formatLines(order.lines)}, the cart contained ${formatLines(this.cart)}`,
      );
    }
    this.orders.push(order);
    this.cart = new Map();
    this.#compareCart(await this.readCart(), 'after the checkout');
    return order;
  }

  acknowledge(key: string, { status, body }: ApiResponse): Acknowledged {
    if (status !== 201) throw new Error(`${this.name}: the checkout ${key} returned ${status} ${JSON.stringify(body)}`);
    return {
      key,
      id: textAt(body, 'order', 'id'),
      number: textAt(body, 'order', 'number'),
      address: textAt(body, 'order', 'payment', 'address'),
      totalBtc: numberAt(body, 'order', 'total_btc_after'),
      lines: readLines(listAt(body, 'order', 'order_items'), (finding) => this.#report(finding)),
    };
  }

  /** While an order is open no other can be placed, with a key or without. */
  async #tryASecondOrder(): Promise<void> {
    await this.#addToCart();
    const headers = this.#random.isOneIn(2) ? {} : { 'idempotency-key': `${this.name}-second-${this.orders.length}` };
    const { status } = await this.#call('POST', '/cart/checkout', BILLING, headers);
    if (status !== 409) this.#report(`a second checkout while one is open returned ${status}`);
  }

  /** Pays and mines until the order is paid, through kills and reorganisations. */
  async #settle(order: Acknowledged): Promise<void> {
    const plan = this.#random.pick(['exact', 'exact', 'partial', 'over'] as const);
    const share = { exact: 1, partial: 0.4, over: 1.05 }[plan];
    let isFirst = true;
    for (const until = Date.now() + SETTLE_WITHIN_MS; Date.now() < until;) {
      const { status, body } = await this.#call('GET', `/orders/${order.id}`);
      if (status !== 200) return this.#report(`the acknowledged order ${order.number} now returns ${status}`);
      if (textAt(body, 'order', 'payment_status') === 'paid') {
        // Sometimes reorganised away: it must be paid again, and its stock is still sold once.
        if (!this.#random.isOneIn(5)) return;
        await this.#reorganise();
        continue;
      }
      const missing =
        toSats(numberAt(body, 'order', 'payment', 'amount_btc')) -
        toSats(numberAt(body, 'order', 'payment', 'received_btc'));
      if (missing > 0) {
        const amount = isFirst && plan !== 'exact' ? Math.round(missing * share) : null;
        const txid = await this.#pay(order, amount);
        if (txid !== null && this.#random.isOneIn(10))
          await this.#calls.callOnce('POST', '/dev/replace', { body: { txid } });
        isFirst = false;
      } else if (this.#random.isOneIn(30)) await this.#reorganise();
      else await this.#calls.callOnce('POST', '/dev/mine', { body: { blocks: 1 } });
      if (this.#random.isOneIn(6)) await this.#call('PUT', '/orders/paid', { order_id: order.id });
    }
    this.#report(`order ${order.number} was not paid within ${SETTLE_WITHIN_MS / 1000} s`);
  }

  async #reorganise(): Promise<void> {
    await this.#calls.callOnce('POST', '/dev/reorg', { body: { depth: 1 + this.#random.pickBelow(3) } });
  }

  /**
   * @param sats null: the missing amount. @returns the txid; null if the response was lost or a
   * refusal
   */
  async #pay(order: Acknowledged, sats: number | null): Promise<string | null> {
    const body = { order_id: order.id, ...(sats === null ? {} : { amount_btc: Math.round(sats) / SATS }) };
    const response = await this.#calls.callOnce('POST', '/dev/pay', { body });
    if (response?.status !== 200) return null;
    const txid = textAt(response.body, 'txid');
    const transaction = await this.#calls.readChain(`/tx/${txid}`);
    // Dropped: a transaction that it depends on was replaced.
    if (transaction === null) return txid;
    const spends = listAt(transaction, 'vin').map((input) => ({
      txid: textAt(input, 'txid'),
      vout: numberAt(input, 'vout'),
    }));
    this.payments.push({ txid, spends });
    return txid;
  }

  /** Every order that the shop has of this customer. */
  async readHistory(): Promise<readonly unknown[]> {
    const user = await this.#call('GET', '/users/user');
    const { body, status } = await this.#call('POST', '/orders/history');
    if (status !== 200) {
      this.#report(`the acknowledged session is missing: ${status}`);
      return [];
    }
    const orders = listAt(body, 'orders');
    const [listed, shown] = [listAt(user.body, 'orders').length, orders.length];
    if (listed !== shown) this.#report(`the account lists ${listed} orders, its history ${shown}`);
    return orders;
  }
}
