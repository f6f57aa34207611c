import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { generatePromoCode, RANDOM_CODE_LENGTH } from './generate-promo-code.ts';

test('[OPS-11] a generated code keeps at least 40 random bits', () => {
  const letters = new Map<string, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    const [letter = ''] = generatePromoCode(Array.from({ length: RANDOM_CODE_LENGTH }, () => byte));
    letters.set(letter, (letters.get(letter) ?? 0) + 1);
  }
  // Each letter stands for as many bytes, so each character has 5 bits.
  assert.deepEqual([letters.size, new Set(letters.values())], [32, new Set([8])]);
  assert.ok(RANDOM_CODE_LENGTH * Math.log2(letters.size) >= 40);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: RANDOM_CODE_LENGTH, maxLength: RANDOM_CODE_LENGTH }), (bytes) => {
      assert.match(generatePromoCode(bytes), /^[A-Z2-7]{10}$/);
    }),
  );
  assert.throws(() => generatePromoCode([1, 2, 3]), /10 random bytes/);
});
