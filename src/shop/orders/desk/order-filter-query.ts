/** Parameters of the order list, in the order of its form. */
const ORDER_FILTER_NAMES = [
  'q',
  'queue',
  'status',
  'fulfilment',
  'from',
  'to',
  'country',
  'min',
  'max',
  'promotion',
] as const;
export type FilterName = (typeof ORDER_FILTER_NAMES)[number];

/** The known, filled parameters of a query, in a fixed order; empty for a list without filters. */
export function normaliseFilterQuery(query: string): string {
  const given = new URLSearchParams(query);
  const kept = new URLSearchParams();
  for (const name of ORDER_FILTER_NAMES) {
    const value = given.get(name)?.trim().slice(0, 200) ?? '';
    if (value !== '') kept.set(name, value);
  }
  return kept.toString();
}
