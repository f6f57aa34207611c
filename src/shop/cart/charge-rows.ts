/** Rows of shipping and tax between subtotal and total, as carts and orders show them. */
import { formatTaxRate } from '#src/shop/tax/tax-class.ts';

interface Amount {
  readonly usd: number;
  readonly btc: number;
}

export interface ChargeRow {
  readonly label: string;
  /** An amount, or a text in its place. */
  readonly value: Amount | string;
  readonly isDeduction?: true;
}

/** A part of the total that is named below it. */
export interface IncludedRow {
  readonly label: string;
  readonly usd: number;
}

export interface ShownTax {
  readonly name: string;
  readonly is_included: boolean;
  readonly is_reverse_charge: boolean;
  readonly total_usd: number;
  readonly added_btc: number;
  readonly deducted_usd: number;
  readonly deducted_btc: number;
  readonly rates: readonly { readonly basis_points: number; readonly tax_usd: number }[];
}

interface ShownCharges {
  /** Null while it depends on the country. */
  readonly shipping: Amount | null;
  readonly tax: ShownTax | null;
  /** Name of a tax that depends on the country; null if none does. */
  readonly unknownTax?: string | null;
  /** Name of a country that the shop does not deliver to. */
  readonly undelivered?: string | null;
  /** The price depends on a weight that is unknown. */
  readonly isWeightMissing?: boolean;
  /** Shown for what depends on the country. */
  readonly later?: string;
}

/** Rates above 0, each once. */
const listRates = ({ rates }: ShownTax): number[] =>
  [...new Set(rates.map(({ basis_points: rate }) => rate))].filter((rate) => rate > 0);

const formatRates = (tax: ShownTax): string =>
  [tax.name, listRates(tax).map(formatTaxRate).join(' and ')].join(' ').trim();

function listTaxRows(tax: ShownTax): ChargeRow[] {
  if (tax.is_reverse_charge && tax.deducted_usd > 0) {
    const value = { usd: tax.deducted_usd, btc: tax.deducted_btc };
    return [{ label: `${tax.name} (reverse charge)`, value, isDeduction: true }];
  }
  if (tax.is_reverse_charge) return [{ label: tax.name, value: 'Reverse charge' }];
  if (tax.is_included || listRates(tax).length === 0) return [];
  return [{ label: formatRates(tax), value: { usd: tax.total_usd, btc: tax.added_btc } }];
}

/** Rows above the total: shipping, then tax that is not part of the prices. */
export function listChargeRows({
  shipping,
  tax,
  unknownTax = null,
  undelivered = null,
  isWeightMissing = false,
  later = 'Depends on your country',
}: ShownCharges): ChargeRow[] {
  const isFree = shipping?.usd === 0;
  const price = isWeightMissing ? 'Contact us' : (shipping ?? later);
  const delivered: ChargeRow = { label: 'Shipping', value: isFree ? 'Free' : price };
  return [
    undelivered === null ? delivered : { label: 'Shipping', value: `No delivery to ${undelivered}` },
    ...(tax === null ? [] : listTaxRows(tax)),
    ...(unknownTax === null ? [] : [{ label: unknownTax, value: later }]),
  ];
}

/** Rows below the total: tax that the prices contain, by rate. */
export function listIncludedRows(tax: ShownTax | null): IncludedRow[] {
  if (tax === null || !tax.is_included || tax.is_reverse_charge) return [];
  return listRates(tax).map((rate) => {
    const parts = tax.rates.filter(({ basis_points: of }) => of === rate).map(({ tax_usd: usd }) => usd);
    const cents = parts.reduce((sum, usd) => sum + Math.round(usd * 100), 0);
    return { label: `Includes ${tax.name} ${formatTaxRate(rate)}`, usd: cents / 100 };
  });
}
