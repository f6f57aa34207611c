/** Shared parts of order mails: their data, formatted amounts and common blocks. */
import { formatBtc, formatNumber, formatUsd } from '#src/shop/format-number.ts';
import { formatDate, UTC } from '#src/shop/format.ts';
import { subtractSats } from '#src/shop/money.ts';
import type { CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { ShownOrder } from '#src/shop/orders/show-order.ts';
import { findMailPictureUrl } from '#src/shop/pictures/picture-url.ts';
import { findCountryName } from '#src/shop/regions.ts';
import { formatTaxRate } from '#src/shop/tax/tax-class.ts';
import { asksForMoney, isPaidState } from '#src/shop/payments/ledger/payment-state.ts';
import type { LateReason } from '#src/shop/orders/status/late-reason.ts';
import type { TermsDocument } from '#src/shop/orders/terms/terms-content.ts';
import type { ShipmentToShow } from '#src/shop/orders/fulfilment/show-shipments.ts';
import type { OrderEvent } from './select-order-mail.ts';
import type { Fact, MailBlock, MailContents, PricedLine } from './render-mail.ts';

export interface OrderMailData {
  /**
   * Null until the buyer's address is confirmed. Until then the mail contains nothing that the
   * buyer typed.
   */
  readonly username: string | null;
  readonly order: ShownOrder;
  /** Staff created the order for its buyer. Omitted: no. */
  readonly isManual?: boolean;
  /** Rate of the quote. */
  readonly rate: CentsPerBtc;
  /** Tracking reference of the parcel; null if it is not shipped or has none. */
  readonly trackingReference: string | null;
  /** The shipment that the mail is about; null for none. */
  readonly shipment: ShipmentToShow | null;
  /** That shipment was recorded by mistake, and undone before the mail was written. Omitted: no. */
  readonly isShipmentUndone?: boolean;
  /** Amounts at the time of the event. The order may have changed since then. */
  readonly event: Pick<OrderEvent, 'at' | 'dueSats' | 'receivedSats' | 'beforeSats'> & {
    /** Received beyond the amount due and not refunded. */
    readonly surplusSats: Sats;
    /** The obstacle, as text; empty for none. */
    readonly words: string;
  };
  /** About a confirmed late payment, when the mail is written. */
  readonly late: {
    /** Why it is not accepted; null if unknown. */
    readonly because: LateReason | null;
    /** Missing amount at the present rate; 0 if nothing is missing or it is unknown. */
    readonly missingSats: Sats;
  };
  /** Why the order can't get a new price when the mail is written; null if it can, or needs none. */
  readonly requoteRefusal: string | null;
  readonly shopUrl: string;
  /** Payment page. Anyone with this link can open it. */
  readonly payUrl: string;
  /** Page on which the buyer withdraws from the contract, without a login; omitted or null: the buyer can't. */
  readonly withdrawalUrl?: string | null;
  /** Order page of the signed-in buyer. */
  readonly orderUrl: string;
  /** The texts that the order was placed under, for the mail that confirms it; omitted or null: none. */
  readonly terms?: {
    readonly documents: readonly TermsDocument[];
    /** The mail has them as PDF, too. */
    readonly isAttached: boolean;
  } | null;
}

export type MailContent = Omit<MailContents, 'reason'>;

// ---- figures

export const formatTime = (at: Date): string => formatDate(at, 'moment', UTC);
export const formatConfirmations = (count: number): string =>
  count === 1 ? 'one confirmation' : `${count} confirmations`;

export const createAmountFact = (label: string, amount: Sats): Fact => ({
  label,
  value: `${formatBtc(amount)} (${formatNumber(amount)} sats)`,
});
export const createText = (content: string): MailBlock => ({ kind: 'text', text: content });

// ---- blocks

type MailedOrder = OrderMailData['order'];

/** Tax on top of the prices, or the tax that reverse charge takes off. */
function listAddedTax({ tax }: MailedOrder): PricedLine[] {
  if (tax === null) return [];
  if (tax.deducted_usd > 0n) {
    return [{ name: `${tax.name} (reverse charge)`, detail: '', amount: `−${formatUsd(tax.deducted_usd)}` }];
  }
  if (tax.is_reverse_charge) return [{ name: tax.name, detail: '', amount: 'Reverse charge' }];
  return tax.is_included ? [] : listRates(tax.rates, (rate) => `${tax.name} ${rate}`);
}

/** Tax that the prices contain. */
function listIncludedTax({ tax }: MailedOrder): PricedLine[] {
  if (tax === null || !tax.is_included || tax.is_reverse_charge) return [];
  return listRates(tax.rates, (rate) => `Includes ${tax.name} ${rate}`);
}

const listRates = (
  rates: NonNullable<MailedOrder['tax']>['rates'],
  formatName: (rate: string) => string,
): PricedLine[] =>
  rates
    .filter(({ basis_points: rate }) => rate > 0)
    .map(({ basis_points: rate, net_usd: net, tax_usd: tax }) => ({
      name: formatName(formatTaxRate(rate)),
      detail: `on ${formatUsd(net)}`,
      amount: formatUsd(tax),
    }));

export function createLinesBlock({ order, shopUrl }: Pick<OrderMailData, 'order' | 'shopUrl'>): MailBlock {
  const lines = order.order_items.map((item): PricedLine => {
    const values = item.property_values.map(({ property, value }) => `${property}: ${value}`);
    const sku = item.sku === null ? [] : [`SKU ${item.sku}`];
    const picture = findMailPictureUrl(item.product.main_image);
    const each = item.isFree ? [] : [`${formatUsd(item.price_usd)} each`];
    return {
      name: `${item.quantity} × ${item.product.name}`,
      detail: [...values, ...sku, ...each].join(', '),
      amount: item.isFree ? 'Free gift' : formatUsd(item.total_usd),
      ...(picture !== null && { pictureUrl: `${shopUrl}${picture}` }),
    };
  });
  const { discount_usd: less, promoCode, total_price_usd: before, total_usd_after: after } = order;
  const discount = { name: 'Discount', detail: promoCode?.code ?? '', amount: `−${formatUsd(less)}` };
  const totals: PricedLine[] = [
    { name: 'Subtotal', detail: '', amount: formatUsd(before) },
    ...(less > 0n ? [discount] : []),
    { name: 'Shipping', detail: '', amount: order.shipping_usd === 0n ? 'Free' : formatUsd(order.shipping_usd) },
    ...listAddedTax(order),
    { name: 'Total', detail: formatBtc(order.total_btc_after), amount: formatUsd(after) },
    ...listIncludedTax(order),
  ];
  return { kind: 'lines', lines, totals };
}

/** Delivery address, only for confirmed email addresses. Other buyers find it on the order page. */
export function createDeliveryFact({ username, order: { billing } }: OrderMailData): readonly Fact[] {
  if (username === null) return [];
  const country = findCountryName(billing.country) ?? billing.country;
  const street = `${billing.streetAddress} ${billing.houseNumber}`;
  const value = `${billing.firstName} ${billing.lastName}, ${street}, ${billing.postcode} ${billing.city}, ${country}`;
  return [{ label: 'Deliver to', value }];
}

export const payLink = ({ payUrl }: OrderMailData): MailBlock => ({
  kind: 'link',
  label: 'Open the payment page',
  url: payUrl,
  isToPay: true,
});
export const orderLink = ({ orderUrl }: OrderMailData): MailBlock => ({
  kind: 'link',
  label: 'View your order',
  url: orderUrl,
});

export const ABOUT_LINK = createText(
  'The page shows a QR code and the payment status. Anyone with the link can open it; it shows no personal details.',
);
export const NOTHING_LOST = 'We watch this address permanently, so no payment to it is lost.';

/** What the buyer must get on a durable medium (2011/83/EU, article 8(7)), as it was at the order. */
export const createTermsBlocks = ({ terms = null }: OrderMailData): readonly MailBlock[] =>
  terms === null
    ? []
    : [
        createText(
          `This order was placed under the texts below.${terms.isAttached ? ' The attached PDF has the same texts.' : ''} Please keep them.`,
        ),
        ...terms.documents.map((document): MailBlock => ({ kind: 'document', ...document })),
      ];

/** Mails by their kinds, which name stored jobs. A writer returns null for a mail that is no longer true. */
export type OrderMailWriters = Readonly<Record<string, (data: OrderMailData) => MailContent | null>>;

// ---- the order at the time the mail is written

/** Expired or closed: nothing may be paid. */
export const isClosed = ({ order: { payment_status: status } }: OrderMailData): boolean =>
  status !== 'pending' && status !== 'user_paid';

/** Replaces a mail if the order has changed since its event; null if it has not. */
export function writeCurrentState(data: OrderMailData): MailContent | null {
  const { event, order } = data;
  const { amount_btc: due, received_btc: received } = order.payment;
  if (isClosed(data)) {
    return {
      subject: `Order ${order.number}: please don’t pay it`,
      title: 'Please don’t pay this order',
      preview: 'It is no longer waiting for a payment.',
      blocks: [
        createText(`Your order ${order.number} is no longer waiting for a payment. Please don’t send anything for it.`),
        orderLink(data),
        createText(NOTHING_LOST),
      ],
    };
  }
  // A shortfall within the tolerance is enough, and an order that was paid once must be quoted
  // again first.
  const isRequested = asksForMoney(order.payment.state);
  if (isRequested && received === event.receivedSats && due === event.dueSats) return null;
  return {
    subject: `Order ${order.number}: your payment has changed`,
    title: 'Your payment has changed',
    preview: `${formatBtc(received)} of ${formatBtc(due)} received.`,
    blocks: [
      createText(
        `We have received ${formatBtc(received)} of ${formatBtc(due)} for your order ${order.number} so far. Before you send anything, check the payment page: it shows whether an amount is still missing.`,
      ),
      { kind: 'link', label: 'View payment', url: data.payUrl },
    ],
  };
}

/** Replaces a mail that is no longer true when it is written. */
export function writePaymentChanged(data: OrderMailData): MailContent {
  const { order } = data;
  return {
    subject: `Order ${order.number}: your payment has changed`,
    title: 'Your payment has changed',
    preview: 'Open your order to see its status.',
    blocks: [
      createText(`The payment of your order ${order.number} has changed. Open your order to see its present status.`),
      orderLink(data),
    ],
  };
}

/** Surplus that was not refunded, when the mail is written. */
export function computeSurplus({ order: { payment } }: OrderMailData): Sats {
  return subtractSats(subtractSats(payment.received_btc, payment.amount_btc), payment.returned_btc);
}

/** The order is paid, and its payment is live. */
export const isPaidNow = ({ order: { payment, payment_status: status } }: OrderMailData): boolean =>
  status === 'paid' && isPaidState(payment.state);

/**
 * Replaces a mail that requests money if the payment or the order has changed since its event, so
 * that a delayed mail never makes a buyer pay twice.
 */
export const writeUnlessChanged = (data: OrderMailData, write: () => MailContent): MailContent =>
  writeCurrentState(data) ?? write();
