/**
 * A payment URI as a code is made of it: a scheme and a bech32 address mean the same in capitals, which make a smaller
 * code that is easier to scan.
 */
export function toQrContent(bip21: string): string {
  const [target = ''] = bip21.split('?');
  return bip21.replace(target, target.toUpperCase());
}

/** What a payment URI asks for, in BTC; null when it names no amount. */
export function readAmount(bip21: string): number | null {
  const amount = new URLSearchParams(bip21.split('?')[1]).get('amount');
  return amount === null ? null : Number(amount);
}
