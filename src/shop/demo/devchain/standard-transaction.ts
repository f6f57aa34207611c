/**
 * Relay policy that depends on the transaction alone. Reject reasons are those of Bitcoin Core
 * (validation.cpp, policy/policy.cpp).
 */
import type { ParsedTransaction, TransactionOutput } from '#src/platform/bitcoin/transaction.ts';
import { formatOutpoint } from './chain-state.ts';

const MAX_STANDARD_WEIGHT = 400_000;
const MIN_STRIPPED_BYTES = 65;
const MAX_SATS = 2_100_000_000_000_000n;
const MAX_DATA_BYTES = 83;

/** Relayed script patterns with their dust limit, in sats at 3 sat/vB. */
const standardScripts: readonly { readonly pattern: RegExp; readonly dustSats: bigint }[] = [
  { pattern: /^0014[0-9a-f]{40}$/, dustSats: 294n },
  { pattern: /^5120[0-9a-f]{64}$/, dustSats: 330n },
  { pattern: /^0020[0-9a-f]{64}$/, dustSats: 330n },
  { pattern: /^76a914[0-9a-f]{40}88ac$/, dustSats: 546n },
  { pattern: /^a914[0-9a-f]{40}87$/, dustSats: 540n },
];

/** Dust limit of a script in sats; null for scripts that are not relayed. */
export function computeDustLimitSats(output: Pick<TransactionOutput, 'scriptHex'>): bigint | null {
  if (output.scriptHex.startsWith('6a')) return output.scriptHex.length <= MAX_DATA_BYTES * 2 ? 0n : null;
  return standardScripts.find(({ pattern }) => pattern.test(output.scriptHex))?.dustSats ?? null;
}

function findOutputProblem(outputs: readonly TransactionOutput[]): string | null {
  if (outputs.length === 0) return 'bad-txns-vout-empty';
  let total = 0n;
  for (const output of outputs) {
    total += output.amountSats;
    if (output.amountSats > MAX_SATS || total > MAX_SATS) return 'bad-txns-txouttotal-toolarge';
    const limit = computeDustLimitSats(output);
    if (limit === null) return 'scriptpubkey';
    if (output.amountSats < limit) return 'dust';
  }
  return outputs.filter(({ scriptHex }) => scriptHex.startsWith('6a')).length > 1 ? 'multi-op-return' : null;
}

/** Why a transaction is not relayed, regardless of its inputs; null if it is. */
export function findStandardnessProblem(transaction: ParsedTransaction): string | null {
  const { inputs, outputs, weight, raw, version } = transaction;
  if (transaction.isCoinbase) return 'coinbase';
  if (version !== 1 && version !== 2) return 'version';
  if (weight > MAX_STANDARD_WEIGHT) return 'tx-size';
  if ((weight - raw.length) / 3 < MIN_STRIPPED_BYTES) return 'tx-size-small';
  if (new Set(inputs.map(formatOutpoint)).size !== inputs.length) return 'bad-txns-inputs-duplicate';
  return findOutputProblem(outputs);
}

const FINAL_SEQUENCE = 0xffff_ffff;
const LOCK_TIME_IS_A_TIME = 500_000_000;
const RELATIVE_LOCK_DISABLED = 0x8000_0000;

/**
 * Whether its lock time excludes the transaction from the next block.
 * @param medianTime of the 11 newest blocks, in seconds (BIP113)
 */
export function lockProblem(transaction: ParsedTransaction, nextHeight: number, medianTime: number): string | null {
  const { lockTime, inputs, version } = transaction;
  const reached = lockTime < LOCK_TIME_IS_A_TIME ? lockTime < nextHeight : lockTime < medianTime;
  if (!reached && inputs.some(({ sequence }) => sequence !== FINAL_SEQUENCE)) return 'non-final';
  // Relative locks (BIP68) are not evaluated. Transactions with one are refused, so every block
  // stays valid.
  const hasRelativeLock = inputs.some(
    ({ sequence }) => (sequence & RELATIVE_LOCK_DISABLED) === 0 && (sequence & 0xffff) !== 0,
  );
  return version >= 2 && hasRelativeLock ? 'non-BIP68-final' : null;
}
