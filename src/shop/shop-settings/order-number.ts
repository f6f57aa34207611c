/** Order numbers as people see them. */

const DIGITS = /^\d{1,18}$/;

/** The number with the prefix in front. */
export const formatOrderNumber = (number: bigint, prefix: string): string => `${prefix}${number}`;

/**
 * The numbers that a text may mean: with one of the prefixes, in any case, or without one. Two are
 * possible when a prefix ends in a digit.
 */
export function findOrderNumbers(text: string, prefixes: readonly string[]): string[] {
  const upper = text.toUpperCase();
  const rests = ['', ...prefixes].flatMap((prefix) =>
    upper.startsWith(prefix.toUpperCase()) ? [text.slice(prefix.length)] : [],
  );
  return [...new Set(rests.filter((rest) => DIGITS.test(rest)))];
}
