/** Buyers who order, pay and write messages without a pause, and what the shop has acknowledged to them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { listAt, numberAt, textAt } from '../read-json.ts';
import { BILLING } from '../stress-buyer.ts';
import type { ClusterShop } from './cluster-shop.ts';

/** Longer than any statement of the shop may take. */
const RESPONSE_TIMEOUT_MS = 25_000;
const PAUSE_MS = 300;
const BLOCK_EVERY_MS = 1_000;
const POLL_MS = 1_500;
const SATS = 100_000_000;
const PASSWORD = 'crypto-market';
export const BUYER_PREFIX = 'cluster-buyer-';
/** A process that cannot serve now, or no longer runs: the call may have been executed. */
const UNAVAILABLE = new Set([502, 503, 504]);

interface Response {
  readonly status: number;
  readonly body: unknown;
}

export interface AcknowledgedOrder {
  readonly id: string;
  readonly createdAtMs: number;
  readonly acknowledgedAtMs: number;
  readonly address: string;
  readonly sats: number;
  /** Null until it is sent. */
  txid: string | null;
  /** When the shop showed it as paid; null before. */
  paidAtMs: number | null;
}

export interface AcknowledgedMessage {
  readonly id: string;
  readonly text: string;
}

export class ClusterBuyers {
  readonly orders: AcknowledgedOrder[] = [];
  readonly messages: AcknowledgedMessage[] = [];
  /** Requests without a response, or with a status of `UNAVAILABLE`, by status; 0 is no response. */
  readonly refusals = new Map<number, number>();
  /** Responses that no fault explains. */
  readonly findings = new Set<string>();
  readonly #shop: ClusterShop;
  readonly products: string[] = [];
  #isStopped = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(shop: ClusterShop) {
    this.#shop = shop;
  }

  get refused(): number {
    return [...this.refusals.values()].reduce((sum, count) => sum + count, 0);
  }

  async findProducts(): Promise<void> {
    const { body } = await this.#repeat('GET', '/products?limit=24&sort=price_asc', {}, [200]);
    this.products.push(...listAt(body).map((product) => textAt(product, 'id')));
  }

  async start(count: number): Promise<void> {
    const tokens: string[] = [];
    for (let index = 0; index < count; index += 1) tokens.push(await this.signUp(`${BUYER_PREFIX}${index}`));
    const buyers = tokens.map((token, index) => this.#buyUntilStopped(token, index));
    this.#running = Promise.all([...buyers, this.#mineUntilStopped()]);
    // Reported by stop().
    this.#running.catch(() => {});
  }

  /** Waits until all have finished their purchase. @throws the first error of a buyer */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** @returns the token of a session */
  async signUp(username: string): Promise<string> {
    const account = { username, password: PASSWORD };
    const registration = { ...account, email: `${username}@cluster.example` };
    // 409: registered by the attempt whose response was lost.
    await this.#repeat('POST', '/users/register', { body: registration }, [201, 409]);
    const { body } = await this.#repeat('POST', '/users/login', { body: account }, [200]);
    return textAt(body, 'tokens', 'accessToken');
  }

  async #buyUntilStopped(token: string, index: number): Promise<void> {
    const ticket = { title: `Buyer ${index}`, theme: 'Cluster', description: 'Stress test' };
    const key = `ticket-${index}`;
    const { body } = await this.#repeat('POST', '/tickets/create', { token, body: ticket, key }, [200, 201]);
    const ticketId = textAt(body, 'id');
    for (let round = 0; !this.#isStopped; round += 1) {
      const product = this.products[(index + round) % this.products.length];
      await this.buy(token, product);
      await this.#write(token, ticketId, `${index}-${round}`);
    }
  }

  /** Orders a product, pays, and waits until the order is paid. */
  async buy(token: string, product = this.products[0] ?? ''): Promise<AcknowledgedOrder> {
    const order = await this.#order(token, product);
    await this.#pay(token, order);
    return order;
  }

  /** Orders one unit; a lost response of the cart may have added another one. */
  async #order(token: string, product: string): Promise<AcknowledgedOrder> {
    const line = { product_id: product, quantity: 1 };
    await this.#repeat('POST', '/cart/add', { token, body: line }, [200]);
    const { body } = await this.#repeat('POST', '/cart/checkout', { token, body: BILLING, key: randomUUID() }, [201]);
    const order: AcknowledgedOrder = {
      id: textAt(body, 'order', 'id'),
      acknowledgedAtMs: Date.now(),
      createdAtMs: Date.parse(textAt(body, 'order', 'created_at')),
      sats: Math.round(numberAt(body, 'order', 'payment', 'amount_btc') * SATS),
      txid: null,
      paidAtMs: null,
      address: textAt(body, 'order', 'payment', 'address'),
    };
    this.orders.push(order);
    return order;
  }

  async #pay(token: string, order: AcknowledgedOrder): Promise<void> {
    const sent = await this.#shop.chain.pay(order.address, BigInt(order.sats));
    if (!sent.ok) throw new Error(`the chain refused a payment: ${JSON.stringify(sent)}`);
    order.txid = sent.txid;
    for (;;) {
      const { body } = await this.#repeat('GET', `/orders/${order.id}`, { token }, [200]);
      if (textAt(body, 'order', 'payment_status') === 'paid') break;
      await sleep(POLL_MS);
    }
    order.paidAtMs = Date.now();
  }

  async #write(token: string, ticketId: string, text: string): Promise<void> {
    const message = { ticket_id: ticketId, message: text, client_id: randomUUID() };
    const { body } = await this.#repeat('POST', '/tickets/messages', { token, body: message }, [200, 201]);
    this.messages.push({ id: textAt(body, 'id'), text });
  }

  async #mineUntilStopped(): Promise<void> {
    while (!this.#isStopped || this.orders.some(({ paidAtMs }) => paidAtMs === null)) {
      await sleep(BLOCK_EVERY_MS);
      await this.#shop.chain.mine(1);
    }
  }

  /** Repeats a call, with the same key, until it is executed. */
  async #repeat(
    method: string,
    path: string,
    request: { readonly token?: string; readonly body?: unknown; readonly key?: string },
    expected: readonly number[],
  ): Promise<Response> {
    for (;;) {
      const response = await this.#send(method, path, request);
      if (response !== null && expected.includes(response.status)) return response;
      const status = response?.status ?? 0;
      if (status !== 0 && !UNAVAILABLE.has(status)) {
        const finding = `${method} ${path.replace(/[\da-f-]{36}/, ':id')}: ${status} ${JSON.stringify(response?.body)}`;
        this.findings.add(finding.slice(0, 300));
        throw new Error(finding);
      }
      this.refusals.set(status, (this.refusals.get(status) ?? 0) + 1);
      await sleep(PAUSE_MS);
    }
  }

  /** Null without a response. */
  async #send(
    method: string,
    path: string,
    { token, body, key }: { readonly token?: string; readonly body?: unknown; readonly key?: string },
  ): Promise<Response | null> {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const init = { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    try {
      const response = await fetch(`${this.#shop.url}/api${path}`, init);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text };
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError')
        this.findings.add(`${method} ${path}: no response within ${RESPONSE_TIMEOUT_MS / 1000} s`);
      return null;
    }
  }
}
