const PRICE = /^(\d{1,9})(?:\.(\d{1,12}))?$/;

/** Converts a decimal dollar text to cents, rounding half up, without floats. Null unless positive. */
export function parseCents(text: string): bigint | null {
  const [, whole, fraction = ''] = PRICE.exec(text) ?? [];
  if (whole === undefined) return null;
  const thousandths = BigInt(whole + fraction.slice(0, 3).padEnd(3, '0'));
  const cents = (thousandths + 5n) / 10n;
  return cents > 0n ? cents : null;
}
