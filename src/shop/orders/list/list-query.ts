import { parseAmount } from '#src/shop/parse-amount.ts';
import { normaliseFilterQuery } from '../desk/order-filter-query.ts';
import type { FilterName } from '../desk/order-filter-query.ts';

export type OrderListFilter = Readonly<Record<FilterName, string>>;

const VALID: Readonly<Record<FilterName, RegExp>> = {
  q: /^[^]{0,200}$/,
  queue: /^to-ship$/,
  status: /^(?:pending|user_paid|paid|expired|cancelled|refunded)$/,
  fulfilment: /^(?:unfulfilled|partly_shipped|shipped|delivered)$/,
  from: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  to: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  country: /^[A-Z]{2}$/,
  min: /^\d{1,7}(?:\.\d{2})?$/,
  max: /^\d{1,7}(?:\.\d{2})?$/,
  promotion: /^[^]{0,40}$/,
};

const isRealDay = (day: string): boolean =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);

function isValid(name: FilterName, value: string): boolean {
  if (!VALID[name].test(value)) return false;
  return (name !== 'from' && name !== 'to') || isRealDay(value);
}

const TOTALS = ['min', 'max'] as const;
const DOLLARS = { decimals: 2, unit: '$' } as const;

/** Dollars as the call takes them; other text is left as it is. */
function formatTotal(text: string): string {
  const parsed = parseAmount(text, DOLLARS);
  return parsed.ok ? formatDecimal(parsed.units) : text;
}

const formatDecimal = (cents: bigint): string =>
  cents % 100n === 0n ? String(cents / 100n) : `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

/** Totals that can't be read: what was typed, and a message. */
export function findTotalProblems(parameters: URLSearchParams): Partial<Readonly<Record<'min' | 'max', TypedTotal>>> {
  const found = TOTALS.flatMap((name) => {
    const text = parameters.get(name)?.trim().slice(0, 200) ?? '';
    if (text === '' || isValid(name, formatTotal(text))) return [];
    const parsed = parseAmount(text, DOLLARS);
    const message = (parsed.ok ? null : parsed.advice) ?? 'Enter dollars such as 1299.50';
    return [[name, { text, message }] as const];
  });
  return Object.fromEntries(found);
}

interface TypedTotal {
  readonly text: string;
  readonly message: string;
}

/** The filter of a page's query; values that no filter has are empty. */
export function readOrderFilter(parameters: URLSearchParams): OrderListFilter {
  const given = new URLSearchParams(normaliseFilterQuery(parameters.toString()));
  const read = (name: FilterName): string => {
    const text = given.get(name) ?? '';
    const value = name === 'min' || name === 'max' ? formatTotal(text) : text;
    return isValid(name, value) ? value : '';
  };
  return {
    q: read('q'),
    queue: read('queue'),
    status: read('status'),
    fulfilment: read('fulfilment'),
    from: read('from'),
    to: read('to'),
    country: read('country'),
    min: read('min'),
    max: read('max'),
    promotion: read('promotion'),
  };
}

/** Parameters of the call: only those that are set. */
export const toFilterQuery = (filter: OrderListFilter): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
