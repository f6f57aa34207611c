/**
 * Finds payments in serialized blocks and transactions. Written by hand for speed: it skips inputs
 * and witnesses without creating objects and hashes each transaction once.
 */
import { readBlockHeader } from './block-header.ts';
import type { BlockHeader } from './block-header.ts';
import { ByteReader, MalformedBytesError } from './byte-reader.ts';
import { displayHash, doubleSha256 } from './double-sha256.ts';
import { computeMerkleRoot } from './merkle-root.ts';
import { hasProofOfWork } from './proof-of-work.ts';
import { MIN_INPUT_BYTES, MIN_OUTPUT_BYTES } from './transaction.ts';

/** Watched output scripts in lower-case hex, such as a `Map<string, T>`. */
export interface WatchedScripts<T> {
  get(scriptHex: string): T | undefined;
}

export interface OutputMatch<T> {
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: bigint;
  /** Coinbase outputs are not spendable for 100 blocks. */
  readonly isCoinbase: boolean;
  /** Copy of the whole transaction with witness. */
  readonly rawTx: Uint8Array;
  /** The value of the watched script. */
  readonly watched: T;
}

export interface ScannedBlock<T> extends BlockHeader {
  readonly matches: readonly OutputMatch<T>[];
  /** All txids in block order; empty unless requested. */
  readonly txids: readonly string[];
}

export interface ScanBlockOptions {
  /** Proof-of-work limit of the network. */
  readonly powLimitBits: number;
  readonly withTxids?: boolean;
}

const MARKER_AND_FLAG = 0x0100;
const COINBASE_VOUT = 0xffff_ffff;
/** 21 million BTC in sats. */
const MAX_SATS = 2_100_000_000_000_000n;

class Scanner<T> {
  readonly matches: OutputMatch<T>[] = [];
  readonly #reader: ByteReader;
  readonly #scripts: WatchedScripts<T>;
  // The transaction without witness, which the txid commits to.
  readonly #stripped: Buffer;

  constructor(reader: ByteReader, scripts: WatchedScripts<T>) {
    this.#reader = reader;
    this.#scripts = scripts;
    this.#stripped = Buffer.allocUnsafe(reader.bytes.length);
  }

  /** Reads one transaction, records matches, returns its txid in internal byte order. */
  readTransaction(): Buffer {
    const reader = this.#reader;
    const { bytes } = reader;
    const start = reader.skip(4);
    const isSegwit = reader.remaining >= 2 && bytes.readUInt16LE(reader.offset) === MARKER_AND_FLAG;
    if (isSegwit) reader.skip(2);

    const bodyStart = reader.offset;
    const inputCount = reader.count(MIN_INPUT_BYTES);
    if (inputCount === 0) throw new MalformedBytesError(`a transaction without inputs at offset ${start}`);
    const firstInput = reader.offset;
    for (let index = 0; index < inputCount; index += 1) {
      reader.skip(36);
      reader.skip(reader.readCompactSize() + 4);
    }

    let hits: { vout: number; at: number; watched: T }[] | null = null;
    const outputCount = reader.count(MIN_OUTPUT_BYTES);
    for (let vout = 0; vout < outputCount; vout += 1) {
      const at = reader.skip(8);
      const length = reader.readCompactSize();
      const scriptStart = reader.skip(length);
      const watched = this.#scripts.get(bytes.toString('hex', scriptStart, scriptStart + length));
      if (watched !== undefined) (hits ??= []).push({ vout, at, watched });
    }

    const bodyEnd = reader.offset;
    if (isSegwit) {
      for (let index = 0; index < inputCount; index += 1) {
        for (let items = reader.count(1); items > 0; items -= 1) reader.skip(reader.readCompactSize());
      }
    }
    reader.skip(4);
    const hash = doubleSha256(isSegwit ? this.#strip(start, bodyStart, bodyEnd) : bytes.subarray(start, reader.offset));

    if (hits !== null) {
      const isCoinbase = inputCount === 1 && this.#isCoinbaseInput(firstInput);
      const rawTx = Uint8Array.from(bytes.subarray(start, reader.offset));
      for (const { vout, at, watched } of hits) {
        const amountSats = bytes.readBigUInt64LE(at);
        if (amountSats > MAX_SATS) throw new MalformedBytesError('an output of more than 21 million BTC');
        this.matches.push({ txid: displayHash(hash), vout, amountSats, isCoinbase, rawTx, watched });
      }
    }
    return hash;
  }

  #strip(start: number, bodyStart: number, bodyEnd: number): Buffer {
    const { bytes, offset } = this.#reader;
    bytes.copy(this.#stripped, 0, start, start + 4);
    const bodyLength = bytes.copy(this.#stripped, 4, bodyStart, bodyEnd);
    bytes.copy(this.#stripped, 4 + bodyLength, offset - 4, offset);
    return this.#stripped.subarray(0, bodyLength + 8);
  }

  #isCoinbaseInput(at: number): boolean {
    const { bytes } = this.#reader;
    if (bytes.readUInt32LE(at + 32) !== COINBASE_VOUT) return false;
    for (let index = at; index < at + 32; index += 1) if (bytes[index] !== 0) return false;
    return true;
  }
}

/**
 * Parses a block, checks its proof of work and merkle root, and finds outputs to watched scripts.
 * The caller checks `hash` and `prevHash`.
 * @throws MalformedBytesError for truncated, extra or uncommitted bytes
 */
export function scanBlock<T>(
  raw: Uint8Array,
  scripts: WatchedScripts<T>,
  { powLimitBits, withTxids = false }: ScanBlockOptions,
): ScannedBlock<T> {
  const reader = new ByteReader(raw);
  const header = readBlockHeader(reader);
  if (!hasProofOfWork(header.hash, header.bits, powLimitBits)) {
    throw new MalformedBytesError(`block ${header.hash} lacks proof of work`);
  }
  const scanner = new Scanner(reader, scripts);
  const hashes = Array.from({ length: reader.count(60) }, () => scanner.readTransaction());
  reader.finish('block');
  const root = computeMerkleRoot(hashes);
  if (root === null || displayHash(root) !== header.merkleRoot) {
    throw new MalformedBytesError(`block ${header.hash} does not commit to its transactions`);
  }
  return { ...header, matches: scanner.matches, txids: withTxids ? hashes.map(displayHash) : [] };
}

/**
 * Outputs of a transaction that pay a watched script.
 * @throws MalformedBytesError
 */
export function scanTransaction<T>(
  raw: Uint8Array,
  scripts: WatchedScripts<T>,
): { readonly txid: string; readonly matches: readonly OutputMatch<T>[] } {
  const reader = new ByteReader(raw);
  const scanner = new Scanner(reader, scripts);
  const txid = displayHash(scanner.readTransaction());
  reader.finish('transaction');
  return { txid, matches: scanner.matches };
}
