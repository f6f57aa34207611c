import { z } from 'zod';
import type { BlockHeader } from '../block-header.ts';
import { HEADER_BYTES } from '../block-header.ts';
import { ChainSourceError } from '../chain-source.ts';
import type { ChainSource } from '../chain-source.ts';
import type { BitcoinNetwork } from '../network.ts';
import { parseTransaction } from '../transaction.ts';
import { verifyBlock, verifyHeader, verifyTransaction } from '../verified-bytes.ts';
import { AddressMempool } from './address-mempool.ts';
import { readFirstSeenTimes } from './first-seen-times.ts';
import { EsploraClient, WHO } from './esplora-client.ts';
import type { EsploraClientOptions } from './esplora-client.ts';
import { hasExpectedWork } from './expected-work.ts';

export interface EsploraSourceOptions extends EsploraClientOptions {
  readonly network: BitcoinNetwork;
}

const MAX_BLOCK_BYTES = 4_100_000;
const MAX_TRANSACTION_BYTES = 4_000_000;
/** Poll interval for the tip and each open order's address. */
const POLL_MS = 15_000;
const REGTEST_POLL_MS = 2_000;
const CACHE_SIZE = 100;
/** One hour of blocks. */
const FEE_TARGET = 6;
/** Higher fee rates are invalid. */
const MAX_FEE_RATE_ACCEPTED = 100_000;

const isHash = (text: string | null): text is string => text !== null && /^[0-9a-f]{64}$/.test(text);
const transactionStatus = z.object({
  confirmed: z.boolean(),
  block_height: z.number().int().nonnegative().nullish(),
});
const outputSpend = z.object({ spent: z.boolean() });
/** Sats per virtual byte by number of blocks; may be empty. */
const feeEstimates = z.record(z.string(), z.number().positive().max(MAX_FEE_RATE_ACCEPTED));
const fees = z.object({
  fee: z.number().int().nonnegative(),
  weight: z.number().int().positive(),
  status: transactionStatus,
});
const blockStatus = z.object({ in_best_chain: z.boolean(), height: z.number().int().nonnegative().nullish() });

/** Limits a map to its newest entries. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= CACHE_SIZE) break;
    map.delete(oldest);
  }
}

/**
 * A server with Esplora's HTTP API, such as mempool.space. Not trusted: verifies block hash, proof
 * of work and merkle root, and txids.
 */
export function createEsploraSource({ network, ...options }: EsploraSourceOptions): ChainSource {
  const client = new EsploraClient(options);
  const mempool = new AddressMempool(client, network);
  const headers = new Map<string, Pick<BlockHeader, 'bits' | 'prevHash'>>();
  /**
   * Heights by hash, as requested: the caller counts them, so the server cannot choose easier
   * blocks.
   */
  const heights = new Map<string, number>();
  let tipSaid = { hash: '', height: 0 };

  async function readHeader(hash: string): Promise<Pick<BlockHeader, 'bits' | 'prevHash'>> {
    const known = headers.get(hash);
    if (known !== undefined) return known;
    const text = await client.readText(`/block/${hash}/header`);
    if (text === null || text.length !== 2 * HEADER_BYTES)
      throw new ChainSourceError(`${WHO} has no header of block ${hash}`);
    const header = verifyHeader(WHO, Buffer.from(text, 'hex'), hash);
    remember(headers, hash, header);
    return header;
  }

  async function readTipHeight(hash: string): Promise<number> {
    const status = await client.readJson(`/block/${hash}/status`, blockStatus);
    if (!status?.in_best_chain || typeof status.height !== 'number') {
      throw new ChainSourceError(`${WHO} returned inconsistent data about its best chain`);
    }
    return status.height;
  }

  return {
    name: 'esplora',
    pollMs: network.name === 'regtest' ? REGTEST_POLL_MS : POLL_MS,
    async readTip() {
      const hash = await client.readText('/blocks/tip/hash');
      if (!isHash(hash)) throw new ChainSourceError(`${WHO} did not return its newest block`);
      if (hash !== tipSaid.hash) tipSaid = { hash, height: await readTipHeight(hash) };
      return tipSaid;
    },
    async readBlockHash(height) {
      const hash = await client.readText(`/block-height/${height}`);
      if (hash !== null && !isHash(hash)) throw new ChainSourceError(`${WHO} returned an invalid response`);
      if (hash !== null) remember(heights, hash, height);
      return hash;
    },
    async readRawBlock(hash) {
      const raw = await client.readBytes(`/block/${hash}/raw`, MAX_BLOCK_BYTES);
      if (raw === null) throw new ChainSourceError(`${WHO} has no block ${hash}`);
      const header = verifyBlock(WHO, raw, hash, network);
      if (network.hasSteadyWork && hash !== network.genesisHash) {
        const parent = await readHeader(header.prevHash);
        if (!hasExpectedWork(parent, header, heights.get(hash) ?? null)) {
          throw new ChainSourceError(`${WHO} returned block ${hash} with too little proof of work`);
        }
      }
      remember(headers, hash, header);
      return raw;
    },
    listMempoolTxids: async (scripts, waiting) => mempool.listTxids(await scripts(), waiting?.() ?? []),
    async readRawTransaction(txid) {
      const raw = await client.readBytes(`/tx/${txid}/raw`, MAX_TRANSACTION_BYTES);
      return raw === null ? null : verifyTransaction(WHO, raw, txid);
    },
    async broadcast(raw) {
      const txid = await client.post('/tx', Buffer.from(raw).toString('hex'));
      if (!isHash(txid)) throw new ChainSourceError(`${WHO} returned an invalid response`);
      return txid;
    },
    async isUnspent({ txid, vout }) {
      const { confirmed } = (await client.readJson(`/tx/${txid}/status`, transactionStatus)) ?? { confirmed: false };
      if (!confirmed) return false;
      const outspend = await client.readJson(`/tx/${txid}/outspend/${vout}`, outputSpend);
      if (outspend === null) throw new ChainSourceError(`${WHO} did not return whether an output is spent`);
      return !outspend.spent;
    },
    async readMempoolEntries(txids) {
      const times = await readFirstSeenTimes(client, txids);
      const found = await Promise.all(
        txids.map(async (txid) => [txid, await client.readJson(`/tx/${txid}`, fees)] as const),
      );
      return new Map(
        found.flatMap(([txid, paid]) => {
          if (paid === null || paid.status.confirmed) return [];
          const feePerKvb = BigInt(Math.floor((paid.fee * 1000) / Math.ceil(paid.weight / 4)));
          return [[txid, { arrivedAt: times.get(txid) ?? null, feePerKvb }]];
        }),
      );
    },
    readTime: async () => client.getServerTime(),
    async estimateFeeRate(blocks = FEE_TARGET) {
      const estimates = await client.readJson('/fee-estimates', feeEstimates);
      return estimates?.[String(blocks)] ?? null;
    },
    async findTransaction(txid) {
      const [raw, status, tip] = await Promise.all([
        client.readBytes(`/tx/${txid}/raw`, MAX_TRANSACTION_BYTES),
        client.readJson(`/tx/${txid}/status`, transactionStatus),
        client.readText('/blocks/tip/height'),
      ]);
      if (raw === null || status === null) return null;
      const height = status.confirmed ? (status.block_height ?? null) : null;
      const outputs = parseTransaction(verifyTransaction(WHO, raw, txid)).outputs.map(
        ({ amountSats, scriptHex }, vout) => ({ vout, amountSats, scriptHex }),
      );
      const confirmations = height === null ? 0 : Math.max(1, Number(tip) - height + 1);
      if (!Number.isInteger(confirmations)) throw new ChainSourceError(`${WHO} returned an invalid response`);
      return { confirmations, height, isComplete: true, outputs };
    },
    findOldestBlock: async () => 0,
    listLimitations: async () => [],
    onHint: () => () => {},
  };
}
