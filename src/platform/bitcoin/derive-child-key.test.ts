import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import * as fc from 'fast-check';
import { deriveChildKeys } from './derive-child-key.ts';

const INDEX = fc.integer({ min: 0, max: 0x7fff_ffff });

test('[PAY-07] derives the same public keys as an independent library', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 64 }), fc.array(INDEX, { minLength: 1 }), (seed, indexes) => {
      const parent = HDKey.fromMasterSeed(seed);
      assert.ok(parent.publicKey !== null && parent.chainCode !== null);
      const deriveKey = deriveChildKeys(parent.publicKey, parent.chainCode);
      const reference = HDKey.fromExtendedKey(parent.publicExtendedKey);
      for (const index of indexes) {
        assert.deepEqual(Buffer.from(deriveKey(index)), Buffer.from(reference.deriveChild(index).publicKey ?? []));
      }
    }),
    { numRuns: 50 },
  );
});

test('[PAY-07] refuses a parent that is not a point on the curve', () => {
  const invalid = Uint8Array.from({ length: 33 }, (_, at) => (at === 0 ? 2 : 0xff));
  assert.throws(() => deriveChildKeys(invalid, new Uint8Array(32)));
});
