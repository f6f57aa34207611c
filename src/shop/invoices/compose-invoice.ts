/** Composes invoices from orders. */
import { cents, divideNearest, NO_CENTS } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import { readChargedTax } from '#src/shop/orders/charged-tax.ts';
import type { BillingDetails } from '#src/shop/orders/stored-order.ts';
import type { ShopSettingsData } from '#src/shop/shop-settings/shop-settings.ts';
import { computeTaxCents } from '#src/shop/tax/compute-tax.ts';
import type { OrderTax, OrderTaxLine, StoredOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import { convertCents, formatRate } from './currency/national-tax.ts';
import type { NationalRate } from './currency/national-tax.ts';
import { sumInvoiceAmounts, sumInvoiceRates } from './invoice-content.ts';
import type {
  InvoiceBuyer,
  InvoiceContent,
  InvoiceLine,
  InvoiceSeller,
  InvoiceTransaction,
  NationalTax,
} from './invoice-content.ts';

export interface LineToInvoice {
  readonly position: number;
  readonly name: string;
  readonly sku: string | null;
  /** Names of the chosen options. */
  readonly options: readonly string[];
  readonly quantity: number;
  readonly priceCents: Cents;
  readonly isFree: boolean;
  /** Numbers of its units that are shipped. */
  readonly serials?: readonly string[];
}

/** The invoice needs a rate of the national currency that nobody entered yet. */
export class RateMissingError extends Error {
  override readonly name = 'RateMissingError';
}

export interface OrderToInvoice {
  readonly orderNumber: string;
  readonly createdAt: Date;
  readonly paidAt: Date;
  readonly billing: BillingDetails;
  readonly totalCents: Cents;
  /** Null for an order from before tax was stored. */
  readonly tax: StoredOrderTax | null;
  readonly dueSats: Sats;
  readonly rate: CentsPerBtc;
  readonly rateAt: string | null;
  readonly lines: readonly LineToInvoice[];
  readonly received: readonly InvoiceTransaction[];
  /** Null: its rate is missing. Absent: invoices have dollars only. */
  readonly national?: NationalRate | null | undefined;
}

/** What a new document has of its own. */
export interface NewDocument {
  readonly number: string;
  readonly issuedAt: Date;
  /** Of the shop. */
  readonly timeZone: string;
}

/** The date and number of a new document, as its content has them. */
export const describe = ({ issuedAt, number, timeZone }: NewDocument) => ({
  number,
  issuedAt: issuedAt.toISOString(),
  timeZone,
});

export const toInvoiceSeller = ({ identity, legal }: ShopSettingsData): InvoiceSeller => ({
  name: identity.name,
  company: legal.company,
  address: identity.address,
  registrationNumber: legal.registration_number,
  taxNumber: legal.tax_number,
  email: legal.contact_email,
  phone: legal.contact_phone,
});

const toBuyer = (billing: BillingDetails, vatNumber: string | null): InvoiceBuyer => ({
  name: `${billing.firstName} ${billing.lastName}`.trim(),
  street: `${billing.streetAddress} ${billing.houseNumber}`.trim(),
  city: `${billing.postcode} ${billing.city}`.trim(),
  country: billing.country,
  vatNumber,
});

/** In the price mode; 0 for a gift. */
function getUnitCents(ordered: LineToInvoice | undefined, { listCents }: OrderTaxLine): Cents {
  if (ordered === undefined) return listCents;
  return ordered.isFree ? NO_CENTS : ordered.priceCents;
}

/** What a line would cost without its discount and without the tax that gross prices contain. */
function computeNetList({ deductedBasisPoints, discountCents, listCents, netCents }: OrderTaxLine): Cents {
  if (deductedBasisPoints !== undefined)
    return cents(listCents - computeTaxCents(listCents, deductedBasisPoints, 'gross'));
  // The rate of an older snapshot is known by what it left of the price.
  const paidCents = listCents - discountCents;
  return paidCents === 0n ? NO_CENTS : cents(divideNearest(listCents * netCents, paidCents));
}

/** Unit price and discount; with reverse charge without tax. */
function computePrices(
  taxed: OrderTaxLine,
  ordered: LineToInvoice | undefined,
  { isReverseCharge, priceMode }: OrderTax,
) {
  const { discountCents, netCents } = taxed;
  if (!isReverseCharge || priceMode === 'net') return { unitCents: getUnitCents(ordered, taxed), discountCents };
  const netList = computeNetList(taxed);
  return {
    unitCents: divideNearest(netList, BigInt(ordered?.quantity ?? 1)),
    discountCents: netList > netCents ? netList - netCents : 0n,
  };
}

function toLine(taxed: OrderTaxLine, { lines }: OrderToInvoice, tax: OrderTax): InvoiceLine {
  const ordered = lines.find(({ position }) => position === taxed.position);
  const { quantity = 1, serials = [] } = ordered ?? {};
  const { shippingName } = tax;
  const { discountCents, unitCents } = computePrices(taxed, ordered, tax);
  const zone = shippingName === null ? '' : `: ${shippingName}`;
  return {
    position: taxed.position,
    name: ordered?.name ?? `Shipping${zone}`,
    details: ordered ? [...ordered.options, ordered.sku ?? ''].filter((text) => text !== '').join(' · ') : '',
    ...(serials.length > 0 && { serials }),
    quantity,
    unitCents: String(unitCents),
    discountCents: String(discountCents),
    taxClass: taxed.taxClass,
    rateBasisPoints: taxed.rateBasisPoints,
    netCents: String(taxed.netCents),
    taxCents: String(taxed.taxCents),
    grossCents: String(taxed.grossCents),
  };
}

/** @throws RateMissingError if there is tax and no rate */
function describeNationalTax(taxCents: string, { national }: OrderToInvoice): { readonly national?: NationalTax } {
  if (national === undefined || taxCents === '0') return {};
  if (national === null) throw new RateMissingError('the rate of the national currency is missing');
  const { currency, day: rateDay, euro, rateE8, source } = national;
  const converted = String(convertCents(BigInt(taxCents), rateE8));
  const ofEuro = euro && { dollars: formatRate(euro.dollarsE8), national: formatRate(euro.nationalE8) };
  const rate = { rate: formatRate(rateE8), rateDay, source, ...(ofEuro && { euro: ofEuro }) };
  return { national: { currency, ...rate, taxCents: converted } };
}

/** @throws if the lines do not sum up to the total of the order. */
export function composeInvoice(order: OrderToInvoice, document: NewDocument, seller: InvoiceSeller): InvoiceContent {
  const tax = readChargedTax(order);
  const lines = tax.lines
    .map((line) => toLine(line, order, tax))
    // Free shipping needs no line.
    .filter(({ position, unitCents }) => position !== null || unitCents !== '0');
  const sums = sumInvoiceAmounts(lines);
  if (sums.grossCents !== String(order.totalCents)) {
    throw new Error(`the lines of order ${order.orderNumber} sum up to ${sums.grossCents}, not ${order.totalCents}`);
  }
  return {
    version: 1,
    kind: 'invoice',
    ...describe(document),
    orderNumber: order.orderNumber,
    orderedAt: order.createdAt.toISOString(),
    paidAt: order.paidAt.toISOString(),
    seller,
    buyer: toBuyer(order.billing, tax.buyerVatNumber),
    // Unit prices of reverse charge have no tax.
    priceMode: tax.isReverseCharge ? 'net' : tax.priceMode,
    taxName: tax.taxName,
    isTaxed: tax.isTaxed,
    isReverseCharge: tax.isReverseCharge,
    lines,
    rates: sumInvoiceRates(lines),
    ...sums,
    ...describeNationalTax(sums.taxCents, order),
    payment: {
      dueSats: String(order.dueSats),
      rateCents: String(order.rate),
      rateAt: order.rateAt,
      received: order.received,
    },
    corrects: null,
    refund: null,
  };
}
