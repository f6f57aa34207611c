import { LRUCache } from 'lru-cache';

/** Of the bytes, for entries that were used again after they were stored. */
const USED_AGAIN_SHARE = 3 / 4;
const MAX_ENTRY_SHARE = 1 / 8;

interface Entry<Value> {
  readonly value: Value;
  readonly size: number;
}

/**
 * A least recently used cache, bounded by the bytes of its values and keys. It is segmented: entries
 * that were never used again are evicted first. Requests with new keys do not evict entries in use.
 */
export class ByteBoundCache<Value extends object | string | number> {
  readonly #maxBytes: number;
  readonly #once: LRUCache<string, Entry<Value>>;
  readonly #again: LRUCache<string, Entry<Value>>;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    const options = { maxSize: maxBytes, sizeCalculation: ({ size }: Entry<Value>) => size };
    this.#once = new LRUCache(options);
    this.#again = new LRUCache(options);
  }

  get bytes(): number {
    return this.#once.calculatedSize + this.#again.calculatedSize;
  }

  get(key: string): Value | undefined {
    const known = this.#again.get(key);
    if (known) return known.value;
    const found = this.#once.get(key);
    if (!found) return undefined;
    this.#once.delete(key);
    this.#again.set(key, found);
    while (this.#again.calculatedSize > this.#maxBytes * USED_AGAIN_SHARE) {
      const [oldest] = this.#again.rkeys();
      const moved = oldest === undefined ? undefined : this.#again.peek(oldest);
      if (oldest === undefined || moved === undefined) break;
      this.#again.delete(oldest);
      this.#once.set(oldest, moved);
    }
    return found.value;
  }

  /**
   * Stores nothing, and removes the old value, if the entry takes more than an eighth of the cache.
   * @param bytes of the value; the key is added
   */
  set(key: string, value: Value, bytes: number): void {
    const size = Math.ceil(bytes) + key.length * 2;
    const wasUsedAgain = this.#again.has(key);
    this.delete(key);
    if (size > Math.floor(this.#maxBytes * MAX_ENTRY_SHARE)) return;
    while (this.bytes + size > this.#maxBytes) if (!this.#once.pop() && !this.#again.pop()) break;
    (wasUsedAgain ? this.#again : this.#once).set(key, { value, size });
  }

  delete(key: string): void {
    this.#once.delete(key);
    this.#again.delete(key);
  }
}
