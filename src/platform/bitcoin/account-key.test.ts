import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { Address, OutScript, p2wpkh, WIF } from '@scure/btc-signer';
import * as fc from 'fast-check';
import { createHash, randomBytes } from 'node:crypto';
import { readAccountKey } from './account-key.ts';
import type { AccountKeyResult } from './account-key.ts';
import { DEMO_ACCOUNT_KEY } from './demo-account-key.ts';
import { getBitcoinNetwork, networkNames } from './network.ts';
import type { BitcoinNetworkName } from './network.ts';

/** The account of BIP84's test vectors. */
const BIP84_ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());

function replaceVersion(extendedKey: string, version: number): string {
  const bytes = Uint8Array.from(base58check.decode(extendedKey));
  new DataView(bytes.buffer).setUint32(0, version);
  return base58check.encode(bytes);
}

function readValidAccount(text: string, network: BitcoinNetworkName) {
  const result = readAccountKey(text, network);
  assert.ok(result.ok, result.ok ? '' : result.message);
  return result.account;
}

function readRefusal(text: string, network: BitcoinNetworkName): Extract<AccountKeyResult, { ok: false }> {
  const result = readAccountKey(text, network);
  assert.ok(!result.ok, 'it was accepted');
  return result;
}

test('[PAY-07] derives the receiving addresses of the BIP84 vectors', () => {
  const key = readValidAccount(BIP84_ZPUB, 'mainnet');
  assert.equal(key.deriveAddress(0).address, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
  assert.equal(key.deriveAddress(1).address, 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g');
});

test('[PAY-07] derives the same addresses as another BIP32 implementation', () => {
  const indexes = fc.oneof(fc.nat(1000), fc.nat(0x7fff_ffff), fc.constant(0x7fff_ffff));
  const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(seed, fc.array(indexes, { minLength: 1, maxLength: 5 }), (bytes, at) => {
      const { extendedKeys, addresses } = getBitcoinNetwork('mainnet');
      const master = HDKey.fromMasterSeed(bytes, { public: extendedKeys.account, private: 0x0488ade4 });
      const own = master.derive("m/84'/0'/0'");
      const read = readValidAccount(own.publicExtendedKey, 'mainnet');
      for (const index of at) {
        const { publicKey } = own.deriveChild(0).deriveChild(index);
        assert.ok(publicKey);
        const expected = p2wpkh(publicKey, addresses);
        const { address, script } = read.deriveAddress(index);
        assert.deepEqual([address, Buffer.from(script)], [expected.address, Buffer.from(expected.script)]);
      }
    }),
    { numRuns: 100 },
  );
});

test('[PAY-07] accepts a public key that happens to contain xprv', () => {
  // About one key in a thousand contains these letters; this seed was found by the test above.
  const seed = Uint8Array.from([
    250, 5, 161, 7, 2, 226, 169, 103, 137, 4, 91, 132, 1, 2, 85, 216, 206, 49, 113, 148, 0, 2, 40, 63, 254, 236, 133,
    31, 226, 253, 146, 153,
  ]);
  const { account: version } = getBitcoinNetwork('mainnet').extendedKeys;
  const { publicExtendedKey } = HDKey.fromMasterSeed(seed, { public: version, private: 0x0488ade4 }).derive(
    "m/84'/0'/0'",
  );
  assert.match(publicExtendedKey, /[xyztuv]prv/i);
  assert.equal(readValidAccount(publicExtendedKey, 'mainnet').extendedKey, publicExtendedKey);
});

test('zpub and xpub of one account are the same account', () => {
  const xpub = replaceVersion(BIP84_ZPUB, 0x0488b21e);
  const [asZpub, asXpub] = [readValidAccount(BIP84_ZPUB, 'mainnet'), readValidAccount(` ${xpub}\n`, 'mainnet')];
  assert.match(xpub, /^xpub/);
  assert.equal(asZpub.account, asXpub.account);
  assert.match(asZpub.account, /^[0-9a-f]{40}$/);
  assert.equal(asZpub.extendedKey, xpub);
  assert.deepEqual(asZpub.deriveAddress(7), asXpub.deriveAddress(7));
});

test('tpub and vpub serve every test network, with its own address prefix', () => {
  const tpub = replaceVersion(BIP84_ZPUB, 0x043587cf);
  const vpub = replaceVersion(BIP84_ZPUB, 0x045f1cf6);
  for (const name of networkNames.filter((network) => network !== 'mainnet')) {
    const { address, script } = readValidAccount(tpub, name).deriveAddress(0);
    assert.ok(address.startsWith(`${getBitcoinNetwork(name).bech32}1q`), address);
    assert.deepEqual(readValidAccount(vpub, name).deriveAddress(0).address, address);
    assert.deepEqual(OutScript.encode(Address(getBitcoinNetwork(name).addresses).decode(address)), script);
  }
});

test('the demo account is a public key of the test networks', () => {
  assert.match(readValidAccount(DEMO_ACCOUNT_KEY, 'regtest').deriveAddress(0).address, /^bcrt1q/);
});

test('rejects an invalid index', () => {
  for (const index of [-1, 0.5, 0x8000_0000, Number.NaN]) {
    assert.throws(() => readValidAccount(BIP84_ZPUB, 'mainnet').deriveAddress(index), RangeError);
  }
});

test('rejects a key of another network by name', () => {
  assert.match(readRefusal(BIP84_ZPUB, 'regtest').message, /belongs to mainnet, but the network is regtest/);
  assert.match(readRefusal(DEMO_ACCOUNT_KEY, 'mainnet').message, /belongs to testnet4, signet or regtest/);
});

test('rejects BIP49 keys (ypub, upub) and names BIP84', () => {
  for (const [version, network] of [
    [0x049d7cb2, 'mainnet'],
    [0x044a5262, 'regtest'],
  ] as const) {
    const result = readRefusal(replaceVersion(BIP84_ZPUB, version), network);
    assert.equal(result.reason, 'bip49');
    assert.match(result.message, /BIP84/);
  }
});

test('rejects multisignature keys (Zpub, Vpub)', () => {
  assert.equal(readRefusal(replaceVersion(BIP84_ZPUB, 0x02aa7ed3), 'mainnet').reason, 'multisig');
});

test('[PAY-07] rejects private keys and seeds without repeating them', () => {
  const key = HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/0'/0'");
  const { privateKey, privateExtendedKey } = key;
  assert.ok(privateKey !== null);
  const words = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
  const secrets = [
    privateExtendedKey,
    replaceVersion(privateExtendedKey, 0x04b2430c),
    replaceVersion(privateExtendedKey, 0x04358394),
    replaceVersion(privateExtendedKey, 0x045f18bc),
    // A private key with a public key's version bytes.
    replaceVersion(privateExtendedKey, 0x04b24746),
    `wpkh([00000000/84h/0h/0h]${privateExtendedKey}/0/*)`,
    `key${privateExtendedKey}`,
    privateExtendedKey.slice(0, -2),
    WIF().encode(privateKey),
    Buffer.from(privateKey).toString('hex'),
    words,
    words.toUpperCase(),
    words.replaceAll(' ', '\n'),
    words.replaceAll(' ', ', '),
    `\uFEFF${words}`,
    words.replaceAll(' ', '\u200B'),
    words.replaceAll(' ', '-'),
    'ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlw',
    `${'0000'.repeat(11)}0003`,
    'ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco abierto',
  ];
  for (const secret of secrets) {
    for (const network of networkNames) {
      const { reason, message } = readRefusal(secret, network);
      assert.equal(reason, 'private-key', message);
      assert.match(message, /PRIVATE/);
      for (let at = 0; at + 8 <= secret.length; at += 1) {
        const part = secret.slice(at, at + 8);
        assert.ok(!message.includes(part), `the message repeats "${part}"`);
      }
    }
  }
});

test('detects a wrong letter anywhere', () => {
  fc.assert(
    fc.property(
      fc.nat(BIP84_ZPUB.length - 1),
      fc.constantFrom(...Array.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefg')),
      (at, letter) => {
        fc.pre(BIP84_ZPUB[at] !== letter);
        const damaged = BIP84_ZPUB.slice(0, at) + letter + BIP84_ZPUB.slice(at + 1);
        assert.ok(!readAccountKey(damaged, 'mainnet').ok);
      },
    ),
  );
});

test('rejects any other text without throwing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (text) => {
      assert.ok(!readAccountKey(text, 'mainnet').ok);
    }),
  );
});
