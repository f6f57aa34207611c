/** What can happen to a payment, on a real node, over HTTP. `npm run stress -- scenarios` shows the same on the screen. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bitcoindProgram, startBitcoind } from './support/bitcoind.ts';
import { NodeShop } from './support/node-shop.ts';
import { auditOutcomes } from './support/outcome-audit.ts';
import { outcomes } from './support/outcomes/all-outcomes.ts';
import { play } from './support/outcomes/outcome.ts';

const program = bitcoindProgram();
const skip = program === undefined && 'no bitcoind here: set BITCOIND';

let world: NodeShop;
before(async () => {
  if (program !== undefined) world = await NodeShop.open(await startBitcoind(program, { wallet: true }));
});
after(async () => {
  if (program !== undefined) await world.stop();
});

test('the chain is up', { skip }, async () => assert.equal(await world.chain(), 'up'));

for (const outcome of outcomes) test(outcome.title, { skip }, () => play(outcome, world));

test('[PAY-09] no satoshi is missing from the ledger, from the books, or from an order', { skip }, async (context) => {
  const { findings, received } = await auditOutcomes(world);
  context.diagnostic(`${received} sats came`);
  assert.ok(received > 0n);
  assert.deepEqual(findings, []);
});
