/** Units on hand as they are typed in the product's editor. */
import type { ProductStock } from '#src/shop/inventory/stock-list/contract.ts';
import { MAX_COUNTS } from '#src/shop/inventory/stock-list/stock-list.ts';
import { readUnits } from '../inventory/stock-form.ts';

/** By variant id. Empty: not tracked. */
export type StockTexts = Readonly<Record<string, string>>;

const showUnits = (units: number | null): string => (units === null ? '' : String(units));

export const toStockTexts = ({ variants }: ProductStock): StockTexts =>
  Object.fromEntries(variants.map(({ variant_id: id, on_hand: units }) => [id, showUnits(units)]));

/** Under the key of `problems`, a message that belongs to no variant. */
const ALL = 'stock';

export const toProblemKey = (variantId: string): string => `${ALL}.${variantId}`;

/** Which counts change the stock, and what is wrong with them. @param base the texts that the changes began with */
export function toCounts(texts: StockTexts, base: StockTexts) {
  const problems: Record<string, string> = {};
  const counts = Object.entries(texts).flatMap(([id, text]) => {
    const before = base[id] ?? '';
    if (text.trim() === before) return [];
    const read = readUnits(text.trim(), 'on_hand');
    if (!read.ok) problems[toProblemKey(id)] = read.message;
    return read.ok ? [{ variant_id: id, quantity: read.units, seen: before === '' ? null : Number(before) }] : [];
  });
  if (counts.length > MAX_COUNTS) {
    problems[ALL] = `The stock of at most ${MAX_COUNTS} variants is saved at once. Save it in parts`;
  }
  return { counts, problems };
}
