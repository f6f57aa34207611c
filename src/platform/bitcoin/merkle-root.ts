import { doubleSha256 } from './double-sha256.ts';

/**
 * Merkle root of hashes in internal byte order. Null if two equal hashes are siblings, since a
 * shorter list would have the same root (CVE-2012-2459).
 */
export function computeMerkleRoot(leaves: readonly Buffer[]): Buffer | null {
  let level = leaves;
  const pair = Buffer.allocUnsafe(64);
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const left = level[index];
      const right = level[index + 1] ?? left;
      if (left === undefined || right === undefined) return null;
      if (index + 1 < level.length && left.equals(right)) return null;
      pair.set(left, 0);
      pair.set(right, 32);
      above.push(doubleSha256(pair));
    }
    level = above;
  }
  return level[0] ?? null;
}
