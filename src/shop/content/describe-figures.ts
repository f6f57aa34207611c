/** Words for the figures that texts quote, in English. */
import { formatDollars } from '#src/shop/format-number.ts';

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const;
const nameNumber = (count: number): string => NUMBERS[count] ?? String(count);
const capitalise = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Whole hours or days up to ten in words, otherwise minutes: `two hours`, `15 minutes`. */
export function describeDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const [count, unit] =
    minutes >= 60 && minutes % 60 === 0 ? [nameNumber(minutes / 60), 'hour'] : [String(minutes), 'minute'];
  return count === 'one' || count === '1' ? `${count} ${unit}` : `${count} ${unit}s`;
}

interface ConfirmationStep {
  /** Total of an order in US cents from which the step applies. */
  readonly fromCents: bigint;
  readonly confirmations: number;
}

const toDollars = (cents: bigint): string => formatDollars(Number(cents) / 100);

/** `One confirmation is enough below $500, two from $500 and six from $25,000`. */
export function describeConfirmations(steps: readonly ConfirmationStep[]): string {
  const [first, ...others] = steps;
  if (first === undefined) return 'One confirmation is enough';
  const enough =
    first.confirmations === 1
      ? 'One confirmation is enough'
      : `${capitalise(nameNumber(first.confirmations))} confirmations are enough`;
  const [second] = others;
  if (second === undefined) return enough;
  const from = others.map(
    ({ fromCents, confirmations }) => `${nameNumber(confirmations)} from ${toDollars(fromCents)}`,
  );
  const last = from.pop() ?? '';
  const parts = [`${enough} below ${toDollars(second.fromCents)}`, ...from].join(', ');
  return `${parts}${from.length > 0 ? ' and' : ','} ${last}`;
}

/** Rows of a table: the total of an order, and its confirmations. */
export function listConfirmations(steps: readonly ConfirmationStep[]): readonly (readonly [string, string])[] {
  return steps.map(({ fromCents, confirmations }, index) => {
    const [, second] = steps;
    const first = second === undefined ? 'any' : `below ${toDollars(second.fromCents)}`;
    const total = index === 0 ? first : `from ${toDollars(fromCents)}`;
    return [total, String(confirmations)];
  });
}

/** What a refund returns: the dollars paid, or the same satoshis. */
export type RefundMethod = 'value' | 'kind';

const REFUND_RULES: Readonly<Record<RefundMethod, string>> = {
  value:
    'We refund the price in US dollars that you paid, in bitcoin, at the rate at the time of the refund. If the price of bitcoin has risen since you paid, you receive less bitcoin; if it has fallen, more. The value in dollars is the same.',
  kind: 'We refund the amount of bitcoin that you paid, to the satoshi. If the price of bitcoin has risen since you paid, its value in dollars is higher; if it has fallen, lower.',
};

/** What a refund of a paid order returns. */
export const describeRefundRule = (method: RefundMethod): string => REFUND_RULES[method];

const describeYears = (years: number): string => `${nameNumber(years)} ${years === 1 ? 'year' : 'years'}`;

export interface RetentionPeriods {
  readonly erases_orders: boolean;
  readonly order_years: number;
  readonly invoice_years: number;
  readonly message_years: number;
  readonly staff_record_years: number;
}

/** When data of orders and invoices are erased, and how long others are kept. */
export const describeRetention = ({ erases_orders: erases, ...years }: RetentionPeriods) => ({
  order_retention: erases
    ? `${describeYears(years.order_years)} after the end of the calendar year in which the order ended`
    : 'when you delete your account',
  invoice_retention: erases
    ? `${describeYears(years.invoice_years)} after the end of the calendar year of issue`
    : 'at your request, once no law requires them',
  message_retention: `for ${describeYears(years.message_years)} after the last message`,
  staff_record_retention: `for ${describeYears(years.staff_record_years)}`,
});
