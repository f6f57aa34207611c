import { createHmac, createSecretKey } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';

const { Point } = secp256k1;

/**
 * Derives compressed public child keys (BIP32 CKDpub). Faster than @scure/bip32, since it parses the parent once.
 * Uses no secrets.
 * @param publicKey of the parent, compressed.
 * @returns a function of an index 0 … 2³¹−1; it throws for the one index in 2¹²⁷ without a child.
 */
export function deriveChildKeys(publicKey: Uint8Array, chainCode: Uint8Array): (index: number) => Uint8Array {
  const parent = Point.fromBytes(publicKey);
  // As a KeyObject it is imported once and not for each key.
  const hashKey = createSecretKey(chainCode);
  return (index) => {
    const data = Buffer.alloc(publicKey.length + 4);
    data.set(publicKey);
    data.writeUInt32BE(index, publicKey.length);
    const derived = createHmac('sha512', hashKey).update(data).digest();
    // Throws out of range.
    const child = Point.BASE.multiply(BigInt(`0x${derived.toString('hex', 0, 32)}`)).add(parent);
    if (child.is0()) throw new RangeError('this index has no key');
    return child.toBytes(true);
  };
}
