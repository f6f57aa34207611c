/** Which test files `npm test` runs, and which only `npm test -- --all`. docs/testing.md lists the second ones. */

/** Files of the second set, and why they are not in the first one. A name that ends with `/` is a folder. */
const SECOND_SET: ReadonlyMap<string, string> = new Map([
  ['tests/cluster.test.ts', 'a cluster of databases'],
]);

/** Why a file is in the second set; null if it is in the first. */
export function findReason(file: string): string | null {
  return SECOND_SET.get(file) ?? null;
}

/** Whether `npm test` runs a file. */
export const isInFirstSet = (file: string): boolean => findReason(file) === null;

/** All entries, in the order of docs/testing.md. */
export const listSecondSet = (): readonly (readonly [file: string, reason: string])[] => [...SECOND_SET];
