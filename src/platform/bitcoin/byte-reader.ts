import { asBuffer } from './double-sha256.ts';

/** Bytes that are not what they claim to be: truncated, with a lying length, or not canonical. */
export class MalformedBytesError extends Error {
  override readonly name = 'MalformedBytesError';
}

/** Reads Bitcoin's network serialisation from the front to the end; every read checks the bounds first. */
export class ByteReader {
  readonly bytes: Buffer;
  offset = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = asBuffer(bytes);
  }

  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  /** Moves on by `count` bytes; answers the offset where they began. */
  skip(count: number): number {
    const start = this.offset;
    if (count > this.bytes.length - start) {
      throw new MalformedBytesError(`truncated: ${count} bytes wanted at offset ${start}, ${this.remaining} left`);
    }
    this.offset = start + count;
    return start;
  }

  take(count: number): Buffer {
    const start = this.skip(count);
    return this.bytes.subarray(start, start + count);
  }

  uint8(): number {
    return this.bytes.readUInt8(this.skip(1));
  }

  uint32(): number {
    return this.bytes.readUInt32LE(this.skip(4));
  }

  int32(): number {
    return this.bytes.readInt32LE(this.skip(4));
  }

  uint64(): bigint {
    return this.bytes.readBigUInt64LE(this.skip(8));
  }

  /** A CompactSize; the longer forms must not be used for what fits a shorter one. */
  compactSize(): number {
    const first = this.uint8();
    if (first < 0xfd) return first;
    if (first === 0xfd) return this.#canonical(this.bytes.readUInt16LE(this.skip(2)), 0xfd);
    if (first === 0xfe) return this.#canonical(this.uint32(), 0x1_0000);
    return this.#canonical(Number(this.uint64()), 0x1_0000_0000);
  }

  #canonical(value: number, least: number): number {
    if (value < least)
      throw new MalformedBytesError(`a length before offset ${this.offset} is not in its shortest form`);
    return value;
  }

  /** How many items follow, each of at least `leastBytes`; a count that cannot fit is refused before any loop. */
  count(leastBytes: number): number {
    const count = this.compactSize();
    if (count * leastBytes > this.remaining) {
      throw new MalformedBytesError(`truncated: ${count} items announced, ${this.remaining} bytes left`);
    }
    return count;
  }

  /** Bytes preceded by their length. */
  lengthAndBytes(): Buffer {
    return this.take(this.compactSize());
  }

  finish(what: string): void {
    if (this.remaining > 0) throw new MalformedBytesError(`${this.remaining} bytes left over after the ${what}`);
  }
}
