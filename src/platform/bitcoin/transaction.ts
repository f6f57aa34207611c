import { ByteReader, MalformedBytesError } from './byte-reader.ts';
import { displayHash, doubleSha256 } from './double-sha256.ts';

export interface TransactionInput {
  /** Txid of the spent output. */
  readonly txid: string;
  readonly vout: number;
  readonly scriptSig: Buffer;
  readonly sequence: number;
  readonly witness: readonly Buffer[];
}

export interface TransactionOutput {
  readonly amountSats: bigint;
  readonly script: Buffer;
  readonly scriptHex: string;
}

export interface ParsedTransaction {
  readonly txid: string;
  readonly wtxid: string;
  readonly version: number;
  readonly inputs: readonly TransactionInput[];
  readonly outputs: readonly TransactionOutput[];
  readonly lockTime: number;
  readonly isCoinbase: boolean;
  /** Serialized with witness. */
  readonly raw: Buffer;
  /** Weight (BIP141): four per byte outside the witness, one per witness byte. */
  readonly weight: number;
}

const NO_TXID = '00'.repeat(32);
const NO_VOUT = 0xffff_ffff;

/** Minimum size of an input and of an output. */
export const MIN_INPUT_BYTES = 41;
export const MIN_OUTPUT_BYTES = 9;

function readInput(reader: ByteReader): Omit<TransactionInput, 'witness'> {
  return {
    txid: displayHash(reader.take(32)),
    vout: reader.readUint32(),
    scriptSig: reader.readLengthAndBytes(),
    sequence: reader.readUint32(),
  };
}

function readOutput(reader: ByteReader): TransactionOutput {
  const amountSats = reader.readUint64();
  const script = reader.readLengthAndBytes();
  return { amountSats, script, scriptHex: script.toString('hex') };
}

/**
 * Reads one transaction at the reader's position.
 * @throws MalformedBytesError
 */
export function readTransaction(reader: ByteReader): ParsedTransaction {
  const start = reader.offset;
  const version = reader.readInt32();
  const isSegwit = reader.remaining >= 2 && reader.bytes[reader.offset] === 0;
  if (isSegwit && reader.take(2)[1] !== 1) throw new MalformedBytesError('neither inputs nor a witness marker');
  const bodyStart = reader.offset;
  const bare = Array.from({ length: reader.count(MIN_INPUT_BYTES) }, () => readInput(reader));
  if (bare.length === 0) throw new MalformedBytesError('a transaction without inputs');
  const outputs = Array.from({ length: reader.count(MIN_OUTPUT_BYTES) }, () => readOutput(reader));
  const bodyEnd = reader.offset;
  const inputs = bare.map((input) => ({
    ...input,
    witness: isSegwit ? Array.from({ length: reader.count(1) }, () => reader.readLengthAndBytes()) : [],
  }));
  if (isSegwit && inputs.every((input) => input.witness.length === 0)) {
    throw new MalformedBytesError('a witness marker without a witness');
  }
  const lockTime = reader.readUint32();
  const raw = reader.bytes.subarray(start, reader.offset);
  const stripped = isSegwit
    ? Buffer.concat([
        reader.bytes.subarray(start, start + 4),
        reader.bytes.subarray(bodyStart, bodyEnd),
        reader.bytes.subarray(reader.offset - 4, reader.offset),
      ])
    : raw;
  const txid = displayHash(doubleSha256(stripped));
  return {
    txid,
    wtxid: isSegwit ? displayHash(doubleSha256(raw)) : txid,
    version,
    inputs,
    outputs,
    lockTime,
    isCoinbase: inputs.length === 1 && inputs[0]?.txid === NO_TXID && inputs[0].vout === NO_VOUT,
    raw,
    weight: stripped.length * 3 + raw.length,
  };
}

/**
 * Parses a whole transaction.
 * @throws MalformedBytesError
 */
export function parseTransaction(raw: Uint8Array): ParsedTransaction {
  const reader = new ByteReader(raw);
  const transaction = readTransaction(reader);
  reader.finish('transaction');
  return transaction;
}

/** Virtual size, the unit of fee rates. */
export function computeVirtualSize(weight: number): number {
  return Math.ceil(weight / 4);
}
