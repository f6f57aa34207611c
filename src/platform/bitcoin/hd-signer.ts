import type { HDKey } from '@scure/bip32';

export interface HdSigner {
  readonly publicKey: Uint8Array;
  readonly privateKey: Uint8Array;
  readonly fingerprint: number;
  derive(path: string): HdSigner;
  deriveChild(index: number): HdSigner;
  sign(hash: Uint8Array): Uint8Array;
}

/** An extended private key, as a transaction's `sign` expects it. */
export function createHdSigner(key: HDKey): HdSigner {
  const { publicKey, privateKey, fingerprint } = key;
  if (publicKey === null || privateKey === null) throw new Error('a signer needs a private key');
  return {
    publicKey,
    privateKey,
    fingerprint,
    derive: (path) => createHdSigner(key.derive(path)),
    deriveChild: (index) => createHdSigner(key.deriveChild(index)),
    sign: (hash) => key.sign(hash),
  };
}
