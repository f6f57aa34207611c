/** The short form of the stress test of a database cluster under Patroni. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findClusterObstacle } from './support/cluster/namespaces.ts';
import { startCluster } from './support/cluster/start-cluster.ts';

/** On a busy machine; `npm run stress -- cluster` measures with the limit of 10 s. */
const WITHIN_MS = 120_000;

test(
  '[OPS-24] sells on under Patroni after kill -9 of the primary, and loses nothing',
  { skip: findClusterObstacle() ?? false },
  async (t) => {
    let printed = '';
    const code = await startCluster({ rounds: 1, buyers: 6, withinMs: WITHIN_MS, faults: ['primary'] }, (text) => {
      printed += text;
    });
    t.diagnostic(printed);
    assert.equal(code, 0, printed);
    assert.match(printed, /^primary \(hosts\): sales again after /m);
    assert.match(printed, /^0 findings$/m);
  },
);
