/** Runs in namespaces of its own: starts a cluster and a shop, and injects faults. Argument: `ClusterOptions` as JSON. */
import { inspect } from 'node:util';
import { z } from 'zod';
import { runCluster } from './cluster-run.ts';
import { FAULT_NAMES } from './cluster-faults.ts';

const options = z
  .object({
    rounds: z.number(),
    buyers: z.number(),
    withinMs: z.number(),
    faults: z.array(z.enum(FAULT_NAMES)),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

const print = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const findings = await runCluster(options, print);
  process.exit(findings.length === 0 ? 0 : 1);
} catch (error) {
  print(inspect(error));
  process.exit(1);
}
