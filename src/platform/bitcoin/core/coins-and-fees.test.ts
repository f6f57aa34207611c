import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import Fastify from 'fastify';
import { ChainSourceError } from '../chain-source.ts';
import { getBitcoinNetwork } from '../network.ts';
import { createCoreSource } from './core-source.ts';

/** A source on a node with fixed responses. */
async function startFakeNode(context: TestContext) {
  const app = Fastify();
  const node: { result: unknown } = { result: null };
  app.post('/', () => ({ id: 0, result: node.result, error: null }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  context.after(() => app.close());
  const source = createCoreSource({
    network: getBitcoinNetwork('regtest'),
    url: url.replace('//', '//user:secret@'),
    cookieFile: null,
  });
  return { node, source };
}

test('[PAY-13] returns a fee rate in sat/vB, or null while unknown', async (context) => {
  const { node, source } = await startFakeNode(context);
  const rates: unknown[] = [];
  for (const result of [{ feerate: 0.00012345, blocks: 6 }, { feerate: 0.00001, blocks: 6 }, { errors: ['too few'] }]) {
    node.result = result;
    rates.push(await source.estimateFeeRate());
  }
  assert.deepEqual(rates, [12.345, 1, null]);
});

test('[PAY-13] throws on malformed outputs and fees', async (context) => {
  const { node, source } = await startFakeNode(context);
  const outpoint = { txid: 'ab'.repeat(32), vout: 0 };
  for (const result of [{}, { confirmations: -1 }, { confirmations: '1' }, true, []]) {
    node.result = result;
    await assert.rejects(source.isUnspent(outpoint), ChainSourceError, JSON.stringify(result));
  }
  for (const result of [{ feerate: -1 }, { feerate: 0 }, { feerate: '1' }, { feerate: 2 }, 1, null]) {
    node.result = result;
    await assert.rejects(source.estimateFeeRate(), ChainSourceError, JSON.stringify(result));
  }
});
