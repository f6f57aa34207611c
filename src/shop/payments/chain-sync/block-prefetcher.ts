import type { BlockSource } from './block-source.ts';

interface ReadBlock {
  readonly height: number;
  readonly hash: string;
  readonly raw: Uint8Array;
}

/** Blocks read ahead while one is written. */
const PREFETCHED_BLOCKS = 8;
const MAX_BATCH_BYTES = 8_000_000;

/**
 * Reads blocks ahead. They may be of a branch that the source has left, so the caller checks that
 * each block extends the previous one.
 */
export class BlockPrefetcher {
  readonly #source: Pick<BlockSource, 'readBlockHash' | 'readRawBlock'>;
  readonly #to: number;
  readonly #pending = new Map<number, Promise<ReadBlock | null>>();

  /** @param to height of the last block that may be requested. */
  constructor(source: Pick<BlockSource, 'readBlockHash' | 'readRawBlock'>, to: number) {
    this.#source = source;
    this.#to = to;
  }

  /**
   * The blocks from one height up to another, at least one and at most the prefetched ones; null if
   * the source has no block there.
   */
  async take(from: number, to: number): Promise<readonly ReadBlock[] | null> {
    const blocks: ReadBlock[] = [];
    let bytes = 0;
    for (let height = from; height <= to && bytes < MAX_BATCH_BYTES; height += 1) {
      const block = await this.#takeOne(height);
      if (block === null) return null;
      blocks.push(block);
      bytes += block.raw.length;
    }
    return blocks;
  }

  async #takeOne(height: number): Promise<ReadBlock | null> {
    const last = Math.min(this.#to, height + PREFETCHED_BLOCKS);
    for (let at = height; at <= last; at += 1) {
      if (this.#pending.has(at)) continue;
      const reading = this.#read(at);
      // The caller of `take` receives the error; this avoids an unhandled rejection when nobody
      // does.
      reading.catch(() => {});
      this.#pending.set(at, reading);
    }
    return (await this.#pending.get(height)) ?? null;
  }

  /** Discards blocks up to a height; until then each can be taken again. */
  release(height: number): void {
    for (const at of this.#pending.keys()) if (at <= height) this.#pending.delete(at);
  }

  /** Waits for pending reads. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#pending.values());
  }

  async #read(height: number): Promise<ReadBlock | null> {
    const hash = await this.#source.readBlockHash(height);
    return hash === null ? null : { height, hash, raw: await this.#source.readRawBlock(hash) };
  }
}
