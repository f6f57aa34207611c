/**
 * Amounts as people write them: the parser of every field and file. A comma or point is the decimal separator,
 * unless it groups thousands beside another one. Has no imports, so the browser can bundle it.
 */

export interface AmountRules {
  /** Maximum decimals. */
  readonly decimals: number;
  /** Whether a sign may stand in front. */
  readonly isSigned?: boolean;
  /** May stand beside the number. */
  readonly unit?: '$' | '%';
  /** The decimal separator where it is known, so that '1.299' and '1,299' are clear. */
  readonly decimalSeparator?: ',' | '.' | null;
}

export type ParsedAmount =
  /** `units` of the last decimal: cents with two decimals. */
  | { readonly ok: true; readonly units: bigint }
  /** `advice` shows how to write an amount that can be read in two ways; null: it is no amount. */
  | { readonly ok: false; readonly advice: string | null };

const MAX_LENGTH = 40;
const OTHER_SPACES = /[\u00A0\u2009\u202F]/g;
const NUMBER = /^(\d+)(?:[.,](\d+))?$/;
/** Three digits after the only separator could be thousands, unless they follow a zero. */
const UNCLEAR = /^(?!0+[.,])(\d+)([.,])(\d{3})$/;
/** Groups of thousands, and decimals behind another separator. */
const GROUPED = /^([1-9]\d{0,2}(?:([., ])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/;
const NO_AMOUNT = { ok: false, advice: null } as const;

/** Reads '1299.5', '1299,50', '1,299.50', '1.299,50' and '1 299,50'. '1,299' and '1.299' can be read in two ways. */
export function parseAmount(
  text: string,
  { decimals, isSigned = false, unit, decimalSeparator = null }: AmountRules,
): ParsedAmount {
  if (text.length > MAX_LENGTH) return NO_AMOUNT;
  const { isNegative, digits } = splitSign(text.replaceAll(OTHER_SPACES, ' ').trim(), isSigned, unit);
  const { advice, clear } = readUnclear(digits, decimalSeparator);
  if (advice !== null) {
    const [thousands, hundreds] = advice;
    return { ok: false, advice: describeWays(text.trim(), `${isNegative ? '-' : ''}${thousands}`, hundreds, decimals) };
  }
  const [, plain, plainFraction] = NUMBER.exec(clear) ?? [];
  const [, grouped, , groupedFraction] = plain === undefined ? (GROUPED.exec(clear) ?? []) : [];
  const whole = plain ?? grouped?.replaceAll(/\D/g, '');
  const given = plainFraction ?? groupedFraction ?? '';
  // A fourth decimal that is zero makes three decimals clear.
  const fraction = decimals === 3 ? given.replace(/^(\d{3})0$/, '$1') : given;
  if (whole === undefined || fraction.length > decimals) return NO_AMOUNT;
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  return { ok: true, units: isNegative ? -units : units };
}

/** The digits as they are to be read; `advice` has both parts of a number that can be read in two ways. */
function readUnclear(digits: string, decimalSeparator: ',' | '.' | null) {
  const [, thousands = '', separator, hundreds = ''] = UNCLEAR.exec(digits) ?? [];
  if (separator === undefined || separator === decimalSeparator) return { advice: null, clear: digits };
  if (decimalSeparator === null || thousands.length > 3)
    return { advice: [thousands, hundreds] as const, clear: digits };
  return { advice: null, clear: thousands + hundreds };
}

function splitSign(text: string, isSigned: boolean, unit: AmountRules['unit']) {
  const [, sign = '', rest = ''] = isSigned ? (/^([+\-\u2212]?)(.*)$/s.exec(text) ?? []) : ['', '', text];
  const beside = unit === '%' ? / ?%$/ : /^\$ ?/;
  const digits = unit === undefined ? rest : rest.replace(beside, '');
  return { isNegative: sign !== '' && sign !== '+', digits };
}

function describeWays(text: string, whole: string, fraction: string, decimals: number): string {
  const thousands = whole + fraction;
  if (decimals === 0) return `“${text}” is unclear. Write ${thousands} without a separator`;
  // As many decimals as are allowed, but never three.
  const kept = decimals < 3 ? fraction.slice(0, decimals) : fraction.padEnd(4, '0');
  return `“${text}” is unclear. Write ${thousands} or ${whole}.${kept}`;
}
