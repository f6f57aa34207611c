const PRICE = /^(\d{1,9})(?:\.(\d{1,12}))?$/;

/** A decimal of dollars as an exchange writes it, in cents, halves up; null for what is no price above zero. No float. */
export function parseCents(text: string): bigint | null {
  const [, whole, fraction = ''] = PRICE.exec(text) ?? [];
  if (whole === undefined) return null;
  const thousandths = BigInt(whole + fraction.slice(0, 3).padEnd(3, '0'));
  const cents = (thousandths + 5n) / 10n;
  return cents > 0n ? cents : null;
}
