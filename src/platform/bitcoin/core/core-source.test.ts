import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { z } from 'zod';
import { ChainSourceError } from '../chain-source.ts';
import { getBitcoinNetwork } from '../network.ts';
import { createCoreSource } from './core-source.ts';

const TXID = 'ab'.repeat(32);
const callShape = z.object({ id: z.number(), method: z.string() });

test('[PAY-09] [PAY-10] a node that still loads its mempool is not ready', async (context) => {
  let loaded = false;
  const app = Fastify();
  app.post('/', ({ body }) => {
    const { id, method } = callShape.parse(body);
    const results: Record<string, unknown> = { getmempoolinfo: { loaded }, getrawmempool: loaded ? [TXID] : [] };
    return { id, result: results[method], error: null };
  });
  context.after(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const source = createCoreSource({
    network: getBitcoinNetwork('regtest'),
    url: url.replace('//', '//user:secret@'),
    cookieFile: null,
  });
  await assert.rejects(
    source.listMempoolTxids(async () => []),
    (error) => error instanceof ChainSourceError && error.message.includes('still loading its mempool'),
  );
  loaded = true;
  assert.deepEqual(await source.listMempoolTxids(async () => []), new Set([TXID]));
});
