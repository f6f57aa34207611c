/** Composes invoices from orders, and credit notes from invoices. */
import { UTC } from '#src/shop/format.ts';
import { cents, NO_CENTS } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { BillingDetails } from '#src/shop/orders/stored-order.ts';
import type { ShopSettingsData } from '#src/shop/shop-settings/shop-settings.ts';
import { computeTax } from '#src/shop/tax/compute-tax.ts';
import { NO_TAX, resolveTaxation } from '#src/shop/tax/taxation.ts';
import { readOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import type { OrderTax, OrderTaxLine, StoredOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import { sumInvoiceAmounts, sumInvoiceRates } from './invoice-content.ts';
import type {
  CorrectedDocument,
  InvoiceBuyer,
  InvoiceContent,
  InvoiceLine,
  InvoiceSeller,
  InvoiceTransaction,
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
}

/** What a new document has of its own. */
export interface NewDocument {
  readonly number: string;
  readonly issuedAt: Date;
  /** Of the shop. */
  readonly timeZone: string;
}

const describe = ({ issuedAt, number, timeZone }: NewDocument) => ({
  number,
  issuedAt: issuedAt.toISOString(),
  timeZone,
});

const computeListCents = ({ isFree, priceCents, quantity }: LineToInvoice): Cents =>
  isFree ? NO_CENTS : cents(priceCents * BigInt(quantity));

/** The tax of an order. An order from before tax was stored has none. */
function readTax({ lines, tax, totalCents }: OrderToInvoice): OrderTax {
  if (tax !== null) return readOrderTax(tax);
  const untaxed = lines.map((line) => ({ taxClass: 'standard', listCents: computeListCents(line) }) as const);
  return computeTax(
    { lines: untaxed, goodsCents: totalCents, shipping: { name: null, cents: NO_CENTS } },
    resolveTaxation(NO_TAX, { country: '', vatNumber: null }),
  );
}

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

function toLine(taxed: OrderTaxLine, { lines }: OrderToInvoice, shippingName: string | null): InvoiceLine {
  const ordered = lines.find(({ position }) => position === taxed.position);
  const quantity = ordered?.quantity ?? 1;
  const zone = shippingName === null ? '' : `: ${shippingName}`;
  return {
    position: taxed.position,
    name: ordered?.name ?? `Shipping${zone}`,
    details: ordered ? [...ordered.options, ordered.sku ?? ''].filter((text) => text !== '').join(' · ') : '',
    quantity,
    unitCents: String(getUnitCents(ordered, taxed)),
    discountCents: String(taxed.discountCents),
    taxClass: taxed.taxClass,
    rateBasisPoints: taxed.rateBasisPoints,
    netCents: String(taxed.netCents),
    taxCents: String(taxed.taxCents),
    grossCents: String(taxed.grossCents),
  };
}

/** @throws if the lines do not sum up to the total of the order. */
export function composeInvoice(order: OrderToInvoice, document: NewDocument, seller: InvoiceSeller): InvoiceContent {
  const tax = readTax(order);
  const lines = tax.lines
    .map((line) => toLine(line, order, tax.shippingName))
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
    priceMode: tax.priceMode,
    taxName: tax.taxName,
    isTaxed: tax.isTaxed,
    isReverseCharge: tax.isReverseCharge,
    lines,
    rates: sumInvoiceRates(lines),
    ...sums,
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

const toCorrected = ({ issuedAt, number, timeZone = UTC }: InvoiceContent): CorrectedDocument => ({
  number,
  issuedAt,
  timeZone,
});
const isSameLine = (a: InvoiceLine, b: InvoiceLine): boolean => a.position === b.position;

/** Units of a line to credit. */
export interface LineToCredit {
  /** As in the invoice; null for shipping. */
  readonly position: number | null;
  readonly quantity: number;
}

/**
 * The part of a line for `taken` of its units after `before` units. Parts of all units sum up to the
 * line, to the cent.
 */
function takeFromLine(line: InvoiceLine, before: number, taken: number): InvoiceLine {
  const takePart = (text: string): string => {
    const amount = BigInt(text);
    const upTo = (units: number): bigint => (amount * BigInt(units)) / BigInt(line.quantity);
    return String(upTo(before + taken) - upTo(before));
  };
  const [netCents, taxCents] = [takePart(line.netCents), takePart(line.taxCents)];
  return {
    ...line,
    quantity: taken,
    discountCents: takePart(line.discountCents),
    netCents,
    taxCents,
    grossCents: String(BigInt(netCents) + BigInt(taxCents)),
  };
}

/**
 * Credits units of an invoice; null if nothing is left of them. No unit is credited twice.
 * @param earlier credit notes of the invoice that are not reversed
 * @param request null: everything that is left
 */
export function composeCreditNote(
  invoice: InvoiceContent,
  earlier: readonly InvoiceContent[],
  request: readonly LineToCredit[] | null,
  document: NewDocument,
  { refund, seller }: { readonly refund: InvoiceTransaction | null; readonly seller: InvoiceSeller },
): InvoiceContent | null {
  const lines = invoice.lines.flatMap((line) => {
    const credited = earlier
      .flatMap((note) => note.lines.filter((other) => isSameLine(line, other)))
      .reduce((sum, { quantity }) => sum + quantity, 0);
    const left = line.quantity - credited;
    const wanted =
      request === null ? left : (request.find(({ position }) => position === line.position)?.quantity ?? 0);
    const taken = Math.min(left, wanted);
    return taken > 0 ? [takeFromLine(line, credited, taken)] : [];
  });
  if (lines.length === 0) return null;
  return {
    ...invoice,
    kind: 'credit_note',
    ...describe(document),
    seller,
    lines,
    rates: sumInvoiceRates(lines),
    ...sumInvoiceAmounts(lines),
    payment: null,
    corrects: toCorrected(invoice),
    refund,
  };
}

/** An invoice over what a credit note took back, because its refund was withdrawn. */
export const composeReversal = (
  creditNote: InvoiceContent,
  document: NewDocument,
  seller: InvoiceSeller,
): InvoiceContent => ({
  ...creditNote,
  kind: 'invoice',
  ...describe(document),
  seller,
  corrects: toCorrected(creditNote),
  refund: null,
});
