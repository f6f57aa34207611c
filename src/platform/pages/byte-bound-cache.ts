import { LRUCache } from 'lru-cache';

/** A least recently used cache, bounded by the bytes of its values and keys. */
export class ByteBoundCache<Value extends object | string | number> {
  readonly #cache: LRUCache<string, Value>;

  constructor(maxBytes: number) {
    this.#cache = new LRUCache({ maxSize: maxBytes, maxEntrySize: Math.floor(maxBytes / 8) });
  }

  get bytes(): number {
    return this.#cache.calculatedSize;
  }

  get(key: string): Value | undefined {
    return this.#cache.get(key);
  }

  /**
   * Stores nothing, and removes the old value, if the entry takes more than an eighth of the cache.
   * @param bytes of the value; the key is added
   */
  set(key: string, value: Value, bytes: number): void {
    this.#cache.set(key, value, { size: Math.ceil(bytes) + key.length * 2 });
  }

  delete(key: string): void {
    this.#cache.delete(key);
  }
}
