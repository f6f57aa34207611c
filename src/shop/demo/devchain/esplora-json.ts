/** Esplora's JSON of blocks and transactions (Blockstream/esplora, API.md). Amounts are sats. */
import { Address, OutScript } from '@scure/btc-signer';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import type { TransactionOutput } from '#src/platform/bitcoin/transaction.ts';
import type { ChainState, IndexedTransaction } from './chain-state.ts';
import { formatScriptAsm } from './script-asm.ts';
import type { StoredBlock } from './stored-block.ts';

const regtestAddress = Address(getBitcoinNetwork('regtest').addresses);

/** Null unless it is a regtest address. */
export function decodeAddress(address: string): string | null {
  try {
    return Buffer.from(OutScript.encode(regtestAddress.decode(address))).toString('hex');
  } catch {
    return null;
  }
}

function encodeAddress(script: Buffer): string | undefined {
  try {
    return regtestAddress.encode(OutScript.decode(script));
  } catch {
    return undefined;
  }
}

const scriptTypes: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'empty'],
  [/^6a/, 'op_return'],
  [/^(?:21.{66}|41.{130})ac$/, 'p2pk'],
  [/^76a914.{40}88ac$/, 'p2pkh'],
  [/^a914.{40}87$/, 'p2sh'],
  [/^0014.{40}$/, 'v0_p2wpkh'],
  [/^0020.{64}$/, 'v0_p2wsh'],
  [/^5120.{64}$/, 'v1_p2tr'],
];

function toOutputJson({
  script,
  amountSats,
  scriptHex,
}: Pick<TransactionOutput, 'script' | 'amountSats' | 'scriptHex'>) {
  const address = encodeAddress(script);
  return {
    scriptpubkey: scriptHex,
    scriptpubkey_asm: formatScriptAsm(script),
    scriptpubkey_type: scriptTypes.find(([pattern]) => pattern.test(scriptHex))?.[1] ?? 'unknown',
    ...(address === undefined ? {} : { scriptpubkey_address: address }),
    value: Number(amountSats),
  };
}

export function toStatusJson(block: StoredBlock | null | undefined) {
  if (block === null || block === undefined) return { confirmed: false };
  return { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time };
}

export function toTransactionJson(state: ChainState, { transaction, block, feeSats }: IndexedTransaction) {
  const { txid, version, lockTime, inputs, outputs, raw, weight, isCoinbase } = transaction;
  return {
    txid,
    version,
    locktime: lockTime,
    vin: inputs.map((input) => {
      const spent = isCoinbase ? undefined : state.findOutput(input);
      return {
        txid: input.txid,
        vout: input.vout,
        prevout: spent === undefined ? null : toOutputJson({ ...spent, scriptHex: spent.script.toString('hex') }),
        scriptsig: input.scriptSig.toString('hex'),
        scriptsig_asm: formatScriptAsm(input.scriptSig),
        ...(input.witness.length === 0 ? {} : { witness: input.witness.map((item) => item.toString('hex')) }),
        is_coinbase: isCoinbase,
        sequence: input.sequence,
      };
    }),
    vout: outputs.map(toOutputJson),
    size: raw.length,
    weight,
    fee: Number(feeSats),
    status: toStatusJson(block),
  };
}

/** 0xffff × 2²⁰⁸ divided by the target of 207fffff. */
const DIFFICULTY_OF_REGTEST = 4.6565423739069247e-10;

export function toBlockJson(state: ChainState, block: StoredBlock) {
  const witnessBytes = block.transactions.reduce((sum, { raw, weight }) => sum + (raw.length * 4 - weight) / 3, 0);
  return {
    id: block.hash,
    height: block.height,
    version: block.version,
    timestamp: block.time,
    tx_count: block.transactions.length,
    size: block.raw.length,
    weight: block.raw.length * 4 - witnessBytes * 3,
    merkle_root: block.merkleRoot,
    ...(block.height === 0 ? {} : { previousblockhash: block.prevHash }),
    mediantime: state.computeMedianTimePast(block.height),
    nonce: block.nonce,
    bits: block.bits,
    difficulty: DIFFICULTY_OF_REGTEST,
  };
}

/** What an address received and spent, in sats. */
export function toStatsJson(state: ChainState, scriptHex: string, entries: readonly IndexedTransaction[]) {
  const stats = {
    funded_txo_count: 0,
    funded_txo_sum: 0,
    spent_txo_count: 0,
    spent_txo_sum: 0,
    tx_count: entries.length,
  };
  for (const { transaction } of entries) {
    for (const output of transaction.outputs) {
      if (output.scriptHex !== scriptHex) continue;
      stats.funded_txo_count += 1;
      stats.funded_txo_sum += Number(output.amountSats);
    }
    for (const input of transaction.isCoinbase ? [] : transaction.inputs) {
      const spent = state.findOutput(input);
      if (spent?.script.toString('hex') !== scriptHex) continue;
      stats.spent_txo_count += 1;
      stats.spent_txo_sum += Number(spent.amountSats);
    }
  }
  return stats;
}

export function outspendJson(state: ChainState, outpoint: { readonly txid: string; readonly vout: number }) {
  const spender = state.findSpender(outpoint);
  if (spender === undefined) return { spent: false };
  return { spent: true, ...spender, status: toStatusJson(state.findTransaction(spender.txid)?.block) };
}
