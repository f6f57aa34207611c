import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryChain } from '../../../tests/support/devchain.ts';
import { ChainSourceError } from './chain-source.ts';
import { hasExpectedWork } from './esplora/expected-work.ts';
import { getBitcoinNetwork } from './network.ts';
import { verifyBlock, verifyTransaction } from './verified-bytes.ts';

const regtest = getBitcoinNetwork('regtest');
/** Mainnet's block 0: valid with the minimum work. */
const MAINNET_GENESIS =
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc388' +
  '8a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c0101000000010000000000000000000000000000000000000000000000000000000000' +
  '000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b20' +
  '6f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7' +
  '105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000';

const getBlock = (height: number) => new MemoryChain().state.findBlockAt(height) ?? assert.fail();

test('[PAY-09] accepts a whole block with the requested hash and enough work', () => {
  const { raw, hash } = getBlock(3);
  assert.equal(verifyBlock('it', raw, hash, regtest).hash, hash);
  const altered = Buffer.from(raw);
  altered[100] = (altered[100] ?? 0) ^ 1;
  const refused: readonly [Buffer, string][] = [
    [raw, 'ab'.repeat(32)],
    [altered, hash],
    [raw.subarray(0, -1), hash],
    [Buffer.concat([raw, Buffer.alloc(1)]), hash],
    [Buffer.alloc(0), hash],
  ];
  for (const [bytes, requested] of refused)
    assert.throws(() => verifyBlock('it', bytes, requested, regtest), ChainSourceError);
  for (const name of ['mainnet', 'testnet4', 'signet'] as const) {
    assert.throws(() => verifyBlock('it', raw, hash, getBitcoinNetwork(name)), /without the proof of work/, name);
  }
});

test('[PAY-09] rejects a mainnet block with too little work', () => {
  const mainnet = getBitcoinNetwork('mainnet');
  const raw = Buffer.from(MAINNET_GENESIS, 'hex');
  assert.throws(() => verifyBlock('it', raw, mainnet.genesisHash, mainnet), /without the proof of work/);
  // Only its work is insufficient.
  const everEasy = { ...mainnet, minWorkBits: mainnet.powLimitBits };
  assert.equal(verifyBlock('it', raw, mainnet.genesisHash, everEasy).hash, mainnet.genesisHash);
});

test("[PAY-09] requires the parent's work, and at least a quarter at changes", () => {
  const before = { bits: 0x17053894 };
  const [same, quarter, less] = [before, { bits: 0x1714e250 }, { bits: 0x1714e251 }];
  assert.ok(hasExpectedWork(before, same, 800_001));
  assert.ok(!hasExpectedWork(before, quarter, 800_001));
  assert.ok(!hasExpectedWork(before, quarter, null));
  assert.ok(hasExpectedWork(before, quarter, 2016 * 397));
  assert.ok(!hasExpectedWork(before, less, 2016 * 397));
  assert.ok(hasExpectedWork(before, { bits: 0x17010000 }, 2016 * 397));
});

test('[PAY-09] verifies a transaction by its txid', () => {
  const one = new MemoryChain().state.findBlockAt(1)?.transactions[0] ?? assert.fail();
  assert.equal(verifyTransaction('it', one.raw, one.txid), one.raw);
  assert.throws(() => verifyTransaction('it', one.raw, 'ab'.repeat(32)), ChainSourceError);
  assert.throws(() => verifyTransaction('it', one.raw.subarray(0, -1), one.txid), ChainSourceError);
});
