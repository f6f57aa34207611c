/** Payments that left, and whether they can come back. */
import { sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { isDust } from './dust.ts';
import { countConfirmations, COINBASE_MATURITY } from './payment-state.ts';
import type { LedgerOutput } from './payment-state.ts';

type Tip = { readonly height: number } | null;

/**
 * Whether an output that left can't come back: a transaction that spends the same coins has the confirmations required,
 * one at least. A reorganisation that removes that transaction undoes it.
 */
export function isDoubleSpentForGood(output: LedgerOutput, tip: Tip, requiredConfirmations: number): boolean {
  const { conflictHeight, isLive } = output;
  if (isLive || tip === null || conflictHeight === null || conflictHeight === undefined) return false;
  return tip.height - conflictHeight + 1 >= Math.max(1, requiredConfirmations);
}

/** Sats that left for good. */
export function sumDoubleSpentSats(outputs: readonly LedgerOutput[], tip: Tip, requiredConfirmations: number): Sats {
  const gone = outputs.filter((output) => isDoubleSpentForGood(output, tip, requiredConfirmations));
  return sumSats(gone.map(({ amountSats }) => amountSats));
}

/** Sats that are there, or may come back. A coinbase that left does not come back. */
export function sumPossibleSats(outputs: readonly LedgerOutput[], tip: Tip, requiredConfirmations: number): Sats {
  const possible = outputs.filter(
    (output) => output.isLive || (!output.isCoinbase && !isDoubleSpentForGood(output, tip, requiredConfirmations)),
  );
  return sumSats(possible.map(({ amountSats }) => amountSats));
}

/**
 * Whether something has arrived that does not have the confirmations required: what it comes to is open. Dust decides
 * nothing: anybody can send it at any time.
 */
export function hasPendingOutput(outputs: readonly LedgerOutput[], tip: Tip, requiredConfirmations: number): boolean {
  return outputs.some((output) => {
    const needed = Math.max(1, requiredConfirmations, output.isCoinbase ? COINBASE_MATURITY : 0);
    return output.isLive && !isDust(output) && countConfirmations(output, tip) < needed;
  });
}
