/** What the shop's addresses are made of. */
export const walletScripts = ['p2wpkh', 'p2tr'] as const;
export type WalletScript = (typeof walletScripts)[number];

interface ScriptRules {
  /** Name of the output descriptor's function (BIP382, BIP386). */
  readonly descriptor: 'wpkh' | 'tr';
  /** First step of the account's derivation path: BIP84 or BIP86. */
  readonly purpose: 84 | 86;
  /** For a person. */
  readonly title: string;
  /** Fewer satoshis than this are dust, which the network does not relay. */
  readonly dustSats: bigint;
}

export const scriptRules: Readonly<Record<WalletScript, ScriptRules>> = {
  p2wpkh: { descriptor: 'wpkh', purpose: 84, title: 'native segwit (BIP84)', dustSats: 294n },
  p2tr: { descriptor: 'tr', purpose: 86, title: 'taproot (BIP86)', dustSats: 330n },
};
