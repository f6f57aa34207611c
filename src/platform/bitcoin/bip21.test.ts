import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBip21QrUri, createBip21Uri } from './bip21.ts';

const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

test('[PAY-08] the URI contains address, amount and label', () => {
  assert.equal(createBip21Uri({ address }), `bitcoin:${address}`);
  assert.equal(
    createBip21Uri({ address, amountBtc: '0.01234500', label: 'Crypto Market #12 & more' }),
    `bitcoin:${address}?amount=0.01234500&label=Crypto%20Market%20%2312%20%26%20more`,
  );
});

test('a label cannot add parameters', () => {
  const uri = createBip21Uri({ address, amountBtc: '1', label: 'x&amount=0.00000001' });
  assert.deepEqual(new URLSearchParams(uri.slice(uri.indexOf('?'))).getAll('amount'), ['1']);
});

test('the QR form is upper case except for the parameter name', () => {
  assert.equal(
    createBip21QrUri({ address, amountBtc: '0.5', label: 'left out' }),
    `BITCOIN:${address.toUpperCase()}?amount=0.5`,
  );
  assert.equal(
    createBip21QrUri({ address: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' }),
    'BITCOIN:1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  );
});

test('rejects an invalid amount', () => {
  for (const amountBtc of ['', '1e-3', '-1', '.5', '1.', '0.123456789', '01', '1,5', 'NaN']) {
    assert.throws(() => createBip21Uri({ address, amountBtc }), RangeError, amountBtc);
  }
  assert.throws(() => createBip21Uri({ address: 'a?b' }), RangeError);
});
