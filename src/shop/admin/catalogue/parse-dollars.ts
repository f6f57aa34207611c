/** Dollars as staff type them, such as '1,299.00' or '$5'; null for anything else. At most two decimals. */
export function parseDollars(text: string): number | null {
  const digits = text
    .trim()
    .replace(/^([+-]?)\$/, '$1')
    .replaceAll(',', '');
  return /^[+-]?\d{1,7}(?:\.\d{1,2})?$/.test(digits) ? Number(digits) : null;
}

/** Dollars for a text field: '1299.00'. */
export const formatDollarInput = (dollars: number): string => dollars.toFixed(2);
