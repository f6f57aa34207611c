/** Which of comma and point the numbers of a file have before their decimals. */
import type { Field, Row } from './columns.ts';

export type DecimalSeparator = ',' | '.';

const NUMERIC_FIELDS = [
  'price',
  'grams',
  'quantity',
  'exportedQuantity',
  'position',
] as const satisfies readonly Field[];
const OTHER = { ',': '.', '.': ',' } as const;
/** A number whose last separator is followed by digits. */
const SEPARATED = /^(\d[\d.,]*)([.,])(\d+)$/;

const isSeparator = (text: string | undefined): text is DecimalSeparator => text === ',' || text === '.';

/** The decimal separator that a number shows; null if it has none, or if it can be read in two ways. */
export function readSeparator(text: string): DecimalSeparator | null {
  const digits = text.replaceAll(/[\s$+\-\u2212]/g, '');
  const [, whole = '', last, fraction = ''] = SEPARATED.exec(digits) ?? [];
  if (!isSeparator(last)) return null;
  if (whole.includes(last)) return whole.includes(OTHER[last]) ? null : OTHER[last];
  const isGroup = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  return isGroup ? null : last;
}

/** Collects what the numbers of a file show. */
export class SeparatorEvidence {
  readonly #found = new Set<DecimalSeparator>();

  add({ cells }: Row): void {
    if (this.#found.size === 2) return;
    for (const field of NUMERIC_FIELDS) {
      const separator = readSeparator(cells[field] ?? '');
      if (separator !== null) this.#found.add(separator);
    }
  }

  /** Null if the file has no number that shows it, or numbers that show both. */
  get separator(): DecimalSeparator | null {
    const [separator, other] = this.#found;
    return other === undefined ? (separator ?? null) : null;
  }
}
