import type { BlockSource, ChainReader } from './block-source.ts';
import type { ChainBlock } from '../ledger/ledger-store.ts';

/** Blocks before the first one that is walked: a reorganisation right after the start is then unwound like any other. */
const START_MARGIN = 10;
/** A miner's clock may be this far ahead of the moment when it found the block, or behind it. */
const BLOCK_TIME_SLACK_MS = 2 * 3600 * 1000;

/** The source answered another block than it was asked for. */
export class WrongBlockError extends Error {}

/** Hash and time of the source's block at a height; null when it has none there. */
export async function readBlockAt(
  source: Pick<BlockSource, 'blockHash' | 'rawBlock'>,
  reader: Pick<ChainReader, 'block'>,
  height: number,
): Promise<ChainBlock | null> {
  const hash = await source.blockHash(height);
  if (hash === null) return null;
  const read = reader.block(await source.rawBlock(hash), new Map());
  if (read.hash !== hash) throw new WrongBlockError(`asked for block ${hash}, the chain source answered ${read.hash}`);
  return { height, hash, time: read.time };
}

/**
 * Where to start with an empty ledger: a little below the tip; with addresses that were issued before (a restored
 * database), below the first block that can pay one. Null when the chain moved while it was looked at.
 */
export async function findStart(
  source: BlockSource,
  reader: Pick<ChainReader, 'block'>,
  oldestIssue: Date | null,
): Promise<ChainBlock | null> {
  const oldest = (oldestIssue?.getTime() ?? Infinity) - BLOCK_TIME_SLACK_MS;
  const { height: tip } = await source.tip();
  for (let margin = START_MARGIN; ; margin *= 2) {
    const block = await readBlockAt(source, reader, Math.max(0, tip - margin));
    if (block === null || block.height === 0 || block.time.getTime() < oldest) return block;
  }
}
