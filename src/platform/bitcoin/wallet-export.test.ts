import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { readAccountKey } from './account-key.ts';
import { addChecksum } from './descriptor.ts';

const master = HDKey.fromMasterSeed(new Uint8Array(32).fill(7));
const fingerprint = master.fingerprint.toString(16).padStart(8, '0');
const derive = (path: string): HDKey => master.derive(path);
const xpub = derive("m/84'/0'/0'").publicExtendedKey;
const tapXpub = derive("m/86'/0'/0'").publicExtendedKey;
const xprv = derive("m/84'/0'/0'").privateExtendedKey;
const DESCRIPTOR = addChecksum(`wpkh([${fingerprint}/84h/0h/0h]${xpub}/0/*)`);
const EXPECTED = { path: [84, 0, 0], fingerprint };

const coldcard = {
  chain: 'BTC',
  xfp: fingerprint.toUpperCase(),
  account: 0,
  bip44: { name: 'p2pkh', xfp: '92B53FD2', deriv: "m/44'/0'/0'", xpub: derive("m/44'/0'/0'").publicExtendedKey },
  bip84: { name: 'p2wpkh', xfp: 'F4E8D2A1', deriv: "m/84'/0'/0'", xpub },
  bip86: { name: 'p2tr', xfp: '7C2F5A3E', deriv: "m/86'/0'/0'", xpub: tapXpub },
};
const FILES: Readonly<Record<string, string>> = {
  descriptor: DESCRIPTOR,
  'descriptor with comments': `# Receive and change descriptor (BIP389):\n\n${DESCRIPTOR}\n\n# Change descriptor (Bitcoin Core):\nwpkh(x)`,
  Coldcard: JSON.stringify(coldcard, null, 2),
  Specter: JSON.stringify({ label: 'the wallet of our shop for all orders', blockheight: 0, descriptor: DESCRIPTOR }),
  Electrum: JSON.stringify({
    keystore: { type: 'hardware', xpub, derivation: "m/84'/0'/0'", root_fingerprint: fingerprint, label: null },
    wallet_type: 'standard',
  }),
  Sparrow: JSON.stringify({
    policyType: 'SINGLE',
    keystores: [
      { extendedPublicKey: xpub, keyDerivation: { masterFingerprint: fingerprint, derivationPath: "m/84'/0'/0'" } },
    ],
  }),
  'Bitcoin Core': JSON.stringify({
    wallet_name: 'shop',
    descriptors: [
      { desc: `tr([${fingerprint}/86h/0h/0h]${tapXpub}/0/*)`, internal: false },
      { desc: DESCRIPTOR.replace('/0/*', '/1/*'), internal: true },
      { desc: DESCRIPTOR, internal: false },
    ],
  }),
  BSMS: `BSMS 1.0\n${addChecksum(`wpkh([${fingerprint}/84'/0'/0']${xpub}/**)`)}\n/0/*,/1/*\nbc1qexample\n`,
  'BSMS key record': `BSMS 1.0\n00\n[${fingerprint}/84'/0'/0']${xpub}\nthe key of our shop\n`,
};

for (const [name, file] of Object.entries(FILES)) {
  test(`[PAY-07] reads the account key of ${name}`, () => {
    const read = readAccountKey(`\n${file}\r\n`, 'mainnet');
    assert.ok(read.ok, read.ok ? '' : read.message);
    assert.deepEqual(read.account.origin, EXPECTED);
    assert.equal(read.account.extendedKey, xpub);
  });
}

test('[PAY-07] takes the taproot account of a file for a shop with taproot', () => {
  const read = readAccountKey(JSON.stringify(coldcard), 'mainnet', 'p2tr');
  assert.equal(read.ok && read.account.extendedKey, tapXpub);
});

const readRefusal = (text: string): string => {
  const read = readAccountKey(text, 'mainnet');
  return read.ok ? 'accepted' : read.reason;
};

test('[PAY-07] refuses a file with a private key or seed anywhere, and repeats nothing of it', () => {
  const seed = `${'abandon '.repeat(11)}about`;
  for (const secret of [
    JSON.stringify({ ...coldcard, xprv }),
    JSON.stringify({ descriptor: DESCRIPTOR, devices: [{ keys: { mnemonic: seed } }] }),
    JSON.stringify({ keystore: { xpub, seed } }),
    `# the key ${xprv}\n${DESCRIPTOR}`,
    `BSMS 1.0\n00\n[${fingerprint}/84'/0'/0']${xprv}`,
  ]) {
    const read = readAccountKey(secret, 'mainnet');
    assert.equal(read.ok ? '' : read.reason, 'private-key');
    assert.doesNotMatch(JSON.stringify(read), /xprv9|abandon/);
  }
});

test('[PAY-07] refuses files without a single-key account', () => {
  for (const file of [
    '{',
    '{}',
    '[]',
    JSON.stringify({ bip44: coldcard.bip44 }),
    'BSMS 1.0',
    `{"a":"${'x'.repeat(100_001)}"}`,
  ]) {
    assert.equal(readRefusal(file), 'malformed', file.slice(0, 20));
  }
  assert.equal(readRefusal(JSON.stringify({ descriptor: `wsh(sortedmulti(2,${xpub}))` })), 'multisig');
});

test('[PAY-07] refuses a key of another depth unless that is confirmed', () => {
  for (const path of ['m', "m/0'", "m/84'/0'", "m/84'/0'/0'/0"]) {
    const key = derive(path).publicExtendedKey;
    assert.equal(readRefusal(key), 'wrong-depth', path);
    assert.ok(readAccountKey(key, 'mainnet', 'p2wpkh', true).ok);
  }
  assert.equal(readRefusal(xpub), 'accepted');
});
