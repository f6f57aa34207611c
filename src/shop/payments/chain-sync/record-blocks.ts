import { estimateFirstSeen } from '../ledger/first-seen.ts';
import type { ChainBlock, Conflict, FoundOutput, LedgerTransaction } from '../ledger/ledger-store.ts';
import { COINBASE_MATURITY } from '../ledger/payment-state.ts';

/** Payments up to this depth are reconciled with each new block; deeper ones no longer change. */
export const RECONCILE_DEPTH = COINBASE_MATURITY + 1;

/** A block with its payments and conflicts. */
export interface ScannedBlock {
  readonly block: ChainBlock;
  readonly outputs: readonly FoundOutput[];
  /** Payments that a transaction of the block conflicts with. */
  readonly replaced: readonly Conflict[];
}

export interface NewBlocks {
  readonly fork: number;
  /** Whether stored blocks above the fork are replaced. */
  readonly isBranch: boolean;
  /** The block at the fork if it is not stored yet. */
  readonly base: ChainBlock | null;
  readonly scanned: readonly ScannedBlock[];
  readonly now: Date;
  /** When the ledger last equalled the source; null if never. */
  readonly reconciledAt: Date | null;
}

/**
 * Writes blocks to the ledger within the caller's transaction. Returns the recipients to reconcile.
 */
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
  touched.push(...(await ledger.listRecipientsAbove(fork - RECONCILE_DEPTH)));
  return new Set(touched);
}
