import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawTx, Transaction } from '@scure/btc-signer';
import * as fc from 'fast-check';
import { MemoryChain, createSignedSpend, testKey } from '../../../tests/support/devchain.ts';
import { scanBlock, scanTransaction } from './block.ts';
import { MalformedBytesError } from './byte-reader.ts';
import { GENESIS_BLOCK } from '#src/shop/demo/devchain/regtest-rules.ts';
import { getBitcoinNetwork } from './network.ts';

const { powLimitBits, genesisHash } = getBitcoinNetwork('regtest');
const scan = <T>(raw: Uint8Array, scripts: ReadonlyMap<string, T>) =>
  scanBlock(raw, scripts, { powLimitBits, withTxids: true });
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test('parses the regtest genesis block', () => {
  const script = toHex(GENESIS_BLOCK).slice(-142, -8);
  const block = scan(GENESIS_BLOCK, new Map([[script, 'satoshi']]));
  assert.equal(block.hash, genesisHash);
  assert.equal(block.prevHash, '00'.repeat(32));
  assert.equal(block.time, 1_296_688_602);
  assert.deepEqual(block.txids, ['4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b']);
  const [match] = block.matches;
  assert.equal(match?.watched, 'satoshi');
  assert.equal(match.amountSats, 5_000_000_000n);
  assert.ok(match.isCoinbase);
});

test('rejects the same bytes on mainnet for lack of work', () => {
  assert.throws(
    () => scanBlock(GENESIS_BLOCK, new Map(), { powLimitBits: getBitcoinNetwork('mainnet').powLimitBits }),
    /lacks proof of work/,
  );
});

/** A block with segwit and taproot payments, and two outputs to one script. */
function createRichBlock() {
  const chain = new MemoryChain();
  const [watched, taproot] = [testKey(), testKey('p2tr')];
  const first = chain.fund(watched, 70_000n);
  chain.fund(taproot, 80_000n);
  const spend = createSignedSpend(
    watched,
    [first],
    [
      { script: taproot.script, amountSats: 30_000n },
      { script: taproot.script, amountSats: 30_001n },
    ],
  );
  chain.submit(spend);
  chain.mine();
  return { chain, raw: chain.state.tip.raw, watched, taproot, first, spend };
}

test('finds payments with txid, output, amount and transaction', () => {
  const { chain, raw, watched, taproot, first, spend } = createRichBlock();
  const scripts = new Map([
    [toHex(watched.script), 'w'],
    [toHex(taproot.script), 't'],
    [toHex(chain.wallet.script), 'wallet'],
  ]);
  const { matches, txids, hash, prevHash } = scan(raw, scripts);
  assert.equal(hash, chain.state.tip.hash);
  assert.equal(prevHash, chain.state.findBlockAt(110)?.hash);
  assert.deepEqual(
    txids,
    chain.state.tip.transactions.map(({ txid }) => txid),
  );
  assert.deepEqual(
    matches
      .filter((match) => match.watched === 'w')
      .map(({ txid, vout, amountSats, isCoinbase }) => ({ txid, vout, amountSats, isCoinbase })),
    [{ txid: first.txid, vout: first.vout, amountSats: 70_000n, isCoinbase: false }],
  );
  const spendId = Transaction.fromRaw(spend).id;
  assert.deepEqual(
    matches.filter((match) => match.watched === 't').map(({ amountSats }) => amountSats),
    [80_000n, 30_000n, 30_001n],
  );
  const [, second] = matches.filter((match) => match.txid === spendId);
  assert.deepEqual(second?.rawTx, Uint8Array.from(spend));
  assert.equal(second.vout, 1);
  assert.equal(matches.filter((match) => match.isCoinbase).length, 1);
  assert.deepEqual(
    scanTransaction(spend, scripts).matches,
    matches.filter((match) => match.txid === spendId),
  );
});

test('excludes the witness from the txid, as another library does', () => {
  const { raw, chain } = createRichBlock();
  for (const { raw: rawTx, txid } of chain.state.tip.transactions.slice(1)) {
    assert.equal(Transaction.fromRaw(rawTx, { allowUnknownInputs: true, allowUnknownOutputs: true }).id, txid);
    assert.equal(scanTransaction(rawTx, new Map()).txid, txid);
    assert.equal(RawTx.decode(rawTx).segwitFlag, true);
  }
  assert.equal(scan(raw, new Map()).matches.length, 0);
});

test('rejects a truncated block', () => {
  const { raw } = createRichBlock();
  fc.assert(
    fc.property(fc.nat(raw.length - 1), (length) => {
      assert.throws(() => scan(raw.subarray(0, length), new Map()), MalformedBytesError);
    }),
  );
  assert.throws(() => scan(Buffer.concat([raw, Buffer.of(0)]), new Map()), /1 bytes left over/);
});

test('detects a flipped bit outside the witnesses', () => {
  const { raw, chain } = createRichBlock();
  const witnessBytes = new Set<number>();
  for (const { raw: rawTx, inputs } of chain.state.tip.transactions) {
    const at = raw.indexOf(rawTx);
    const count = inputs.reduce(
      (sum, { witness }) => sum + 1 + witness.reduce((all, item) => all + 1 + item.length, 0),
      0,
    );
    for (let byte = at + rawTx.length - 4 - count; byte < at + rawTx.length - 4; byte += 1) witnessBytes.add(byte);
  }
  fc.assert(
    fc.property(fc.nat(raw.length - 1), fc.nat(7), (at, bit) => {
      fc.pre(!witnessBytes.has(at));
      const damaged = Buffer.from(raw);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
      // Half of all hashes meet regtest's proof of work, so a damaged header may be valid; then it
      // is another block.
      let hash: string | null = null;
      try {
        ({ hash } = scan(damaged, new Map()));
      } catch (error) {
        assert.ok(error instanceof MalformedBytesError, String(error));
      }
      assert.notEqual(hash, chain.state.tip.hash);
      if (at >= 80 || (at >= 36 && at < 68)) assert.equal(hash, null);
    }),
    { numRuns: 500 },
  );
});

test('rejects false counts immediately', () => {
  const header = GENESIS_BLOCK.subarray(0, 80);
  for (const lie of ['ff00000000ffffff7f', 'feffffffff', 'fdffff', 'fd0100', 'ffffffffffffffffff']) {
    assert.throws(() => scan(Buffer.concat([header, Buffer.from(lie, 'hex')]), new Map()), MalformedBytesError, lie);
  }
});

test('rejects a duplicated last transaction (CVE-2012-2459)', () => {
  const chain = new MemoryChain();
  chain.fund(testKey(), 50_000n);
  chain.fund(testKey(), 60_000n);
  chain.mine();
  const { raw, transactions } = chain.state.tip;
  assert.equal(transactions.length, 3);
  const last = transactions.at(-1)?.raw ?? Buffer.alloc(0);
  const doubled = Buffer.concat([raw.subarray(0, 80), Buffer.of(4), raw.subarray(81), last]);
  assert.throws(() => scan(doubled, new Map()), /does not commit/);
});

test('throws only its own error for arbitrary bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      for (const read of [() => scanTransaction(bytes, new Map()), () => scan(bytes, new Map())]) {
        try {
          read();
        } catch (error) {
          assert.ok(error instanceof MalformedBytesError, String(error));
        }
      }
    }),
  );
});
