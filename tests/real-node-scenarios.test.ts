/** The payment scenarios on a real node, over HTTP. `npm run stress -- scenarios` also uses the screen. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findBitcoind, startBitcoind } from './support/bitcoind.ts';
import { NodeShop } from './support/node-shop.ts';
import { auditScenarios } from './support/scenario-audit.ts';
import { scenarios } from './support/scenarios/all-scenarios.ts';
import { playScenario } from './support/scenarios/scenario.ts';

const program = findBitcoind();
const skip = program === undefined && 'no bitcoind found: set BITCOIND';

let nodeShop: NodeShop;
before(async () => {
  if (program !== undefined) nodeShop = await NodeShop.open(await startBitcoind(program, { wallet: true }));
});
after(async () => {
  if (program !== undefined) await nodeShop.stop();
});

test('chain sync follows the real node', { skip }, async () => assert.equal(await nodeShop.readChainState(), 'up'));

for (const scenario of scenarios) test(scenario.title, { skip }, () => playScenario(scenario, nodeShop));

test('[PAY-09] ledger, accounting export and orders account for every satoshi', { skip }, async (context) => {
  const { findings, received } = await auditScenarios(nodeShop);
  context.diagnostic(`${received} sats received`);
  assert.ok(received > 0n);
  assert.deepEqual(findings, []);
});
