/** Which test files `npm test` runs, and which only `npm test -- --all`. docs/testing.md lists the second ones. */

/** Files of the second set, and why they are not in the first one. */
const SECOND_SET: ReadonlyMap<string, string> = new Map([
  ['tests/cluster.test.ts', 'a cluster of databases'],
]);

/** Files that may cost more than others, and why. */
const COSTLY: ReadonlyMap<string, string> = new Map();

/** Whether `npm test` runs a file. */
export const isInFirstSet = (file: string): boolean => !SECOND_SET.has(file);

/** Files of the second set with their reasons. */
export const listSecondSet = (): readonly (readonly [file: string, reason: string])[] => [...SECOND_SET];

/** Why a file may cost more than others; null if it has no reason. */
export const findCostReason = (file: string): string | null => COSTLY.get(file) ?? null;
