/** CPU and elapsed seconds of each test file, as `npm test -- --record` measured them last. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { FileCost } from '../../tests/support/cost-recorder.ts';

const COSTS = 'tests/costs.json';

const costSchema = z.object({ cpu: z.number(), elapsed: z.number() });
const costsSchema = z.object({
  /** What a run of the first set needs besides its files: the build, the database server, the test processes. */
  shared: z.record(z.string(), z.number()),
  files: z.record(z.string(), costSchema),
});

/** A line that a test process writes. */
export const fileCostSchema = costSchema.extend({ file: z.string() });

export type TestCosts = z.infer<typeof costsSchema>;

export const readCosts = (): TestCosts => costsSchema.parse(JSON.parse(readFileSync(COSTS, 'utf8')));

const round = (seconds: number): number => Math.round(seconds * 10) / 10;

/**
 * Replaces the costs of the given files, and removes those of files that no longer exist.
 * @param shared null unless the whole first set ran
 */
export function updateCosts(measured: readonly FileCost[], shared: Readonly<Record<string, number>> | null): void {
  const costs = readCosts();
  const files = new Map(Object.entries(costs.files).filter(([file]) => existsSync(file)));
  for (const { file, cpu, elapsed } of measured) files.set(file, { cpu: round(cpu), elapsed: round(elapsed) });
  const lines = [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, cost]) => `    ${JSON.stringify(file)}: { "cpu": ${cost.cpu}, "elapsed": ${cost.elapsed} }`);
  const rest = Object.entries(shared ?? costs.shared).map(
    ([name, cpu]) => `    ${JSON.stringify(name)}: ${round(cpu)}`,
  );
  // One line per file, so that changes merge.
  writeFileSync(COSTS, `{\n  "shared": {\n${rest.join(',\n')}\n  },\n  "files": {\n${lines.join(',\n')}\n  }\n}\n`);
}
