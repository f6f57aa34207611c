import { estimateFirstSeen } from '../ledger/first-seen.ts';
import type { ChainBlock, Conflict, FoundOutput, LedgerTransaction } from '../ledger/ledger-store.ts';
import { COINBASE_MATURITY } from '../ledger/payment-state.ts';

/** A payment in a block at most this deep is settled with each new block; then nothing depends on depth any more. */
export const RECONCILE_DEPTH = COINBASE_MATURITY + 1;

/** What a block means to the ledger. */
export interface ScannedBlock {
  readonly block: ChainBlock;
  readonly outputs: readonly FoundOutput[];
  /** Payments that it makes impossible. */
  readonly replaced: readonly Conflict[];
}

export interface NewBlocks {
  readonly fork: number;
  /** Whether blocks of ours above the fork give way. */
  readonly isBranch: boolean;
  /** The block at the fork, when it is not known yet. */
  readonly base: ChainBlock | null;
  readonly scanned: readonly ScannedBlock[];
  readonly now: Date;
  /** When the ledger last held all that the source had; null where it never did. */
  readonly reconciledAt: Date | null;
}

/** Writes blocks into the ledger, in the caller's transaction. Answers the payees to settle. */
export async function recordBlocks(
  ledger: LedgerTransaction,
  { fork, isBranch, base, scanned, now, reconciledAt }: NewBlocks,
): Promise<ReadonlySet<string>> {
  const touched: string[] = [];
  if (isBranch) touched.push(...(await ledger.removeBlocksAbove(fork, now)));
  const blocks = scanned.map(({ block }) => block);
  await ledger.addBlocks(base === null ? blocks : [base, ...blocks]);
  for (const { block, outputs, replaced } of scanned) {
    const { firstSeen, arrivedAfter } = estimateFirstSeen(reconciledAt, block.time < now ? block.time : now);
    if (outputs.length > 0) touched.push(...(await ledger.addBlockOutputs(outputs, block, firstSeen, arrivedAfter)));
    if (replaced.length > 0) {
      const left = replaced.map(({ txid }) => ({ txid, because: 'replaced' as const }));
      touched.push(...(await ledger.markLeft(left, now)));
      touched.push(...(await ledger.markConflicts(replaced, block.height)));
    }
  }
  touched.push(...(await ledger.recipientsAbove(fork - RECONCILE_DEPTH)));
  return new Set(touched);
}
