/** A map that forgets what was used longest ago once its values take too much room. */
export class ByteBoundCache<Value> {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    // A map lists its keys in the order they came in: this one is the newest again.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** @param bytes what the value takes, without its key. What would fill an eighth by itself is not kept. */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key);
    const taken = bytes + key.length * 2;
    if (taken > this.#maxBytes / 8) return;
    this.#entries.set(key, { value, bytes: taken });
    this.#bytes += taken;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}
