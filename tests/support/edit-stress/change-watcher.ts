/** Measures how long it takes until a change at one process is shown by another. */
import { setTimeout as sleep } from 'node:timers/promises';
import { numberAt, textAt } from '../read-json.ts';
import type { PooledProcess, PoolResponse, ProcessPool } from './process-pool.ts';

const POLL_MS = 15;
const PAUSE_MS = 400;
const GIVE_UP_MS = 30_000;

/** A product that nobody else edits. */
export interface WatchedProduct {
  readonly id: string;
  readonly slug: string;
}

export class ChangeWatcher {
  /** From the response to the edit until the other process showed it: on the API and on the page. */
  readonly delays: { readonly api: number; readonly page: number }[] = [];
  readonly findings: string[] = [];
  readonly #pool: ProcessPool;
  readonly #token: string;
  readonly #product: WatchedProduct;
  /** The price in whole dollars that was stored last. */
  #dollars = 2_000;
  #lastEdit: Promise<unknown> = Promise.resolve();

  constructor(pool: ProcessPool, token: string, product: WatchedProduct) {
    this.#pool = pool;
    this.#token = token;
    this.#product = product;
  }

  /** Edits the product at random processes until it is over. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const { process: editing } = await this.#edit();
      const others = this.#pool.processes.filter((one) => one !== editing && one.isReachable);
      for (const other of others) {
        const delay = await this.measure(other, () => isOver() || !other.isReachable);
        if (delay !== null) this.delays.push(delay);
      }
      await sleep(PAUSE_MS);
    }
  }

  /** Edits the product at any process; `measure` then waits for this change. */
  async editNow(): Promise<void> {
    await this.#edit();
  }

  // One edit at a time, so that a refusal has no other reason than an earlier attempt of the same edit.
  #edit(): Promise<PoolResponse> {
    const edit = this.#lastEdit.then(() => this.#editOnce());
    this.#lastEdit = edit.catch(() => {});
    return edit;
  }

  async #editOnce(): Promise<PoolResponse> {
    const { id } = this.#product;
    const request = { token: this.#token };
    const { body } = await this.#pool.call('GET', `/catalogue/products/${id}`, request);
    const edited = { id, version: numberAt(body, 'product', 'version') };
    const response = await this.#pool.call('POST', '/catalogue/bulk-edits', {
      ...request,
      body: { products: [edited], change: { kind: 'price-set', usd: this.#dollars + 1 } },
    });
    if (response.status === 200) this.#dollars += 1;
    else if (response.isRepeated) {
      // An attempt whose connection was cut may have stored it.
      const stored = await this.#pool.call('GET', `/catalogue/products/${id}`, request);
      this.#dollars = numberAt(stored.body, 'product', 'content', 'base_price_usd');
    } else this.findings.push(`the watched product could not be edited: ${response.status}`);
    return response;
  }

  /** Milliseconds until a process shows the last price; null if it does not in time. */
  async measure(process: PooledProcess, isGivenUp: () => boolean = () => false) {
    const began = performance.now();
    const path = `/products/${this.#product.slug}`;
    const wanted = this.#dollars;
    const api = await this.#poll(began, isGivenUp, async () => {
      const { body } = await this.#pool.call('GET', path, { at: process });
      return numberAt(body, 'base_price_in_usd') === wanted && textAt(body, 'id') === this.#product.id;
    });
    const text = wanted.toLocaleString('en-US');
    const page = await this.#poll(began, isGivenUp, async () => {
      const response = await fetch(`${process.url}/catalog/product/${this.#product.slug}`).catch(() => null);
      return (await response?.text())?.includes(text) === true;
    });
    if (api === null || page === null) {
      if (!isGivenUp()) this.findings.push(`${process.name} did not show a change for ${GIVE_UP_MS / 1000} s`);
      return null;
    }
    return { api, page };
  }

  async #poll(began: number, isGivenUp: () => boolean, isShown: () => Promise<boolean>): Promise<number | null> {
    while (performance.now() - began < GIVE_UP_MS && !isGivenUp()) {
      if (await isShown()) return Math.round(performance.now() - began);
      await sleep(POLL_MS);
    }
    return null;
  }
}
