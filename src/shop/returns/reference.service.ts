/** Creates references of returns. */
import { randomBytes } from 'node:crypto';
import { formatReference } from './reference.ts';

/** A new random reference. 64 bytes have enough that can be used, but for one call in 10^50. */
export function createReference(): string {
  const reference = formatReference(randomBytes(64));
  if (reference === null) throw new Error('no random reference');
  return reference;
}
