import type { BlockHeader } from '../block-header.ts';
import { computeProofOfWorkTarget } from '../proof-of-work.ts';

/** Blocks per difficulty period. */
const PERIOD = 2016;
/** Maximum factor by which the work decreases per period. */
const MAX_EASIER = 4n;

/**
 * Whether a block has the work required after its parent, so that forging it costs as much as
 * mining.
 * @param height counted by the caller; null if unknown
 */
export function hasExpectedWork(
  parent: Pick<BlockHeader, 'bits'>,
  block: Pick<BlockHeader, 'bits'>,
  height: number | null,
): boolean {
  if (height === null || height % PERIOD !== 0) return parent.bits === block.bits;
  const [before, after] = [computeProofOfWorkTarget(parent.bits), computeProofOfWorkTarget(block.bits)];
  return before !== null && after !== null && after <= before * MAX_EASIER;
}
