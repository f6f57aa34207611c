/** The payment scenarios on a real node, over HTTP. `npm run stress -- scenarios` also uses the screen. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bitcoindProgram, startBitcoind } from './support/bitcoind.ts';
import { NodeShop } from './support/node-shop.ts';
import { auditScenarios } from './support/scenario-audit.ts';
import { scenarios } from './support/scenarios/all-scenarios.ts';
import { playScenario } from './support/scenarios/scenario.ts';

const program = bitcoindProgram();
const skip = program === undefined && 'no bitcoind here: set BITCOIND';

let world: NodeShop;
before(async () => {
  if (program !== undefined) world = await NodeShop.open(await startBitcoind(program, { wallet: true }));
});
after(async () => {
  if (program !== undefined) await world.stop();
});

test('chain sync follows the real node', { skip }, async () => assert.equal(await world.chain(), 'up'));

for (const scenario of scenarios) test(scenario.title, { skip }, () => playScenario(scenario, world));

test('[PAY-09] ledger, accounting export and orders account for every satoshi', { skip }, async (context) => {
  const { findings, received } = await auditScenarios(world);
  context.diagnostic(`${received} sats came`);
  assert.ok(received > 0n);
  assert.deepEqual(findings, []);
});
