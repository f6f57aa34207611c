import { ByteBoundCache } from './byte-bound-cache.ts';

/** Of the bytes, for URLs with a query. */
const QUERY_SHARE = 1 / 2;

/**
 * A cache by URL. The merchant decides which paths exist, but visitors can make up any number of queries: URLs with
 * one have a part of the memory of their own, so that they never evict those without.
 */
export class UrlCache<Value extends object> {
  readonly #paths: ByteBoundCache<Value>;
  readonly #queries: ByteBoundCache<Value>;

  constructor(maxBytes: number) {
    this.#paths = new ByteBoundCache(maxBytes * (1 - QUERY_SHARE));
    this.#queries = new ByteBoundCache(maxBytes * QUERY_SHARE);
  }

  get bytes(): number {
    return this.#paths.bytes + this.#queries.bytes;
  }

  get(url: string): Value | undefined {
    return this.#select(url).get(url);
  }

  /** @param bytes of the value; the key is added */
  set(url: string, value: Value, bytes: number): void {
    this.#select(url).set(url, value, bytes);
  }

  delete(url: string): void {
    this.#select(url).delete(url);
  }

  #select(url: string): ByteBoundCache<Value> {
    return url.includes('?') ? this.#queries : this.#paths;
  }
}
