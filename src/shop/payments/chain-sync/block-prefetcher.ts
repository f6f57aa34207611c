import type { BlockSource } from './block-source.ts';

interface ReadBlock {
  readonly height: number;
  readonly hash: string;
  readonly raw: Uint8Array;
}

/** So many blocks are on their way while one is written. */
const PREFETCHED_BLOCKS = 8;
const MAX_BATCH_BYTES = 8_000_000;

/**
 * Reads the blocks of a stretch before they are asked for. What it holds may be of a branch that has been left since: the
 * one who takes it checks that each block builds on the one before.
 */
export class BlockPrefetcher {
  readonly #source: Pick<BlockSource, 'blockHash' | 'rawBlock'>;
  readonly #to: number;
  readonly #pending = new Map<number, Promise<ReadBlock | null>>();

  /** @param to height of the last one that may be asked for */
  constructor(source: Pick<BlockSource, 'blockHash' | 'rawBlock'>, to: number) {
    this.#source = source;
    this.#to = to;
  }

  /**
   * The blocks from one height up to another, as many as are held at once and at least one; null when the source has none
   * there.
   */
  async take(from: number, to: number): Promise<readonly ReadBlock[] | null> {
    const taken: ReadBlock[] = [];
    let bytes = 0;
    for (let height = from; height <= to && bytes < MAX_BATCH_BYTES; height += 1) {
      const block = await this.#takeOne(height);
      if (block === null) return null;
      taken.push(block);
      bytes += block.raw.length;
    }
    return taken;
  }

  async #takeOne(height: number): Promise<ReadBlock | null> {
    const last = Math.min(this.#to, height + PREFETCHED_BLOCKS);
    for (let at = height; at <= last; at += 1) {
      if (this.#pending.has(at)) continue;
      const reading = this.#read(at);
      // Whoever takes it hears of it; nobody may.
      reading.catch(() => {});
      this.#pending.set(at, reading);
    }
    return (await this.#pending.get(height)) ?? null;
  }

  /** Lets go of the blocks up to a height; until then each can be taken again. */
  release(height: number): void {
    for (const at of this.#pending.keys()) if (at <= height) this.#pending.delete(at);
  }

  /** Waits for what is still on its way. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#pending.values());
  }

  async #read(height: number): Promise<ReadBlock | null> {
    const hash = await this.#source.blockHash(height);
    return hash === null ? null : { height, hash, raw: await this.#source.rawBlock(hash) };
  }
}
