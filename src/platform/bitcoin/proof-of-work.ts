/** Target of compact `bits`; null if the form is invalid. */
export function computeProofOfWorkTarget(bits: number): bigint | null {
  const exponent = bits >>> 24;
  const mantissa = BigInt(bits & 0x7f_ffff);
  if ((bits & 0x80_0000) !== 0 || mantissa === 0n) return null;
  const target = exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3));
  return target > 0n && target < 1n << 256n ? target : null;
}

/**
 * Whether a hash meets the target of its header, which must be within the limit.
 * @param hash in display order
 */
export function hasProofOfWork(hash: string, bits: number, limitBits: number): boolean {
  const target = computeProofOfWorkTarget(bits);
  const limit = computeProofOfWorkTarget(limitBits);
  return target !== null && limit !== null && target <= limit && BigInt(`0x${hash}`) <= target;
}
