import { NO_SATS, sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';

/** What staff wrote off of an order. */
export interface BookedWriteOff {
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

const sumOf = (writeOffs: readonly BookedWriteOff[]): Sats => sumSats(writeOffs.map(({ amountSats }) => amountSats));
const cell = (amount: Sats): string => (amount === NO_SATS ? '' : String(amount));

const unclaimedOf = (writeOffs: readonly BookedWriteOff[]): readonly BookedWriteOff[] =>
  writeOffs.filter(({ kind, reopenedAt }) => kind === 'unclaimed' && reopenedAt === null);

export const unclaimedSats = (writeOffs: readonly BookedWriteOff[]): Sats => sumOf(unclaimedOf(writeOffs));

/** The cells of an order's write-offs, in the order of WRITE_OFF_COLUMNS; empty where there are none. */
export function writeOffCells(writeOffs: readonly BookedWriteOff[]): string[] {
  const reversed = writeOffs.flatMap(({ amountSats, at, reopenedAt }) =>
    reopenedAt === null ? [] : `${amountSats} ${at.toISOString()} ${reopenedAt.toISOString()}`,
  );
  return [
    cell(unclaimedSats(writeOffs)),
    unclaimedOf(writeOffs)
      .map(({ at }) => at.toISOString())
      .join(' '),
    reversed.join('; '),
    cell(sumOf(writeOffs.filter(({ kind }) => kind === 'paid-twice'))),
  ];
}
