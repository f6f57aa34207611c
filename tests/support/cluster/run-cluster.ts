/** Runs in namespaces of its own: starts a cluster and a shop, and injects faults. Argument: `ClusterOptions` as JSON. */
import { z } from 'zod';
import { runCluster } from './cluster-run.ts';
import { FAULTS } from './cluster-faults.ts';
import type { FaultName } from './cluster-faults.ts';

const isFault = (name: unknown): name is FaultName => typeof name === 'string' && Object.hasOwn(FAULTS, name);
const options = z
  .object({
    rounds: z.number(),
    buyers: z.number(),
    withinMs: z.number(),
    only: z.custom<FaultName>(isFault).nullable(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

try {
  const findings = await runCluster(options, console.log);
  process.exit(findings.length === 0 ? 0 : 1);
} catch (error) {
  console.error(error);
  process.exit(1);
}
