/** Lays out the content of an invoice or credit note as the blocks of a PDF. */
import { formatDecimalBtc, sats } from '#src/shop/money.ts';
import { formatDate, UTC } from '#src/shop/format.ts';
import { formatUsd, formatUsdAmount } from '#src/shop/format-number.ts';
import { findCountryName } from '#src/shop/regions.ts';
import { formatShopMinute, toShopDay } from '#src/shop/shop-days.ts';
import { formatTaxRate, TAX_CLASS_NAMES } from '#src/shop/tax/tax-class.ts';
import { readCents } from './invoice-content.ts';
import type {
  CreditReason,
  InvoiceContent,
  InvoiceLine,
  InvoiceRate,
  InvoiceSeller,
  NationalTax,
} from './invoice-content.ts';

const formatCents = (text: string): string => formatUsd(readCents(text));
const formatSats = (text: string): string => `${formatDecimalBtc(sats(BigInt(text)))} BTC`;
const formatDay = (instant: string, timeZone = UTC): string => toShopDay(new Date(instant), timeZone);
const formatMinute = (instant: string, timeZone = UTC): string => formatShopMinute(new Date(instant), timeZone);
const listFilled = (...texts: readonly string[]): string[] => texts.filter((text) => text !== '');
const formatLabel = (label: string, text: string): string => (text === '' ? '' : `${label}: ${text}`);

export const getDocumentTitle = ({ kind }: Pick<InvoiceContent, 'kind'>): string =>
  kind === 'invoice' ? 'Invoice' : 'Credit note';

const getSellerName = ({ company, name }: InvoiceSeller): string => company || name;

const listSellerLines = (seller: InvoiceSeller): string[] =>
  listFilled(
    getSellerName(seller),
    seller.company === '' || seller.company === seller.name ? '' : seller.name,
    ...seller.address.split('\n'),
    formatLabel('Registration number', seller.registrationNumber),
    formatLabel('Tax number', seller.taxNumber),
    seller.email,
    seller.phone,
  );

function layOutHead(content: InvoiceContent) {
  const { buyer, corrects, kind, timeZone } = content;
  const correctsLabel = kind === 'invoice' ? 'Reverses' : 'For invoice';
  return {
    kind: 'columns',
    columns: [
      { title: 'Seller', lines: listSellerLines(content.seller) },
      {
        title: 'Buyer',
        lines: listFilled(
          buyer.name,
          buyer.street,
          buyer.city,
          findCountryName(buyer.country) ?? buyer.country,
          formatLabel('VAT number', buyer.vatNumber ?? ''),
        ),
      },
      {
        title: 'Details',
        lines: listFilled(
          `Number: ${content.number}`,
          `Date of issue: ${formatDay(content.issuedAt, timeZone)}`,
          `Order: ${content.orderNumber}`,
          `Date of order: ${formatDay(content.orderedAt, timeZone)}`,
          content.paidAt === null ? '' : `Date of payment: ${formatDay(content.paidAt, timeZone)}`,
          corrects === null
            ? ''
            : `${correctsLabel}: ${corrects.number} of ${formatDay(corrects.issuedAt, corrects.timeZone)}`,
        ),
      },
    ],
  } as const;
}

const formatRate = ({ taxName }: InvoiceContent, { rateBasisPoints }: Pick<InvoiceLine, 'rateBasisPoints'>): string =>
  `${taxName} ${formatTaxRate(rateBasisPoints)}`;

const formatDiscount = ({ discountCents }: InvoiceLine): string =>
  discountCents === '0' ? '' : `−${formatCents(discountCents)}`;

const formatSerials = ({ serials = [] }: InvoiceLine): string =>
  serials.length === 0 ? '' : `Serial ${serials.length === 1 ? 'number' : 'numbers'}: ${serials.join(', ')}`;

const toNumberColumn = (title: string, width: number) => ({ title, width, isNumber: true }) as const;

/** The lines with their total. Columns for discount and tax only if there are any. */
function layOutLines(content: InvoiceContent) {
  const { isTaxed, lines } = content;
  const isDiscounted = lines.some(({ discountCents }) => discountCents !== '0');
  const toCells = (discount: string, taxed: readonly string[]): readonly string[] => [
    ...(isDiscounted ? [discount] : []),
    ...(isTaxed ? taxed : []),
  ];
  return {
    kind: 'table',
    columns: [
      { title: 'Item', width: isTaxed ? 30 : 44 },
      toNumberColumn('Quantity', 9),
      toNumberColumn('Unit price', 13),
      ...(isDiscounted ? [toNumberColumn('Discount', 12)] : []),
      ...(isTaxed ? [toNumberColumn('Net', 12), toNumberColumn(content.taxName, 12)] : []),
      toNumberColumn('Total', 13),
    ],
    rows: [
      ...lines.map((line) => ({
        cells: [
          listFilled(line.name, line.details, formatSerials(line)).join('\n'),
          String(line.quantity),
          formatCents(line.unitCents),
          ...toCells(formatDiscount(line), [
            formatCents(line.netCents),
            `${formatCents(line.taxCents)}\n${formatTaxRate(line.rateBasisPoints)}`,
          ]),
          formatCents(line.grossCents),
        ],
      })),
      {
        cells: [
          content.kind === 'invoice' ? 'Total in US dollars' : 'Total credited in US dollars',
          '',
          '',
          ...toCells('', [formatCents(content.netCents), formatCents(content.taxCents)]),
          formatCents(content.grossCents),
        ],
        isTotal: true,
      },
    ],
  } as const;
}

/** Whether unit price times quantity, without the discount, differs from the amount of the line. */
const isUnitRounded = ({ discountCents, netCents, quantity, unitCents }: InvoiceLine): boolean =>
  BigInt(unitCents) * BigInt(quantity) - BigInt(discountCents) !== BigInt(netCents);

/** Where a rate is from: as staff entered it, or the published rates that it is computed from. */
function describeRateSource({ currency, euro, rateDay, source }: NationalTax): string {
  if (euro === undefined) return `of ${rateDay} (${source}).`;
  const national = currency === 'EUR' ? '' : ` = ${euro.national} ${currency}`;
  return `Rate of the ${source} of ${formatDate(rateDay, 'day', UTC)}: 1 EUR = ${euro.dollars} USD${national}.`;
}

/** Article 230 of Directive 2006/112/EC: the amount of tax in the national currency, with its rate. */
function layOutNationalTax({ kind, national, taxName }: InvoiceContent) {
  if (national === undefined) return [];
  const { currency, euro, rate, taxCents } = national;
  const amount = `${formatUsdAmount(Number(taxCents) / 100)} ${currency}`;
  const what = kind === 'invoice' ? `${taxName} in ${currency}` : `${taxName} credited in ${currency}`;
  const end = `${euro === undefined ? ' ' : '. '}${describeRateSource(national)}`;
  return [{ kind: 'paragraph', text: `${what}: ${amount}, at 1 USD = ${rate} ${currency}${end}` }] as const;
}

/** The tax of each rate; no block if nothing is taxed. */
function layOutTax(content: InvoiceContent) {
  const { isTaxed, lines, priceMode, rates, taxName } = content;
  if (!isTaxed) return [{ kind: 'paragraph', text: 'No tax was charged on this order.' }] as const;
  const toRow = (rate: InvoiceRate) => ({
    cells: [
      `${formatRate(content, rate)} · ${TAX_CLASS_NAMES[rate.taxClass]}`,
      formatCents(rate.netCents),
      formatCents(rate.taxCents),
      formatCents(rate.grossCents),
    ],
  });
  const text = [
    ...(content.isReverseCharge ? [`Reverse charge: the buyer owes the ${taxName}.`] : []),
    `Unit prices and discounts ${priceMode === 'gross' ? 'include' : 'exclude'} ${taxName}.`,
    ...(content.isReverseCharge && priceMode === 'net' && lines.some(isUnitRounded)
      ? ['Unit prices are rounded to cents.']
      : []),
  ].join(' ');
  return [
    { kind: 'heading', text: `${taxName} by rate` },
    {
      kind: 'table',
      columns: [
        { title: 'Rate', width: 46 },
        { title: 'Net', width: 18, isNumber: true },
        { title: taxName, width: 18, isNumber: true },
        { title: 'Gross', width: 18, isNumber: true },
      ],
      rows: rates.map(toRow),
    },
    { kind: 'paragraph', text },
    ...layOutNationalTax(content),
  ] as const;
}

const BTC_COLUMNS = [
  { title: '', width: 75 },
  { title: '', width: 25, isNumber: true },
] as const;

function layOutPayment({ payment, timeZone }: InvoiceContent) {
  if (payment === null) return [];
  const { dueSats, rateAt, rateCents, received } = payment;
  const at = rateAt === null ? '' : ` at ${formatMinute(rateAt, timeZone)}`;
  const totalSats = received.reduce((sum, one) => sum + BigInt(one.sats), 0n);
  return [
    { kind: 'heading', text: 'Payment in bitcoin' },
    {
      kind: 'table',
      columns: BTC_COLUMNS,
      rows: [
        {
          cells: [`Amount due\n1 BTC = ${formatCents(rateCents)}${at}`, formatSats(dueSats)],
        },
        ...received.map(({ sats: amount, txid }) => ({ cells: [`Received\n${txid}`, formatSats(amount)] })),
        ...(received.length > 1
          ? [{ cells: ['Received in total', formatSats(String(totalSats))], isTotal: true }]
          : []),
      ],
    },
  ] as const;
}

function layOutRefund({ refund, timeZone }: InvoiceContent) {
  if (refund === null) return [];
  const { rateAt, rateCents } = refund;
  const rate =
    rateCents === undefined || rateAt === undefined
      ? ''
      : `1 BTC = ${formatCents(rateCents)} at ${formatMinute(rateAt, timeZone)}`;
  return [
    { kind: 'heading', text: 'Refund in bitcoin' },
    {
      kind: 'table',
      columns: BTC_COLUMNS,
      rows: [{ cells: [listFilled('Refunded', rate, refund.txid).join('\n'), formatSats(refund.sats)] }],
    },
  ] as const;
}

const REVERSAL_REASONS: Readonly<Record<NonNullable<InvoiceContent['reverses']>, string>> = {
  cancellation: 'the order was paid after all',
  waiver: 'another amount was accepted as full payment',
};

const CREDIT_REASONS: Readonly<Record<CreditReason, string>> = {
  cancelled: 'The order was cancelled.',
  requoted: 'The payment of the order was lost, and the order got a new price.',
  closed: 'The order was closed as unpaid.',
  repriced: 'The order was paid at a new price, for which there is another invoice.',
  waived: 'Waived: less than the amount due was accepted as full payment.',
};

/** Why there is no payment or refund to print. */
function layOutReason({ because = 'cancelled', corrects, kind, refund, reverses }: InvoiceContent) {
  if (kind === 'invoice' && corrects !== null) {
    const reason = reverses === undefined ? 'its refund was withdrawn' : REVERSAL_REASONS[reverses];
    return [{ kind: 'paragraph', text: `This invoice reverses credit note ${corrects.number}: ${reason}.` }] as const;
  }
  if (kind === 'credit_note' && refund === null) {
    return [{ kind: 'paragraph', text: CREDIT_REASONS[because] }] as const;
  }
  return [];
}

export function layOutInvoice(content: InvoiceContent) {
  const seller = getSellerName(content.seller);
  return {
    title: `${getDocumentTitle(content)} ${content.number}`,
    author: seller,
    language: 'en-US',
    country: content.buyer.country,
    createdAt: new Date(content.issuedAt),
    footer: listFilled(seller, `${getDocumentTitle(content)} ${content.number}`).join(' · '),
    blocks: [
      { kind: 'title', text: getDocumentTitle(content) } as const,
      layOutHead(content),
      ...layOutReason(content),
      layOutLines(content),
      ...layOutTax(content),
      ...layOutPayment(content),
      ...layOutRefund(content),
    ],
  };
}
