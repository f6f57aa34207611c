import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { toSignedText } from './read-signed-file.ts';

test('[PAY-13] a file of a wallet becomes the text that the shop reads', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (rest) => {
      const psbt = Buffer.concat([Buffer.from('psbt\xff', 'latin1'), rest]);
      assert.equal(toSignedText(psbt), psbt.toString('base64'));
      const transaction = Buffer.concat([Buffer.from('02000000', 'hex'), rest]);
      assert.equal(toSignedText(transaction), transaction.toString('hex'));
      for (const text of [psbt.toString('base64'), transaction.toString('hex')]) {
        assert.equal(toSignedText(Buffer.from(`${text}\r\n`)), text);
      }
    }),
  );
});
