/**
 * Replaces both processes of a shop one after the other under load, with a migration in between as the first process of a
 * new release applies it, and counts the requests that failed.
 */
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '#src/platform/database/migrate.ts';
import { migrationsDirectory } from './database-server.ts';
import { listAt, textAt } from './read-json.ts';
import type { RollingShop } from './rolling-shop.ts';
import { makeTemporaryDirectory } from './template.ts';
import { waitUntil } from './wait-until.ts';

const CLIENTS = 16;
/** Requests of all clients between two steps. */
const REQUESTS_EACH_STEP = 150;

interface RollingReport {
  readonly requests: number;
  /** One line for each request that failed. */
  readonly failures: readonly string[];
}

class Load {
  requests = 0;
  readonly failures: string[] = [];
  readonly #url: string;
  #token = '';
  #isOver = false;

  constructor(url: string) {
    this.#url = url;
  }

  end(): void {
    this.#isOver = true;
  }

  /** A visitor who looks at pages, fills a cart and reads it, and a customer who reads orders. */
  async visit(): Promise<void> {
    const list = await this.#send('GET', '/api/products?limit=12');
    const products = list === null ? [] : listAt(list);
    const product = products[this.requests % Math.max(1, products.length)];
    if (product === undefined) return;
    const home = String(await this.#send('GET', '/'));
    const [script = ''] = /\/assets\/[\w.-]+\.js/.exec(home) ?? [];
    await this.#send('GET', script);
    await this.#send('GET', `/catalog/product/${textAt(product, 'slug')}`);
    await this.#send('GET', '/search-results?query=phone');
    const cookie = { value: '' };
    await this.#send('POST', '/api/cart/add', { product_id: textAt(product, 'id'), quantity: 1 }, cookie);
    await this.#send('GET', '/api/cart', undefined, cookie);
    await this.#send('GET', '/cart', undefined, cookie);
    await this.#send('GET', '/api/orders', undefined, { value: '' }, this.#token);
  }

  async signIn(): Promise<void> {
    const body = { username: 'alice', password: 'crypto-market' };
    this.#token = textAt(await this.#send('POST', '/api/users/login', body), 'tokens', 'accessToken');
  }

  async visitUntilEnd(): Promise<void> {
    while (!this.#isOver) await this.visit();
  }

  /** The body of the response; null if it failed. */
  async #send(method: string, path: string, body?: object, cookie = { value: '' }, token = ''): Promise<unknown> {
    this.requests += 1;
    try {
      const response = await fetch(this.#url + path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(cookie.value === '' ? {} : { cookie: cookie.value }),
          ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok && response.status !== 409) throw new Error(`${response.status} ${text.slice(0, 200)}`);
      const [set] = response.headers.getSetCookie();
      if (set !== undefined) cookie.value = set.split(';')[0] ?? '';
      return response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text;
    } catch (error) {
      this.failures.push(`${method} ${path}: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }
}

/** Adds a column to tables that most requests read or write. */
async function expandSchema({ db }: RollingShop): Promise<void> {
  const directory = makeTemporaryDirectory();
  cpSync(migrationsDirectory, directory, { recursive: true });
  const number = readdirSync(directory).length + 1;
  const tables = ['products', 'users', 'sessions', 'carts', 'cart_lines', 'variant_stock', 'orders', 'shop_settings'];
  const statements = tables.map((table) => `alter table ${table} add column added_later text`);
  writeFileSync(join(directory, `${String(number).padStart(4, '0')}_added_later.sql`), statements.join(';\n'));
  await migrate(db, directory);
  await rm(directory, { recursive: true });
}

export async function runRollingUpdate(shop: RollingShop, { isMigrating }: { readonly isMigrating: boolean }) {
  const load = new Load(shop.balancer.url);
  await load.signIn();
  const visitors = Array.from({ length: CLIENTS }, () => load.visitUntilEnd());
  const waitForRequests = async (): Promise<void> => {
    const before = load.requests;
    await waitUntil(() => load.requests >= before + REQUESTS_EACH_STEP);
  };
  try {
    await waitForRequests();
    if (isMigrating) await expandSchema(shop);
    for (const index of [0, 1] as const) {
      await shop.replace(index);
      await waitForRequests();
    }
  } finally {
    load.end();
    await Promise.all(visitors);
  }
  const report: RollingReport = { requests: load.requests, failures: load.failures };
  return report;
}
