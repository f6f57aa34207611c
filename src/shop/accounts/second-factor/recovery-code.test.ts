import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { generateRecoveryCode, parseAppCode, parseRecoveryCode, RECOVERY_CODE_BYTES } from './recovery-code.ts';

const bytes = fc.array(fc.integer({ min: 0, max: 255 }), {
  minLength: RECOVERY_CODE_BYTES,
  maxLength: RECOVERY_CODE_BYTES,
});

test('[OPS-17] reads a recovery code however its letters are written', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const code = generateRecoveryCode(random);
      assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
      for (const typed of [code, code.toLowerCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `]) {
        assert.equal(parseRecoveryCode(typed), code);
      }
      assert.equal(parseRecoveryCode(code.replaceAll('0', 'o').replaceAll('1', 'l')), code);
      assert.equal(parseRecoveryCode(code.slice(1)), null);
      assert.equal(parseAppCode(code), null);
    }),
  );
});

test('[OPS-17] reads the six digits of an app with spaces', () => {
  assert.deepEqual(['123456', '123 456', ' 123456 ', '１２３４５６', '\u200b123456'].map(parseAppCode), [
    '123456',
    '123456',
    '123456',
    '123456',
    '123456',
  ]);
  assert.deepEqual(['12345', '1234567', '12345a', ''].map(parseAppCode), [null, null, null, null]);
});
