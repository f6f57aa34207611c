/** Placeholders in the merchant's texts: `{from_usd}` is replaced by a computed figure. */

/** Replaced in the texts of the home page. Prices follow the catalogue and the display rate. */
export const PRICE_PLACEHOLDERS = ['from_btc', 'from_usd'] as const;
/** Replaced in questions, answers and legal texts. They follow the settings. */
export const FIGURE_PLACEHOLDERS = [
  'shop_name',
  'shop_address',
  'payment_window',
  'short_payment_window',
  'late_tolerance',
  'confirmations',
  'refund_rule',
  'order_retention',
  'invoice_retention',
  'message_retention',
  'staff_record_retention',
] as const;
/** In a legal text, a paragraph of its own is replaced by a table. */
export const CONFIRMATION_TABLE = 'confirmation_table';

export type Figures = Readonly<Record<(typeof FIGURE_PLACEHOLDERS)[number], string>>;
/** Values by placeholder; null while there is none. */
export type PlaceholderValues = Readonly<Record<string, string | null>>;

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/g;

/** The text with its values; null if a value is missing. Other braces stay. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string | null {
  let isComplete = true;
  const filled = text.replaceAll(PLACEHOLDER, (written, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === null) isComplete = false;
    return value ?? written;
  });
  return isComplete ? filled : null;
}

/** What is wrong with the placeholders of a text; null if all are in the list. */
export function checkPlaceholders(text: string, allowed: readonly string[]): string | null {
  for (const [written, name = ''] of text.matchAll(PLACEHOLDER)) {
    if (allowed.includes(name)) continue;
    const list = allowed.map((one) => `{${one}}`).join(', ');
    return allowed.length === 0
      ? `contains ${written}; placeholders are not replaced here`
      : `contains ${written}, which is not a placeholder. Use ${list}`;
  }
  return null;
}
