/**
 * Mempool acceptance rules of the devchain. Blocks are built from the mempool only, so an accepted
 * transaction is valid in the next block.
 */
import { MalformedBytesError } from '#src/platform/bitcoin/byte-reader.ts';
import { parseTransaction, computeVirtualSize } from '#src/platform/bitcoin/transaction.ts';
import type { ParsedTransaction, TransactionInput } from '#src/platform/bitcoin/transaction.ts';
import type { ChainState, MempoolEntry, UnspentOutput } from './chain-state.ts';
import { COINBASE_MATURITY } from './regtest-rules.ts';
import { lockProblem, findStandardnessProblem } from './standard-transaction.ts';
import { findSignatureProblem } from '#src/platform/bitcoin/verify-signatures.ts';

const MIN_FEE_SATS_PER_VBYTE = 1n;
const MAX_REPLACED = 100;

/** The chain state that a transaction is checked against. */
interface SpendContext {
  readonly nextHeight: number;
  readonly medianTime: number;
  /** An output that is not spent in a block. The mempool may spend it. */
  findOutput(outpoint: Pick<TransactionInput, 'txid' | 'vout'>): UnspentOutput | undefined;
}

type SpendCheck =
  | { readonly ok: true; readonly feeSats: bigint; readonly spent: readonly UnspentOutput[] }
  | { readonly ok: false; readonly reason: string };

export type Acceptance =
  | { readonly ok: true; readonly entry: MempoolEntry; readonly drop: readonly string[] }
  | { readonly ok: true; readonly known: ParsedTransaction }
  | { readonly ok: false; readonly reason: string };

function checkSpend(transaction: ParsedTransaction, context: SpendContext): SpendCheck {
  const locked = lockProblem(transaction, context.nextHeight, context.medianTime);
  if (locked !== null) return { ok: false, reason: locked };
  const spent: UnspentOutput[] = [];
  for (const input of transaction.inputs) {
    const output = context.findOutput(input);
    if (output === undefined) return { ok: false, reason: 'bad-txns-inputs-missingorspent' };
    if (output.isCoinbase && context.nextHeight - (output.block?.height ?? context.nextHeight) < COINBASE_MATURITY) {
      return { ok: false, reason: 'bad-txns-premature-spend-of-coinbase' };
    }
    spent.push(output);
  }
  const inSats = spent.reduce((sum, output) => sum + output.amountSats, 0n);
  const feeSats = transaction.outputs.reduce((left, output) => left - output.amountSats, inSats);
  if (feeSats < 0n) return { ok: false, reason: 'bad-txns-in-belowout' };
  return { ok: true, feeSats, spent };
}

function createContext(state: ChainState): SpendContext {
  return {
    nextHeight: state.tip.height + 1,
    medianTime: state.computeMedianTimePast(state.tip.height),
    findOutput(outpoint) {
      const spender = state.findSpender(outpoint);
      return spender !== undefined && !state.mempool.has(spender.txid) ? undefined : state.findOutput(outpoint);
    },
  };
}

/**
 * Full replace-by-fee: the replacement pays a higher total fee, a higher fee rate, and for its own
 * relay (BIP125, rules 3 to 6).
 */
function findReplacementProblem(
  state: ChainState,
  newcomer: { readonly transaction: ParsedTransaction; readonly feeSats: bigint },
  conflicts: readonly string[],
  drop: readonly string[],
): string | null {
  if (drop.length > MAX_REPLACED) return 'too many potential replacements';
  if (newcomer.transaction.inputs.some(({ txid }) => drop.includes(txid))) return 'bad-txns-spends-conflicting-tx';
  const size = BigInt(computeVirtualSize(newcomer.transaction.weight));
  for (const txid of conflicts) {
    const old = state.mempool.get(txid);
    const oldSize = BigInt(computeVirtualSize(old?.transaction.weight ?? 0));
    if (newcomer.feeSats * oldSize <= (old?.feeSats ?? 0n) * size) return 'insufficient fee';
  }
  const droppedSats = drop.reduce((sum, txid) => sum + (state.mempool.get(txid)?.feeSats ?? 0n), 0n);
  return newcomer.feeSats < droppedSats + size * MIN_FEE_SATS_PER_VBYTE ? 'insufficient fee' : null;
}

/** Decides whether a transaction is accepted. Changes nothing. */
export function acceptTransaction(state: ChainState, raw: Uint8Array): Acceptance {
  let transaction: ParsedTransaction;
  try {
    transaction = parseTransaction(Uint8Array.from(raw));
  } catch (error) {
    if (error instanceof MalformedBytesError) return { ok: false, reason: `TX decode failed: ${error.message}` };
    throw error;
  }
  const present = state.findTransaction(transaction.txid);
  if (present !== undefined) {
    return present.block === null
      ? { ok: true, known: present.transaction }
      : { ok: false, reason: 'Transaction outputs already in utxo set' };
  }
  const problem = findStandardnessProblem(transaction);
  if (problem !== null) return { ok: false, reason: problem };
  const check = checkSpend(transaction, createContext(state));
  if (!check.ok) return check;
  const { feeSats, spent } = check;
  if (feeSats < BigInt(computeVirtualSize(transaction.weight)) * MIN_FEE_SATS_PER_VBYTE) {
    return { ok: false, reason: 'min relay fee not met' };
  }
  const conflicts = new Set(
    transaction.inputs.map((input) => state.findSpender(input)?.txid).filter((id) => id !== undefined),
  );
  const drop = state.listWithDescendants(conflicts);
  const notReplacing =
    conflicts.size > 0 ? findReplacementProblem(state, { transaction, feeSats }, [...conflicts], drop) : null;
  if (notReplacing !== null) return { ok: false, reason: notReplacing };
  const unsigned = findSignatureProblem(transaction, spent);
  if (unsigned !== null) return { ok: false, reason: unsigned };
  return { ok: true, entry: { transaction, block: null, feeSats, position: state.nextPosition }, drop };
}

/**
 * Transactions that stay valid after the blocks above a height are removed: first those of the
 * removed blocks, in order, then the mempool. They never conflict, since the mempool was valid on
 * top of those blocks. Signatures commit to the spent outputs, so they are not checked again.
 * @param nextHeight of the first block that could contain them
 */
export function revalidateAfterReorg(
  state: ChainState,
  forkHeight: number,
  { nextHeight, medianTime }: { readonly nextHeight: number; readonly medianTime: number },
): MempoolEntry[] {
  const lost: ParsedTransaction[] = [];
  for (let height = forkHeight + 1; height <= state.tip.height; height += 1) {
    lost.push(...(state.findBlockAt(height)?.transactions.filter(({ isCoinbase }) => !isCoinbase) ?? []));
  }
  const mempool = new Map<string, MempoolEntry>();
  const isBelowFork = (txid: string): boolean => (state.findTransaction(txid)?.block?.height ?? Infinity) <= forkHeight;
  const context: SpendContext = {
    nextHeight,
    medianTime,
    findOutput(outpoint) {
      const found = state.findOutput(outpoint);
      if (found === undefined) return undefined;
      if (mempool.has(outpoint.txid)) return { ...found, block: null };
      const spender = state.findSpender(outpoint);
      if (!isBelowFork(outpoint.txid) || (spender !== undefined && isBelowFork(spender.txid))) return undefined;
      return found;
    },
  };
  let position = 0n;
  for (const transaction of [...lost, ...Array.from(state.mempool.values(), (entry) => entry.transaction)]) {
    const check = checkSpend(transaction, context);
    if (!check.ok) continue;
    position += 1n;
    mempool.set(transaction.txid, { transaction, block: null, feeSats: check.feeSats, position });
  }
  return [...mempool.values()];
}
