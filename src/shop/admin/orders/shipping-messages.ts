type Block = 'not-paid' | 'shipping-held' | 'refunding' | 'written-off' | 'contract-withdrawn' | 'shipped';

const BLOCKS: Readonly<Record<Block, string>> = {
  'not-paid': 'Not paid: it can’t be shipped.',
  'shipping-held': 'On hold: its payment lost its confirmations.',
  refunding: 'Its payment is being refunded.',
  'written-off': 'Closed: its payment was written off.',
  'contract-withdrawn': 'The buyer withdrew from the contract: nothing is left to ship.',
  shipped: 'Nothing is left to ship.',
};

/** Why nothing of an order can be shipped now. */
export const describeBlock = (block: Block): string => BLOCKS[block];

interface Line {
  readonly position: number;
  readonly name: string;
  readonly sku: string | null;
  readonly quantity: number;
  readonly shipped_quantity: number;
  /** Refunded before shipping. */
  readonly refunded_unshipped_quantity: number;
  /** The buyer withdrew from them before shipping. */
  readonly withdrawn_quantity: number;
}
/** With what is left of each. */
export const listUnshipped = <Of extends Line>(lines: readonly Of[]) =>
  lines
    .map((line) => ({
      ...line,
      left: line.quantity - line.shipped_quantity - line.refunded_unshipped_quantity - line.withdrawn_quantity,
    }))
    .filter(({ left }) => left > 0);

/** What is left of an order: "2 × iPhone, 1 × Case". */
export const formatUnshipped = (lines: readonly Line[]): string =>
  listUnshipped(lines)
    .map(({ left, name }) => `${left} × ${name}`)
    .join(', ');

export interface Picked {
  readonly sku: string | null;
  readonly name: string;
  readonly quantity: number;
  /** Numbers of the orders. */
  readonly orders: readonly string[];
}

/** What to take from the shelves for these orders: one row for each SKU, or name without SKU. */
export function createPickList(
  orders: readonly { readonly number: string; readonly lines: readonly Line[] }[],
): readonly Picked[] {
  const picked = new Map<string, Picked>();
  for (const { number, lines } of orders) {
    for (const { left, name, sku } of listUnshipped(lines)) {
      const key = sku === null ? `name ${name}` : `sku ${sku}`;
      const before = picked.get(key);
      const numbers = before?.orders ?? [];
      picked.set(key, {
        sku,
        name: before?.name ?? name,
        quantity: (before?.quantity ?? 0) + left,
        orders: numbers.includes(number) ? numbers : [...numbers, number],
      });
    }
  }
  const sortKey = ({ sku, name }: Picked): string => `${sku ?? '\uffff'} ${name}`;
  return [...picked.values()].toSorted((a, b) => sortKey(a).localeCompare(sortKey(b), 'en', { numeric: true }));
}
