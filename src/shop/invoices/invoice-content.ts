/**
 * Everything that an invoice or credit note prints, as stored when it is issued. Cents and satoshis
 * are decimal strings. Amounts are positive; a credit note takes them back.
 */
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import type { TaxClass } from '#src/shop/tax/tax-class.ts';
import type { PriceMode } from '#src/shop/tax/tax-snapshot.ts';
import type { InvoiceKind } from './invoice-number.ts';

/** net + tax = gross. */
export interface InvoiceAmounts {
  readonly netCents: string;
  readonly taxCents: string;
  readonly grossCents: string;
}

export interface InvoiceLine extends InvoiceAmounts {
  /** Position of the order line; null for shipping. */
  readonly position: number | null;
  readonly name: string;
  /** Chosen options and SKU; may be empty. */
  readonly details: string;
  readonly quantity: number;
  /** In the price mode; 0 for a gift. */
  readonly unitCents: string;
  readonly discountCents: string;
  readonly taxClass: TaxClass;
  readonly rateBasisPoints: number;
  /** Numbers of its units that were shipped before the invoice was issued; absent: none. */
  readonly serials?: readonly string[];
  /** Of a credit note: an amount of the line and none of its units. */
  readonly isPart?: true;
}

/** Sum of the lines with one class and rate. */
export interface InvoiceRate extends InvoiceAmounts {
  readonly taxClass: TaxClass;
  readonly rateBasisPoints: number;
}

export interface InvoiceSeller {
  readonly name: string;
  readonly company: string;
  readonly address: string;
  readonly registrationNumber: string;
  readonly taxNumber: string;
  readonly email: string;
  readonly phone: string;
}

export interface InvoiceBuyer {
  readonly name: string;
  readonly street: string;
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly vatNumber: string | null;
}

export interface InvoiceTransaction {
  readonly txid: string;
  readonly sats: string;
}

export interface InvoiceRefund extends InvoiceTransaction {
  /** Rate of a refund by value in cents per bitcoin, and when it was found. */
  readonly rateCents?: string;
  readonly rateAt?: string;
}

interface InvoicePayment {
  /** Amount due by the quote, and its rate in cents per bitcoin. */
  readonly dueSats: string;
  readonly rateCents: string;
  /** Null: not stored with the quote. */
  readonly rateAt: string | null;
  readonly received: readonly InvoiceTransaction[];
}

interface Dated {
  /** IANA name of the zone of printed dates. Documents from before it was a setting have none: UTC. */
  readonly timeZone?: string;
}

/** A document that this one refers to. */
export interface CorrectedDocument extends Dated {
  readonly number: string;
  readonly issuedAt: string;
}

/** The amount of tax in the national currency of the seller. */
export interface NationalTax {
  readonly currency: string;
  /** Units of the currency for one dollar, its day and where it is from. */
  readonly rate: string;
  readonly rateDay: string;
  readonly source: string;
  /** The published rates that it is computed from: dollars and units of the currency for one euro. */
  readonly euro?: { readonly dollars: string; readonly national: string };
  /** Hundredths of the currency. */
  readonly taxCents: string;
}

export interface InvoiceContent extends InvoiceAmounts, Dated {
  readonly version: 1;
  readonly kind: InvoiceKind;
  readonly number: string;
  readonly issuedAt: string;
  readonly orderNumber: string;
  readonly orderedAt: string;
  readonly paidAt: string | null;
  readonly seller: InvoiceSeller;
  readonly buyer: InvoiceBuyer;
  /** Of unit prices and discounts. Net with reverse charge; gross in some older documents with it. */
  readonly priceMode: PriceMode;
  /** What the shop calls the tax, such as `VAT`. */
  readonly taxName: string;
  readonly isTaxed: boolean;
  readonly isReverseCharge: boolean;
  readonly lines: readonly InvoiceLine[];
  readonly rates: readonly InvoiceRate[];
  /** Absent: the shop had none set when the invoice was issued, or nothing is taxed. */
  readonly national?: NationalTax;
  /** Null on a credit note. */
  readonly payment: InvoicePayment | null;
  /** Of a credit note: the invoice. Of an invoice: the credit note that it reverses. */
  readonly corrects: CorrectedDocument | null;
  /** Of a credit note for a refund. */
  readonly refund: InvoiceRefund | null;
  /** Of a credit note without a refund; absent: the order was cancelled. */
  readonly because?: CreditReason;
  /** Of a credit note over what staff waived, and its reversal: the satoshis that they accepted as full payment. */
  readonly acceptedSats?: string;
  /** Of an invoice that reverses a credit note without a refund. */
  readonly reverses?: 'cancellation' | 'waiver';
}

/**
 * - requoted: the payment was lost for good, and the order got a new price.
 * - closed: the order was closed as a loss.
 * - repriced: the order was paid by a quote of another amount, and gets another invoice.
 * - waived: staff accepted less than the amount due as full payment.
 */
export type CreditReason = 'cancelled' | 'requoted' | 'closed' | 'repriced' | 'waived';

export const readCents = (text: string): Cents => cents(BigInt(text));

type Sums = Pick<InvoiceAmounts, 'netCents' | 'taxCents'>;

/** Sums amounts; gross is net + tax. */
export function sumInvoiceAmounts(amounts: readonly Sums[]): InvoiceAmounts {
  const sum = (part: keyof Sums): bigint => amounts.reduce((all, one) => all + BigInt(one[part]), 0n);
  const [net, tax] = [sum('netCents'), sum('taxCents')];
  return { netCents: String(net), taxCents: String(tax), grossCents: String(net + tax) };
}

/** Sums lines by class and rate, the highest rate first. Lines without an amount are left out. */
export function sumInvoiceRates(lines: readonly InvoiceLine[]): InvoiceRate[] {
  const groups = Map.groupBy(
    lines.filter(({ grossCents }) => grossCents !== '0'),
    ({ rateBasisPoints, taxClass }) => `${rateBasisPoints} ${taxClass}`,
  );
  return [...groups.values()]
    .flatMap((group) =>
      group
        .slice(0, 1)
        .map(({ rateBasisPoints, taxClass }) => ({ taxClass, rateBasisPoints, ...sumInvoiceAmounts(group) })),
    )
    .toSorted((a, b) => b.rateBasisPoints - a.rateBasisPoints || (a.taxClass < b.taxClass ? -1 : 1));
}

/** JSON with sorted keys: equal contents have equal texts, whatever the order of their keys. */
export function formatCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
