import { NO_SATS, sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';

/** A write-off of an order. */
export interface ExportedWriteOff {
  readonly kind: 'unclaimed' | 'paid-twice';
  readonly amountSats: Sats;
  readonly at: Date;
  /** When the buyer claimed the money; null while it is written off. */
  readonly reopenedAt: Date | null;
}

/**
 * unclaimed_sats: received and not claimed, and when. unclaimed_reversed: claimed later, with both
 * times. refund_loss_sats: refunded twice.
 */
export const WRITE_OFF_COLUMNS = ['unclaimed_sats', 'unclaimed_at', 'unclaimed_reversed', 'refund_loss_sats'] as const;

const sumWriteOffs = (writeOffs: readonly ExportedWriteOff[]): Sats =>
  sumSats(writeOffs.map(({ amountSats }) => amountSats));
const formatCell = (amount: Sats): string => (amount === NO_SATS ? '' : String(amount));

const filterUnclaimed = (writeOffs: readonly ExportedWriteOff[]): readonly ExportedWriteOff[] =>
  writeOffs.filter(({ kind, reopenedAt }) => kind === 'unclaimed' && reopenedAt === null);

export const sumUnclaimedSats = (writeOffs: readonly ExportedWriteOff[]): Sats =>
  sumWriteOffs(filterUnclaimed(writeOffs));

/** Cells of an order's write-offs, in the order of WRITE_OFF_COLUMNS; empty if there are none. */
export function createWriteOffCells(writeOffs: readonly ExportedWriteOff[]): string[] {
  const reversed = writeOffs.flatMap(({ amountSats, at, reopenedAt }) =>
    reopenedAt === null ? [] : `${amountSats} ${at.toISOString()} ${reopenedAt.toISOString()}`,
  );
  return [
    formatCell(sumUnclaimedSats(writeOffs)),
    filterUnclaimed(writeOffs)
      .map(({ at }) => at.toISOString())
      .join(' '),
    reversed.join('; '),
    formatCell(sumWriteOffs(writeOffs.filter(({ kind }) => kind === 'paid-twice'))),
  ];
}
