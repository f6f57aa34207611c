/** What the buyer is told of an order by mail, in words. */
import { cents, decimalBtc, multiplyCents, subtractSats } from '../money.ts';
import type { Cents, CentsPerBtc, Sats } from '../money.ts';
import { countryName } from '../orders/regions.ts';
import type { ShownOrder } from '../orders/show-order.ts';
import type { OrderHappening, OrderMailKind } from './order-mail-of.ts';
import type { Fact, MailBlock, MailWords, PricedLine } from './render-mail.ts';

export interface OrderToTell {
  readonly username: string;
  readonly order: ShownOrder;
  /** What the order is quoted at. */
  readonly rate: CentsPerBtc;
  /** What the courier calls the parcel; null while it is not shipped, or has no name. */
  readonly trackingReference: string | null;
  /** As the event found them; the order may have gone on since. */
  readonly happened: Pick<OrderHappening, 'at' | 'dueSats' | 'receivedSats'>;
  /** Shows amount, address and state to whoever has it. */
  readonly payUrl: string;
  /** For its buyer, signed in. */
  readonly orderUrl: string;
}

// ---- figures

/** As many decimals as it takes: six, unless what was sent is no multiple of 100 sats. */
const btc = (amount: Sats): string => `${decimalBtc(amount).replace(/00$/, '')} BTC`;
const grouped = (digits: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
const usd = (amount: Cents | CentsPerBtc): string =>
  `$${grouped(String(amount / 100n))}.${String(amount % 100n).padStart(2, '0')}`;
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const time = (at: Date): string => `${TIME.format(at)} UTC`;
const blocksOf = (count: number): string => (count === 1 ? 'one confirmation' : `${count} confirmations`);

const amountFact = (label: string, amount: Sats): Fact => ({
  label,
  value: `${btc(amount)} (${grouped(String(amount))} sats)`,
});
const text = (words: string): MailBlock => ({ kind: 'text', text: words });

// ---- blocks that several mails have

function linesOf({ order }: OrderToTell): MailBlock {
  const lines = order.order_items.map((item): PricedLine => {
    const values = item.property_values.map(({ property, value }) => `${property}: ${value}`);
    const each = item.quantity > 1 && !item.isFree ? [`${usd(item.price_usd)} each`] : [];
    return {
      name: `${item.quantity} × ${item.product.name}`,
      detail: [...values, ...each].join(', '),
      amount: item.isFree ? 'Free' : usd(multiplyCents(item.price_usd, item.quantity)),
    };
  });
  const { promoCode, total_price_usd: before, total_usd_after: after } = order;
  const less = cents(before - after);
  const discount = { name: 'Discount', detail: promoCode?.code ?? '', amount: `−${usd(less)}` };
  const totals: PricedLine[] = [
    ...(less > 0n ? [discount] : []),
    { name: 'Shipping', detail: '', amount: 'Free' },
    { name: 'Total', detail: btc(order.total_btc_after), amount: usd(after) },
  ];
  return { kind: 'lines', lines, totals };
}

const payLink = ({ payUrl }: OrderToTell): MailBlock => ({
  kind: 'link',
  label: 'Open the payment page',
  url: payUrl,
  isToPay: true,
});
const orderLink = ({ orderUrl }: OrderToTell): MailBlock => ({ kind: 'link', label: 'See your order', url: orderUrl });

const ABOUT_LINK = text(
  'The page shows a QR code and what has arrived. It needs no login and says nothing about you, but whoever has the link can see the payment.',
);
const NOTHING_LOST = 'Nothing that is sent to this address is ever lost: we watch it for good.';

const reasonFor = ({ username, order }: OrderToTell): string =>
  `You get this mail because ${username} ordered at our shop (order ${order.number}).`;

// ---- the mails

type Written = Omit<MailWords, 'reason'>;

function made(told: OrderToTell): Written {
  const { order, username, rate } = told;
  const { address, amount_btc: due } = order.payment;
  return {
    subject: `Order ${order.number}: ${btc(due)} to pay`,
    title: `Thank you for your order ${order.number}`,
    preview: `Please send ${btc(due)} until ${time(order.expires_at)}.`,
    blocks: [
      text(
        `Hello ${username}, we keep everything for you until the payment arrives. Please send exactly this amount to this address:`,
      ),
      {
        kind: 'facts',
        facts: [
          amountFact('Amount', due),
          { label: 'Address', value: address, isCode: true },
          { label: 'Pay until', value: time(order.expires_at) },
          { label: 'Rate', value: `1 BTC = ${usd(rate)}` },
        ],
      },
      payLink(told),
      ABOUT_LINK,
      text(
        'If you pay from an exchange, mind its fee: the whole amount has to arrive. The payment page shows the same address; should the two ever differ, send nothing and write to us.',
      ),
      linesOf(told),
    ],
  };
}

function seen(told: OrderToTell): Written {
  const { order, happened } = told;
  const needed = order.payment.required_confirmations;
  return {
    subject: `Order ${order.number}: we have seen your payment`,
    title: 'We have seen your payment',
    preview: `${btc(happened.receivedSats)} are on their way.`,
    blocks: [
      text(
        `${btc(happened.receivedSats)} for your order ${order.number} are on their way. The payment is final after ${blocksOf(needed)}, usually within ${needed * 10} to ${needed * 20} minutes. There is nothing more for you to do: we write again when it is.`,
      ),
      { kind: 'link', label: 'Follow the payment', url: told.payUrl },
    ],
  };
}

function underpaid(told: OrderToTell): Written {
  const { order, happened } = told;
  const missing = subtractSats(happened.dueSats, happened.receivedSats);
  const isOver = order.payment_status === 'expired' || order.payment_status === 'cancelled';
  const facts: MailBlock = {
    kind: 'facts',
    facts: [
      amountFact('Still missing', missing),
      amountFact('Received', happened.receivedSats),
      amountFact('Of', happened.dueSats),
      { label: 'Address', value: order.payment.address, isCode: true },
    ],
  };
  const words = isOver
    ? [
        text(
          `A part of the payment for your order ${order.number} has arrived, but the time for it is over: please send nothing more for now. Open your order to get a new quote, in which what you have sent counts, or write to us and we send it back.`,
        ),
        facts,
        orderLink(told),
      ]
    : [
        text(
          `Only a part of the payment for your order ${order.number} is here. Please send the rest to the same address until ${time(order.expires_at)}. Often it is the fee of an exchange or a wallet that is missing.`,
        ),
        facts,
        payLink(told),
      ];
  return {
    subject: `Order ${order.number}: ${btc(missing)} are still missing`,
    title: isOver ? 'A part of your payment has arrived' : `${btc(missing)} are still missing`,
    preview: `${btc(happened.receivedSats)} of ${btc(happened.dueSats)} have arrived.`,
    blocks: [...words, text(NOTHING_LOST)],
  };
}

function paid(told: OrderToTell): Written {
  const { order, happened, rate } = told;
  const { billing, payment } = order;
  const surplus = subtractSats(payment.received_btc, payment.amount_btc);
  const country = countryName(billing.country) ?? billing.country;
  const street = `${billing.streetAddress} ${billing.houseNumber}`;
  return {
    subject: `Receipt for order ${order.number}`,
    title: 'Thank you. Your payment is confirmed',
    preview: `${usd(order.total_usd_after)} paid; we are getting your order ready.`,
    blocks: [
      text(`Your order ${order.number} is paid, and we are getting it ready. This is your receipt.`),
      linesOf(told),
      {
        kind: 'facts',
        facts: [
          { label: 'Order', value: `${order.number}, ${time(order.created_at)}` },
          { label: 'Paid', value: time(happened.at) },
          ...(payment.amount_btc === 0n
            ? []
            : [amountFact('Amount', payment.amount_btc), { label: 'Rate', value: `1 BTC = ${usd(rate)}` }]),
          ...payment.transactions.map(({ txid, amount_btc: amount }) => ({
            label: `Transaction (${btc(amount)})`,
            value: txid,
            isCode: true,
          })),
          {
            label: 'Deliver to',
            value: `${billing.firstName} ${billing.lastName}, ${street}, ${billing.postcode} ${billing.city}, ${country}`,
          },
        ],
      },
      ...(surplus > 0n
        ? [
            text(
              `You have sent ${btc(surplus)} more than was due. We refund it: leave an address for that with your order.`,
            ),
          ]
        : []),
      orderLink(told),
    ],
  };
}

function expired(told: OrderToTell): Written {
  const { order, happened } = told;
  const hasPart = happened.receivedSats > 0n;
  const words = hasPart
    ? `The time to pay your order ${order.number} is over, and only ${btc(happened.receivedSats)} of ${btc(happened.dueSats)} had arrived. What you have sent is not lost: get a new quote with your order, in which it counts, or write to us and we send it back.`
    : `The time to pay your order ${order.number} is over, and no payment had arrived. Please send nothing to its address any more.`;
  return {
    subject: `Order ${order.number} has expired`,
    title: 'Your order has expired',
    preview: 'You can still have it: get a new quote.',
    blocks: [
      text(words),
      text(
        'You still want it? Open your order and get a new quote: the same products at the same price in dollars, at the present rate of bitcoin, as long as they are in stock.',
      ),
      orderLink(told),
      ...(hasPart
        ? []
        : [
            text(
              'Have you paid all the same? Then don’t worry: we watch the address for good, and write to you when the payment arrives.',
            ),
          ]),
    ],
  };
}

function late(told: OrderToTell): Written {
  const { order, happened } = told;
  if (order.payment_status === 'cancelled') {
    return {
      subject: `Order ${order.number}: a payment after it was cancelled`,
      title: 'Your payment came after the order was cancelled',
      preview: 'Nothing is lost.',
      blocks: [
        text(
          `${btc(happened.receivedSats)} for your order ${order.number} arrived after it was cancelled. Nothing is lost: we settle it with you or send it back. Leave an address for that with your order.`,
        ),
        orderLink(told),
      ],
    };
  }
  return {
    subject: `Order ${order.number}: your payment came late`,
    title: 'Your payment came after the time was over',
    preview: 'Nothing is lost.',
    blocks: [
      text(
        `${btc(happened.receivedSats)} for your order ${order.number} arrived after its time was over. Nothing is lost: once the payment is confirmed we take it if the rate still fits and everything is in stock, and send you the receipt. Otherwise we write to you and settle it or send it back.`,
      ),
      orderLink(told),
    ],
  };
}

function shipped(told: OrderToTell): Written {
  const { order, trackingReference: reference } = told;
  const facts: readonly Fact[] = [
    { label: 'Order', value: order.number },
    ...(reference === null ? [] : [{ label: 'Tracking reference', value: reference, isCode: true }]),
  ];
  const help = 'Your order shows where it goes. If something is wrong with the address, please write to us at once.';
  return {
    subject: `Order ${order.number} is on its way`,
    title: 'Your order is on its way',
    preview: reference === null ? 'We have handed it to the courier.' : `Tracking reference ${reference}`,
    blocks: [
      text(
        `We have handed your order ${order.number} to the courier${reference === null ? '' : ', who finds the parcel by this reference'}.`,
      ),
      { kind: 'facts', facts },
      text(help),
      orderLink(told),
      linesOf(told),
    ],
  };
}

const WRITERS: Readonly<Record<OrderMailKind, (told: OrderToTell) => Written>> = {
  made,
  seen,
  underpaid,
  paid,
  expired,
  late,
  shipped,
};

export function writeOrderMail(kind: OrderMailKind, told: OrderToTell): MailWords {
  return { ...WRITERS[kind](told), reason: reasonFor(told) };
}
