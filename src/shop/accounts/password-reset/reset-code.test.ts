import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseCode, generateCode } from './reset-code.ts';

const byte = fc.integer({ min: 0, max: 255 });
const bytes = fc.array(byte, { minLength: 8, maxLength: 8 });

test('[ACC-07] parses a code of 8 base32 characters in any spelling', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const code = generateCode(random);
      assert.match(code, /^[A-Z2-7]{8}$/);
      for (const typed of [code, code.toLowerCase(), ` ${code.slice(0, 4)}-${code.slice(4)} `]) {
        assert.equal(parseCode(typed), code);
      }
      assert.equal(parseCode(code.replaceAll('O', '0').replaceAll('I', '1')), code);
    }),
  );
});

test('[ACC-07] generates every letter with the same probability', () => {
  const letters = Array.from({ length: 32 }, (_, at) => generateCode(Array.from({ length: 8 }, () => at))[0]);
  assert.equal(new Set(letters).size, 32);
  assert.equal(256 % 32, 0);
});

test('rejects text that is not a code', () => {
  for (const typed of ['', 'ABCDEFG', 'ABCDEFGHI', 'ABCDEFG8', 'ABCDEFGÄ', 'ABCD_EFG'])
    assert.equal(parseCode(typed), null);
  assert.throws(() => generateCode([1]));
});
