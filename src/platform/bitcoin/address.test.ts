import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bech32m } from '@scure/base';
import * as fc from 'fast-check';
import { readAddress } from './address.ts';
import { getBitcoinNetwork } from './network.ts';
import type { BitcoinNetworkName } from './network.ts';

const read = (text: string, name: BitcoinNetworkName = 'mainnet') => readAddress(text, getBitcoinNetwork(name));
const getErrorMessage = (text: string, name: BitcoinNetworkName = 'mainnet'): string => {
  const result = read(text, name);
  assert.ok(!result.ok, `${text} is accepted`);
  return result.message;
};

/** From BIP173, BIP350 and the first blocks. */
const VALID: readonly (readonly [BitcoinNetworkName, string])[] = [
  ['mainnet', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['mainnet', '3P14159f73E4gFr7JterCCQh9QjiTjiZrG'],
  ['mainnet', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['mainnet', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['testnet4', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
  ['signet', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7'],
  ['testnet4', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
  ['regtest', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'],
];

test('[PAY-13] reads addresses of every type in canonical form', () => {
  for (const [name, address] of VALID) assert.deepEqual(read(address, name), { ok: true, address });
  const bech32 = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  assert.deepEqual(read(`  ${bech32.toUpperCase()} `), { ok: true, address: bech32 });
});

test('[PAY-13] rejects an unspendable taproot address with a valid checksum', () => {
  for (const last of [0, 5, 0xff]) {
    const key = Uint8Array.from({ length: 32 }, () => (last === 0xff ? 0xff : 0)).fill(last, 31);
    const address = bech32m.encode('bc', [1, ...bech32m.toWords(key)]);
    assert.match(getErrorMessage(address), /typing error/);
  }
});

test('[PAY-13] detects one wrong character', () => {
  const typing = fc.record({
    at: fc.nat(),
    to: fc.constantFrom(...'023456789acdefghjklmnpqrstuvwxyz'.split('')),
    good: fc.constantFrom(...VALID),
  });
  fc.assert(
    fc.property(typing, ({ at, to, good: [name, address] }) => {
      const place = 5 + (at % (address.length - 5));
      const typed = `${address.slice(0, place)}${to}${address.slice(place + 1)}`;
      assert.equal(read(typed, name).ok, typed === address);
    }),
    { numRuns: 500 },
  );
});

test('[PAY-13] explains errors without repeating the input', () => {
  assert.match(getErrorMessage('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'), /typing error/);
  assert.match(getErrorMessage('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb'), /typing error/);
  assert.match(
    getErrorMessage('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'regtest'),
    /belongs to the Bitcoin network/,
  );
  assert.match(getErrorMessage('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'), /belongs to the test network/);
  assert.match(getErrorMessage('bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=1'), /only the address/);
  assert.match(
    getErrorMessage('lnbc1500n1pw5kjhmpp5fu6xhthlt2vucmzkx6c7wtlh2r625r30cyjsfqhu8rsx4xpz5lwqdpa2'),
    /Lightning/,
  );
  assert.match(getErrorMessage('ada@wallet.example'), /Lightning/);
  assert.match(
    getErrorMessage(
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
    ),
    /extended public key/,
  );
  const secret = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
  assert.match(getErrorMessage(secret), /private key/);
  assert.ok(!getErrorMessage(secret).includes(secret));
  for (const text of ['', 'hello', '0x52908400098527886E0F7030069857D2E4169EE7', 'bc1', '1']) {
    assert.match(getErrorMessage(text), /not a Bitcoin address|typing error/);
  }
});

const SECRETS: readonly (readonly [name: string, secret: string])[] = [
  ['WIF', 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn'],
  ['WIF in a sentence', 'my key: KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn'],
  ['xprv', `xprv${'9'.repeat(107)}`],
  ['codex32', 'ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlw'],
  ['codex32 share', 'MS12NAMEA320ZYXWVUTSRQPNMLKJHGFEDCAXRPP870HKKQRM'],
  ['SeedQR', '0000'.repeat(11) + '0003'],
  ['SeedQR of 24 words, in lines', `${'0123 '.repeat(23)}0456`],
  ['numbers of words', '1, 22, 333, 2047, 5, 6, 7, 8, 9, 10, 11, 12'],
  ['seed words after a byte order mark', `\uFEFF${'abandon '.repeat(11)}about`],
  ['seed words between zero width spaces', Array(12).fill('abandon').join('\u200B')],
  ['seed words with invisible characters inside', Array(12).fill('aban\u200Bdon').join(' ')],
  ['seed words with hyphens', Array(12).fill('abandon').join('-')],
  ['numbered seed words', Array.from({ length: 12 }, (_, at) => `${at + 1}.abandon`).join(' ')],
  ['wide letters', Array(12).fill('ａｂａｎｄｏｎ').join('\u3000')],
];

test('[PAY-13] warns about everything that can spend', () => {
  for (const [name, secret] of SECRETS) {
    const message = getErrorMessage(secret);
    assert.match(message, /private key or a recovery phrase/, name);
    for (let at = 0; at + 8 <= secret.length; at += 1) assert.ok(!message.includes(secret.slice(at, at + 8)), name);
  }
});

test('[PAY-13] reads an address with invisible characters and wide letters', () => {
  const [, address] = VALID[2] ?? assert.fail();
  for (const pasted of [
    `\uFEFF${address}`,
    `${address}\u200B`,
    `\u202A${address.slice(0, 20)}\u2060${address.slice(20)}\u202C`,
    address.replaceAll(/[a-z0-9]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
    `\u3000${address}\u00A0`,
  ])
    assert.deepEqual(read(pasted), { ok: true, address });
});
