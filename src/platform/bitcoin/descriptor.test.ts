/** Keys as hardware wallets export them: with origin, alone or in a descriptor. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import * as fc from 'fast-check';
import { readAccountKey } from './account-key.ts';
import type { AccountKeyResult } from './account-key.ts';
import { computeDescriptorChecksum, addChecksum } from './descriptor.ts';
import { getBitcoinNetwork } from './network.ts';
import type { WalletScript } from './wallet-script.ts';

const SEED = Buffer.alloc(32, 7);
const { account: version } = getBitcoinNetwork('mainnet').extendedKeys;
const master = HDKey.fromMasterSeed(SEED, { public: version, private: 0x0488ade4 });
const fingerprint = master.fingerprint.toString(16).padStart(8, '0');
const deriveKey = (path: string): string => master.derive(path).publicExtendedKey;
const [key84, key86] = [deriveKey("m/84'/0'/0'"), deriveKey("m/86'/0'/0'")];

function read(text: string, script: WalletScript = 'p2wpkh') {
  const result = readAccountKey(text, 'mainnet', script, true);
  assert.ok(result.ok, result.ok ? '' : result.message);
  return result.account;
}
function readRefusal(text: string, script: WalletScript = 'p2wpkh'): Extract<AccountKeyResult, { ok: false }> {
  const result = readAccountKey(text, 'mainnet', script);
  assert.ok(!result.ok, `${text} was accepted`);
  return result;
}

test('[PAY-07] reads a key with origin in every descriptor form', () => {
  const plain = read(key84);
  const written = `[${fingerprint}/84h/0h/0h]${key84}`;
  const forms = [
    written,
    `[${fingerprint.toUpperCase()}/84'/0'/0']${key84}`,
    `${written}/0/*`,
    `${written}/<0;1>/*`,
    `wpkh(${written}/0/*)`,
    `wpkh(${written}/<0;1>/*)`,
    addChecksum(`wpkh(${written}/0/*)`),
    ` ${addChecksum(`wpkh([${fingerprint}/84'/0'/0']${key84}/<0;1>/*)`)}\n`,
  ];
  for (const form of forms) {
    const account = read(form);
    assert.equal(account.account, plain.account);
    assert.deepEqual(account.deriveAddress(3), plain.deriveAddress(3));
    assert.deepEqual(account.origin, { fingerprint, path: [84, 0, 0] });
    // All have the same exported form.
    assert.equal(account.descriptor, addChecksum(`wpkh(${written}/0/*)`));
  }
  assert.equal(plain.origin, null);
  assert.equal(plain.descriptor, addChecksum(`wpkh(${key84}/0/*)`), 'an origin that is not known is not made up');
  assert.equal(read(`wpkh(${key84}/0/*)`).descriptor, plain.descriptor);
});

test('[PAY-07] reads an exported descriptor as the same account', () => {
  for (const [text, script] of [
    [`[${fingerprint}/84h/0h/0h]${key84}`, 'p2wpkh'],
    [`[${fingerprint}/86h/0h/0h]${key86}`, 'p2tr'],
    [key86, 'p2tr'],
  ] as const) {
    const account = read(text, script);
    const again = read(account.descriptor, script);
    assert.deepEqual([again.account, again.descriptor], [account.account, account.descriptor]);
  }
});

test('[PAY-07] the two script types of a key are two accounts', () => {
  const [segwit, taproot] = [read(key84), read(key84, 'p2tr')];
  assert.notEqual(segwit.account, taproot.account);
  assert.notEqual(segwit.deriveAddress(0).address, taproot.deriveAddress(0).address);
});

test('[PAY-07] rejects a key of another script with advice', () => {
  const zpub =
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
  const formatOrigin = (purpose: number): string =>
    `[${fingerprint}/${purpose}h/0h/0h]${deriveKey(`m/${purpose}'/0'/0'`)}`;
  const cases: readonly (readonly [string, WalletScript, string, RegExp])[] = [
    [zpub, 'p2tr', 'wrong-script', /BIP86.*xpub/],
    [`tr([${fingerprint}/86h/0h/0h]${key86}/0/*)`, 'p2wpkh', 'wrong-script', /WALLET_SCRIPT/],
    [`wpkh(${key84}/0/*)`, 'p2tr', 'wrong-script', /WALLET_SCRIPT/],
    [`pkh(${key84}/0/*)`, 'p2wpkh', 'wrong-script', /wpkh/],
    [formatOrigin(86), 'p2wpkh', 'wrong-script', /m\/84h/],
    [formatOrigin(84), 'p2tr', 'wrong-script', /m\/86h/],
    [formatOrigin(44), 'p2wpkh', 'wrong-script', /BIP84/],
    [formatOrigin(49), 'p2wpkh', 'bip49', /BIP84/],
    [`sh(wpkh(${formatOrigin(49)}/0/*))`, 'p2wpkh', 'bip49', /BIP84/],
    [formatOrigin(48), 'p2wpkh', 'multisig', /single-key/],
    [`wsh(sortedmulti(2,${formatOrigin(48)}/0/*,${formatOrigin(48)}/0/*))`, 'p2wpkh', 'multisig', /single-key/],
    [`sh(wsh(multi(1,${key84})))`, 'p2wpkh', 'multisig', /single-key/],
  ];
  for (const [text, script, reason, message] of cases) {
    const result = readRefusal(text, script);
    assert.equal(result.reason, reason, result.message);
    assert.match(result.message, message);
  }
});

test('[PAY-07] rejects an origin that does not match the key', () => {
  for (const formatOrigin of [
    `${fingerprint}/84h/0h/1h`,
    `${fingerprint}/84h/0h`,
    fingerprint,
    `${fingerprint}/84h/0h/0h/0h`,
  ]) {
    assert.equal(readRefusal(`[${formatOrigin}]${key84}`).reason, 'wrong-origin', formatOrigin);
  }
  assert.equal(readRefusal(`[${fingerprint}/84h/1h/0h]${deriveKey("m/84'/1'/0'")}`).reason, 'wrong-network');
  // At depth one the key itself contains its parent's fingerprint.
  const electrum = deriveKey("m/0'");
  assert.equal(read(`[${fingerprint}/0h]${electrum}`).origin?.fingerprint, fingerprint);
  assert.equal(readRefusal(`[00000000/0h]${electrum}`).reason, 'wrong-origin');
});

test('[PAY-07] the checksum detects a wrong character in a descriptor', () => {
  const good = addChecksum(`wpkh([${fingerprint}/84h/0h/0h]${key84}/0/*)`);
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.constantFrom(...'0123456789abcdefhpqz[]()/*#'.split('')), (at, to) => {
      fc.pre(good[at] !== to);
      assert.equal(readAccountKey(good.slice(0, at) + to + good.slice(at + 1), 'mainnet').ok, false);
    }),
    { numRuns: 300 },
  );
  assert.match(readRefusal(good.slice(0, -1)).message, /checksum/);
});

test('a checksum is eight letters of its alphabet', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), (text) => {
      assert.match(computeDescriptorChecksum(text) ?? '', /^[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{8}$/);
    }),
  );
});
