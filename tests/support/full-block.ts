/** A deterministic full block of mainnet size with invalid signatures. */
import { createHash } from 'node:crypto';
import { buildBlock } from '#src/shop/demo/devchain/build-block.ts';
import { encodeCompactSize, encodeUint32, encodeUint64, encodeWithLength } from '#src/shop/demo/devchain/serialise.ts';
import type { StoredBlock } from '#src/shop/demo/devchain/stored-block.ts';
import { parseTransaction } from '#src/platform/bitcoin/transaction.ts';

export const TRANSACTIONS = 3000;
export const OUTPUTS = 6000;

/** Length of a usual signature with its type, and of a public key. */
const [SIGNATURE_BYTES, KEY_BYTES] = [72, 33];
const SEQUENCE = 0xffff_fffd;
const COINBASE_OUTPUTS = 2;

/** Deterministic bytes of this length. */
function createBytes(number: number, length: number): Buffer {
  const blocks = Math.ceil(length / 32);
  const hashes = Array.from({ length: blocks }, (_, part) =>
    createHash('sha256').update(encodeUint32(number)).update(encodeUint32(part)).digest(),
  );
  return Buffer.concat(hashes).subarray(0, length);
}

/** The script of a P2WPKH address without an owner. */
export const createScript = (number: number): Buffer =>
  Buffer.concat([Buffer.from([0, 20]), createBytes(1_000_000_000 + number, 20)]);

/** Creates a transaction with two P2WPKH inputs and two outputs. */
function createTransaction(number: number, scripts: readonly Buffer[]): Buffer {
  const inputs = [0, 1].map((input) =>
    Buffer.concat([
      createBytes(2 * number + input, 32),
      encodeUint32(input),
      encodeCompactSize(0),
      encodeUint32(SEQUENCE),
    ]),
  );
  const outputs = scripts.map((script) =>
    Buffer.concat([encodeUint64(100_000n + BigInt(number)), encodeWithLength(script)]),
  );
  const witnesses = [0, 1].map((input) =>
    Buffer.concat([
      encodeCompactSize(2),
      encodeWithLength(createBytes(number + input, SIGNATURE_BYTES)),
      encodeWithLength(createBytes(number - input, KEY_BYTES)),
    ]),
  );
  return Buffer.concat([
    encodeUint32(2),
    Buffer.from([0, 1]),
    encodeCompactSize(inputs.length),
    ...inputs,
    encodeCompactSize(outputs.length),
    ...outputs,
    ...witnesses,
    encodeUint32(0),
  ]);
}

/** @param paid scripts that the first outputs pay; the other outputs pay strangers. */
export function createFullBlock(paid: readonly Buffer[]): StoredBlock {
  const transactions = Array.from({ length: TRANSACTIONS - 1 }, (_, index) => {
    const scripts = [2 * index, 2 * index + 1].map((output) => paid[output] ?? createScript(OUTPUTS * 10 + output));
    return parseTransaction(createTransaction(index + 1, scripts));
  });
  const outputs = transactions.reduce((sum, { outputs: own }) => sum + own.length, COINBASE_OUTPUTS);
  if (outputs !== OUTPUTS) throw new Error(`${outputs} outputs`);
  const block = { height: 1, prevHash: '00'.repeat(32), time: 1_900_000_000, payTo: createScript(-1), feesSats: 0n };
  return buildBlock({ ...block, transactions });
}
