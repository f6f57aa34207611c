import { ChainSourceError } from '#src/platform/bitcoin/chain-source.ts';
import type { ChainSource } from '#src/platform/bitcoin/chain-source.ts';
import type { ChainState } from './chain-state.ts';
import type { Devchain } from './devchain.ts';
import { virtualSize } from '#src/platform/bitcoin/transaction.ts';
import { DEVCHAIN_FEE_RATE } from './regtest-rules.ts';

const POLL_MS = 2_000;

/** Chain source that reads the devchain. */
export function createDevchainSource(devchain: Devchain): ChainSource {
  const state = async (): Promise<ChainState> => {
    try {
      await devchain.ready();
      return devchain.state;
    } catch (cause) {
      throw new ChainSourceError('the devchain cannot be read', { cause });
    }
  };
  return {
    name: 'devchain',
    pollMs: POLL_MS,
    async tip() {
      const { height, hash } = (await state()).tip;
      return { height, hash };
    },
    async blockHash(height) {
      return (await state()).blockAt(height)?.hash ?? null;
    },
    async rawBlock(hash) {
      const block = (await state()).blockByHash(hash);
      if (block === undefined) throw new ChainSourceError(`no block ${hash} in the best chain`);
      return block.raw;
    },
    async mempoolTxids() {
      return new Set((await state()).mempool.keys());
    },
    async rawTransaction(txid) {
      return (await state()).transaction(txid)?.transaction.raw ?? null;
    },
    async broadcast(raw) {
      const sent = await devchain.submit(raw);
      if (!sent.ok) throw new ChainSourceError(`refused: ${sent.reason}`);
      return sent.txid;
    },
    async isUnspent(outpoint) {
      const now = await state();
      return (now.output(outpoint)?.block ?? null) !== null && now.spender(outpoint) === undefined;
    },
    async mempoolEntries(txids) {
      const { mempool } = await state();
      return new Map(
        txids.flatMap((txid) => {
          const entry = mempool.get(txid);
          if (entry === undefined) return [];
          const { feeSats, transaction } = entry;
          const feePerKvb = (feeSats * 1000n) / BigInt(virtualSize(transaction.weight));
          return [[txid, { arrivedAt: devchain.enteredAt(txid), feePerKvb }]];
        }),
      );
    },
    time: async () => devchain.now(),
    feeRate: async () => DEVCHAIN_FEE_RATE,
    async findTransaction(txid) {
      const now = await state();
      const found = now.transaction(txid);
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
    oldestBlock: async () => 0,
    limitations: async () => [],
    onHint: (listener) => devchain.onChange(listener),
  };
}
