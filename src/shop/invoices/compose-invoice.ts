/** Composes invoices from orders, and credit notes from invoices. */
import { UTC } from '#src/shop/format.ts';
import { cents, divideNearest, divideTotal, NO_CENTS } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import { computePaidCents, computeWaivedCents } from '#src/shop/orders/paid-amount.ts';
import { readChargedTax } from '#src/shop/orders/charged-tax.ts';
import type { BillingDetails } from '#src/shop/orders/stored-order.ts';
import type { ShopSettingsData } from '#src/shop/shop-settings/shop-settings.ts';
import { computeTaxCents } from '#src/shop/tax/compute-tax.ts';
import type { OrderTax, OrderTaxLine, PriceMode, StoredOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import { computeLinePart, computePart } from '#src/shop/refunds/lines/compute-part.ts';
import { sumInvoiceAmounts, sumInvoiceRates } from './invoice-content.ts';
import type {
  CorrectedDocument,
  CreditReason,
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
  const quantity = ordered?.quantity ?? 1;
  const { shippingName } = tax;
  const { discountCents, unitCents } = computePrices(taxed, ordered, tax);
  const zone = shippingName === null ? '' : `: ${shippingName}`;
  return {
    position: taxed.position,
    name: ordered?.name ?? `Shipping${zone}`,
    details: ordered ? [...ordered.options, ordered.sku ?? ''].filter((text) => text !== '').join(' · ') : '',
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

/**
 * The part of a line for `taken` of its units. Parts of all units sum up to the line, to the cent. The
 * discount is what the units cost less than their list price, so that the part adds up, too.
 */
function takeFromLine(
  line: InvoiceLine,
  credited: readonly InvoiceLine[],
  { taken, amounts }: TakenUnits,
  priceMode: PriceMode,
): InvoiceLine {
  const units = countUnits(credited);
  const sum = (key: 'netCents' | 'taxCents' | 'discountCents'): bigint =>
    credited.reduce((all, one) => all + BigInt(one[key]), 0n);
  const before = { units, netCents: sum('netCents'), taxCents: sum('taxCents') };
  const whole = { quantity: line.quantity, netCents: BigInt(line.netCents), taxCents: BigInt(line.taxCents) };
  const { netCents, taxCents } = amounts ? takeAtMost(amounts, whole, before) : computeLinePart(whole, before, taken);
  const isGross = priceMode === 'gross';
  const countPaid = (of: Pick<InvoiceLine, 'netCents' | 'grossCents'>): bigint =>
    BigInt(isGross ? of.grossCents : of.netCents);
  const countListed = (of: InvoiceLine): bigint => countPaid(of) + BigInt(of.discountCents);
  // Amounts that were credited without units count as a discount of those that are left.
  const listedBefore = credited.reduce((all, one) => (one.isPart ? all : all + countListed(one)), 0n);
  const listed = computePart(countListed(line), line.quantity, { units, amount: listedBefore }, taken);
  const paid = isGross ? netCents + taxCents : netCents;
  return {
    ...line,
    quantity: taken,
    discountCents: String(listed > paid ? listed - paid : 0n),
    netCents: String(netCents),
    taxCents: String(taxCents),
    grossCents: String(netCents + taxCents),
  };
}

interface NetAndTax {
  readonly netCents: bigint;
  readonly taxCents: bigint;
}

/** Never more than what is left of the line. */
function takeAtMost(amounts: NetAndTax, whole: NetAndTax, before: NetAndTax): NetAndTax {
  const take = (key: keyof NetAndTax): bigint => {
    const left = whole[key] - before[key];
    return amounts[key] < left ? amounts[key] : left;
  };
  return { netCents: take('netCents'), taxCents: take('taxCents') };
}

const countUnits = (lines: readonly InvoiceLine[]): number =>
  lines.reduce((sum, { isPart = false, quantity }) => (isPart ? sum : sum + quantity), 0);

/** An amount of a line, of which no unit is credited. */
function takeAmount(
  line: InvoiceLine,
  { netCents, taxCents }: NetAndTax,
  { priceMode }: Pick<InvoiceContent, 'priceMode'>,
): InvoiceLine {
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
    const one = takeFromLine(line, credited, { taken, amounts }, invoice.priceMode);
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
  {
    refund,
    because = 'cancelled',
  }: {
    readonly refund: InvoiceRefund | null;
    /** Of a credit note without a refund. */
    readonly because?: CreditReason;
  },
): InvoiceContent | null {
  const lines = creditLines(invoice, earlier, request);
  if (lines.length === 0) return null;
  return {
    // The seller, too: the one that issued the invoice, as it was then.
    ...invoice,
    kind: 'credit_note',
    ...describe(document),
    lines,
    rates: sumInvoiceRates(lines),
    ...sumInvoiceAmounts(lines),
    payment: null,
    corrects: toCorrected(invoice),
    refund,
    ...(refund === null ? { because } : {}),
  };
}

/**
 * Credits what staff waived when they accepted less than the amount due; null for nothing. Net and tax of
 * each line are reduced in proportion.
 */
export function composeWaiver(
  invoice: InvoiceContent,
  order: Pick<OrderToInvoice, 'dueSats' | 'lines' | 'tax' | 'totalCents'> & { readonly settledSats: Sats | null },
  earlier: readonly InvoiceContent[],
  document: NewDocument,
): InvoiceContent | null {
  if (computeWaivedCents(order) === NO_CENTS) return null;
  const charged = readChargedTax(order).lines;
  const amounts = charged.flatMap(({ netCents, taxCents }) => [netCents, taxCents]);
  const paid = divideTotal(computePaidCents(order), amounts);
  const leftOf = listLeftAmounts(invoice, earlier);
  const lines = invoice.lines.flatMap((line, index) => {
    const at = charged.findIndex(({ position }) => position === line.position);
    const waived = {
      netCents: BigInt(line.netCents) - (paid[2 * at] ?? 0n),
      taxCents: BigInt(line.taxCents) - (paid[2 * at + 1] ?? 0n),
    };
    const left = leftOf[index] ?? { netCents: 0n, taxCents: 0n };
    const amount = takeAtMost(waived, left, { netCents: 0n, taxCents: 0n });
    return amount.netCents + amount.taxCents === 0n ? [] : [takeAmount(line, amount, invoice)];
  });
  if (lines.length === 0) return null;
  return {
    ...invoice,
    kind: 'credit_note',
    ...describe(document),
    lines,
    rates: sumInvoiceRates(lines),
    ...sumInvoiceAmounts(lines),
    payment: null,
    corrects: toCorrected(invoice),
    refund: null,
    because: 'waived',
    acceptedSats: String(order.settledSats),
  };
}

/** An invoice over what a credit note took back: its refund was withdrawn, or the order was paid after all. */
export function composeReversal({ because, ...creditNote }: InvoiceContent, document: NewDocument): InvoiceContent {
  return {
    ...creditNote,
    kind: 'invoice',
    ...describe(document),
    corrects: toCorrected(creditNote),
    refund: null,
    ...(creditNote.refund === null ? { reverses: because === 'waived' ? 'waiver' : 'cancellation' } : {}),
  };
}
