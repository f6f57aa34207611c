/**
 * Upper-cases the scheme and bech32 address of a payment URI: the meaning is the same and the QR
 * code is smaller.
 */
export function toQrContent(bip21: string): string {
  const [target = ''] = bip21.split('?');
  return bip21.replace(target, target.toUpperCase());
}

/** The amount of a payment URI in BTC; null without one. */
export function readAmount(bip21: string): number | null {
  const amount = new URLSearchParams(bip21.split('?')[1]).get('amount');
  return amount === null ? null : Number(amount);
}
