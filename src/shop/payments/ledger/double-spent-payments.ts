/** Payments that left, and whether they can return. */
import { sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { isDust } from './dust.ts';
import { countConfirmations, COINBASE_MATURITY } from './payment-state.ts';
import type { LedgerOutput } from './payment-state.ts';

type Tip = { readonly height: number } | null;

/**
 * Whether a conflicting transaction has the required confirmations (at least one), so that an
 * output that left can't return. A reorganization of the conflict undoes this.
 */
export function isDoubleSpentForGood(output: LedgerOutput, tip: Tip, requiredConfirmations: number): boolean {
  const { conflictHeight, isLive } = output;
  if (isLive || tip === null || conflictHeight === null || conflictHeight === undefined) return false;
  return tip.height - conflictHeight + 1 >= Math.max(1, requiredConfirmations);
}

/** Sats of double-spent outputs. */
export function sumDoubleSpentSats(outputs: readonly LedgerOutput[], tip: Tip, requiredConfirmations: number): Sats {
  const doubleSpent = outputs.filter((output) => isDoubleSpentForGood(output, tip, requiredConfirmations));
  return sumSats(doubleSpent.map(({ amountSats }) => amountSats));
}

/** Sats that are live or may return. A coinbase output that left does not return. */
export function sumPossibleSats(outputs: readonly LedgerOutput[], tip: Tip, requiredConfirmations: number): Sats {
  const possible = outputs.filter(
    (output) => output.isLive || (!output.isCoinbase && !isDoubleSpentForGood(output, tip, requiredConfirmations)),
  );
  return sumSats(possible.map(({ amountSats }) => amountSats));
}

/**
 * Whether a live output lacks the required confirmations. Ignores dust, which anybody can send at
 * any time.
 */
export function hasPendingOutput(outputs: readonly LedgerOutput[], tip: Tip, requiredConfirmations: number): boolean {
  return outputs.some((output) => {
    const needed = Math.max(1, requiredConfirmations, output.isCoinbase ? COINBASE_MATURITY : 0);
    return output.isLive && !isDust(output) && countConfirmations(output, tip) < needed;
  });
}
