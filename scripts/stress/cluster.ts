/**
 * `npm run stress -- cluster [--rounds N] [--only FAULT] [--buyers N] [--within SECONDS]`: buys in three processes of the
 * shop on three PostgreSQL servers under Patroni while servers are killed, cut off, full and switched.
 */
import { parseArgs } from 'node:util';
import { FAULTS } from '../../tests/support/cluster/cluster-faults.ts';
import { startCluster } from '../../tests/support/cluster/start-cluster.ts';
import { findClusterObstacle } from '../../tests/support/cluster/namespaces.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    only: { type: 'string' },
    buyers: { type: 'string', default: '64' },
    within: { type: 'string', default: '10' },
  },
});
const [rounds, buyers, within] = [Number(values.rounds), Number(values.buyers), Number(values.within)];
const only = Object.keys(FAULTS).find((name) => name === values.only) ?? null;
if (
  ![rounds, buyers, within].every((number) => Number.isInteger(number) && number > 0) ||
  (values.only ?? null) !== only
) {
  console.error(`--rounds, --buyers and --within take whole numbers, --only one of ${Object.keys(FAULTS).join(', ')}.`);
  process.exit(1);
}

const obstacle = findClusterObstacle();
if (obstacle === null) {
  process.exitCode = await startCluster({ rounds, buyers, withinMs: within * 1000, only }, (text) =>
    process.stdout.write(text),
  );
} else {
  console.error(`SKIPPED: the cluster test ${obstacle}.`);
  console.error(
    'Debian: apt install patroni etcd-server haproxy postgresql-15 iproute2; as root or with user namespaces.',
  );
}
