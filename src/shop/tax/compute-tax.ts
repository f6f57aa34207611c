import { addCents, cents, divideNearest, NO_CENTS } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { allocate } from './allocate.ts';
import { taxClasses } from './tax-class.ts';
import type { TaxClass } from './tax-class.ts';
import type { OrderTax, OrderTaxLine, OrderTaxRate, PriceMode, TaxAmounts } from './tax-snapshot.ts';
import type { Taxation } from './taxation.ts';

const HUNDRED_PERCENT = 10_000n;

interface LineToTax {
  readonly taxClass: TaxClass;
  /** Unit price times quantity; 0 for a gift. */
  readonly listCents: Cents;
}

export interface CartToTax {
  readonly lines: readonly LineToTax[];
  /** Sum of the lines after the discount. */
  readonly goodsCents: Cents;
  /** In the price mode of the shop, as the products' prices. */
  readonly shipping: { readonly name: string | null; readonly cents: Cents };
}

/** Tax of an amount, rounded to the nearest cent, halves up. */
export function computeTaxCents(amount: Cents, rateBasisPoints: number, priceMode: PriceMode): Cents {
  const rate = BigInt(rateBasisPoints);
  const base = priceMode === 'gross' ? HUNDRED_PERCENT + rate : HUNDRED_PERCENT;
  return cents(divideNearest(amount * rate, base));
}

/** @param amount of a line after the discount, in the price mode */
function splitAmount(amount: Cents, rate: number, { priceMode, isReverseCharge }: Taxation): TaxAmounts {
  const taxCents = computeTaxCents(amount, rate, priceMode);
  const netCents = priceMode === 'gross' ? cents(amount - taxCents) : amount;
  return isReverseCharge
    ? { netCents, taxCents: NO_CENTS, grossCents: netCents }
    : { netCents, taxCents, grossCents: addCents(netCents, taxCents) };
}

const sumAmounts = (amounts: readonly TaxAmounts[]): TaxAmounts => ({
  netCents: addCents(...amounts.map(({ netCents }) => netCents)),
  taxCents: addCents(...amounts.map(({ taxCents }) => taxCents)),
  grossCents: addCents(...amounts.map(({ grossCents }) => grossCents)),
});

/** Sums by class and rate; classes with nothing to pay are left out. */
function sumRates(lines: readonly OrderTaxLine[]): OrderTaxRate[] {
  const groups = new Map<string, OrderTaxLine[]>();
  for (const line of lines.filter(({ grossCents }) => grossCents > 0n)) {
    const key = `${line.taxClass} ${line.rateBasisPoints}`;
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (!first) return [];
      return { taxClass: first.taxClass, rateBasisPoints: first.rateBasisPoints, ...sumAmounts(group) };
    })
    .toSorted(
      (a, b) =>
        b.rateBasisPoints - a.rateBasisPoints || taxClasses.indexOf(a.taxClass) - taxClasses.indexOf(b.taxClass),
    );
}

/**
 * Taxes a cart by line: the discount is spread over the lines in proportion to their amounts, then
 * the tax of each line and of shipping is rounded to the cent. Sums are sums of lines.
 */
export function computeTax({ lines, goodsCents, shipping }: CartToTax, taxation: Taxation): OrderTax {
  const listed = lines.map(({ listCents }) => listCents);
  const discounted = allocate(goodsCents, listed);
  const amounts = [
    ...lines.map(({ taxClass, listCents }, position) => ({
      position,
      taxClass,
      listCents,
      amount: discounted[position] ?? NO_CENTS,
    })),
    { position: null, taxClass: taxation.shippingClass, listCents: shipping.cents, amount: shipping.cents },
  ];
  const taxed = amounts.map(({ position, taxClass, listCents, amount }): OrderTaxLine => {
    const rate = taxation.rates[taxClass];
    return {
      position,
      taxClass,
      rateBasisPoints: taxation.isReverseCharge ? 0 : rate,
      ...(taxation.isReverseCharge && taxation.priceMode === 'gross' ? { deductedBasisPoints: rate } : {}),
      listCents,
      discountCents: cents(listCents - amount),
      ...splitAmount(amount, rate, taxation),
    };
  });
  const sums = sumAmounts(taxed);
  const before = addCents(goodsCents, shipping.cents);
  const { priceMode, taxName, country, isTaxed, buyerVatNumber, isReverseCharge } = taxation;
  return {
    priceMode,
    taxName,
    country,
    isTaxed,
    buyerVatNumber,
    isReverseCharge,
    shippingName: shipping.name,
    ...sums,
    addedCents: cents(sums.grossCents > before ? sums.grossCents - before : 0n),
    deductedCents: cents(before > sums.grossCents ? before - sums.grossCents : 0n),
    lines: taxed,
    rates: sumRates(taxed),
  };
}
