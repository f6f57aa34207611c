/** Replays all changes of stock and compares them with what staff and buyers asked for. */
import type { StockMove, VariantTotals } from './audit-tables.ts';

/** A change of stock that staff requested. */
export interface StockRequest {
  readonly key: string;
  readonly variantId: string;
  readonly change:
    | { readonly kind: 'set'; readonly of: 'on_hand' | 'available'; readonly quantity: number }
    | { readonly kind: 'adjust'; readonly by: number };
}

export interface StockReport {
  readonly findings: readonly string[];
  readonly oversold: number;
  /** Units at the start, added by staff (less those removed), sold and left. */
  readonly units: { readonly start: number; readonly added: number; readonly sold: number; readonly left: number };
}

interface Level {
  available: number;
  /** Units that orders hold. */
  promised: number;
}

/** Available units after a move; null if nothing that was asked for explains it. */
function expectAfter({ available, promised }: Level, move: StockMove, request: StockRequest | undefined) {
  if (move.taken !== null) return available - move.taken;
  if (move.released !== null) return available + move.released;
  if (request === undefined || request.variantId !== move.variantId) return null;
  const { change } = request;
  if (change.kind === 'adjust') return available + change.by;
  return change.of === 'available' ? change.quantity : change.quantity - promised;
}

function compareTotals(levels: ReadonlyMap<string, Level>, totals: readonly VariantTotals[]): readonly string[] {
  return totals.flatMap((total) => {
    const level = levels.get(total.variantId);
    if (level === undefined) return [];
    const isSame = total.available === level.available && total.sold === level.promised;
    if (isSame && total.promised === level.promised) return [];
    return [`stock of ${total.variantId} is ${JSON.stringify(total)}, expected ${JSON.stringify(level)}`];
  });
}

export function replayStock(
  start: ReadonlyMap<string, number>,
  moves: readonly StockMove[],
  requests: ReadonlyMap<string, StockRequest>,
  totals: readonly VariantTotals[],
): StockReport {
  const findings: string[] = [];
  let [added, oversold] = [0, 0];
  const levels = new Map([...start].map(([id, available]): [string, Level] => [id, { available, promised: 0 }]));
  for (const move of moves) {
    const level = levels.get(move.variantId);
    if (level === undefined) {
      findings.push(`stock of ${move.variantId} was not to change`);
      continue;
    }
    const request = requests.get(move.requestKey ?? '');
    const expected = expectAfter(level, move, request);
    if (move.before !== level.available || move.after !== expected) {
      const why = JSON.stringify(request ?? move);
      findings.push(`stock of ${move.variantId}: ${move.before} to ${move.after}, expected ${expected}: ${why}`);
    }
    if (move.taken !== null && (move.after ?? 0) < 0) oversold += Math.min(move.taken, -(move.after ?? 0));
    if (request !== undefined) added += (move.after ?? 0) - level.available;
    level.available = move.after ?? 0;
    level.promised += (move.taken ?? 0) - (move.released ?? 0);
  }
  findings.push(...compareTotals(levels, totals));
  const units = {
    start: [...start.values()].reduce((sum, count) => sum + count, 0),
    added,
    sold: totals.reduce((sum, { sold }) => sum + sold, 0),
    left: totals.reduce((sum, { available }) => sum + available, 0),
  };
  if (units.start + units.added !== units.sold + units.left)
    findings.push(`units do not add up: ${JSON.stringify(units)}`);
  if (oversold > 0) findings.push(`${oversold} units were oversold`);
  return { findings, oversold, units };
}
