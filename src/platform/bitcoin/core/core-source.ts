import { z } from 'zod';
import { ChainSourceError } from '../chain-source.ts';
import type { ChainSource, MempoolEntry, SourceLimitation } from '../chain-source.ts';
import type { BitcoinNetwork, BitcoinNetworkName } from '../network.ts';
import { verifyHeader, verifyTransaction } from '../verified-bytes.ts';
import { CoreRpc, RpcError } from './core-rpc.ts';
import type { CoreRpcOptions } from './core-rpc.ts';
import { findTransaction } from './find-transaction.ts';
import { BatchedCalls } from './batched-calls.ts';
import type { CoreRpcMethod } from './rpc-methods.ts';

const WHO = 'the Bitcoin node';

/** Chain names of Bitcoin Core. */
const CHAINS: Readonly<Record<BitcoinNetworkName, string>> = {
  mainnet: 'main',
  testnet4: 'testnet4',
  signet: 'signet',
  regtest: 'regtest',
};

/** From Bitcoin Core's rpc/protocol.h. */
const NO_SUCH_ADDRESS_OR_KEY = -5;
const PARAMETER_OUT_OF_RANGE = -8;
const MISC_ERROR = -1;

/** A mainnet mempool is several MB of txids. */
const POLL_MS = 5_000;
const REGTEST_POLL_MS = 2_000;
/** Headers arrive before blocks: one missing block does not mean that the node lags behind. */
const MAX_PENDING_BLOCKS = 1;
/** One hour of blocks. */
const FEE_TARGET = 6;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const hex = z.string().regex(/^(?:[0-9a-f]{2})+$/);
const height = z.number().int().nonnegative();
const chainInfo = z.object({
  chain: z.string(),
  blocks: height,
  headers: height,
  bestblockhash: hash,
  initialblockdownload: z.boolean(),
  /** Pruned nodes only: height of the oldest block. */
  pruneheight: height.optional(),
});
/** Null if spent or unknown. */
const unspentOutput = z.object({ confirmations: z.number().int().nonnegative() }).nullable();
/** Without a rate until the node has seen enough blocks. */
const feeEstimate = z.object({ feerate: z.number().positive().max(1).optional() });
const mempoolInfo = z.object({ loaded: z.boolean(), maxmempool: z.number().optional() });
const networkInfo = z.object({ connections: z.number(), localrelay: z.boolean().optional() });
/** Bytes; the default is 300 MB. Below this, the node drops payments with normal fees when busy. */
const SMALL_MEMPOOL_BYTES = 50_000_000;
/** Amounts in BTC, sizes in virtual bytes, time in seconds. */
const mempoolEntry = z.object({
  time: z.number().int().nonnegative(),
  vsize: z.number().int().positive(),
  ancestorsize: z.number().int().positive(),
  descendantsize: z.number().int().positive(),
  fees: z.object({ base: z.number(), ancestor: z.number(), descendant: z.number() }),
});
const netTotals = z.object({ timemillis: z.number().int().positive() });

const computePerKvb = (btc: number, virtualBytes: number): bigint =>
  BigInt(Math.floor((Math.round(btc * 1e8) * 1000) / virtualBytes));

/** Effective fee rate: with its ancestors, or with descendants that pay more. */
function computeFee({ vsize, ancestorsize, descendantsize, fees }: z.output<typeof mempoolEntry>): bigint {
  const [own, needed] = [computePerKvb(fees.base, vsize), computePerKvb(fees.ancestor, ancestorsize)];
  const alone = own < needed ? own : needed;
  const helped = computePerKvb(fees.descendant, descendantsize);
  return helped > alone ? helped : alone;
}

export interface CoreSourceOptions extends CoreRpcOptions {
  readonly network: BitcoinNetwork;
}

/**
 * A Bitcoin Core or Knots node over JSON-RPC: no wallet or txindex needed, pruned or not. Trusted
 * as the merchant's own; responses are only checked to match the request.
 */
export function createCoreSource({ network, ...options }: CoreSourceOptions): ChainSource {
  const rpc = new CoreRpc(options);
  const isPublic = network.name !== 'regtest';

  async function callNode<T>(shape: z.ZodType<T>, method: CoreRpcMethod, ...params: unknown[]): Promise<T> {
    const read = shape.safeParse(await rpc.call(method, params));
    if (!read.success) throw new ChainSourceError(`${WHO} returned an invalid response to ${method}`);
    return read.data;
  }

  const transactions = new BatchedCalls(rpc, 'getrawtransaction' satisfies CoreRpcMethod);
  const entries = new BatchedCalls(rpc, 'getmempoolentry' satisfies CoreRpcMethod);

  async function readEntry(txid: string): Promise<MempoolEntry | null> {
    try {
      const read = mempoolEntry.safeParse(await entries.call([txid]));
      if (!read.success) throw new ChainSourceError(`${WHO} returned an invalid response to getmempoolentry`);
      return { arrivedAt: new Date(read.data.time * 1000), feePerKvb: computeFee(read.data) };
    } catch (error) {
      if (error instanceof RpcError && error.code === NO_SUCH_ADDRESS_OR_KEY) return null;
      throw error;
    }
  }

  return {
    name: 'core',
    pollMs: isPublic ? POLL_MS : REGTEST_POLL_MS,
    async readTip() {
      const info = await callNode(chainInfo, 'getblockchaininfo');
      if (info.chain !== CHAINS[network.name]) {
        throw new ChainSourceError(`${WHO} is on "${info.chain}", but the settings require ${network.name}`);
      }
      const isBehind = info.headers > info.blocks + MAX_PENDING_BLOCKS;
      if (isBehind || (isPublic && info.initialblockdownload)) {
        throw new ChainSourceError(`${WHO} is not ready: it has validated ${info.blocks} of ${info.headers} blocks`);
      }
      if (isPublic && (await callNode(networkInfo, 'getnetworkinfo')).connections === 0) {
        throw new ChainSourceError(`${WHO} has no peers`);
      }
      return { height: info.blocks, hash: info.bestblockhash };
    },
    async readBlockHash(at) {
      try {
        return await callNode(hash, 'getblockhash', at);
      } catch (error) {
        if (error instanceof RpcError && error.code === PARAMETER_OUT_OF_RANGE) return null;
        throw error;
      }
    },
    async readRawBlock(wanted) {
      try {
        const raw = Buffer.from(await callNode(hex, 'getblock', wanted, 0), 'hex');
        verifyHeader(WHO, raw, wanted);
        return raw;
      } catch (error) {
        if (!(error instanceof RpcError) || error.code !== MISC_ERROR) throw error;
        throw new ChainSourceError(
          `${error.message}: the node pruned it. Set a greater prune= and sync the node again`,
          { cause: error },
        );
      }
    },
    async listMempoolTxids() {
      // While the node still loads its mempool, payments in it would count as dropped.
      const { loaded } = await callNode(mempoolInfo, 'getmempoolinfo');
      if (!loaded) throw new ChainSourceError(`${WHO} is not ready: it is still loading its mempool`);
      return new Set(await callNode(z.array(hash), 'getrawmempool', false));
    },
    async readRawTransaction(txid) {
      try {
        const found = hex.safeParse(await transactions.call([txid, false]));
        if (!found.success) throw new ChainSourceError(`${WHO} returned an invalid response to getrawtransaction`);
        return verifyTransaction(WHO, Buffer.from(found.data, 'hex'), txid);
      } catch (error) {
        if (error instanceof RpcError && error.code === NO_SUCH_ADDRESS_OR_KEY) return null;
        throw error;
      }
    },
    async readMempoolEntries(txids) {
      const found = await Promise.all(txids.map(async (txid) => [txid, await readEntry(txid)] as const));
      return new Map(found.flatMap(([txid, entry]) => (entry === null ? [] : [[txid, entry]])));
    },
    async readTime() {
      return new Date((await callNode(netTotals, 'getnettotals')).timemillis);
    },
    async broadcast(raw) {
      return callNode(hash, 'sendrawtransaction', Buffer.from(raw).toString('hex'));
    },
    async isUnspent({ txid, vout }) {
      const output = await callNode(unspentOutput, 'gettxout', txid, vout, true);
      return output !== null && output.confirmations > 0;
    },
    async estimateFeeRate(blocks = FEE_TARGET) {
      const { feerate } = await callNode(feeEstimate, 'estimatesmartfee', blocks);
      // BTC per 1,000 virtual bytes; rounding finds the exact satoshis.
      return feerate === undefined ? null : Math.round(feerate * 1e8) / 1000;
    },
    findTransaction: (txid) => findTransaction(callNode, txid),
    findOldestBlock: async () => (await callNode(chainInfo, 'getblockchaininfo')).pruneheight ?? 0,
    async listLimitations() {
      const [relay, mempool] = await Promise.all([
        callNode(networkInfo, 'getnetworkinfo'),
        callNode(mempoolInfo, 'getmempoolinfo'),
      ]);
      const found: SourceLimitation[] = [];
      if (relay.localrelay === false) found.push('blocks-only');
      if ((mempool.maxmempool ?? Infinity) < SMALL_MEMPOOL_BYTES) found.push('small-mempool');
      return found;
    },
    // Polled every few seconds; notifications would need a port and node settings.
    onHint: () => () => {},
  };
}
