import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryChain, createSignedSpend, testKey } from '../../../tests/support/devchain.ts';
import { findSpends } from './find-spends.ts';
import { parseTransaction } from './transaction.ts';

test('finds transactions that spend the outpoints', () => {
  const chain = new MemoryChain();
  const key = testKey();
  const coins = [chain.fund(key, 50_000n), chain.fund(key, 60_000n)];
  chain.mine();
  const raw = createSignedSpend(key, coins, [{ script: key.script, amountSats: 100_000n }]);
  assert.ok(chain.submit(raw).ok);
  chain.mine();
  const block = chain.state.tip.raw;
  const [first, second] = coins.map(({ txid, vout }) => `${txid}:${vout}`);
  assert.ok(first !== undefined && second !== undefined);
  const { txid } = parseTransaction(raw);
  assert.deepEqual(findSpends(block, new Set([second])), [{ txid, outpoints: [second] }]);
  assert.deepEqual(findSpends(block, new Set([first, second])), [{ txid, outpoints: [first, second] }]);
  assert.deepEqual(findSpends(block, new Set([`${txid}:0`])), []);
  assert.throws(() => findSpends(block.subarray(0, block.length - 10), new Set([first])), {
    name: 'MalformedBytesError',
  });
});
