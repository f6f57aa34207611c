/** A sentence and its truth condition. */
import type { Facts } from './facts.ts';

interface Context {
  readonly facts: Facts;
  readonly groups: readonly string[];
  /** The complete text that contains the sentence. */
  readonly whole: string;
}
export type Claim = readonly [pattern: RegExp, holds: (facts: Facts, context: Context) => boolean];

/** Condition of advice and general rules, which claim nothing about an order. */
export const isAlways = (): boolean => true;

const splitSentences = (text: string): readonly string[] =>
  text
    .split(/(?<=[.?!])\s+/u)
    .map((one) => one.trim())
    .filter((one) => one !== '');

export class ClaimError extends Error {}

/** Compares every sentence with its claim. @throws when one is false or has no claim. */
export function checkSentences(where: string, text: string, claims: readonly Claim[], facts: Facts): void {
  for (const sentence of splitSentences(text)) {
    const found = claims.flatMap(([pattern, holds]) => {
      const match = pattern.exec(sentence);
      return match === null ? [] : [{ holds, groups: match.slice(1), pattern }];
    });
    if (found.length === 0) throw new ClaimError(`${where}: no precondition is written for "${sentence}"`);
    for (const { holds, groups, pattern } of found) {
      if (!holds(facts, { facts, groups, whole: text }))
        throw new ClaimError(`${where}: "${sentence}" is not true (${pattern})`);
    }
  }
}
