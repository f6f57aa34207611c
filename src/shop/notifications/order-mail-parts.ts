/** What the mails of an order are made of: what they tell of, its figures in words, and the blocks that several have. */
import { formatDate, UTC } from '#src/shop/format.ts';
import { cents, formatDecimalBtc, formatUsd, groupThousands, subtractSats } from '#src/shop/money.ts';
import type { CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { ShownOrder } from '#src/shop/orders/show-order.ts';
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import type { LateReason } from '#src/shop/orders/timeline/late-reason.ts';
import type { OrderEvent } from './select-order-mail.ts';
import type { Fact, MailBlock, MailContents, PricedLine } from './render-mail.ts';

export interface OrderMailData {
  /** Null until the buyer's address is confirmed: then nothing that the buyer typed stands in the mail. */
  readonly username: string | null;
  readonly order: ShownOrder;
  /** What the order is quoted at. */
  readonly rate: CentsPerBtc;
  /** What the courier calls the parcel; null while it is not shipped, or has no name. */
  readonly trackingReference: string | null;
  /** As the event found them; the order may have gone on since. */
  readonly event: Pick<OrderEvent, 'at' | 'dueSats' | 'receivedSats' | 'beforeSats'> & {
    /** What had arrived beyond what was due, and did not go back yet. */
    readonly surplusSats: Sats;
    /** What stands in the way, in words; empty for nothing. */
    readonly words: string;
  };
  /** Of a late payment that is confirmed, as it is when the mail is written. */
  readonly late: {
    /** Why it waits; null where that is not known. */
    readonly because: LateReason | null;
    /** What is missing at the present rate; 0 where nothing is, or it is not known. */
    readonly missingSats: Sats;
  };
  /** Shows amount, address and state to whoever has it. */
  readonly payUrl: string;
  /** For its buyer, signed in. */
  readonly orderUrl: string;
}

export type MailContent = Omit<MailContents, 'reason'>;

// ---- figures

/** As many decimals as it takes: six, unless what was sent is no multiple of 100 sats. */
export const formatBtc = (amount: Sats): string => `${formatDecimalBtc(amount).replace(/00$/, '')} BTC`;
export const formatUsdAmount = formatUsd;
export const formatTime = (at: Date): string => formatDate(at, 'moment', UTC);
export const formatConfirmations = (count: number): string =>
  count === 1 ? 'one confirmation' : `${count} confirmations`;

export const createAmountFact = (label: string, amount: Sats): Fact => ({
  label,
  value: `${formatBtc(amount)} (${groupThousands(String(amount))} sats)`,
});
export const text = (words: string): MailBlock => ({ kind: 'text', text: words });

// ---- blocks

export function createLinesBlock({ order }: OrderMailData): MailBlock {
  const lines = order.order_items.map((item): PricedLine => {
    const values = item.property_values.map(({ property, value }) => `${property}: ${value}`);
    const each = item.isFree ? [] : [`${formatUsdAmount(item.price_usd)} each`];
    return {
      name: `${item.quantity} × ${item.product.name}`,
      detail: [...values, ...each].join(', '),
      amount: item.isFree ? 'Free gift' : formatUsdAmount(item.total_usd),
    };
  });
  const { promoCode, total_price_usd: before, total_usd_after: after } = order;
  const less = cents(before - after);
  const discount = { name: 'Discount', detail: promoCode?.code ?? '', amount: `−${formatUsdAmount(less)}` };
  const totals: PricedLine[] = [
    { name: 'Subtotal', detail: '', amount: formatUsdAmount(before) },
    ...(less > 0n ? [discount] : []),
    { name: 'Shipping', detail: '', amount: 'Free' },
    { name: 'Total', detail: formatBtc(order.total_btc_after), amount: formatUsdAmount(after) },
  ];
  return { kind: 'lines', lines, totals };
}

export const payLink = ({ payUrl }: OrderMailData): MailBlock => ({
  kind: 'link',
  label: 'Open the payment page',
  url: payUrl,
  isToPay: true,
});
export const orderLink = ({ orderUrl }: OrderMailData): MailBlock => ({
  kind: 'link',
  label: 'See your order',
  url: orderUrl,
});

export const ABOUT_LINK = text(
  'The page shows a QR code and what has arrived. It needs no login and says nothing about you, but whoever has the link can see the payment.',
);
export const NOTHING_LOST = 'Nothing that is sent to this address is ever lost: we watch it for good.';

// ---- what a mail must know of the order as it is when the mail is written

/** Its time is over, or it was given up: nothing is to be sent for it. */
export const isClosed = ({ order: { payment_status: status } }: OrderMailData): boolean =>
  status !== 'pending' && status !== 'user_paid';

/** Something is to be sent. */
const ASKED: Readonly<Record<PaymentState, boolean>> = {
  awaiting: true,
  seen: false,
  confirming: false,
  underpaid: true,
  paid: false,
  overpaid: false,
  late: false,
  expired: false,
  replaced: true,
  dropped: true,
  reorged_out: false,
  refunding: false,
  refunded: false,
  written_off: false,
};

/** What is told of an order in the place of what was so when it happened; null while it is as the event found it. */
export function writeCurrentState(told: OrderMailData): MailContent | null {
  const { event, order } = told;
  const { amount_btc: due, received_btc: received } = order.payment;
  if (isClosed(told)) {
    return {
      subject: `Order ${order.number}: please send nothing for it`,
      title: 'Please send nothing for this order',
      preview: 'It does not wait for a payment any more.',
      blocks: [
        text(`Your order ${order.number} does not wait for a payment any more: please send nothing for it.`),
        orderLink(told),
        text(NOTHING_LOST),
      ],
    };
  }
  // What is short by at most the tolerance is enough, and what was paid once is quoted again first.
  const isAsked = ASKED[order.payment.state];
  if (isAsked && received === event.receivedSats && due === event.dueSats) return null;
  return {
    subject: `Order ${order.number}: your payment has changed`,
    title: 'Your payment has changed',
    preview: `${formatBtc(received)} of ${formatBtc(due)} have arrived.`,
    blocks: [
      text(
        `${formatBtc(received)} of ${formatBtc(due)} have arrived for your order ${order.number} by now. Before you send anything, please look at the payment page: it shows what is still missing, if anything is.`,
      ),
      { kind: 'link', label: 'Follow the payment', url: told.payUrl },
    ],
  };
}

/** In the place of a mail that is not true any more when it is written. */
export function writePaymentChanged(told: OrderMailData): MailContent {
  const { order } = told;
  return {
    subject: `Order ${order.number}: your payment has changed`,
    title: 'Your payment has changed',
    preview: 'Your order shows how it stands.',
    blocks: [
      text(`Something has changed with the payment of your order ${order.number}. Your order shows how it stands now.`),
      orderLink(told),
    ],
  };
}

/** What has come beyond what is due and did not go back, as it is when the mail is written. */
export function computeSurplus({ order: { payment } }: OrderMailData): Sats {
  return subtractSats(subtractSats(payment.received_btc, payment.amount_btc), payment.returned_btc);
}

/** The order is paid, and its payment is there. */
export const isPaidNow = ({ order: { payment, payment_status: status } }: OrderMailData): boolean =>
  status === 'paid' && (payment.state === 'paid' || payment.state === 'overpaid');

/**
 * In the place of a mail that asks for money, when something has arrived or left since what it tells of, or the order was
 * closed: nobody is to pay twice because a mail was late.
 */
export const writeUnlessChanged = (told: OrderMailData, write: () => MailContent): MailContent =>
  writeCurrentState(told) ?? write();
