import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import Fastify from 'fastify';
import { z } from 'zod';
import type { ChainSource } from '../chain-source.ts';
import { getBitcoinNetwork } from '../network.ts';
import { createCoreSource } from './core-source.ts';
import { CORE_RPC_METHODS } from './rpc-methods.ts';

const TXID = 'ab'.repeat(32);
const one = z.object({ id: z.number(), method: z.string() });
const request = z.union([one.transform((call) => [call]), z.array(one)]);

/** Responses of a mainnet node that decide on further calls. */
const RESULTS: Readonly<Record<string, unknown>> = {
  getblockchaininfo: { chain: 'main', blocks: 9, headers: 9, bestblockhash: TXID, initialblockdownload: false },
  getnetworkinfo: { connections: 8, localrelay: true },
  getmempoolinfo: { loaded: true, maxmempool: 300_000_000 },
  getrawmempool: [],
  estimatesmartfee: {},
};

/** A node that records calls and rejects those of `refused` as rpcwhitelist does. */
async function startRecordingNode(context: TestContext, refused: ReadonlySet<string> = new Set()) {
  const app = Fastify();
  const called = new Set<string>();
  app.post('/', ({ body }, reply) => {
    const calls = request.parse(body);
    for (const { method } of calls) called.add(method);
    if (calls.some(({ method }) => refused.has(method))) return reply.code(403).send();
    const responses = calls.map(({ id, method }) => ({ id, result: RESULTS[method] ?? null, error: null }));
    return Array.isArray(body) ? responses : responses[0];
  });
  const url = (await app.listen({ host: '127.0.0.1', port: 0 })).replace('//', '//shop:secret@');
  context.after(() => app.close());
  return { called, source: createCoreSource({ network: getBitcoinNetwork('mainnet'), url, cookieFile: null }) };
}

/** Every method of a chain source. */
const SOURCE_CALLS: {
  readonly [Key in Exclude<keyof ChainSource, 'name' | 'pollMs' | 'onHint'>]: (source: ChainSource) => Promise<unknown>;
} = {
  readTip: (source) => source.readTip(),
  readBlockHash: (source) => source.readBlockHash(1),
  readRawBlock: (source) => source.readRawBlock(TXID),
  listMempoolTxids: (source) => source.listMempoolTxids(async () => []),
  readRawTransaction: (source) => source.readRawTransaction(TXID),
  broadcast: (source) => source.broadcast(Buffer.from('00', 'hex')),
  readMempoolEntries: (source) => source.readMempoolEntries([TXID]),
  readTime: (source) => source.readTime(),
  isUnspent: (source) => source.isUnspent({ txid: TXID, vout: 0 }),
  estimateFeeRate: (source) => source.estimateFeeRate(),
  findTransaction: (source) => source.findTransaction(TXID),
  findOldestBlock: (source) => source.findOldestBlock(),
  listLimitations: (source) => source.listLimitations(),
};

test('[PAY-09] the documented rpcwhitelist has every call the shop makes', async (context) => {
  const { called, source } = await startRecordingNode(context);
  for (const callNode of Object.values(SOURCE_CALLS)) await callNode(source).catch(() => {});
  const [, list = ''] = /^ *rpcwhitelist=shop:(\S+)$/m.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
  assert.deepEqual(list.split(','), [...CORE_RPC_METHODS]);
  assert.deepEqual([...called].toSorted(), [...CORE_RPC_METHODS]);
});

test('[PAY-09] names the call that the node rejects with 403', async (context) => {
  const { source } = await startRecordingNode(context, new Set(['getmempoolinfo', 'getrawtransaction']));
  await source.readTip();
  await assert.rejects(SOURCE_CALLS.listMempoolTxids(source), {
    message: 'the Bitcoin node rejected getmempoolinfo (403): add it to rpcwhitelist',
  });
  await assert.rejects(source.readRawTransaction(TXID), /rejected getrawtransaction \(403\): add it to rpcwhitelist$/);
});

test('[PAY-09] names both causes if the node rejects every call', async (context) => {
  const { source } = await startRecordingNode(context, new Set(CORE_RPC_METHODS));
  await assert.rejects(source.readTip(), /rejected getblockchaininfo \(403\): .*rpcwhitelist.*rpcallowip/);
});
