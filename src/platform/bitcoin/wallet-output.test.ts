import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readWalletOutput } from './wallet-output.ts';

const read = (text: string): string => {
  const result = readWalletOutput(text);
  return result.ok ? Buffer.from(result.bytes).toString('hex') : result.reason;
};

test('[PAY-13] reads a PSBT in base64 or hex and a transaction in hex, with line breaks', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(20), (rest, at) => {
      const bytes = Buffer.concat([Buffer.from('psbt\xff', 'latin1'), rest]);
      for (const text of [bytes.toString('base64'), bytes.toString('hex'), bytes.toString('hex').toUpperCase()]) {
        assert.equal(read(`\n ${text.slice(0, at)}\r\n${text.slice(at)}\n`), bytes.toString('hex'));
      }
    }),
  );
  assert.equal(read('02000000'), '02000000');
  for (const text of ['', '{}', 'no PSBT!', '{"psbt": "cHNidP8="}']) assert.equal(read(text), 'not-a-psbt');
});

test('[PAY-13] recognises parts of animated QR codes', () => {
  for (const text of ['B$ZP0500ABC', 'B$2P0203ABCDEFG', 'b$hp0100', 'ur:crypto-psbt/1-9/lpadas', 'UR:PSBT/HKADCH']) {
    assert.equal(read(` ${text}\n`), 'animated-code');
  }
});

test('[PAY-07] recognises private keys and seeds instead of a transaction', () => {
  for (const text of [
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
    'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ',
    'ab'.repeat(32),
    `zprv${'a'.repeat(107)}`,
  ]) {
    assert.equal(read(text), 'private-key', text.slice(0, 4));
  }
});
