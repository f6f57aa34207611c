import { toBuffer } from './double-sha256.ts';

/** Malformed bytes: truncated, with a wrong length, or not canonical. */
export class MalformedBytesError extends Error {
  override readonly name = 'MalformedBytesError';
}

/** Sequential reader of Bitcoin's serialization; checks bounds before every read. */
export class ByteReader {
  readonly bytes: Buffer;
  offset = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = toBuffer(bytes);
  }

  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  /** Skips bytes; returns the offset where they begin. */
  skip(count: number): number {
    const start = this.offset;
    if (count > this.bytes.length - start) {
      throw new MalformedBytesError(`truncated: ${count} bytes expected at offset ${start}, ${this.remaining} left`);
    }
    this.offset = start + count;
    return start;
  }

  take(count: number): Buffer {
    const start = this.skip(count);
    return this.bytes.subarray(start, start + count);
  }

  readUint8(): number {
    return this.bytes.readUInt8(this.skip(1));
  }

  readUint32(): number {
    return this.bytes.readUInt32LE(this.skip(4));
  }

  readInt32(): number {
    return this.bytes.readInt32LE(this.skip(4));
  }

  readUint64(): bigint {
    return this.bytes.readBigUInt64LE(this.skip(8));
  }

  /** A CompactSize in its shortest form. */
  readCompactSize(): number {
    const first = this.readUint8();
    if (first < 0xfd) return first;
    if (first === 0xfd) return this.#requireCanonical(this.bytes.readUInt16LE(this.skip(2)), 0xfd);
    if (first === 0xfe) return this.#requireCanonical(this.readUint32(), 0x1_0000);
    return this.#requireCanonical(Number(this.readUint64()), 0x1_0000_0000);
  }

  #requireCanonical(value: number, least: number): number {
    if (value < least)
      throw new MalformedBytesError(`a length before offset ${this.offset} is not in its shortest form`);
    return value;
  }

  /** A count of items of at least `leastBytes` each; rejects counts that cannot fit. */
  count(leastBytes: number): number {
    const count = this.readCompactSize();
    if (count * leastBytes > this.remaining) {
      throw new MalformedBytesError(`truncated: ${count} items announced, ${this.remaining} bytes left`);
    }
    return count;
  }

  /** Length-prefixed bytes. */
  readLengthAndBytes(): Buffer {
    return this.take(this.readCompactSize());
  }

  finish(what: string): void {
    if (this.remaining > 0) throw new MalformedBytesError(`${this.remaining} bytes left over after the ${what}`);
  }
}
