/** Composes invoices from orders, and credit notes from invoices. */
import { UTC } from '#src/shop/format.ts';
import { cents, divideNearest, NO_CENTS } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import { divideTotal } from '#src/shop/divide-total.ts';
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
export interface LineToCredit {
  /** As in the invoice; null for shipping. */
  readonly position: number | null;
  readonly quantity: number;
  /** What was refunded for these units; omitted: their part of the line. */
  readonly amounts?: { readonly netCents: Cents; readonly taxCents: Cents } | undefined;
}

/**
 * The part of a line for `taken` of its units. Parts of all units sum up to the line, to the cent. The
 * discount is what the units cost less than their list price, so that the part adds up, too.
 */
function takeFromLine(
  line: InvoiceLine,
  { credited, units }: CreditedLine,
  { taken, amounts }: TakenUnits,
  priceMode: PriceMode,
): InvoiceLine {
  const sum = (key: 'netCents' | 'taxCents' | 'discountCents'): bigint =>
    credited.reduce((all, one) => all + BigInt(one[key]), 0n);
  const before = { units, netCents: sum('netCents'), taxCents: sum('taxCents') };
  const whole = { quantity: line.quantity, netCents: BigInt(line.netCents), taxCents: BigInt(line.taxCents) };
  const { netCents, taxCents } = amounts ? takeAtMost(amounts, whole, before) : computeLinePart(whole, before, taken);
  const isGross = priceMode === 'gross';
  const countPaid = (of: Pick<InvoiceLine, 'netCents' | 'grossCents'>): bigint =>
    BigInt(isGross ? of.grossCents : of.netCents);
  const countListed = (of: InvoiceLine): bigint => countPaid(of) + BigInt(of.discountCents);
  const listedBefore = credited.reduce((all, one) => all + countListed(one), 0n);
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

const countUnits = (lines: readonly InvoiceLine[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** What earlier credit notes took of a line. What was waived has no units. */
interface CreditedLine {
  readonly credited: readonly InvoiceLine[];
  readonly units: number;
}

function findCredited(line: InvoiceLine, earlier: readonly InvoiceContent[]): CreditedLine {
  const select = (notes: readonly InvoiceContent[]): readonly InvoiceLine[] =>
    notes.flatMap((note) => note.lines.filter((other) => isSameLine(line, other)));
  const withUnits = earlier.filter(({ because }) => because !== 'waived');
  return { credited: select(earlier), units: countUnits(select(withUnits)) };
}

interface TakenUnits {
  readonly taken: number;
  readonly amounts: LineToCredit['amounts'];
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
  {
    refund,
    because = 'cancelled',
  }: {
    readonly refund: InvoiceTransaction | null;
    /** Of a credit note without a refund. */
    readonly because?: CreditReason;
  },
): InvoiceContent | null {
  const lines = invoice.lines.flatMap((line) => {
    const credited = findCredited(line, earlier);
    const left = line.quantity - credited.units;
    const requested = request?.find(({ position }) => position === line.position);
    const taken = Math.min(left, request === null ? left : (requested?.quantity ?? 0));
    const amounts = taken === requested?.quantity ? requested.amounts : undefined;
    return taken > 0 ? [takeFromLine(line, credited, { taken, amounts }, invoice.priceMode)] : [];
  });
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
  const lines = invoice.lines.flatMap((line) => {
    const at = charged.findIndex(({ position }) => position === line.position);
    const { credited } = findCredited(line, earlier);
    const left = (key: 'netCents' | 'taxCents', waived: bigint): bigint => {
      const rest = credited.reduce((sum, one) => sum - BigInt(one[key]), BigInt(line[key]));
      return waived < rest ? waived : rest;
    };
    const netCents = left('netCents', BigInt(line.netCents) - (paid[2 * at] ?? 0n));
    const taxCents = left('taxCents', BigInt(line.taxCents) - (paid[2 * at + 1] ?? 0n));
    const grossCents = netCents + taxCents;
    const unitCents = String(invoice.priceMode === 'gross' ? grossCents : netCents);
    const waived = {
      netCents: String(netCents),
      taxCents: String(taxCents),
      grossCents: String(grossCents),
      unitCents,
    };
    return grossCents === 0n ? [] : [{ ...line, ...waived, quantity: 1, discountCents: '0' }];
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
