/** The Bitcoin Core RPC calls that the shop uses, over a devchain. */
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { z } from 'zod';
import { computeVirtualSize } from '#src/platform/bitcoin/transaction.ts';
import type { Devchain } from '#src/shop/demo/devchain/devchain.ts';

export const CORE_USER = 'merchant';
export const CORE_PASSWORD = 'pass:word%';

const call = z.object({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) });

class Refused extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

function createMempoolEntry(devchain: Devchain, txid: string): object {
  const found = devchain.state.mempool.get(txid);
  if (found === undefined) throw new Refused(-5, 'Transaction not in mempool');
  const vsize = computeVirtualSize(found.transaction.weight);
  const fee = Number(found.feeSats) / 1e8;
  const time = Math.floor((devchain.findEntryTime(txid)?.getTime() ?? 0) / 1000);
  const fees = { base: fee, ancestor: fee, descendant: fee };
  return { time, vsize, ancestorsize: vsize, descendantsize: vsize, fees };
}

function createUnspentOutput(devchain: Devchain, outpoint: { txid: string; vout: number }, withMempool: boolean) {
  const { state } = devchain;
  const output = state.findOutput(outpoint);
  if (output === undefined || (withMempool && state.findSpender(outpoint) !== undefined)) return null;
  const confirmations = output.block === null ? 0 : state.tip.height - output.block.height + 1;
  return {
    bestblock: state.tip.hash,
    confirmations,
    value: Number(output.amountSats) / 1e8,
    coinbase: output.isCoinbase,
    scriptPubKey: { hex: output.script.toString('hex') },
  };
}

async function respond(
  devchain: Devchain,
  method: string,
  [first, second, third]: readonly unknown[],
): Promise<unknown> {
  await devchain.waitUntilReady();
  const { state } = devchain;
  switch (method) {
    case 'getblockchaininfo': {
      const { height, hash } = state.tip;
      return { chain: 'regtest', blocks: height, headers: height, bestblockhash: hash, initialblockdownload: true };
    }
    case 'getblockhash': {
      const block = state.findBlockAt(Number(first));
      if (block === undefined) throw new Refused(-8, 'Block height out of range');
      return block.hash;
    }
    case 'getblock': {
      const block = state.findBlockByHash(String(first));
      if (block === undefined) throw new Refused(-5, 'Block not found');
      return block.raw.toString('hex');
    }
    case 'getmempoolinfo':
      return { loaded: true, maxmempool: 300_000_000 };
    case 'getnetworkinfo':
      return { connections: 8, localrelay: true };
    case 'getnettotals':
      return { timemillis: devchain.now().getTime() };
    case 'getrawmempool':
      return [...state.mempool.keys()];
    case 'getrawtransaction': {
      const found = state.mempool.get(String(first));
      if (found === undefined) throw new Refused(-5, 'No such mempool transaction.');
      const hex = found.transaction.raw.toString('hex');
      return second === true ? { hex } : hex;
    }
    case 'getmempoolentry':
      return createMempoolEntry(devchain, String(first));
    case 'gettxout':
      return createUnspentOutput(devchain, { txid: String(first), vout: Number(second) }, third === true);
    case 'estimatesmartfee':
      return { feerate: 0.00002, blocks: first };
    case 'sendrawtransaction': {
      const sent = await devchain.submit(Buffer.from(String(first), 'hex'));
      if (!sent.ok) throw new Refused(-26, sent.reason);
      return sent.txid;
    }
    default:
      throw new Refused(-32601, 'Method not found');
  }
}

export function createFakeCore(devchain: Devchain): FastifyInstance {
  const app = Fastify();
  const expected = `Basic ${Buffer.from(`${CORE_USER}:${CORE_PASSWORD}`).toString('base64')}`;
  const respondToOne = async (body: unknown) => {
    const { id, method, params } = call.parse(body);
    try {
      return { id, result: await respond(devchain, method, params), error: null };
    } catch (error) {
      const code = error instanceof Refused ? error.code : -1;
      return { id, result: null, error: { code, message: error instanceof Error ? error.message : '' } };
    }
  };
  app.post('/', async ({ headers, body }, reply) => {
    if (headers.authorization !== expected) return reply.code(401).send('');
    if (Array.isArray(body)) return Promise.all(body.map(respondToOne));
    const response = await respondToOne(body);
    return reply.code(response.error === null ? 200 : 500).send(response);
  });
  return app;
}
