/**
 * What an order stores of its tax and shipping. An invoice is printed from the snapshot and the
 * order lines alone; later changes of settings do not affect it.
 *
 * Sums that hold for every snapshot, to the cent:
 * - line: net + tax = gross
 * - sum of lines, shipping included = sum of rates = netCents, taxCents, grossCents
 * - grossCents = total of the order (`total_after_cents`)
 */
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import type { TaxClass } from './tax-class.ts';

/** Whether the shop's prices contain tax. */
export type PriceMode = 'gross' | 'net';

/** Amounts of a line or of a rate; net + tax = gross. */
export interface TaxAmounts {
  /** After the discount, without tax. */
  readonly netCents: Cents;
  readonly taxCents: Cents;
  /** What the buyer pays. */
  readonly grossCents: Cents;
}

export interface OrderTaxLine extends TaxAmounts {
  /** Position of the order line (`order_lines.position`); null for shipping. */
  readonly position: number | null;
  readonly taxClass: TaxClass;
  /** Rate that was charged, in basis points: 1900 is 19 %. 0 with reverse charge. */
  readonly rateBasisPoints: number;
  /** Rate that gross prices contain and that reverse charge takes off. Absent otherwise, and in older snapshots. */
  readonly deductedBasisPoints?: number;
  /** Unit price times quantity, or the shipping price: in the price mode of the shop. 0 for a gift. */
  readonly listCents: Cents;
  /** Share of the order's discount, in the price mode of the shop. */
  readonly discountCents: Cents;
}

/** Sum of the lines with one class and rate. */
export interface OrderTaxRate extends TaxAmounts {
  readonly taxClass: TaxClass;
  readonly rateBasisPoints: number;
}

export interface OrderTax extends TaxAmounts {
  readonly priceMode: PriceMode;
  /** What the shop calls the tax, such as `VAT`. */
  readonly taxName: string;
  /** ISO 3166-1 alpha-2 code of the delivery country, whose rates apply. Empty: not known yet. */
  readonly country: string;
  /** Whether a rate applies, or the charge is reversed. Otherwise no tax is mentioned. */
  readonly isTaxed: boolean;
  /** VAT number of the buyer, checked for form only; null without one. */
  readonly buyerVatNumber: string | null;
  /** The buyer owes the tax: the shop charges none. */
  readonly isReverseCharge: boolean;
  /** Name of the shipping zone; null without shipping settings at that time. */
  readonly shippingName: string | null;
  /** Tax on top of net prices; 0 for gross prices. */
  readonly addedCents: Cents;
  /** Tax that gross prices contain and that reverse charge takes off; otherwise 0. */
  readonly deductedCents: Cents;
  /** In the order of the order lines; shipping is last and always present. */
  readonly lines: readonly OrderTaxLine[];
  /** By rate, the highest first, then by class. */
  readonly rates: readonly OrderTaxRate[];
}

type Stored<Value> = Value extends bigint
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly Stored<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Stored<Value[Key]> }
      : Value;

/** The snapshot as JSON: cents are decimal strings. */
export type StoredOrderTax = Stored<OrderTax>;

const storeAmounts = ({ netCents, taxCents, grossCents }: TaxAmounts) => ({
  netCents: String(netCents),
  taxCents: String(taxCents),
  grossCents: String(grossCents),
});

const readAmounts = ({ netCents, taxCents, grossCents }: Stored<TaxAmounts>): TaxAmounts => ({
  netCents: cents(BigInt(netCents)),
  taxCents: cents(BigInt(taxCents)),
  grossCents: cents(BigInt(grossCents)),
});

/** Converts a snapshot to JSON. */
export const storeOrderTax = (tax: OrderTax): StoredOrderTax => ({
  ...tax,
  ...storeAmounts(tax),
  addedCents: String(tax.addedCents),
  deductedCents: String(tax.deductedCents),
  lines: tax.lines.map((line) => ({
    ...line,
    ...storeAmounts(line),
    listCents: String(line.listCents),
    discountCents: String(line.discountCents),
  })),
  rates: tax.rates.map((rate) => ({ ...rate, ...storeAmounts(rate) })),
});

/** Reads a stored snapshot. */
export const readOrderTax = (stored: StoredOrderTax): OrderTax => ({
  ...stored,
  ...readAmounts(stored),
  addedCents: cents(BigInt(stored.addedCents)),
  deductedCents: cents(BigInt(stored.deductedCents)),
  lines: stored.lines.map((line) => ({
    ...line,
    ...readAmounts(line),
    listCents: cents(BigInt(line.listCents)),
    discountCents: cents(BigInt(line.discountCents)),
  })),
  rates: stored.rates.map((rate) => ({ ...rate, ...readAmounts(rate) })),
});
