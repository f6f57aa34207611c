/**
 * Payouts: PSBTs that the merchant's wallet signs, and reading the signed result. Sources: BIP174
 * (PSBT), BIP371 (taproot fields), BIP125 (replaceable, so the fee can be raised).
 */
import { RawTx, Transaction } from '@scure/btc-signer';
import { hash160 } from '@scure/btc-signer/utils.js';
import type { AccountKey, Branch } from './account-key.ts';
import { computeDustSats, decodeAddress } from './address.ts';
import { isPsbt, keepSignatureFields } from './signature-fields.ts';
import { selectCoins, MAX_FEE_RATE } from './select-coins.ts';
import { parseTransaction } from './transaction.ts';
import type { ParsedTransaction } from './transaction.ts';
import { findSignatureProblem } from './verify-signatures.ts';
import type { SpentOutput } from './verify-signatures.ts';
import { scriptRules } from './wallet-script.ts';

/** An unspent output of the account. */
export interface Coin {
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: bigint;
  /** Serialized transaction that contains it. */
  readonly rawTx: Uint8Array;
  /** Index of its address, `0/index`. */
  readonly index: number;
}

export interface PayoutRequest {
  readonly account: AccountKey;
  /** In order of preference; as few as needed are used. */
  readonly coins: readonly Coin[];
  /** An address of the account's network. */
  readonly address: string;
  /** Amount for the recipient; with `feeFromAmount`, including the fee. */
  readonly amountSats: bigint;
  /** Sats per virtual byte, from 1 to `MAX_FEE_RATE`; lower values count as 1. */
  readonly feeRate: number;
  readonly feeFromAmount: boolean;
  /** Change goes to `1/changeIndex`. */
  readonly changeIndex: number;
}

export type Payout =
  | {
      readonly ok: true;
      readonly psbt: Uint8Array;
      /** Unchanged by signing. */
      readonly txid: string;
      /** Total of the coins minus the outputs. */
      readonly feeSats: bigint;
      readonly paidSats: bigint;
      readonly changeSats: bigint;
    }
  /** Insufficient coins, or an amount below the dust limit. */
  | { readonly ok: false; readonly reason: 'too-little' | 'dust' };

const REPLACEABLE_SEQUENCE = 0xffff_fffd;
const HARDENED = 0x8000_0000;

/** Key origin for wallets: from the master key, or from the account key without an origin. */
function createDerivation({ origin, fingerprint }: AccountKey, branch: Branch, index: number) {
  const steps = (origin?.path ?? []).map((step) => step + HARDENED);
  return { fingerprint: Number.parseInt(origin?.fingerprint ?? fingerprint, 16), path: [...steps, branch, index] };
}

type Derivation = ReturnType<typeof createDerivation>;

/** Key fields of a PSBT input or output. */
interface KeyFields {
  bip32Derivation?: [Uint8Array, Derivation][];
  tapInternalKey?: Uint8Array;
  tapBip32Derivation?: [Uint8Array, { hashes: Uint8Array[]; der: Derivation }][];
}

function deriveOwnOutput(
  account: AccountKey,
  branch: Branch,
  index: number,
): { script: Uint8Array; fields: KeyFields } {
  const { publicKey, script } = account.deriveKey(branch, index);
  const der = createDerivation(account, branch, index);
  if (account.script === 'p2wpkh') return { script, fields: { bip32Derivation: [[publicKey, der]] } };
  const key = publicKey.subarray(1);
  return { script, fields: { tapInternalKey: key, tapBip32Derivation: [[key, { hashes: [], der }]] } };
}

function addCoin(transaction: Transaction, account: AccountKey, { txid, vout, amountSats, rawTx, index }: Coin): void {
  const { script, fields } = deriveOwnOutput(account, 0, index);
  const parent = parseTransaction(rawTx);
  const output = parent.outputs[vout];
  if (parent.txid !== txid || output?.amountSats !== amountSats || !output.script.equals(script)) {
    throw new Error(`coin ${txid}:${vout} differs from its transaction`);
  }
  transaction.addInput({
    txid,
    index: vout,
    sequence: REPLACEABLE_SEQUENCE,
    witnessUtxo: { script, amount: amountSats },
    // Before taproot, signatures do not commit to the amounts of other inputs, so hardware wallets
    // need the transactions.
    ...(account.script === 'p2wpkh' ? { nonWitnessUtxo: rawTx } : {}),
    ...fields,
  });
}

type ToChoose = Pick<PayoutRequest, 'account' | 'coins' | 'address' | 'amountSats' | 'feeRate' | 'feeFromAmount'>;

/** Selects coins and splits their total; null if they are insufficient. */
function chooseCoins({ account, coins, address, amountSats, feeRate, feeFromAmount }: ToChoose) {
  if (!(feeRate >= 0 && feeRate <= MAX_FEE_RATE)) throw new RangeError(`invalid fee rate: ${feeRate}`);
  return selectCoins({
    coins,
    script: account.script,
    payeeBytes: decodeAddress(address, account.network).length,
    changeBytes: account.deriveKey(1, 0).script.length,
    changeDustSats: scriptRules[account.script].dustSats,
    amountSats,
    feeRate,
    feeFromAmount,
  });
}

/**
 * Whether the coins are enough for a payout.
 * @throws RangeError for an invalid fee rate
 */
export const areCoinsEnough = (order: ToChoose): boolean => chooseCoins(order) !== null;

/**
 * Plans an unsigned payout. Dust change is added to the fee.
 * @throws RangeError for an invalid fee rate, Error for a coin that differs from its transaction
 */
export function planPayout(order: PayoutRequest): Payout {
  const { account, address, changeIndex } = order;
  const script = decodeAddress(address, account.network);
  const change = deriveOwnOutput(account, 1, changeIndex);
  const chosen = chooseCoins(order);
  if (chosen === null) return { ok: false, reason: 'too-little' };
  const { coins, paidSats, changeSats, feeSats } = chosen;
  if (paidSats < computeDustSats(script)) return { ok: false, reason: 'dust' };
  const transaction = new Transaction({ version: 2 });
  for (const coin of coins) addCoin(transaction, account, coin);
  transaction.addOutput({ script, amount: paidSats });
  if (changeSats > 0n) transaction.addOutput({ script: change.script, amount: changeSats, ...change.fields });
  const psbt = transaction.toPSBT(0);
  return { ok: true, psbt, txid: parseTransaction(transaction.unsignedTx).txid, feeSats, paidSats, changeSats };
}

export type SignedPayout =
  | {
      readonly ok: true;
      /** Ready to broadcast. */
      readonly raw: Uint8Array;
      readonly txid: string;
    }
  | { readonly ok: false; readonly reason: 'not-a-psbt' | 'another-transaction' | 'not-signed' };

type Witness = readonly Uint8Array[];

const SIGHASH_ALL = 0x01;
const SCHNORR_BYTES = 64;

/** Allows unknown fields that a wallet may have added. */
const readPsbt = (psbt: Uint8Array): Transaction =>
  Transaction.fromPSBT(psbt, { unknown: 'ignore', allowUnknownInputs: true, allowUnknownOutputs: true });

function listSpentOutputs(plan: Transaction): SpentOutput[] {
  return Array.from({ length: plan.inputsLength }, (_, vin) => {
    const { witnessUtxo } = plan.getInput(vin);
    if (witnessUtxo === undefined) throw new Error('a planned payout without spent outputs');
    return { amountSats: witnessUtxo.amount, script: Buffer.from(witnessUtxo.script) };
  });
}

/** The witness of an input, finalized or not; empty if unsigned. */
function createWitness(signed: Transaction, vin: number, { script }: SpentOutput): Witness {
  const { finalScriptWitness, tapKeySig, partialSig = [] } = signed.getInput(vin);
  if (finalScriptWitness !== undefined) return finalScriptWitness;
  if (tapKeySig !== undefined) return [tapKeySig];
  const own = partialSig.find(([publicKey]) => script.subarray(2).equals(hash160(publicKey)));
  return own === undefined ? [] : [own[1], own[0]];
}

/** Whether a signature covers the whole transaction; otherwise others could change it. */
function isSignedForAll([signature]: Witness): boolean {
  return signature?.length === SCHNORR_BYTES || signature?.at(-1) === SIGHASH_ALL;
}

/** A witness of the account has a signature and at most a public key; more in any other is refused. */
const MAX_WITNESS_BYTES = 300;

/** The transaction with witnesses; null if malformed, 'another' if it can't be the planned one. */
function read(
  bytes: Uint8Array,
  plan: Transaction,
  spent: readonly SpentOutput[],
): ParsedTransaction | 'another' | null {
  try {
    const limits = {
      inputs: plan.inputsLength,
      outputs: plan.outputsLength,
      unsignedBytes: plan.unsignedTx.length,
    };
    if (!isPsbt(bytes)) {
      const isTooLong = bytes.length > limits.unsignedBytes + 2 + limits.inputs * MAX_WITNESS_BYTES;
      return isTooLong ? 'another' : parseTransaction(bytes);
    }
    const fields = keepSignatureFields(bytes, limits);
    if (fields === null) return 'another';
    const signed = readPsbt(fields);
    const unsigned = parseTransaction(signed.unsignedTx);
    const witnesses = spent.map((output, vin) => (vin < signed.inputsLength ? createWitness(signed, vin, output) : []));
    if (witnesses.every((witness) => witness.length === 0)) return unsigned;
    const encoded = RawTx.encode({
      ...RawTx.decode(signed.unsignedTx),
      segwitFlag: true,
      witnesses: witnesses.map((witness) => [...witness]),
    });
    return parseTransaction(encoded);
  } catch {
    // Any parser error means that the input is not the planned transaction.
    return null;
  }
}

/**
 * Reads the signed payout: a PSBT, signed or finalized, or the raw transaction. It must equal the
 * plan, with valid signatures.
 * @param unsigned the planned PSBT
 */
export function readSignedPayout(psbt: Uint8Array, unsigned: Uint8Array): SignedPayout {
  const plan = readPsbt(unsigned);
  const spent = listSpentOutputs(plan);
  const signed = read(psbt, plan, spent);
  if (signed === null) return { ok: false, reason: 'not-a-psbt' };
  if (signed === 'another') return { ok: false, reason: 'another-transaction' };
  // Compares version, inputs, outputs and lock time.
  if (signed.txid !== parseTransaction(plan.unsignedTx).txid) return { ok: false, reason: 'another-transaction' };
  const isSigned =
    signed.inputs.every(({ witness }) => isSignedForAll(witness)) && findSignatureProblem(signed, spent) === null;
  return isSigned ? { ok: true, raw: signed.raw, txid: signed.txid } : { ok: false, reason: 'not-signed' };
}

/** Outpoints (`txid:vout`) that a planned payout spends. */
export function listOutpoints(psbt: Uint8Array): string[] {
  return parseTransaction(readPsbt(psbt).unsignedTx).inputs.map(({ txid, vout }) => `${txid}:${vout}`);
}

/** Scripts that a planned payout pays: recipient and change. */
export function listPaidScripts(psbt: Uint8Array): Uint8Array[] {
  return parseTransaction(readPsbt(psbt).unsignedTx).outputs.map(({ script }) => script);
}
