import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { Transaction } from '@scure/btc-signer';
import { hash160 } from '@scure/btc-signer/utils.js';
import type { ParsedTransaction } from './transaction.ts';

export interface SpentOutput {
  readonly amountSats: bigint;
  readonly script: Buffer;
}

const SIGHASH_DEFAULT = 0;
const SIGHASH_TYPES: ReadonlySet<number> = new Set([0x01, 0x02, 0x03, 0x81, 0x82, 0x83]);

function isP2wpkh(script: Buffer): boolean {
  return script.length === 22 && script[0] === 0x00 && script[1] === 0x14;
}

function isP2tr(script: Buffer): boolean {
  return script.length === 34 && script[0] === 0x51 && script[1] === 0x20;
}

/** BIP143: one ECDSA signature and the key of the output's hash. */
function verifyP2wpkh(digests: Transaction, vin: number, witness: readonly Buffer[], spent: SpentOutput): boolean {
  const [signature, publicKey] = witness;
  if (witness.length !== 2 || signature === undefined || publicKey?.length !== 33) return false;
  const program = spent.script.subarray(2);
  if (!program.equals(hash160(publicKey))) return false;
  const sighash = signature.at(-1);
  if (sighash === undefined || !SIGHASH_TYPES.has(sighash)) return false;
  const scriptCode = Buffer.concat([Buffer.from('76a914', 'hex'), program, Buffer.from('88ac', 'hex')]);
  const digest = digests.preimageWitnessV0(vin, scriptCode, sighash, spent.amountSats);
  return secp256k1.verify(signature.subarray(0, -1), digest, publicKey, { prehash: false, lowS: true, format: 'der' });
}

/** BIP341 key path: one Schnorr signature by the output key; no annex or script path. */
function verifyP2tr(
  digests: Transaction,
  vin: number,
  witness: readonly Buffer[],
  spent: SpentOutput,
  allSpent: readonly SpentOutput[],
): boolean {
  const [signature] = witness;
  if (witness.length !== 1 || signature === undefined) return false;
  const sighash = signature.length === 64 ? SIGHASH_DEFAULT : signature[64];
  if (signature.length > 65 || sighash === undefined) return false;
  if (signature.length === 65 && !SIGHASH_TYPES.has(sighash)) return false;
  const digest = digests.preimageWitnessV1(
    vin,
    allSpent.map(({ script }) => script),
    sighash,
    allSpent.map(({ amountSats }) => amountSats),
  );
  return schnorr.verify(signature.subarray(0, 64), digest, spent.script.subarray(2));
}

/**
 * Verifies every input's signature: P2WPKH and P2TR key path.
 * @param spent the spent outputs in input order
 * @returns the problem, or null
 */
export function findSignatureProblem(transaction: ParsedTransaction, spent: readonly SpentOutput[]): string | null {
  const digests = Transaction.fromRaw(transaction.raw, {
    allowUnknownInputs: true,
    allowUnknownOutputs: true,
    disableScriptCheck: true,
  });
  for (const [vin, input] of transaction.inputs.entries()) {
    const output = spent[vin];
    if (output === undefined) return 'bad-txns-inputs-missingorspent';
    if (input.scriptSig.length > 0) return 'scriptsig-not-empty';
    let isValid = false;
    try {
      if (isP2wpkh(output.script)) isValid = verifyP2wpkh(digests, vin, input.witness, output);
      else if (isP2tr(output.script)) isValid = verifyP2tr(digests, vin, input.witness, output, spent);
      else return 'bad-txns-nonstandard-inputs';
    } catch {
      // The library throws for malformed keys and signatures.
    }
    if (!isValid) return 'mandatory-script-verify-flag-failed (signature is not valid)';
  }
  return null;
}
