import type { Cents } from '#src/shop/money.ts';
import type { PriceHistory, PriceRecord } from './prior-price.ts';

type Prices = NonNullable<PriceRecord['prices']>;
type Amounts = ReadonlyMap<string, Cents>;

const haveSameItems = (a: Iterable<string>, b: Iterable<string>): boolean =>
  [...a].toSorted().join(' ') === [...b].toSorted().join(' ');

/** Whether the same variants were sold, with and without prices of their own. */
const haveSameVariants = (a: Prices, b: Prices): boolean =>
  haveSameItems(a.increases.keys(), b.increases.keys()) &&
  haveSameItems(a.ownPrices.keys(), b.ownPrices.keys()) &&
  haveSameItems(a.unsold, b.unsold);

const takeLower = (a: Cents, b: Cents | undefined): Cents => (b !== undefined && b < a ? b : a);
const takeLowerOf = (a: Amounts, b: Amounts): Amounts =>
  new Map([...a].map(([key, amount]) => [key, takeLower(amount, b.get(key))]));

const mergePrices = (a: Prices, b: Prices): Prices => ({
  basePriceCents: takeLower(a.basePriceCents, b.basePriceCents),
  increases: takeLowerOf(a.increases, b.increases),
  ownPrices: takeLowerOf(a.ownPrices, b.ownPrices),
  unsold: a.unsold,
});

/**
 * Merges neighbours of the older half of the records, with the lower of both prices, so that no prior
 * price becomes higher. Records of times with a sale price stay, and where the variants changed.
 */
export function mergeOldRecords({ records, salePrices }: PriceHistory): readonly PriceRecord[] {
  const isOnSale = (from: Date, until: Date): boolean =>
    salePrices.some(({ startsAt, endsAt }) => startsAt <= until && (endsAt === null || endsAt > from));
  const merged: PriceRecord[] = [];
  const half = Math.floor(records.length / 2);
  for (let index = 0; index < records.length; index += 1) {
    const [first, second, next] = [records[index], records[index + 1], records[index + 2]];
    if (first === undefined) break;
    const [a, b] = [first.prices, second?.prices ?? null];
    const isMergeable = index + 1 < half && next !== undefined && !isOnSale(first.recordedAt, next.recordedAt);
    if (isMergeable && a !== null && b !== null && haveSameVariants(a, b)) {
      merged.push({ ...first, prices: mergePrices(a, b) });
      index += 1;
    } else merged.push(first);
  }
  return merged;
}
