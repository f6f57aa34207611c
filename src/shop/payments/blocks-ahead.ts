import type { BlockSource } from './block-source.ts';

interface ReadBlock {
  readonly hash: string;
  readonly raw: Uint8Array;
}

/** So many blocks are on their way while one is written. */
const AHEAD = 8;

/**
 * Reads the blocks of a stretch before they are asked for. What it holds may be of a branch that has been left since: the
 * one who takes it checks that each block builds on the one before.
 */
export class BlocksAhead {
  readonly #source: Pick<BlockSource, 'blockHash' | 'rawBlock'>;
  readonly #to: number;
  readonly #onTheirWay = new Map<number, Promise<ReadBlock | null>>();

  /** @param to height of the last one that may be asked for */
  constructor(source: Pick<BlockSource, 'blockHash' | 'rawBlock'>, to: number) {
    this.#source = source;
    this.#to = to;
  }

  /** The block at a height; null when the source has none there. Heights are asked for upwards. */
  async take(height: number): Promise<ReadBlock | null> {
    const last = Math.min(this.#to, height + AHEAD);
    for (let at = height; at <= last; at += 1) {
      if (this.#onTheirWay.has(at)) continue;
      const reading = this.#read(at);
      // Whoever takes it hears of it; nobody may.
      reading.catch(() => {});
      this.#onTheirWay.set(at, reading);
    }
    const wanted = this.#onTheirWay.get(height);
    this.#onTheirWay.delete(height);
    return (await wanted) ?? null;
  }

  /** Waits for what is still on its way. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#onTheirWay.values());
  }

  async #read(height: number): Promise<ReadBlock | null> {
    const hash = await this.#source.blockHash(height);
    return hash === null ? null : { hash, raw: await this.#source.rawBlock(hash) };
  }
}
