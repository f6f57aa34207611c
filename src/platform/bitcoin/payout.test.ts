import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { RawTx, Transaction } from '@scure/btc-signer';
import * as fc from 'fast-check';
import { MemoryChain, testKey } from '../../../tests/support/devchain.ts';
import { createHdSigner } from './hd-signer.ts';
import type { HdSigner } from './hd-signer.ts';
import { readAccountKey } from './account-key.ts';
import type { AccountKey } from './account-key.ts';
import { computeDustSats, decodeAddress } from './address.ts';
import { getBitcoinNetwork } from './network.ts';
import { listOutpoints, planPayout, readSignedPayout } from './payout.ts';
import type { Coin, PayoutRequest } from './payout.ts';
import { parseTransaction, computeVirtualSize } from './transaction.ts';
import { scriptRules, walletScripts } from './wallet-script.ts';
import type { WalletScript } from './wallet-script.ts';

const regtest = getBitcoinNetwork('regtest');
const versions = { public: regtest.extendedKeys.account, private: 0x04358394 };
const master = HDKey.fromMasterSeed(Buffer.alloc(32, 7), versions);

interface Wallet {
  readonly account: AccountKey;
  /** Signer with the fingerprint that the PSBT contains. */
  readonly signer: HdSigner;
}

function createWallet(script: WalletScript, withOrigin = true): Wallet {
  const { purpose } = scriptRules[script];
  const own = master.derive(`m/${purpose}'/1'/0'`);
  const fingerprint = master.fingerprint.toString(16).padStart(8, '0');
  const origin = withOrigin ? `[${fingerprint}/${purpose}h/1h/0h]` : '';
  const read = readAccountKey(`${origin}${own.publicExtendedKey}`, 'regtest', script);
  assert.ok(read.ok);
  return { account: read.account, signer: createHdSigner(withOrigin ? master : own) };
}

const wallets = walletScripts.flatMap((script) => [createWallet(script), createWallet(script, false)]);

/** A distinct coin of the account from an arbitrary transaction. */
function createCoin({ account }: Wallet, amountSats: bigint, index: number): Coin {
  const txid = createHash('sha256').update(`${amountSats} ${index}`).digest();
  const input = { txid, index: 0, finalScriptSig: new Uint8Array(), sequence: 0 };
  const outputs = [{ amount: amountSats, script: account.deriveAddress(index).script }];
  const rawTx = RawTx.encode({ version: 2, segwitFlag: false, inputs: [input], outputs, lockTime: 0 });
  return { txid: parseTransaction(rawTx).txid, vout: 0, amountSats, rawTx, index };
}

const formatOutpoint = ({ txid, vout }: Coin): string => `${txid}:${vout}`;

const payee = testKey();
const createPayoutRequest = (from: Wallet, more: Partial<PayoutRequest> = {}): PayoutRequest => ({
  account: from.account,
  coins: [createCoin(from, 100_000n, 0), createCoin(from, 50_000n, 3)],
  address: payee.address,
  amountSats: 20_000n,
  feeRate: 5,
  feeFromAmount: false,
  changeIndex: 12,
  ...more,
});

function planValidPayout(order: PayoutRequest) {
  const payout = planPayout(order);
  assert.ok(payout.ok, payout.ok ? '' : payout.reason);
  return payout;
}

function signPsbt({ signer }: Wallet, psbt: Uint8Array): Transaction {
  const transaction = Transaction.fromPSBT(psbt);
  transaction.sign(signer);
  return transaction;
}

test('[PAY-13] spends coins completely on payment, change and fee', () => {
  const amount = fc.bigInt(1n, 3_000_000n);
  const order = fc.record({
    of: fc.constantFrom(...wallets),
    amounts: fc.array(amount, { minLength: 1, maxLength: 6 }),
    amountSats: amount,
    feeRate: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.double({ min: 0, max: 20, noNaN: true })),
    feeFromAmount: fc.boolean(),
    changeIndex: fc.nat(1000),
  });
  let made = 0;
  fc.assert(
    fc.property(order, ({ of, amounts, ...rest }) => {
      const coins = amounts.map((sats, index) => createCoin(of, sats, index));
      const request = createPayoutRequest(of, { coins, ...rest });
      const payout = planPayout(request);
      if (!payout.ok) return;
      made += 1;
      const { inputs, outputs, txid } = parseTransaction(Transaction.fromPSBT(payout.psbt).unsignedTx);
      assert.equal(txid, payout.txid);
      const spent = inputs.map((input) => coins.find((one) => one.txid === input.txid)?.amountSats ?? assert.fail());
      const total = spent.reduce((sum, sats) => sum + sats, 0n);
      assert.equal(total, payout.paidSats + payout.changeSats + payout.feeSats);
      assert.deepEqual(
        outputs.map(({ amountSats }) => amountSats),
        [payout.paidSats, payout.changeSats].filter((sats) => sats > 0n),
      );
      assert.ok(payout.paidSats >= computeDustSats(payee.script));
      assert.ok(payout.changeSats === 0n || payout.changeSats >= scriptRules[of.account.script].dustSats);
      // The recipient gets the agreed amount, less at most the fee.
      if (request.feeFromAmount)
        assert.ok(payout.paidSats <= request.amountSats && payout.paidSats + payout.feeSats >= request.amountSats);
      else assert.equal(payout.paidSats, request.amountSats);
      const result = readSignedPayout(signPsbt(of, payout.psbt).toPSBT(), payout.psbt);
      assert.ok(result.ok);
      const size = computeVirtualSize(parseTransaction(result.raw).weight);
      const least = Math.ceil(size * Math.max(1, request.feeRate));
      assert.ok(payout.feeSats >= BigInt(least), `${payout.feeSats} for ${size} vB`);
      // ECDSA signatures may be a byte or two shorter; dust change is added to the fee.
      const most = Math.ceil((size + inputs.length) * Math.max(1, request.feeRate));
      if (payout.changeSats > 0n) assert.ok(payout.feeSats <= BigInt(most), `${payout.feeSats} for ${size} vB`);
    }),
    { numRuns: 80 },
  );
  assert.ok(made > 20, `${made} payouts were made`);
});

test('[PAY-13] takes the fewest coins in order, uneconomical ones last', () => {
  const from = createWallet('p2wpkh');
  const [small, first, second] = [
    createCoin(from, 300n, 1),
    createCoin(from, 30_000n, 2),
    createCoin(from, 40_000n, 3),
  ];
  const listSpent = (amountSats: bigint, coins: readonly Coin[]): (string | undefined)[] =>
    listOutpoints(planValidPayout(createPayoutRequest(from, { coins, amountSats })).psbt);
  assert.deepEqual(listSpent(20_000n, [first, second]), [formatOutpoint(first)]);
  assert.deepEqual(listSpent(35_000n, [first, second]), [formatOutpoint(first), formatOutpoint(second)]);
  assert.deepEqual(listSpent(20_000n, [small, first, second]), [formatOutpoint(first)]);
  const all = planValidPayout(
    createPayoutRequest(from, { coins: [small, first], amountSats: 30_300n, feeFromAmount: true }),
  );
  assert.deepEqual(listOutpoints(all.psbt), [formatOutpoint(small), formatOutpoint(first)]);
  assert.equal(all.paidSats + all.feeSats, 30_300n);
});

test('[PAY-13] adds dust change to the fee before charging the recipient', () => {
  const from = createWallet('p2wpkh');
  const coins = [createCoin(from, 100_000n, 0)];
  const computeAmounts = (amountSats: bigint, feeFromAmount: boolean): readonly bigint[] => {
    const { paidSats, changeSats, feeSats } = planValidPayout(
      createPayoutRequest(from, { coins, amountSats, feeFromAmount, feeRate: 1 }),
    );
    return [paidSats, changeSats, feeSats];
  };
  // 110 virtual bytes without change, 141 with.
  assert.deepEqual(computeAmounts(99_565n, false), [99_565n, 294n, 141n]);
  assert.deepEqual(computeAmounts(99_566n, false), [99_566n, 0n, 434n]);
  assert.deepEqual(computeAmounts(99_706n, true), [99_565n, 294n, 141n]);
  assert.deepEqual(computeAmounts(99_707n, true), [99_707n, 0n, 293n]);
  assert.deepEqual(computeAmounts(99_890n, true), [99_890n, 0n, 110n]);
  assert.deepEqual(computeAmounts(99_950n, true), [99_890n, 0n, 110n]);
  assert.deepEqual(computeAmounts(100_000n, true), [99_890n, 0n, 110n]);
});

test('[PAY-13] rejects insufficient coins, dust amounts and absurd fee rates', () => {
  for (const from of wallets) {
    const readRefusal = (more: Partial<PayoutRequest>): string => {
      const payout = planPayout(createPayoutRequest(from, more));
      return payout.ok ? 'made' : payout.reason;
    };
    assert.equal(readRefusal({ amountSats: 150_000n }), 'too-little');
    assert.equal(readRefusal({ amountSats: 150_000n, feeFromAmount: true }), 'made');
    assert.equal(readRefusal({ coins: [] }), 'too-little');
    assert.equal(readRefusal({ amountSats: 293n }), 'dust');
    assert.equal(readRefusal({ amountSats: 294n }), 'made');
    assert.equal(readRefusal({ amountSats: 700n, feeFromAmount: true }), 'dust');
    assert.equal(readRefusal({ amountSats: 20_000n, feeRate: 500, feeFromAmount: true }), 'dust');
    for (const feeRate of [-1, Number.NaN, 1001, Infinity]) assert.throws(() => readRefusal({ feeRate }), RangeError);
  }
});

test('[PAY-13] sends change to the change branch, recognizable by wallets', () => {
  for (const from of wallets) {
    const { account, signer } = from;
    const { psbt } = planValidPayout(createPayoutRequest(from));
    const transaction = Transaction.fromPSBT(psbt);
    const [input, change] = [transaction.getInput(0), transaction.getOutput(1)];
    const { publicKey, script } = account.deriveKey(1, 12);
    assert.deepEqual(change.script, script);
    assert.ok([...Array(50).keys()].every((index) => !Buffer.from(account.deriveAddress(index).script).equals(script)));
    const ours = account.script === 'p2wpkh' ? input.bip32Derivation : input.tapBip32Derivation;
    const theirs = account.script === 'p2wpkh' ? change.bip32Derivation : change.tapBip32Derivation;
    assert.equal(ours?.length, 1);
    const [[key, value] = []] = theirs ?? [];
    const der = value === undefined || 'fingerprint' in value ? value : value.der;
    const steps = account.origin === null ? [] : [...account.origin.path].map((step) => step + 0x8000_0000);
    assert.deepEqual(der, { fingerprint: signer.fingerprint, path: [...steps, 1, 12] });
    assert.deepEqual(key, account.script === 'p2wpkh' ? publicKey : publicKey.subarray(1));
    // The wallet derives the same key.
    const derived = (der?.path ?? []).reduce((at, step) => at.deriveChild(step), signer);
    assert.deepEqual(derived.publicKey, publicKey);
    assert.equal(input.nonWitnessUtxo === undefined, account.script === 'p2tr');
  }
});

test('[PAY-13] a signed payout is valid on a chain, finalized or not', () => {
  for (const [index, from] of wallets.entries()) {
    const chain = new MemoryChain();
    const { address, script } = from.account.deriveAddress(index);
    const funded = chain.fund({ secret: new Uint8Array(), address, script }, 100_000n);
    chain.mine();
    const rawTx = chain.state.findTransaction(funded.txid)?.transaction.raw ?? assert.fail();
    const { psbt, txid } = planValidPayout(createPayoutRequest(from, { coins: [{ ...funded, rawTx, index }] }));
    const half = signPsbt(from, psbt);
    const halfDone = readSignedPayout(half.toPSBT(), psbt);
    assert.ok(halfDone.ok);
    half.finalize();
    const done = readSignedPayout(half.toPSBT(), psbt);
    assert.ok(done.ok);
    assert.deepEqual(Buffer.from(done.raw), Buffer.from(half.extract()));
    assert.deepEqual(halfDone, done);
    assert.deepEqual(readSignedPayout(half.extract(), psbt), done, 'the transaction itself');
    assert.deepEqual(readSignedPayout(half.toPSBT(2), psbt), done, 'version 2');
    assert.equal(done.txid, txid);
    const result = chain.submit(done.raw);
    assert.ok(result.ok, result.ok ? '' : result.reason);
    assert.equal(chain.state.findSpender(funded)?.txid, txid);
  }
});

test('[PAY-13] rejects another, an unsigned or a malformed transaction', () => {
  for (const from of wallets) {
    const { psbt } = planValidPayout(createPayoutRequest(from, { amountSats: 120_000n }));
    const readRefusal = (bytes: Uint8Array): string => {
      const read = readSignedPayout(bytes, psbt);
      return read.ok ? 'accepted' : read.reason;
    };
    assert.equal(readRefusal(psbt), 'not-signed');
    for (const bytes of [[], [1, 2, 3], [...Buffer.from('psbt\xff', 'latin1')], [...psbt.subarray(0, 200)]]) {
      assert.equal(readRefusal(Uint8Array.from(bytes)), 'not-a-psbt');
    }
    const other = planValidPayout(createPayoutRequest(from, { amountSats: 120_001n }));
    assert.equal(readRefusal(signPsbt(from, other.psbt).toPSBT()), 'another-transaction');
    for (const changed of [{ sequence: 0xffff_fffe }, { index: 0 }]) {
      const transaction = Transaction.fromPSBT(psbt);
      if ('sequence' in changed) transaction.updateInput(0, changed);
      else transaction.updateOutput(0, { amount: 119_999n });
      transaction.sign(from.signer);
      assert.equal(readRefusal(transaction.toPSBT()), 'another-transaction');
    }
    // One signed input of two, another key, a wrong byte, and a signature that allows changed
    // outputs.
    const one = Transaction.fromPSBT(psbt);
    const path = from.account.origin === null ? 'm/0/0' : `m/${scriptRules[from.account.script].purpose}'/1'/0'/0/0`;
    one.signIdx(from.signer.derive(path).privateKey, 0);
    assert.equal(readRefusal(one.toPSBT()), 'not-signed');
    const whole = signPsbt(from, psbt);
    whole.finalize();
    const raw = Uint8Array.from(whole.extract());
    assert.equal(readRefusal(raw), 'accepted');
    const at = raw.length - 4 - 20;
    raw[at] = (raw[at] ?? 0) ^ 1;
    assert.equal(readRefusal(raw), 'not-signed');
    const loose = Transaction.fromPSBT(psbt);
    for (const vin of [0, 1]) loose.updateInput(vin, { sighashType: 2 });
    loose.sign(from.signer, [2]);
    assert.equal(readRefusal(loose.toPSBT()), 'not-signed');
  }
});

test('[PAY-13] never spends a coin that differs from its transaction', () => {
  const from = createWallet('p2tr');
  const good = createCoin(from, 100_000n, 0);
  const foreign = createCoin(from, 100_000n, 1);
  for (const wrong of [
    { ...good, amountSats: 90_000n },
    { ...good, index: 1 },
    { ...good, rawTx: foreign.rawTx },
    { ...good, vout: 1 },
  ]) {
    assert.throws(() => planPayout(createPayoutRequest(from, { coins: [wrong] })), /differs from its transaction/);
  }
});

test('dust limits match the network’s', () => {
  const limits = {
    bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080: 294n,
    bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6: 330n,
    mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn: 546n,
    '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc': 540n,
  };
  for (const [address, limit] of Object.entries(limits)) {
    assert.equal(computeDustSats(decodeAddress(address, regtest)), limit, address);
  }
});

/** A PSBT of a megabyte in which a field is repeated. */
const fillPsbt = (start: Uint8Array, field: Uint8Array): Uint8Array =>
  Buffer.concat([start, ...Array.from({ length: Math.floor(1_000_000 / field.length) }, () => field), Buffer.of(0)]);

test('[OPS-32] refuses a PSBT or transaction that is larger than its plan, at once', () => {
  const from = createWallet('p2wpkh');
  const { psbt } = planValidPayout(createPayoutRequest(from));
  const magic = Buffer.from('psbt\xff', 'latin1');
  const manyInputs = new Transaction({ allowUnknownInputs: true });
  for (let index = 0; index < 20_000; index += 1) manyInputs.addInput({ txid: 'ab'.repeat(32), index });
  manyInputs.addOutput({ script: from.account.deriveAddress(0).script, amount: 1000n });
  const hostile = [
    fillPsbt(magic, Buffer.of(1, 0xf0, 0)),
    fillPsbt(psbt.subarray(0, psbt.length - 1), Buffer.of(1, 0xf0, 0)),
    fillPsbt(magic, Buffer.of(0)),
    manyInputs.toPSBT(0),
    manyInputs.unsignedTx,
    Buffer.concat([Buffer.from('0200000000010000', 'hex'), Buffer.alloc(900_000)]),
  ];
  for (const [which, bytes] of hostile.entries()) {
    let shortest = Infinity;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const began = performance.now();
      assert.equal(readSignedPayout(bytes, psbt).ok, false);
      shortest = Math.min(shortest, performance.now() - began);
    }
    assert.ok(shortest < 50, `input ${which} took ${Math.round(shortest)} ms`);
  }
});

test('[PAY-13] fields that a wallet adds do not matter', () => {
  for (const from of wallets) {
    const { psbt } = planValidPayout(createPayoutRequest(from));
    const signed = signPsbt(from, psbt);
    const plain = readSignedPayout(signed.toPSBT(), psbt);
    assert.ok(plain.ok);
    const bytes = signed.toPSBT();
    // An unknown global field of 300 kB, after the magic.
    const value = Buffer.alloc(300_000, 7);
    const length = Buffer.alloc(5);
    length.writeUInt8(0xfe, 0);
    length.writeUInt32LE(value.length, 1);
    const added = Buffer.concat([bytes.subarray(0, 5), Buffer.of(2, 0xf9, 1), length, value, bytes.subarray(5)]);
    assert.deepEqual(readSignedPayout(added, psbt), plain);
  }
});
