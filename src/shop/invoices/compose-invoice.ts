/** Composes invoices from orders, and credit notes from invoices. */
import { UTC } from '#src/shop/format.ts';
import { cents, divideTotal, NO_CENTS } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import { readChargedTax } from '#src/shop/orders/charged-tax.ts';
import type { BillingDetails } from '#src/shop/orders/stored-order.ts';
import type { ShopSettingsData } from '#src/shop/shop-settings/shop-settings.ts';
import type { OrderTaxLine, StoredOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import { computeLinePart, computePart } from '#src/shop/refunds/lines/compute-part.ts';
import { sumInvoiceAmounts, sumInvoiceRates } from './invoice-content.ts';
import type {
  CorrectedDocument,
  InvoiceBuyer,
  InvoiceContent,
  InvoiceLine,
  InvoiceSeller,
  InvoiceRefund,
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
  const tax = readChargedTax(order);
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
interface LineToCredit {
  /** As in the invoice; null for shipping. */
  readonly position: number | null;
  readonly quantity: number;
  /** What was refunded for these units; omitted: their part of the line. */
  readonly amounts?: { readonly netCents: Cents; readonly taxCents: Cents } | undefined;
}

/** Net and tax of a line to credit, without units of it. */
interface LineAmount {
  /** As in the invoice; null for shipping. */
  readonly position: number | null;
  readonly netCents: Cents;
  readonly taxCents: Cents;
}

/** What to credit: units of lines, amounts of lines, dollars of everything that is left, or null: all of it. */
export type CreditRequest =
  | { readonly units: readonly LineToCredit[] }
  | { readonly amounts: readonly LineAmount[] }
  | { readonly totalCents: Cents }
  | null;

/** The part of a line for `taken` of its units. Parts of all units sum up to the line, to the cent. */
function takeFromLine(
  line: InvoiceLine,
  credited: readonly InvoiceLine[],
  { taken, amounts }: TakenUnits,
): InvoiceLine {
  const units = countUnits(credited);
  const sum = (key: 'netCents' | 'taxCents' | 'discountCents'): bigint =>
    credited.reduce((all, one) => all + BigInt(one[key]), 0n);
  const before = { units, netCents: sum('netCents'), taxCents: sum('taxCents') };
  const whole = { quantity: line.quantity, netCents: BigInt(line.netCents), taxCents: BigInt(line.taxCents) };
  const { netCents, taxCents } = amounts ?? computeLinePart(whole, before, taken);
  const discount = { units, amount: sum('discountCents') };
  return {
    ...line,
    quantity: taken,
    discountCents: String(computePart(BigInt(line.discountCents), line.quantity, discount, taken)),
    netCents: String(netCents),
    taxCents: String(taxCents),
    grossCents: String(netCents + taxCents),
  };
}

const countUnits = (lines: readonly InvoiceLine[]): number =>
  lines.reduce((sum, { isPart = false, quantity }) => (isPart ? sum : sum + quantity), 0);

/** An amount of a line, of which no unit is credited. */
function takeAmount(line: InvoiceLine, { netCents, taxCents }: LineAmount, { priceMode }: InvoiceContent): InvoiceLine {
  const grossCents = String(netCents + taxCents);
  return {
    ...line,
    isPart: true,
    details: 'Part of the price',
    quantity: 1,
    unitCents: priceMode === 'gross' ? grossCents : String(netCents),
    discountCents: '0',
    netCents: String(netCents),
    taxCents: String(taxCents),
    grossCents,
  };
}

interface TakenUnits {
  readonly taken: number;
  readonly amounts: LineToCredit['amounts'];
}

const toPositive = (amount: bigint): Cents => (amount > 0n ? cents(amount) : NO_CENTS);

/** What earlier credit notes left of each line. */
const listLeftAmounts = (invoice: InvoiceContent, earlier: readonly InvoiceContent[]): readonly LineAmount[] =>
  invoice.lines.map((line) => {
    const credited = earlier.flatMap((note) => note.lines.filter((other) => isSameLine(line, other)));
    const left = (key: 'netCents' | 'taxCents'): Cents =>
      toPositive(credited.reduce((rest, one) => rest - BigInt(one[key]), BigInt(line[key])));
    return { position: line.position, netCents: left('netCents'), taxCents: left('taxCents') };
  });

function creditUnits(
  invoice: InvoiceContent,
  earlier: readonly InvoiceContent[],
  request: readonly LineToCredit[] | null,
): readonly InvoiceLine[] {
  return invoice.lines.flatMap((line) => {
    const credited = earlier.flatMap((note) => note.lines.filter((other) => isSameLine(line, other)));
    const left = line.quantity - countUnits(credited);
    const requested = request?.find(({ position }) => position === line.position);
    const taken = Math.min(left, request === null ? left : (requested?.quantity ?? 0));
    const amounts = taken === requested?.quantity ? requested.amounts : undefined;
    if (taken === 0) return [];
    const one = takeFromLine(line, credited, { taken, amounts });
    // Amounts that were credited before took all of it.
    return one.grossCents === '0' && line.grossCents !== '0' ? [] : [one];
  });
}

/** Dollars of everything that is left, in proportion to it. */
function divideAmount(left: readonly LineAmount[], totalCents: Cents): readonly LineAmount[] {
  const gross = divideTotal(
    totalCents,
    left.map(({ netCents, taxCents }) => netCents + taxCents),
  );
  return left.flatMap((line, at) => {
    const amount = gross[at] ?? 0n;
    if (amount === 0n) return [];
    const [net = 0n, tax = 0n] = divideTotal(amount, [line.netCents, line.taxCents]);
    return [{ position: line.position, netCents: cents(net), taxCents: cents(tax) }];
  });
}

function creditLines(
  invoice: InvoiceContent,
  earlier: readonly InvoiceContent[],
  request: CreditRequest,
): readonly InvoiceLine[] {
  if (request === null) return creditUnits(invoice, earlier, null);
  if ('units' in request) return creditUnits(invoice, earlier, request.units);
  const left = listLeftAmounts(invoice, earlier);
  const all = left.reduce((sum, { netCents, taxCents }) => sum + netCents + taxCents, 0n);
  if ('totalCents' in request && request.totalCents >= all) return creditUnits(invoice, earlier, null);
  const amounts = 'amounts' in request ? request.amounts : divideAmount(left, request.totalCents);
  return invoice.lines.flatMap((line) => {
    const amount = amounts.find(({ position }) => position === line.position);
    return amount ? [takeAmount(line, amount, invoice)] : [];
  });
}

/**
 * Credits units or amounts of an invoice; null if nothing is left of them. Nothing is credited twice.
 * @param earlier credit notes of the invoice that are not reversed
 */
export function composeCreditNote(
  invoice: InvoiceContent,
  earlier: readonly InvoiceContent[],
  request: CreditRequest,
  document: NewDocument,
  { refund, seller }: { readonly refund: InvoiceRefund | null; readonly seller: InvoiceSeller },
): InvoiceContent | null {
  const lines = creditLines(invoice, earlier, request);
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

/** An invoice over what a credit note took back: its refund was withdrawn, or the cancelled order paid after all. */
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
  ...(creditNote.refund === null ? { reverses: 'cancellation' } : {}),
});
