import type { ProductCosts } from '#src/shop/catalogue/costs/contract.ts';
import { formatDollarInput, readDollars } from './parse-dollars.ts';

/** Costs as they are typed, by variant id. Empty: unknown. */
export type CostForm = Readonly<Record<string, string>>;

const PROBLEM = 'Enter a cost in dollars, such as 450 or 450.50';

export const toCostForm = ({ variants }: ProductCosts): CostForm =>
  Object.fromEntries(variants.map(({ id, cost_usd }) => [id, cost_usd === null ? '' : formatDollarInput(cost_usd)]));

/** The request of a form, and what is wrong with its fields. */
export function toCostRequest(form: CostForm, variants: ProductCosts['variants']) {
  const problems: Record<string, string> = {};
  const costs = variants.map(({ id }, index) => {
    const text = form[id] ?? '';
    if (text.trim() === '') return { variant_id: id, cost_usd: null };
    const read = readDollars(text, PROBLEM);
    if (read.ok && read.value >= 0) return { variant_id: id, cost_usd: read.value };
    problems[`costs.${index}.cost_usd`] = read.ok ? PROBLEM : read.problem;
    return { variant_id: id, cost_usd: null };
  });
  return { body: { costs }, problems };
}
