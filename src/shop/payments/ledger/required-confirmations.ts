import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';

/** Confirmations required from this order total on. */
interface ConfirmationStep {
  readonly fromCents: Cents;
  readonly confirmations: number;
}

/** In ascending order of totals; the first is 0. */
export type ConfirmationSteps = readonly [ConfirmationStep, ...ConfirmationStep[]];

export type ParsedConfirmationSteps =
  | { readonly ok: true; readonly steps: ConfirmationSteps }
  | { readonly ok: false; readonly reason: string };

const createRefusal = (reason: string): ParsedConfirmationSteps => ({ ok: false, reason });

/**
 * Parses a setting such as `0:1,500:2,5000:3,25000:6`: one confirmation below 500 US dollars, two
 * below 5,000, and so on. Totals may have two decimals; confirmations are 1 to 100.
 */
export function parseConfirmationSteps(text: string): ParsedConfirmationSteps {
  const steps: ConfirmationStep[] = [];
  for (const part of text.split(',')) {
    const written = part.trim();
    const match = /^(\d{1,12})(?:\.(\d{1,2}))?\s*:\s*(\d{1,4})$/.exec(written);
    if (match === null) return createRefusal(`"${written}" is not <US dollars>:<confirmations>`);
    const fromCents = cents(BigInt(match[1] ?? '0') * 100n + BigInt((match[2] ?? '').padEnd(2, '0')));
    const confirmations = Number(match[3]);
    if (confirmations < 1 || confirmations > 100)
      return createRefusal(`"${written}" asks for less than 1 or more than 100 confirmations`);
    const before = steps.at(-1);
    if (before === undefined && fromCents !== 0n) return createRefusal('the first total must be 0');
    if (before !== undefined && fromCents <= before.fromCents)
      return createRefusal(`"${written}" does not come after a smaller total`);
    if (before !== undefined && confirmations < before.confirmations) {
      return createRefusal(`"${written}" asks for fewer confirmations than a smaller total`);
    }
    steps.push({ fromCents, confirmations });
  }
  const [first, ...rest] = steps;
  return first === undefined ? createRefusal('no step is given') : { ok: true, steps: [first, ...rest] };
}

/** Confirmations required for an order total; each step includes its lower limit. */
export function computeRequiredConfirmations(steps: ConfirmationSteps, totalCents: Cents): number {
  return (steps.findLast(({ fromCents }) => totalCents >= fromCents) ?? steps[0]).confirmations;
}
