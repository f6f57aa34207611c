/**
 * `npm run stress -- scenarios [--seed S --only words]`: all payment scenarios on a real node, over
 * HTTP and on the screen, with random kills and stops. Accounts for every satoshi at the end.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { findBitcoind, startBitcoind } from '../../tests/support/bitcoind.ts';
import { SeededRandom } from '../../tests/support/seeded-random.ts';
import { SeededFaultInjector } from '../../tests/support/fault-injection.ts';
import { NodeShop } from '../../tests/support/node-shop.ts';
import { OrderScreen } from '../../tests/support/order-screen.ts';
import { auditScenarios } from '../../tests/support/scenario-audit.ts';
import { scenarios } from '../../tests/support/scenarios/all-scenarios.ts';
import { playScenario } from '../../tests/support/scenarios/scenario.ts';
import type { Scenario } from '../../tests/support/scenarios/scenario.ts';
import { buildWhenStale } from '../build/build-when-stale.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    /** Only scenarios whose title contains this text. */
    only: { type: 'string', default: '' },
    /** No random kills or stops. */
    calm: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
if (!Number.isInteger(seed)) {
  console.error('--seed takes a whole number.');
  process.exit(1);
}

/** The path through names, without consecutive repetitions. */
const formatPath = (names: readonly string[]): string =>
  names.filter((name, index) => name !== names[index - 1]).join(' → ');

async function playAndReport(scenario: Scenario, nodeShop: NodeShop, screen: OrderScreen): Promise<boolean> {
  const before = { ...nodeShop.counts };
  const states: string[] = [];
  nodeShop.observer = {
    async observeStep(order, expected) {
      states.push(`${expected.state}/${expected.status}`);
      await screen.observeStep(order, expected);
    },
  };
  const failure = await playScenario(scenario, nodeShop).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  console.log(`${failure === null ? 'ok   ' : 'WRONG'} ${scenario.title}`);
  console.log(`      API     ${formatPath(states)}`);
  console.log(`      screen  ${formatPath(screen.read.splice(0))}`);
  const [kills, halts] = [nodeShop.counts.kills - before.kills, nodeShop.counts.halts - before.halts];
  if (kills + halts > 0) console.log(`      faults  shop killed ${kills}, node stopped ${halts}`);
  if (failure !== null) console.log(`      ${failure.replaceAll('\n', '\n      ')}`);
  return failure === null;
}

async function run(program: string): Promise<boolean> {
  console.log(`seed ${seed}`);
  // Before the start, which has a time limit.
  await buildWhenStale();
  const nodeShop = await NodeShop.open(await startBitcoind(program, { wallet: true }));
  try {
    const screen = await OrderScreen.open(nodeShop);
    try {
      return await playAll(nodeShop, screen);
    } finally {
      await screen.close();
    }
  } finally {
    await nodeShop.stop();
  }
}

async function playAll(nodeShop: NodeShop, screen: OrderScreen): Promise<boolean> {
  if (!values.calm) nodeShop.faults = new SeededFaultInjector(new SeededRandom(seed));
  const chosen = scenarios.filter(({ title }) => title.includes(values.only));
  let passed = 0;
  for (const scenario of chosen) if (await playAndReport(scenario, nodeShop, screen)) passed += 1;
  nodeShop.faults = null;
  const { received, ledger, exported, accounted, findings } = await auditScenarios(nodeShop);
  const { due, surplus, unsettled, returned } = accounted;
  console.log('');
  console.log(`${passed} of ${chosen.length} scenarios passed, ${nodeShop.orders.length} orders`);
  console.log(`shop killed ${nodeShop.counts.kills} times, node stopped ${nodeShop.counts.halts} times`);
  console.log(`${received} sats in the node’s blocks, ${ledger} in the ledger, ${exported} in the accounting export:`);
  console.log(`${due} due + ${surplus} surplus + ${unsettled} unsettled + ${returned} returned`);
  console.log(
    `${received - due - surplus - unsettled - returned} sats unaccounted for, ${findings.length} differences`,
  );
  for (const finding of findings) console.log(`  ${finding}`);
  return passed === chosen.length && findings.length === 0;
}

const program = findBitcoind();
if (program === undefined) {
  console.log('NO BITCOIN NODE WAS FOUND: nothing was tested. Install bitcoind (Debian: bitcoin-knots)');
  console.log('or set its path: BITCOIND=/path/to/bitcoind npm run stress -- scenarios');
} else {
  try {
    process.exitCode = (await run(program)) ? 0 : 1;
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  if (process.exitCode === 1) console.error(`To repeat: npm run stress -- scenarios --seed ${seed}`);
}
