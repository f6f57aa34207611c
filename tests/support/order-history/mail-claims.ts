/** When each sentence of a mail is true, at the moment when it is written. */
import type { OrderMailKind } from '#src/shop/notifications/select-order-mail.ts';
import type { MailContents } from '#src/shop/notifications/render-mail.ts';
import type { RefundMail } from '#src/shop/refunds/refund-mail-kinds.ts';
import { always } from './claim.ts';
import type { Claim } from './claim.ts';
import { hasStopped, isPaidByChain, isStopped, DUST_LIMIT, parseSats } from './facts.ts';
import type { Facts } from './facts.ts';
import { isMissingNow, surplusOf, wasLost } from './page-claims.ts';
import type { Refund } from './order-record.ts';

const happened =
  (...kinds: readonly string[]) =>
  ({ events }: Facts): boolean =>
    kinds.some((kind) => events.includes(kind));
const waitsForMoney = (f: Facts): boolean => f.isOpen && !f.wasPaid && f.received < f.least;
const isReceived = (f: Facts, groups: readonly string[]): boolean => f.received === parseSats(groups[0]);
/** The buyer owes nothing: neither now nor, as far as can be known, later. */
const requestsNothing = (f: Facts): boolean => !waitsForMoney(f) || f.received >= f.least;

/** The precondition of each kind of mail. */
export const mailKindClaims: Readonly<Record<OrderMailKind, (facts: Facts) => boolean>> = {
  made: happened('created'),
  requoted: happened('requoted'),
  seen: happened('payment_seen', 'confirming'),
  back: happened('payment_seen', 'confirming'),
  underpaid: happened('underpaid'),
  'part-left': happened('part_left'),
  overpaid: happened('overpaid'),
  paid: happened('paid', 'paid_anew'),
  'paid-late': happened('late_accepted'),
  'paid-again': happened('paid_again'),
  settled: happened('settled'),
  late: happened('late'),
  'late-waits': (f) =>
    happened('late_waits', 'late_sold_out')(f) && f.deep >= f.least && f.order.payment_status !== 'paid',
  unconfirmed: (f) => happened('unconfirmed_too_long')(f) && f.withConfirmations(1) < f.least,
  replaced: happened('replaced'),
  dropped: happened('dropped'),
  withdrawn: happened('withdrawn'),
  'reorged-out': happened('reorged_out'),
  'double-spent': happened('double_spent', 'part_double_spent'),
  'payment-may-return': happened('double_spend_undone'),
  'refund-stopped': happened('refund_stopped'),
  'refund-resumed': happened('refund_resumed'),
  'closed-as-loss': happened('closed_as_loss'),
  expired: happened('expired'),
  'quote-void': happened('quote_void'),
  released: happened('reservation_released'),
  cancelled: happened('cancelled'),
  shipped: (f) => f.isSent,
};

export const refundMailClaims: Readonly<Record<RefundMail, (refund: Refund, facts: Facts) => boolean>> = {
  made: (refund, f) => refund.state !== 'withdrawn' && !isStopped(f, refund),
  confirmed: (refund, f) =>
    refund.state === 'confirmed' && refund.vout !== null && f.order.id !== '' && refund.txid !== null,
  recorded: (refund) => refund.state === 'confirmed' && refund.vout === null && refund.txid !== null,
  undone: (refund) => refund.state !== 'confirmed',
};

/** Titles and previews are sentences too. */
export const mailClaims: readonly Claim[] = [
  // Placed, quoted, changed.
  [/^Thank you for your order CM-\d+$/, always],
  [
    /^Please send ([\d.]+) BTC until/,
    (f, { groups }) => waitsForMoney(f) && f.due - f.received === parseSats(groups[0]),
  ],
  [/we have your order\.$/, happened('created')],
  [/Please send exactly this amount to this address(, which is still the same)?:$/, waitsForMoney],
  [
    /^If you pay from an exchange|^The payment page shows the same address|^The page shows a QR code|^It needs no login/,
    always,
  ],
  [/^Your order CM-\d+ does not wait for a payment any more: please send nothing for it\.$/, requestsNothing],
  [/^It does not wait for a payment any more\.$/, requestsNothing],
  [/^Please send nothing for this order$/, requestsNothing],
  [
    /^Your payment has changed$|^Your order shows how it stands\.$|^Something has changed with the payment|^Your order shows how it stands now\.$/,
    always,
  ],
  [
    /^([\d.]+) BTC of ([\d.]+) BTC have arrived(\.| for your order CM-\d+ by now\.)$/,
    (f, { groups }) => isReceived(f, groups) && f.due === parseSats(groups[1]),
  ],
  [/^Before you send anything, please look at the payment page/, always],
  [
    /^Your order has a new price in bitcoin$|^The dollars of your order|^The amount that you were told before does not hold any more\.$/,
    happened('requoted'),
  ],
  [/^What you have sent, ([\d.]+) BTC, counts\.$/, (f, { groups }) => isReceived(f, groups)],
  // Payment in progress.
  [/^We have seen your payment$/, (f) => f.received >= f.least],
  [/^([\d.]+) BTC are on their way\.$/, (f, { groups }) => isReceived(f, groups)],
  [
    /^([\d.]+) BTC for your order CM-\d+ are on their way\.$/,
    (f, { groups }) => isReceived(f, groups) && f.received >= f.least,
  ],
  [
    /^(The payment|It) is final after (one|\d+) confirmations?/,
    (f, { groups }) => f.required === (groups[1] === 'one' ? 1 : Number(groups[1])) && f.received >= f.least,
  ],
  [/^There is nothing more for you to do: we write again when it is\.$/, (f) => f.received >= f.least],
  [
    /^The whole amount is there again$|^Please send nothing more\.$|^Please don’t send it once more\.$/,
    (f) => f.received >= f.least || !f.isOpen,
  ],
  [
    /^We see ([\d.]+) BTC for your order CM-\d+ again, which is enough\.$/,
    (f, { groups }) => isReceived(f, groups) && f.received >= f.least,
  ],
  [/^Should you have paid twice meanwhile|^Should both arrive, what is too much goes back to you\.$/, always],
  // A part.
  [/^([\d.]+) BTC are still missing$/, (f, { groups }) => f.isOpen && f.due - f.received === parseSats(groups[0])],
  [/^Only a part of the payment for your order CM-\d+ is here\.$/, (f) => f.received > 0n && f.received < f.least],
  [/^Often it is the fee of an exchange/, always],
  [/^Please send the rest to the same address until/, waitsForMoney],
  [/^A part of your payment is not there any more$/, happened('part_left')],
  [
    /^One of the payments for your order CM-\d+ was replaced by another transaction, or dropped/,
    (f) => f.outputs.some(({ isLive }) => !isLive),
  ],
  [/^If it was not you who replaced it/, always],
  [/^A part of your payment has arrived$/, (f) => f.received > 0n && f.received < f.due],
  [
    /^A part of the payment for your order CM-\d+ has arrived, but the time for it is over: please send nothing more for now\.$/,
    (f) => f.received > 0n && f.received < f.due && f.order.payment_status === 'expired',
  ],
  [
    /^Open your order to get a new quote, in which what you have sent counts/,
    (f) => f.order.payment_status === 'expired',
  ],
  [
    /^A part of the payment for your order CM-\d+ has arrived, but the order is (\w+): please send nothing more\.$/,
    (f, { groups }) => f.order.payment_status === groups[0],
  ],
  [/^We settle it with you or send it back: name an address/, (f) => f.received > 0n],
  [/^Nothing that is sent to this address is ever lost/, always],
  // Too much.
  [/^([\d.]+) BTC too much$/, (f, { groups }) => surplusOf(f) === parseSats(groups[0])],
  [/^Tell us where to send it\.$/, (f) => surplusOf(f) >= DUST_LIMIT],
  [/^Your order is paid\.$/, isPaidByChain],
  [
    /^More has arrived for your order CM-\d+ than was due, and what is too much goes back to you\.$/,
    (f) => f.received > f.due,
  ],
  [/^Open your order and name an address of your own wallet(,|$)/, always],
  [/^A little more has arrived for your order CM-\d+ than was due\.$/, (f) => f.received > f.due],
  [/^The network refuses to carry so small an amount/, always],
  // Late.
  [/^Your payment came after the order was (\w|\s)+$/, (f) => !f.order.is_open],
  [
    /^A payment for your order CM-\d+ arrived after it was [\w ]+; with it, we have received ([\d.]+) BTC\.$/,
    (f, { groups }) => isReceived(f, groups),
  ],
  [/^Nothing is lost(\.|: we settle it with you or send it back\.)$/, always],
  [/^Leave an address for that with your order\.$/, (f) => f.order.payment_status !== 'refunded'],
  [/^Write to us where to send it, unless you have confirmed an address already\.$/, always],
  [/^We saw your payment after the time was over$/, (f) => f.received >= f.least && f.receivedInTime < f.least],
  [/^The order was closed when we saw your payment$/, (f) => !f.isOpen && f.received >= f.least],
  [
    /^([\d.]+) BTC for your order CM-\d+ have arrived, and the order holds price and stock no longer\.$/,
    (f, { groups }) => isReceived(f, groups) && !f.isOpen,
  ],
  [
    /^([\d.]+) BTC for your order CM-\d+ have arrived, and the whole amount was there only after the time was over\.$/,
    (f, { groups }) => isReceived(f, groups) && f.receivedInTime < f.least && f.received >= f.least,
  ],
  [/^Nothing is lost: once the payment is confirmed we take it/, (f) => !isPaidByChain(f) || !f.wasPaid],
  [/^Otherwise we write to you and settle it or send it back\.$/, always],
  [/^Your late payment waits for us$/, (f) => f.deep >= f.least && !f.wasPaid],
  [
    /^([\d.]+) BTC for your order CM-\d+ came too late for its price, and are confirmed\.$/,
    (f, { groups }) => isReceived(f, groups) && f.deep >= f.least,
  ],
  [/^At the present rate of bitcoin the price has changed/, (f) => f.rate !== null],
  [
    /^At the present rate of bitcoin the order costs ([\d.]+) BTC more than you sent/,
    (f, { groups }) => f.rate !== null && parseSats(groups[0]) > 0n && isMissingNow(f, parseSats(groups[0])),
  ],
  [/^There is no bitcoin price right now\.$/, (f) => f.rate === null],
  [/^Phone is sold out, so we could not take them by themselves\.$/, happened('late_sold_out')],
  [/^Something that you ordered is gone, so we could not take them by themselves\.$/, happened('late_sold_out')],
  [
    /^We check that their price and everything that you ordered still fit\.$|^We check them as soon as there is one|^We look at it and settle it with you|^Open your order to pay the difference|^Or wait: if the rate comes back/,
    (f) => f.deep >= f.least && !f.wasPaid,
  ],
  [
    /^You would rather have it back\?$|^Open your order and name an address of your own wallet, or write to us\.$/,
    always,
  ],
  [/^Your payment is still unconfirmed$/, (f) => f.withConfirmations(1) < f.least && f.received >= f.least],
  [/^We can hold price and stock no longer\.$/, (f) => !f.isOpen],
  [
    /^([\d.]+) BTC for your order CM-\d+ were sent in time, but no block has taken them/,
    (f, { groups }) => isReceived(f, groups) && f.withConfirmations(1) < f.least,
  ],
  [/^To speed it up, raise the fee|^Please don’t send the amount a second time\.$/, always],
  // Left.
  [/^A payment is not there any more$/, (f) => happened('replaced', 'dropped', 'withdrawn')(f)],
  [
    /^([\d.]+) BTC that were on their way for your order CM-\d+ are not there any more: another transaction took their place, or the network dropped them\.$/,
    (f) => f.outputs.some(({ isLive }) => !isLive),
  ],
  [/^Your wallet has them again|^There is nothing to do\.$/, always],
  [/^The order is closed; please send nothing for it\.$/, requestsNothing],
  [
    /^Your payment was replaced$|^It will not arrive as it was sent\.$|^Another transaction took the place of your payment/,
    (f) => f.outputs.some(({ isLive }) => !isLive),
  ],
  [/^Please send the amount again until|^Raise the fee in your wallet, or send the amount again, until/, waitsForMoney],
  [/^If you raised the fee in your wallet/, always],
  [
    /^The network has dropped your payment$|^Your payment of [\d.]+ BTC for your order CM-\d+ is not on its way any more/,
    (f) => f.outputs.some(({ isLive }) => !isLive) && !f.hasMoney,
  ],
  [/^Its fee was too low\.$|^Raise it in your wallet, or send again\.$/, always],
  // Reorganised away, lost.
  [
    /^Your payment is being confirmed again$|^The Bitcoin network has replaced the block that held your payment/,
    (f) => f.wasPaid && !isPaidByChain(f) && !wasLost(f),
  ],
  [/^That is rare; as a rule the payment goes into another block/, (f) => !wasLost(f)],
  [/^We keep your parcel here until then, and write again\.$/, (f) => !f.isSent],
  [/^Your parcel is on its way and stays so; we write again\.$/, (f) => f.order.fulfilment_status === 'shipped'],
  [/^You have your parcel, and keep it; we write again\.$/, (f) => f.order.fulfilment_status === 'delivered'],
  [/^There is nothing for you to do\.$|^Please don’t send it again\.$/, (f) => !wasLost(f) || f.openRefund !== null],
  [
    /^Your payment is confirmed again$|^The payment for your order CM-\d+ is in the chain again with all its confirmations/,
    isPaidByChain,
  ],
  [/^All is well\.$|^Your receipt still holds\.$/, isPaidByChain],
  [
    /^(Your payment|A part of your payment) will not return$|^(Your payment|A part of your payment) for order CM-\d+ will not arrive: another transaction spent/,
    wasLost,
  ],
  [/^Its coins were spent by another transaction\.$/, (f) => f.goneForGood > 0n],
  [/^(Please send the rest|Please pay again) until/, waitsForMoney],
  [/^The ([\d.]+) BTC that are here count\.$/, (f, { groups }) => isReceived(f, groups)],
  [/^Open your order and get a new price for the rest/, wasLost],
  [/^Please don’t send anything at the old price: open your order/, wasLost],
  [/^Your order was sent all the same\.$/, (f) => f.isSent],
  [
    /^Your payment may return$|^The network has taken back the transaction that had spent|^The payment may return after all/,
    (f) => !wasLost(f) && f.wasPaid && !isPaidByChain(f),
  ],
  [/^Please don’t pay again for now\.$|^We write when it is clear\.$/, always],
  [
    /^Your refund is on hold$|^The payment is not confirmed any more\.$|^The Bitcoin network has taken a payment for your order CM-\d+ back|^We have put the refund on hold\.$/,
    (f) => hasStopped(f),
  ],
  [/^If the payment is confirmed again, the refund goes on/, (f) => f.openRefund?.state === 'made'],
  [
    /^Your refund goes on$|^The payment is confirmed again\.$|confirmed again, and the refund is not on hold any more\.$/,
    (f) => f.openRefund === null || f.deep >= f.sentBack,
  ],
  [
    /^Your order was closed as unpaid$|^Its payment did not stay in the network\.$|^We sent your order CM-\d+, and its payment did not stay/,
    (f) => f.isSent && !isPaidByChain(f),
  ],
  [/^([\d.]+) BTC of it are here\.$/, (f, { groups }) => isReceived(f, groups)],
  [/^We have closed the order as unpaid\.$/, (f) => f.order.closed_as_loss_of === 'payment'],
  [
    /^Do you want to pay it\?$|^Write to us in a ticket\.$|^Should the payment be confirmed after all, the order is paid\.$/,
    always,
  ],
  // Over.
  [/^Your order has expired$/, (f) => f.order.payment_status === 'expired'],
  [
    /^You can still have it: get a new quote\.$|^You still want it\?$|^Open your order and get a new quote/,
    (f) => f.order.payment_status === 'expired',
  ],
  [
    /^The time to pay your order CM-\d+ is over, and only ([\d.]+) BTC of ([\d.]+) BTC had arrived\.$/,
    (f) => f.order.payment_status === 'expired',
  ],
  [/^What you have sent is not lost: get a new quote/, (f) => f.order.payment_status === 'expired'],
  [
    /^The time to pay your order CM-\d+ is over, and (only dust|no payment) had arrived\.$/,
    (f) => f.order.payment_status === 'expired',
  ],
  [/^Please send nothing to its address (any more|for now)\.$/, (f) => !f.isOpen],
  [/^Have you paid (all the same|already)\?$|^Then don’t worry: we watch|^Nothing is lost: we watch/, always],
  [
    /^Your items are no longer reserved$|^We ended the reservation of the items/,
    (f) => f.order.payment_status === 'expired' && happened('reservation_released')(f),
  ],
  [/^Please don’t pay for this order as it is\.$/, (f) => !f.isOpen],
  [
    /^The quote does not hold any more$|^Please don’t pay it; get a new one\.$|^The amount for your order CM-\d+ counted on a payment|^Please don’t send that amount: open your order/,
    (f) => happened('quote_void')(f) && !f.isOpen,
  ],
  [/^The ([\d.]+) BTC that are there count\.$/, (f, { groups }) => isReceived(f, groups)],
  [
    /^Your order is cancelled$|^Your order CM-\d+ is cancelled/,
    (f) => f.order.payment_status === 'cancelled' || f.isCancelled,
  ],
  [/^Please don’t pay it any more\.$/, (f) => f.isCancelled],
  [/^Have you sent something already\?$|^Nothing is lost: we watch its address/, always],
  [/^([\d.]+) BTC are here\.$/, (f, { groups }) => isReceived(f, groups)],
  [/^Name an address with your order, and we send them back\.$/, (f) => f.received - f.sentBack >= DUST_LIMIT],
  // Paid.
  [
    /^Thank you\.$|^Your payment is confirmed$|^Your order CM-\d+ is paid(\.|, and we are getting it ready\.)$|^This is your receipt\.$/,
    isPaidByChain,
  ],
  [
    /^\$[\d,.]+ paid; we are getting your order ready\.$|we are getting it ready\.$/,
    (f) => isPaidByChain(f) && !f.isSent,
  ],
  [/^\$[\d,.]+ paid on|^Your receipt$|^Your order CM-\d+ was paid on/, happened('paid')],
  [
    /^That has changed since then: your order shows/,
    (f) => !isPaidByChain(f) || f.order.payment_status !== 'paid' || f.order.refund_state !== null,
  ],
  [
    /^Your payment for order CM-\d+ came late, and we have accepted it all the same/,
    (f) => isPaidByChain(f) && happened('late_accepted')(f),
  ],
  [
    /^You have sent ([\d.]+) BTC more than was due\.$|^It goes back to you; another mail says how\.$/,
    (f) => f.received > f.due,
  ],
  [/^We have accepted your payment as it is$|^We have looked at the payment/, happened('settled')],
  [/^Nothing more is to be sent(\.|: the order is paid\.)$/, isPaidByChain],
  [/^Your order is on its way$|^We have handed (it|your order CM-\d+) to the courier/, (f) => f.isSent],
  [/^Tracking reference AB1$|^Your order shows where it goes\.$|^If something is wrong with the address/, always],
  // Refunds; the preconditions of each kind are in refundMailClaims.
  [
    /^Hello ada, (we|what)|^(We are sending|We have sent) [\d.]+ BTC back$|^To the address below\.$|^Nothing is left for you to do: we write again/,
    always,
  ],
  [
    /^Your refund has arrived$|^[\d.]+ BTC are at the address below\.$|^With the transaction below\.$|^Has it not arrived\?$|^Write to us\.$/,
    always,
  ],
  [/^We were wrong: your refund|^We noted it as sent by mistake\.$|^That was a mistake, and we are sorry/, always],
  [
    /^([\d.]+) BTC were not claimed$|^Hello ada, [\d.]+ BTC( more than was due)? arrived for your order/,
    (f) => f.unclaimed > 0n,
  ],
  [
    /^We have closed our accounts of it\.$|^You can still have them back\.$|^It is still yours: open your order/,
    (f) => f.unclaimed > 0n,
  ],
  [/^It is too little to be sent\.$|^So small an amount can’t be sent back/, (f) => f.unclaimed > 0n],
];

/** All sentences of mails; figures in tables are covered by the sentences above them. */
export const textsOf = ({ title, preview, blocks }: MailContents): readonly string[] => [
  title,
  preview,
  ...blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])),
];
