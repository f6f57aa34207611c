import { ChainSourceError } from '#src/platform/bitcoin/chain-source.ts';
import type { ChainSource } from '#src/platform/bitcoin/chain-source.ts';
import type { ChainState } from './chain-state.ts';
import type { Devchain } from './devchain.ts';
import { computeVirtualSize } from '#src/platform/bitcoin/transaction.ts';
import { DEVCHAIN_FEE_RATE } from './regtest-rules.ts';

const POLL_MS = 2_000;

/** Chain source that reads the devchain. */
export function createDevchainSource(devchain: Devchain): ChainSource {
  const readState = async (): Promise<ChainState> => {
    try {
      await devchain.waitUntilReady();
      return devchain.state;
    } catch (cause) {
      throw new ChainSourceError('the devchain cannot be read', { cause });
    }
  };
  return {
    name: 'devchain',
    pollMs: POLL_MS,
    async readTip() {
      const { height, hash } = (await readState()).tip;
      return { height, hash };
    },
    async readBlockHash(height) {
      return (await readState()).findBlockAt(height)?.hash ?? null;
    },
    async readRawBlock(hash) {
      const block = (await readState()).findBlockByHash(hash);
      if (block === undefined) throw new ChainSourceError(`no block ${hash} in the best chain`);
      return block.raw;
    },
    async listMempoolTxids() {
      return new Set((await readState()).mempool.keys());
    },
    async readRawTransaction(txid) {
      return (await readState()).findTransaction(txid)?.transaction.raw ?? null;
    },
    async broadcast(raw) {
      const sent = await devchain.submit(raw);
      if (!sent.ok) throw new ChainSourceError(`refused: ${sent.reason}`);
      return sent.txid;
    },
    async isUnspent(outpoint) {
      const now = await readState();
      return (now.findOutput(outpoint)?.block ?? null) !== null && now.findSpender(outpoint) === undefined;
    },
    async readMempoolEntries(txids) {
      const { mempool } = await readState();
      return new Map(
        txids.flatMap((txid) => {
          const entry = mempool.get(txid);
          if (entry === undefined) return [];
          const { feeSats, transaction } = entry;
          const feePerKvb = (feeSats * 1000n) / BigInt(computeVirtualSize(transaction.weight));
          return [[txid, { arrivedAt: devchain.findEntryTime(txid), feePerKvb }]];
        }),
      );
    },
    readTime: async () => devchain.now(),
    estimateFeeRate: async () => DEVCHAIN_FEE_RATE,
    async findTransaction(txid) {
      const now = await readState();
      const found = now.findTransaction(txid);
      if (found === undefined) return null;
      const height = found.block?.height ?? null;
      const outputs = found.transaction.outputs.map(({ amountSats, scriptHex }, vout) => ({
        vout,
        amountSats,
        scriptHex,
      }));
      const confirmations = height === null ? 0 : now.tip.height - height + 1;
      return { confirmations, height, isComplete: true, outputs };
    },
    findOldestBlock: async () => 0,
    listLimitations: async () => [],
    onHint: (listener) => devchain.onChange(listener),
  };
}
