/** Lines of the sales and tax export: one for each tax rate of a document. Credit notes are negative. */
import { formatDecimalBtc, sats } from '#src/shop/money.ts';
import { formatTaxRate } from '#src/shop/tax/tax-class.ts';
import type { InvoiceContent, InvoiceRate } from './invoice-content.ts';

export const SALES_COLUMNS = [
  'document',
  'kind',
  'issued_at',
  'order',
  'ordered_at',
  'paid_at',
  'corrects',
  'buyer',
  'buyer_country',
  'buyer_vat_number',
  'reverse_charge',
  'tax_name',
  'tax_class',
  'tax_rate',
  'net_usd',
  'tax_usd',
  'gross_usd',
  'due_btc',
  'rate_usd',
  'rate_at',
  'refunded_btc',
  'txids',
] as const;

/** Indexes of the columns of signed amounts. */
export const SALES_NUMBER_COLUMNS: ReadonlySet<number> = new Set(
  (['net_usd', 'tax_usd', 'gross_usd'] as const).map((name) => SALES_COLUMNS.indexOf(name)),
);

/** Signed cents with two decimals. */
function formatSignedCents(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const formatBtcCell = (text: string | undefined): string =>
  text === undefined ? '' : formatDecimalBtc(sats(BigInt(text)));

/** A document whose amounts are all 0, such as a gift, has one line too. */
const listRates = ({ rates }: Pick<InvoiceContent, 'rates'>): readonly InvoiceRate[] =>
  rates.length > 0
    ? rates
    : [{ taxClass: 'standard', rateBasisPoints: 0, netCents: '0', taxCents: '0', grossCents: '0' }];

/**
 * Rows of a document, in the order of SALES_COLUMNS. What belongs to the whole document, such as its
 * amount in bitcoin, is in its first row only, so that sums count it once.
 */
export function createSalesRows(content: Omit<InvoiceContent, 'seller' | 'lines'>): string[][] {
  const sign = content.kind === 'credit_note' ? -1n : 1n;
  const { buyer, payment, refund } = content;
  const txids = refund === null ? (payment?.received ?? []).map(({ txid }) => txid) : [refund.txid];
  return listRates(content).map((rate, index) => {
    const once = (text: string): string => (index === 0 ? text : '');
    return [
      content.number,
      content.kind,
      content.issuedAt,
      content.orderNumber,
      content.orderedAt,
      content.paidAt ?? '',
      content.corrects?.number ?? '',
      buyer.name,
      buyer.country,
      buyer.vatNumber ?? '',
      content.isReverseCharge ? 'yes' : 'no',
      content.taxName,
      content.isTaxed ? rate.taxClass : '',
      content.isTaxed ? formatTaxRate(rate.rateBasisPoints) : '',
      formatSignedCents(sign * BigInt(rate.netCents)),
      formatSignedCents(sign * BigInt(rate.taxCents)),
      formatSignedCents(sign * BigInt(rate.grossCents)),
      once(formatBtcCell(payment?.dueSats)),
      once(payment === null ? '' : formatSignedCents(BigInt(payment.rateCents))),
      once(payment?.rateAt ?? ''),
      once(formatBtcCell(refund?.sats)),
      once(txids.join(' ')),
    ];
  });
}
