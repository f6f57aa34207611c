/** Texts of the mails about a return, one for each step. */
import { formatUsd } from '#src/shop/format-number.ts';
import { formatDate, UTC } from '#src/shop/format.ts';
import type { Cents } from '#src/shop/money.ts';
import type { ReturnCause } from '#src/shop/returns/kinds.ts';
import type { ReturnMail } from '#src/shop/returns/return-mail-kinds.ts';
import type { Fact, MailBlock, MailContents } from './render-mail.ts';
import { createGreeting, explainOrderMail } from './user-text.ts';

interface ReturnMailLine {
  readonly name: string;
  readonly quantity: number;
  readonly cancelled: number;
  readonly received: number;
  readonly sentBack: number;
  readonly deductionCents: Cents;
  readonly deductionReason: string | null;
}

export interface ReturnMailData {
  /** Null until the buyer's address is confirmed. */
  readonly username: string | null;
  readonly cause: ReturnCause;
  readonly mail: ReturnMail;
  readonly id: string;
  readonly reference: string;
  /** Of the order. */
  readonly number: string;
  /** In lines. */
  readonly returnAddress: string;
  readonly labelUrl: string | null;
  /** Staff uploaded a label. */
  readonly label: object | null;
  readonly proof: string | null;
  readonly decision: string | null;
  readonly refundDueAt: Date | null;
  readonly lines: readonly ReturnMailLine[];
  /** The order that the exchange created; null: none. */
  readonly exchanged: {
    readonly order_id: string;
    readonly order_number: string;
    readonly state: 'paid' | 'waiting' | 'ended';
    readonly credit_usd: Cents;
    readonly total_usd: Cents;
    readonly pays_usd: Cents;
    readonly left_usd: Cents;
    readonly pay_by: Date | null;
  } | null;
}

interface ReturnMailText {
  readonly subject: string;
  readonly title: string;
  readonly preview: string;
  readonly text: string;
}

/** What the buyer does next. */
function describeExchange(exchanged: ReturnMailData['exchanged']): string {
  if (exchanged === null) return '';
  const { left_usd: left, pay_by: payBy, pays_usd: pays, state } = exchanged;
  if (state === 'waiting')
    return `Please pay the difference of ${formatUsd(pays)}${payBy === null ? '' : ` by ${formatDate(payBy, 'moment', UTC)}`}. If you don’t, we refund the credit. The order shows the amount in bitcoin and the address.`;
  if (state === 'ended')
    return 'The difference was not paid in time, so we refund the credit. Enter an address for the refund on the page of the order.';
  return left > 0n
    ? `There is nothing to pay. We refund what is left of the credit, ${formatUsd(left)}: enter an address for it on the page of the order.`
    : 'There is nothing to pay, and we ship it next.';
}

const TEXTS: Readonly<Record<ReturnMail, (data: ReturnMailData) => ReturnMailText>> = {
  requested: ({ number }) => ({
    subject: 'we received your request',
    title: 'We received your return request',
    preview: 'We write to you when it is decided.',
    text: `you want to return items of your order ${number}. Please keep them until we write to you.`,
  }),
  approved: ({ number }) => ({
    subject: 'please send the items',
    title: 'Your return is approved',
    preview: 'Send the items with the slip.',
    text: `you can return these items of your order ${number}. Open the return for the slip and the instructions: switch off Find My, and erase your data first. Then enter the tracking number there.`,
  }),
  label: ({ number }) => ({
    subject: 'the label is ready',
    title: 'The label for your return is ready',
    preview: 'Print it and put it on the parcel.',
    text: `the label for the items that you return of your order ${number} is ready. Print it and put it on the parcel. If you printed another one before, use this one instead.`,
  }),
  refused: ({ number }) => ({
    subject: 'not accepted',
    title: 'We can’t accept your return',
    preview: 'Our reason is below.',
    text: `we can’t accept your return of items of order ${number}. Our reason:`,
  }),
  cancelled: ({ number }) => ({
    subject: 'cancelled',
    title: 'Your return is cancelled',
    preview: 'You keep the items.',
    text: `you cancelled your return of items of order ${number}. You keep the items, and nothing is refunded.`,
  }),
  sent: ({ number }) => ({
    subject: 'on its way',
    title: 'Your return is on its way',
    preview: 'We write to you when it arrives.',
    text: `the return of items of your order ${number} is recorded as sent.`,
  }),
  received: ({ number }) => ({
    subject: 'received',
    title: 'We received your return',
    preview: 'We inspect the items now.',
    text: `items of your order ${number} arrived. We inspect them next.`,
  }),
  inspected: ({ number }) => ({
    subject: 'inspected',
    title: 'We inspected your return',
    preview: 'The result is below.',
    text: `we inspected the items that you returned of order ${number}.`,
  }),
  refunded: ({ number }) => ({
    subject: 'refund created',
    title: 'Your return is complete',
    preview: 'The refund has a mail of its own.',
    text: `we created the refund of the items that you returned of order ${number}. Amount and address are in a mail of their own.`,
  }),
  exchanged: ({ exchanged, number }) => ({
    subject: 'items exchanged',
    title: 'Your items are exchanged',
    preview: `Your new order is ${exchanged?.order_number ?? ''}.`,
    text: `we exchange the items that you returned of order ${number}. Their price is credited to your new order ${exchanged?.order_number ?? ''}, which is delivered free. ${describeExchange(exchanged)}`,
  }),
  closed: ({ cause, number }) => ({
    subject: 'closed',
    title: 'We closed your return',
    preview: 'Our reason is below.',
    // It is closed without a refund of its own once it was refunded otherwise, or nothing is owed for it.
    text:
      cause === 'withdrawal'
        ? `we closed your withdrawal from order ${number}: nothing of it is left that we can refund. Our reason:`
        : `we closed your return of items of order ${number} without a refund. Our reason:`,
  }),
  reopened: ({ number }) => ({
    subject: 'open again',
    title: 'Your withdrawal is open again',
    preview: 'Its price is owed to you.',
    text: `we had closed your withdrawal from order ${number}, since nothing, or too little to be sent, was left to refund. Refunds of this order changed since then, so its price is owed to you and the withdrawal is open again. We write to you when we refund it.`,
  }),
  voided: ({ number }) => ({
    subject: 'your withdrawal is void',
    title: 'Your withdrawal is void',
    preview: 'You keep your order. Our note is below.',
    text: `as agreed with you, your withdrawal from order ${number} is void: you keep what you ordered, and nothing is refunded. If you did not agree to this, write to us. Our note:`,
  }),
};

const createText = (content: string): MailBlock => ({ kind: 'text', text: content });

const formatUnits = (lines: readonly ReturnMailLine[], count: (line: ReturnMailLine) => number): string =>
  lines.flatMap((line) => (count(line) > 0 ? `${count(line)} × ${line.name}` : [])).join(', ');

function listFacts(data: ReturnMailData): readonly Fact[] {
  const { lines, mail, proof, reference, refundDueAt } = data;
  const isInspected = mail === 'inspected' || mail === 'refunded' || mail === 'exchanged';
  const sentBack = isInspected ? formatUnits(lines, (line) => line.sentBack) : '';
  return [
    { label: 'Return', value: reference, isCode: true },
    { label: 'Items', value: formatUnits(lines, ({ quantity }) => quantity) },
    ...(mail === 'sent' && proof !== null ? [{ label: 'Tracking number', value: proof, isCode: true }] : []),
    ...(mail === 'received' ? [{ label: 'Arrived', value: formatUnits(lines, (line) => line.received) }] : []),
    ...(sentBack === '' ? [] : [{ label: 'Sent back to you', value: sentBack }]),
    ...(isInspected
      ? lines.flatMap(({ deductionCents, deductionReason, name }) =>
          deductionCents > 0n
            ? [{ label: `Deduction, ${name}`, value: `${formatUsd(deductionCents)}: ${deductionReason ?? ''}` }]
            : [],
        )
      : []),
    ...(data.exchanged === null
      ? []
      : [
          { label: 'New order', value: data.exchanged.order_number, isCode: true },
          { label: 'Credit', value: formatUsd(data.exchanged.credit_usd) },
          { label: 'Price', value: formatUsd(data.exchanged.total_usd) },
        ]),
    ...(mail === 'approved' && refundDueAt !== null
      ? [
          {
            label: 'Refund',
            value: `by ${formatDate(refundDueAt, 'moment', UTC)}, once the items or a proof of sending arrive`,
          },
        ]
      : []),
  ];
}

export function writeReturnMail(data: ReturnMailData, shopUrl: string): MailContents {
  const { decision, label, labelUrl, mail, number, reference, returnAddress, username } = data;
  const texts = TEXTS[mail](data);
  const hasLabel = mail === 'approved' || mail === 'label';
  const hasDecision = (mail === 'refused' || mail === 'closed' || mail === 'voided') && decision !== null;
  return {
    subject: `Return ${reference}: ${texts.subject}`,
    title: texts.title,
    preview: texts.preview,
    blocks: [
      createText(`${createGreeting(username)} ${texts.text}`),
      ...(hasDecision ? [createText(decision)] : []),
      { kind: 'facts', facts: listFacts(data) },
      ...(mail === 'approved' ? [createText(`Send the items to: ${returnAddress.replaceAll('\n', ', ')}`)] : []),
      ...(hasLabel && labelUrl !== null ? [{ kind: 'link', label: 'Print the label', url: labelUrl } as const] : []),
      ...(hasLabel && label !== null
        ? [createText('Download the label on the page of your return, and print it.')]
        : []),
      ...(data.exchanged === null
        ? []
        : [
            {
              kind: 'link',
              label: 'View your new order',
              url: `${shopUrl}/dashboard/orders/${data.exchanged.order_id}`,
            } as const,
          ]),
      { kind: 'link', label: 'View your return', url: `${shopUrl}/dashboard/returns/${data.id}` },
    ],
    reason: explainOrderMail(username, number),
  };
}
