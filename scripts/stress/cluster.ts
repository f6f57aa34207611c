/**
 * `npm run stress -- cluster [--rounds N] [--only FAULT,FAULT] [--buyers N] [--within SECONDS]`: buys in three processes of the
 * shop on three PostgreSQL servers under Patroni while servers are killed, cut off, full and switched.
 */
import { parseArgs } from 'node:util';
import { FAULT_NAMES } from '../../tests/support/cluster/cluster-faults.ts';
import { startCluster } from '../../tests/support/cluster/start-cluster.ts';
import { findClusterObstacle } from '../../tests/support/cluster/namespaces.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    only: { type: 'string', default: FAULT_NAMES.join(',') },
    buyers: { type: 'string', default: '64' },
    within: { type: 'string', default: '10' },
  },
});
const [rounds, buyers, within] = [Number(values.rounds), Number(values.buyers), Number(values.within)];
const names = values.only.split(',');
const faults = FAULT_NAMES.filter((name) => names.includes(name));
if (
  ![rounds, buyers, within].every((number) => Number.isInteger(number) && number > 0) ||
  faults.length !== names.length
) {
  console.error(`--rounds, --buyers and --within take whole numbers, --only a list of ${FAULT_NAMES.join(', ')}.`);
  process.exit(1);
}

const obstacle = findClusterObstacle();
if (obstacle === null) {
  process.exitCode = await startCluster({ rounds, buyers, withinMs: within * 1000, faults }, (text) =>
    process.stdout.write(text),
  );
} else {
  console.error(`SKIPPED: the cluster test ${obstacle}.`);
  console.error(
    'Debian: apt install patroni etcd-server haproxy postgresql-15 iproute2; as root or with user namespaces.',
  );
}
