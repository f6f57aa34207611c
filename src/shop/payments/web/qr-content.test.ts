import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawQr } from '#src/ui/copy/draw-qr.ts';
import { readAmount, toQrContent } from './qr-content.ts';

const URI = 'bitcoin:bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080?amount=0.00487655&label=Crypto%20Market%20CM-1';

test('[PAY-08] the code has scheme and address in capitals', () => {
  const content = toQrContent(URI);
  assert.equal(
    content,
    'BITCOIN:BCRT1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KYGT080?amount=0.00487655&label=Crypto%20Market%20CM-1',
  );
  assert.ok(drawQr(content).size <= drawQr(URI).size);
});

test('[PAY-08] reads the missing amount from a payment URI', () => {
  assert.equal(readAmount(URI), 0.00487655);
  assert.equal(readAmount('bitcoin:bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'), null);
});

test('[PAY-08] draws a code as one path of its dark modules', () => {
  const { size, path } = drawQr('A');
  assert.equal(size, 21 + 2 * 4);
  // The finder in the first corner: seven modules wide, four from the edge.
  assert.ok(path.startsWith('M4 4h7v1h-7z'));
  assert.match(path, /^(?:M\d+ \d+h\d+v1h-\d+z)+$/);
});
