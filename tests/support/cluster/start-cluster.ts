import type { ClusterOptions } from './cluster-run.ts';
import { runInNamespaces } from './namespaces.ts';

/** @returns the exit code: 0 if nothing was lost or duplicated */
export function startCluster(options: ClusterOptions, print: (text: string) => void): Promise<number> {
  return runInNamespaces(['tests/support/cluster/run-cluster.ts', JSON.stringify(options)], print);
}
