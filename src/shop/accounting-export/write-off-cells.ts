import { NO_SATS, sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';

/** What staff wrote off of an order. */
export interface ExportedWriteOff {
  readonly kind: 'unclaimed' | 'paid-twice';
  readonly amountSats: Sats;
  readonly at: Date;
  /** When it was claimed after all; null while it is written off. */
  readonly reopenedAt: Date | null;
}

/**
 * unclaimed_sats: received and kept, since nobody claimed it, and when; unclaimed_reversed: claimed after all, with both
 * moments. refund_loss_sats: sent back twice.
 */
export const WRITE_OFF_COLUMNS = ['unclaimed_sats', 'unclaimed_at', 'unclaimed_reversed', 'refund_loss_sats'] as const;

const sumWriteOffs = (writeOffs: readonly ExportedWriteOff[]): Sats =>
  sumSats(writeOffs.map(({ amountSats }) => amountSats));
const cell = (amount: Sats): string => (amount === NO_SATS ? '' : String(amount));

const filterUnclaimed = (writeOffs: readonly ExportedWriteOff[]): readonly ExportedWriteOff[] =>
  writeOffs.filter(({ kind, reopenedAt }) => kind === 'unclaimed' && reopenedAt === null);

export const sumUnclaimedSats = (writeOffs: readonly ExportedWriteOff[]): Sats =>
  sumWriteOffs(filterUnclaimed(writeOffs));

/** The cells of an order's write-offs, in the order of WRITE_OFF_COLUMNS; empty where there are none. */
export function createWriteOffCells(writeOffs: readonly ExportedWriteOff[]): string[] {
  const reversed = writeOffs.flatMap(({ amountSats, at, reopenedAt }) =>
    reopenedAt === null ? [] : `${amountSats} ${at.toISOString()} ${reopenedAt.toISOString()}`,
  );
  return [
    cell(sumUnclaimedSats(writeOffs)),
    filterUnclaimed(writeOffs)
      .map(({ at }) => at.toISOString())
      .join(' '),
    reversed.join('; '),
    cell(sumWriteOffs(writeOffs.filter(({ kind }) => kind === 'paid-twice'))),
  ];
}
