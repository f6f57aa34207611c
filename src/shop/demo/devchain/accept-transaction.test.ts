import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Script, Transaction } from '@scure/btc-signer';
import { SigHash } from '@scure/btc-signer/transaction.js';
import { pubECDSA, signECDSA } from '@scure/btc-signer/utils.js';
import { MemoryChain, createSignedSpend, testKey, readVerdict } from '../../../../tests/support/devchain.ts';
import type { Coin, TestKey } from '../../../../tests/support/devchain.ts';
import { parseTransaction } from '#src/platform/bitcoin/transaction.ts';

const SATS = 1_000_000n;
const FEE = 1_000n;

function createFunded(type: 'p2wpkh' | 'p2tr' = 'p2wpkh'): { chain: MemoryChain; key: TestKey; coin: Coin } {
  const chain = new MemoryChain();
  const key = testKey(type);
  return { chain, key, coin: chain.fund(key, SATS) };
}

const toSelf = (key: TestKey, amountSats: bigint) => [{ script: key.script, amountSats }];

for (const type of ['p2wpkh', 'p2tr'] as const) {
  test(`a signed ${type} spend is accepted, mined and final`, () => {
    const { chain, key, coin } = createFunded(type);
    const raw = createSignedSpend(key, [coin], toSelf(key, SATS - FEE));
    assert.equal(readVerdict(chain.submit(raw)), 'accepted');
    chain.mine();
    assert.equal(chain.state.mempool.size, 0);
    assert.equal(chain.state.findTransaction(parseTransaction(raw).txid)?.block?.height, 111);
    assert.equal(readVerdict(chain.submit(raw)), 'Transaction outputs already in utxo set');
  });

  test(`a ${type} spend with any bit of its witness flipped is refused`, () => {
    const { chain, key, coin } = createFunded(type);
    const raw = createSignedSpend(key, [coin], toSelf(key, SATS - FEE));
    const witness = parseTransaction(raw).inputs[0]?.witness ?? [];
    for (const item of witness) {
      const at = Buffer.from(raw).indexOf(item);
      for (let offset = 0; offset < item.length; offset += 5) {
        const damaged = Uint8Array.from(raw);
        damaged[at + offset] = (damaged[at + offset] ?? 0) ^ 4;
        assert.match(readVerdict(chain.submit(damaged)), /script-verify/, `byte ${offset} of the witness`);
      }
    }
  });

  test(`a ${type} signature is invalid for another amount, output or key`, () => {
    const { chain, key, coin } = createFunded(type);
    const lie = { ...coin, amountSats: SATS + 1n };
    assert.match(readVerdict(chain.submit(createSignedSpend(key, [lie], toSelf(key, SATS - FEE)))), /script-verify/);
    const stranger = testKey(type);
    const theirs = { ...coin, script: stranger.script };
    assert.match(
      readVerdict(chain.submit(createSignedSpend(stranger, [theirs], toSelf(key, SATS - FEE)))),
      /script-verify/,
    );
    const raw = Buffer.from(createSignedSpend(key, [coin], toSelf(key, SATS - FEE)));
    const at = raw.indexOf(Buffer.from(key.script));
    raw[at + 5] = (raw[at + 5] ?? 0) ^ 1;
    assert.match(readVerdict(chain.submit(raw)), /script-verify/);
  });
}

test('a valid signature by another key is refused', () => {
  const { chain, key, coin } = createFunded();
  const stranger = testKey();
  const spend = new Transaction({ allowUnknownInputs: true });
  spend.addInput({ txid: coin.txid, index: coin.vout });
  spend.addOutput({ script: stranger.script, amount: SATS - FEE });
  const program = Buffer.from(key.script).subarray(2);
  const scriptCode = Buffer.concat([Buffer.from('76a914', 'hex'), program, Buffer.from('88ac', 'hex')]);
  const createWitness = (secret: Uint8Array) => {
    const digest = spend.preimageWitnessV0(0, scriptCode, SigHash.ALL, SATS);
    return [Buffer.concat([signECDSA(digest, secret), Buffer.of(SigHash.ALL)]), pubECDSA(secret)];
  };
  spend.updateInput(0, { finalScriptWitness: createWitness(stranger.secret) });
  assert.match(readVerdict(chain.submit(spend.toBytes(true, true))), /script-verify/);
  spend.updateInput(0, { finalScriptWitness: createWitness(key.secret) }, true);
  assert.equal(readVerdict(chain.submit(spend.toBytes(true, true))), 'accepted');
});

test('outputs of other types can be made but not spent', () => {
  const { chain, key, coin } = createFunded();
  const p2pkh = Buffer.from(`76a914${'11'.repeat(20)}88ac`, 'hex');
  const raw = createSignedSpend(key, [coin], [{ script: p2pkh, amountSats: SATS - FEE }]);
  assert.equal(readVerdict(chain.submit(raw)), 'accepted');
  const spend = new Transaction({ allowUnknownInputs: true });
  spend.addOutput({ script: key.script, amount: SATS - 2n * FEE });
  spend.addInput({
    txid: parseTransaction(raw).txid,
    index: 0,
    finalScriptSig: Script.encode([Buffer.alloc(71), Buffer.alloc(33)]),
  });
  assert.equal(readVerdict(chain.submit(spend.toBytes(true, true))), 'scriptsig-not-empty');
});

test('refuses unknown outputs and outputs spent in a block', () => {
  const { chain, key, coin } = createFunded();
  const raw = createSignedSpend(key, [{ ...coin, txid: 'ab'.repeat(32) }], toSelf(key, SATS - FEE));
  assert.equal(readVerdict(chain.submit(raw)), 'bad-txns-inputs-missingorspent');
  const beyond = createSignedSpend(key, [{ ...coin, vout: 7 }], toSelf(key, SATS - FEE));
  assert.equal(readVerdict(chain.submit(beyond)), 'bad-txns-inputs-missingorspent');
  assert.equal(readVerdict(chain.submit(createSignedSpend(key, [coin], toSelf(key, SATS - FEE)))), 'accepted');
  chain.mine();
  const doubleSpend = createSignedSpend(key, [coin], toSelf(key, SATS - 50n * FEE));
  assert.equal(readVerdict(chain.submit(doubleSpend)), 'bad-txns-inputs-missingorspent');
});

test('the same input twice is refused', () => {
  const { chain, key, coin } = createFunded();
  const raw = createSignedSpend(key, [coin, coin], toSelf(key, 2n * SATS - FEE));
  assert.equal(readVerdict(chain.submit(raw)), 'bad-txns-inputs-duplicate');
});

test('refuses outputs above the inputs and too low fees', () => {
  const { chain, key, coin } = createFunded();
  assert.equal(
    readVerdict(chain.submit(createSignedSpend(key, [{ ...coin, amountSats: 2n * SATS }], toSelf(key, SATS + 1n)))),
    'bad-txns-in-belowout',
  );
  // It has 109 or 110 virtual bytes, since some signatures are a byte shorter.
  assert.equal(
    readVerdict(chain.submit(createSignedSpend(key, [coin], toSelf(key, SATS - 108n)))),
    'min relay fee not met',
  );
  assert.equal(readVerdict(chain.submit(createSignedSpend(key, [coin], toSelf(key, SATS - 110n)))), 'accepted');
});

test('the dust limit is 294 sats for P2WPKH, 330 for P2TR', () => {
  const { chain, key, coin } = createFunded();
  const taproot = testKey('p2tr');
  const submitPayment = (script: Uint8Array, amountSats: bigint): string =>
    readVerdict(
      chain.submit(
        createSignedSpend(
          key,
          [coin],
          [
            { script, amountSats },
            { script: key.script, amountSats: SATS - 50_000n - (fee += 10_000n) },
          ],
        ),
      ),
    );
  let fee = 0n;
  assert.equal(submitPayment(key.script, 293n), 'dust');
  assert.equal(submitPayment(taproot.script, 329n), 'dust');
  assert.equal(submitPayment(key.script, 294n), 'accepted');
  assert.equal(submitPayment(taproot.script, 330n), 'accepted');
});

test('a coinbase output is spendable after 100 blocks', () => {
  const chain = new MemoryChain(100);
  const payment = chain.wallet.pay(chain.state, testKey().address, SATS);
  assert.ok(payment.ok);
  chain.state.apply({ forkHeight: 99, connect: [], drop: [], add: [] });
  assert.equal(readVerdict(chain.submit(payment.raw)), 'bad-txns-premature-spend-of-coinbase');
  assert.deepEqual(chain.wallet.pay(chain.state, testKey().address, SATS), { ok: false, reason: 'insufficient-funds' });
  chain.mine();
  assert.equal(readVerdict(chain.submit(payment.raw)), 'accepted');
});

test('a reorganisation drops descendants of its coinbase and keeps other transactions', () => {
  const chain = new MemoryChain(110);
  const key = testKey();
  const coin = chain.fund(key, SATS);
  const child = createSignedSpend(key, [coin], toSelf(key, SATS - FEE));
  assert.equal(readVerdict(chain.submit(child)), 'accepted');
  chain.mine();
  chain.reorganise(2);
  assert.equal(chain.state.tip.height, 112);
  assert.deepEqual([...chain.state.mempool.keys()], [coin.txid, parseTransaction(child).txid]);
  chain.reorganise(112);
  assert.equal(chain.state.tip.height, 113);
  assert.equal(chain.state.mempool.size, 0);
  assert.equal(chain.state.findTransaction(coin.txid), undefined);
});

test('a replacement pays a higher fee and fee rate, and evicts descendants', () => {
  const { chain, key, coin } = createFunded();
  const first = createSignedSpend(key, [coin], toSelf(key, SATS - FEE));
  assert.equal(readVerdict(chain.submit(first)), 'accepted');
  const firstTxid = parseTransaction(first).txid;
  const child = createSignedSpend(
    key,
    [{ ...coin, txid: firstTxid, vout: 0, amountSats: SATS - FEE }],
    toSelf(key, SATS - 3n * FEE),
  );
  assert.equal(readVerdict(chain.submit(child)), 'accepted');
  const cheap = createSignedSpend(key, [coin], toSelf(key, SATS - 3n * FEE - 109n));
  assert.equal(readVerdict(chain.submit(cheap)), 'insufficient fee');
  const replacement = createSignedSpend(key, [coin], toSelf(key, SATS - 3n * FEE - 110n));
  assert.equal(readVerdict(chain.submit(replacement)), 'accepted');
  assert.equal(chain.state.findTransaction(firstTxid), undefined);
  assert.equal(chain.state.findTransaction(parseTransaction(child).txid), undefined);
  assert.deepEqual([...chain.state.mempool.keys()].slice(-1), [parseTransaction(replacement).txid]);
});

test('replaces transactions that do not signal RBF', () => {
  const { chain, key, coin } = createFunded();
  assert.equal(
    readVerdict(chain.submit(createSignedSpend(key, [coin], toSelf(key, SATS - FEE), { sequence: 0xffff_ffff }))),
    'accepted',
  );
  assert.equal(readVerdict(chain.submit(createSignedSpend(key, [coin], toSelf(key, SATS - 2n * FEE)))), 'accepted');
});

test('a transaction cannot replace its own parent', () => {
  const { chain, key, coin } = createFunded();
  const first = createSignedSpend(key, [coin], toSelf(key, SATS - FEE));
  assert.equal(readVerdict(chain.submit(first)), 'accepted');
  const own = { ...coin, txid: parseTransaction(first).txid, vout: 0, amountSats: SATS - FEE };
  const both = createSignedSpend(key, [coin, own], toSelf(key, SATS));
  assert.equal(readVerdict(chain.submit(both)), 'bad-txns-spends-conflicting-tx');
});

test('refuses a lock time beyond the next block', () => {
  const { chain, key, coin } = createFunded();
  const lock = (lockTime: number, sequence: number): string =>
    readVerdict(chain.submit(createSignedSpend(key, [coin], toSelf(key, SATS - FEE), { lockTime, sequence })));
  assert.equal(lock(111, 0xffff_fffe), 'non-final');
  assert.equal(lock(1_900_000_000, 0xffff_fffe), 'non-final');
  assert.equal(lock(0, 5), 'non-BIP68-final');
  assert.equal(lock(110, 0xffff_fffe), 'accepted');
});

test('refuses malformed transactions with a message', () => {
  const { chain, key, coin } = createFunded();
  const raw = createSignedSpend(key, [coin], toSelf(key, SATS - FEE));
  assert.match(readVerdict(chain.submit(raw.subarray(0, 50))), /^TX decode failed: truncated/);
  assert.match(
    readVerdict(chain.submit(Buffer.concat([raw, Buffer.from([0])]))),
    /^TX decode failed: 1 bytes left over/,
  );
  assert.equal(
    readVerdict(chain.submit(chain.state.findBlockAt(1)?.transactions[0]?.raw ?? raw)),
    'Transaction outputs already in utxo set',
  );
});
