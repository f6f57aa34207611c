import type { BlockSource, ChainReader } from './block-source.ts';
import type { ChainBlock } from '../ledger/ledger-store.ts';

/**
 * Blocks stored below the first applied one, so that a reorganization right after the start can be
 * undone.
 */
const START_MARGIN = 10;
/** Maximum deviation of a block's timestamp from the time it was found. */
const BLOCK_TIME_SLACK_MS = 2 * 3600 * 1000;

/** The source returned another block than the requested one. */
export class WrongBlockError extends Error {}

/** Hash and time of the source's block at a height; null if there is none. */
export async function readBlockAt(
  source: Pick<BlockSource, 'readBlockHash' | 'readRawBlock'>,
  reader: Pick<ChainReader, 'readBlock'>,
  height: number,
): Promise<ChainBlock | null> {
  const hash = await source.readBlockHash(height);
  if (hash === null) return null;
  const read = reader.readBlock(await source.readRawBlock(hash), new Map());
  if (read.hash !== hash) throw new WrongBlockError(`the chain source returned block ${read.hash} instead of ${hash}`);
  return { height, hash, time: read.time };
}

/**
 * Selects the first block of an empty ledger: just below the tip, or below the first block that can
 * pay an issued address (restored database). Null if the chain moved.
 */
export async function findStart(
  source: BlockSource,
  reader: Pick<ChainReader, 'readBlock'>,
  oldestIssue: Date | null,
): Promise<ChainBlock | null> {
  const oldest = (oldestIssue?.getTime() ?? Infinity) - BLOCK_TIME_SLACK_MS;
  const { height: tip } = await source.readTip();
  for (let margin = START_MARGIN; ; margin *= 2) {
    const block = await readBlockAt(source, reader, Math.max(0, tip - margin));
    if (block === null || block.height === 0 || block.time.getTime() < oldest) return block;
  }
}
