import { randomBytes } from 'node:crypto';
import { HEADER_BYTES } from '#src/platform/bitcoin/block-header.ts';
import { doubleSha256, displayHash, toInternalHash } from '#src/platform/bitcoin/double-sha256.ts';
import { computeMerkleRoot } from '#src/platform/bitcoin/merkle-root.ts';
import { hasProofOfWork } from '#src/platform/bitcoin/proof-of-work.ts';
import type { ParsedTransaction } from '#src/platform/bitcoin/transaction.ts';
import { parseTransaction } from '#src/platform/bitcoin/transaction.ts';
import { REGTEST_BITS, computeSubsidySats } from './regtest-rules.ts';
import { encodeCompactSize, encodeUint32, encodeUint64, encodeWithLength } from './serialise.ts';
import type { StoredBlock } from './stored-block.ts';

const VERSION = 0x2000_0000;
const WITNESS_RESERVED = Buffer.alloc(32);
const WITNESS_COMMITMENT = Buffer.from('6a24aa21a9ed', 'hex');

export interface BlockPlan {
  readonly height: number;
  readonly prevHash: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** Script that receives subsidy and fees. */
  readonly payTo: Uint8Array;
  readonly transactions: readonly ParsedTransaction[];
  readonly feesSats: bigint;
}

/** The height as BIP34 requires it at the start of the coinbase script: its shortest push. */
function encodeHeightPush(height: number): Buffer {
  if (height <= 16) return Buffer.from([0x50 + height]);
  const bytes: number[] = [];
  for (let rest = height; rest > 0; rest >>>= 8) bytes.push(rest & 0xff);
  // A set top bit would make the number negative.
  if (((bytes.at(-1) ?? 0) & 0x80) !== 0) bytes.push(0);
  return Buffer.from([bytes.length, ...bytes]);
}

function buildCoinbase(plan: BlockPlan): ParsedTransaction {
  const wtxids = plan.transactions.map((transaction) => toInternalHash(transaction.wtxid));
  const witnessRoot = computeMerkleRoot([Buffer.alloc(32), ...wtxids]);
  if (witnessRoot === null) throw new Error('a block with the same transaction twice');
  const commitment = doubleSha256(Buffer.concat([witnessRoot, WITNESS_RESERVED]));
  // Random bytes give the coinbases of two rival blocks different txids.
  const scriptSig = Buffer.concat([encodeHeightPush(plan.height), encodeWithLength(randomBytes(8))]);
  return parseTransaction(
    Buffer.concat([
      encodeUint32(2),
      Buffer.from([0, 1, 1]),
      Buffer.alloc(32),
      encodeUint32(0xffff_ffff),
      encodeWithLength(scriptSig),
      encodeUint32(0xffff_ffff),
      encodeCompactSize(2),
      encodeUint64(computeSubsidySats(plan.height) + plan.feesSats),
      encodeWithLength(plan.payTo),
      encodeUint64(0n),
      encodeWithLength(Buffer.concat([WITNESS_COMMITMENT, commitment])),
      encodeCompactSize(1),
      encodeWithLength(WITNESS_RESERVED),
      encodeUint32(0),
    ]),
  );
}

/**
 * Builds a block with coinbase, commitments and real proof of work. Regtest takes two tries on
 * average.
 */
export function buildBlock(plan: BlockPlan): StoredBlock {
  const transactions = [buildCoinbase(plan), ...plan.transactions];
  const root = computeMerkleRoot(transactions.map((transaction) => toInternalHash(transaction.txid)));
  if (root === null) throw new Error('a block with the same transaction twice');
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(VERSION, 0);
  header.set(toInternalHash(plan.prevHash), 4);
  header.set(root, 36);
  header.writeUInt32LE(plan.time, 68);
  header.writeUInt32LE(REGTEST_BITS, 72);
  for (let nonce = 0; ; nonce += 1) {
    header.writeUInt32LE(nonce, 76);
    const hash = displayHash(doubleSha256(header));
    if (hasProofOfWork(hash, REGTEST_BITS, REGTEST_BITS)) {
      return {
        hash,
        version: VERSION,
        prevHash: plan.prevHash,
        merkleRoot: displayHash(root),
        time: plan.time,
        bits: REGTEST_BITS,
        nonce,
        height: plan.height,
        raw: Buffer.concat([header, encodeCompactSize(transactions.length), ...transactions.map(({ raw }) => raw)]),
        transactions,
      };
    }
  }
}
