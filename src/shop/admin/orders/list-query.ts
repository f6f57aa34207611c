import { normaliseFilterQuery } from '#src/shop/orders/desk/order-filter-query.ts';
import type { FilterName } from '#src/shop/orders/desk/order-filter-query.ts';

export type OrderListFilter = Readonly<Record<FilterName, string>>;

const VALID: Readonly<Record<FilterName, RegExp>> = {
  q: /^[^]{0,200}$/,
  queue: /^to-ship$/,
  status: /^(?:pending|user_paid|paid|expired|cancelled|refunded)$/,
  fulfilment: /^(?:unfulfilled|partly_shipped|shipped|delivered)$/,
  from: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  to: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  country: /^[A-Z]{2}$/,
  min: /^\d{1,7}(?:\.\d{1,2})?$/,
  max: /^\d{1,7}(?:\.\d{1,2})?$/,
  promotion: /^[^]{0,40}$/,
};

const isRealDay = (day: string): boolean =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);

function isValid(name: FilterName, value: string): boolean {
  if (!VALID[name].test(value)) return false;
  return (name !== 'from' && name !== 'to') || isRealDay(value);
}

/** The filter of a page's query; values that no filter has are empty. */
export function readOrderFilter(parameters: URLSearchParams): OrderListFilter {
  const given = new URLSearchParams(normaliseFilterQuery(parameters.toString()));
  const read = (name: FilterName): string => {
    const value = given.get(name) ?? '';
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
