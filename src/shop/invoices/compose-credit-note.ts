/** Composes credit notes from invoices, and invoices that reverse credit notes. */
import { UTC } from '#src/shop/format.ts';
import { cents, divideTotal, NO_CENTS } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { readChargedTax } from '#src/shop/orders/charged-tax.ts';
import { computePaidCents, computeWaivedCents } from '#src/shop/orders/paid-amount.ts';
import { computeLinePart, computePart } from '#src/shop/refunds/lines/compute-part.ts';
import type { PriceMode } from '#src/shop/tax/tax-snapshot.ts';
import { describe } from './compose-invoice.ts';
import { convertCreditedTax, parseRate } from './currency/national-tax.ts';
import type { NewDocument, OrderToInvoice } from './compose-invoice.ts';
import { sumInvoiceAmounts, sumInvoiceRates } from './invoice-content.ts';
import type { CorrectedDocument, CreditReason, InvoiceContent, InvoiceLine, InvoiceRefund } from './invoice-content.ts';

const toCorrected = ({ issuedAt, number, timeZone = UTC }: InvoiceContent): CorrectedDocument => ({
  number,
  issuedAt,
  timeZone,
});
const isSameLine = (a: InvoiceLine, b: InvoiceLine): boolean => a.position === b.position;

/** A line of which some units are credited: which ones is not known. */
const withoutSerials = ({ serials: _serials, ...line }: InvoiceLine): InvoiceLine => line;

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
    ...withoutSerials(line),
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

const NOTHING: NetAndTax = { netCents: 0n, taxCents: 0n };

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
    ...withoutSerials(line),
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
  return invoice.lines.flatMap((line, index) => {
    const wanted = amounts.find(({ position }) => position === line.position);
    // Two refunds may have taken the same money.
    const amount = takeAtMost(wanted ?? NOTHING, left[index] ?? NOTHING, NOTHING);
    return amount.netCents + amount.taxCents === 0n ? [] : [takeAmount(line, amount, invoice)];
  });
}

/** The tax of a credit note in the national currency, at the rate of its invoice. */
function creditNationalTax(
  { national }: InvoiceContent,
  earlier: readonly InvoiceContent[],
  taxCents: string,
): Pick<InvoiceContent, 'national'> {
  if (national === undefined) return {};
  const before = earlier.map((note) => ({
    tax: BigInt(note.taxCents),
    converted: BigInt(note.national?.taxCents ?? '0'),
  }));
  const converted = convertCreditedTax(BigInt(taxCents), parseRate(national.rate) ?? 0n, before);
  return { national: { ...national, taxCents: String(converted) } };
}

/** A credit note over these lines, with the seller that issued the invoice, as it was then. */
const createNote = (
  invoice: InvoiceContent,
  earlier: readonly InvoiceContent[],
  lines: InvoiceContent['lines'],
  document: NewDocument,
) => {
  const sums = sumInvoiceAmounts(lines);
  return {
    ...invoice,
    kind: 'credit_note' as const,
    ...describe(document),
    lines,
    rates: sumInvoiceRates(lines),
    ...sums,
    ...creditNationalTax(invoice, earlier, sums.taxCents),
    payment: null,
    corrects: toCorrected(invoice),
  };
};

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
  return { ...createNote(invoice, earlier, lines, document), refund, ...(refund === null ? { because } : {}) };
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
    const amount = takeAtMost(waived, leftOf[index] ?? NOTHING, NOTHING);
    return amount.netCents + amount.taxCents === 0n ? [] : [takeAmount(line, amount, invoice)];
  });
  if (lines.length === 0) return null;
  const acceptedSats = String(order.settledSats);
  return { ...createNote(invoice, earlier, lines, document), refund: null, because: 'waived', acceptedSats };
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
