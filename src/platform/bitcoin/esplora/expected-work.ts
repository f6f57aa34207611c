import type { BlockHeader } from '../block-header.ts';
import { proofOfWorkTarget } from '../proof-of-work.ts';

/** Blocks between two changes of the work asked for. */
const PERIOD = 2016;
/** What is asked for becomes at most so many times easier. */
const MAX_EASIER = 4n;

/**
 * Whether a block asks for as much work as the rules of Bitcoin want after the one before it. With it nobody makes up a
 * block on top of a genuine one for less than a genuine one costs.
 * @param height of the block, counted by the one who walks the chain; null when it is not known
 */
export function hasExpectedWork(
  parent: Pick<BlockHeader, 'bits'>,
  block: Pick<BlockHeader, 'bits'>,
  height: number | null,
): boolean {
  if (height === null || height % PERIOD !== 0) return parent.bits === block.bits;
  const [before, after] = [proofOfWorkTarget(parent.bits), proofOfWorkTarget(block.bits)];
  return before !== null && after !== null && after <= before * MAX_EASIER;
}
