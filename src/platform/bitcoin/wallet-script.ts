/** Script types of the shop's addresses. */
export const walletScripts = ['p2wpkh', 'p2tr'] as const;
export type WalletScript = (typeof walletScripts)[number];

interface ScriptRules {
  /** Descriptor function (BIP382, BIP386). */
  readonly descriptor: 'wpkh' | 'tr';
  /** Purpose of the derivation path: BIP84 or BIP86. */
  readonly purpose: 84 | 86;
  /** Human-readable name. */
  readonly title: string;
  /** Dust limit in satoshis. */
  readonly dustSats: bigint;
}

export const scriptRules: Readonly<Record<WalletScript, ScriptRules>> = {
  p2wpkh: { descriptor: 'wpkh', purpose: 84, title: 'native segwit (BIP84)', dustSats: 294n },
  p2tr: { descriptor: 'tr', purpose: 86, title: 'taproot (BIP86)', dustSats: 330n },
};
