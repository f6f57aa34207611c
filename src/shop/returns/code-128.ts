/** Bar codes by Code 128, set B (ISO/IEC 15417): printable ASCII, with a check symbol. */

/** Widths of bars and spaces of each symbol, in modules. */
const PATTERNS =
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 211232'.split(
    ' ',
  );
const START_B = 104;
const STOP = '2331112';
const FIRST_CHARACTER = 32;
const CHECK_MODULUS = 103;
/** Blank modules on each side. */
export const QUIET_ZONE = 10;

/** Values of the symbols of a text: start, characters and check symbol, without the stop. */
export function encodeCode128(text: string): readonly number[] {
  if (!/^[ -~]+$/.test(text)) throw new Error('Code 128 B has printable ASCII only');
  const characters = Array.from(text, (one) => one.charCodeAt(0) - FIRST_CHARACTER);
  const check = characters.reduce((sum, value, index) => sum + value * (index + 1), START_B) % CHECK_MODULUS;
  return [START_B, ...characters, check];
}

export interface Barcode {
  /** In modules, quiet zones included. */
  readonly width: number;
  readonly bars: readonly { readonly x: number; readonly width: number }[];
}

/** Bars of a text, from left to right. */
export function drawCode128(text: string): Barcode {
  const widths = [...encodeCode128(text).map((value) => PATTERNS[value] ?? ''), STOP].join('');
  const bars: { x: number; width: number }[] = [];
  let x = QUIET_ZONE;
  for (const [index, digit] of Array.from(widths).entries()) {
    const width = Number(digit);
    if (index % 2 === 0) bars.push({ x, width });
    x += width;
  }
  return { width: x + QUIET_ZONE, bars };
}
