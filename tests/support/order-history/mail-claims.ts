/** Truth conditions of the sentences in mails, at the time of composition. */
import type { OrderMailKind } from '#src/shop/notifications/order-mail.ts';
import type { MailContents } from '#src/shop/notifications/render-mail.ts';
import type { RefundMail } from '#src/shop/refunds/refund-mail-kinds.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';
import { isAlways } from './claim.ts';
import type { Claim } from './claim.ts';
import { hasStopped, isPaidByChain, isRefundedInPart, isStopped, DUST_LIMIT, parseSats } from './facts.ts';
import type { Facts } from './facts.ts';
import { computeAsked, isMissingNow, computeSurplus, wasLost } from './page-claims.ts';
import type { Refund } from './order-record.ts';

const hasHappened =
  (...kinds: readonly OrderEventKind[]) =>
  ({ events }: Facts): boolean =>
    kinds.some((kind) => events.includes(kind));
const isWaitingForMoney = (f: Facts): boolean => f.isOpen && !f.wasPaid && f.received < f.least;
const isReceived = (f: Facts, groups: readonly string[]): boolean => f.received === parseSats(groups[0]);
/** Whether the buyer owes nothing, now and as far as known later. */
const isRequestingNothing = (f: Facts): boolean => !isWaitingForMoney(f) || f.received >= f.least;

/** The precondition of each kind of mail. */
export const mailKindClaims: Readonly<Record<OrderMailKind, (facts: Facts) => boolean>> = {
  made: hasHappened('created'),
  requoted: hasHappened('requoted'),
  seen: hasHappened('payment_seen', 'confirming'),
  back: hasHappened('payment_seen', 'confirming'),
  underpaid: hasHappened('underpaid'),
  'part-left': hasHappened('part_left'),
  overpaid: hasHappened('overpaid'),
  paid: hasHappened('paid', 'paid_anew'),
  'paid-late': hasHappened('late_accepted'),
  'paid-again': hasHappened('paid_again'),
  settled: hasHappened('settled'),
  late: hasHappened('late'),
  'late-waits': (f) =>
    hasHappened('late_waits', 'late_sold_out')(f) && f.deep >= f.least && f.order.payment_status !== 'paid',
  unconfirmed: (f) => hasHappened('unconfirmed_too_long')(f) && f.sumWithConfirmations(1) < f.least,
  replaced: hasHappened('replaced'),
  dropped: hasHappened('dropped'),
  withdrawn: hasHappened('withdrawn'),
  'reorged-out': hasHappened('reorged_out'),
  'double-spent': hasHappened('double_spent', 'part_double_spent'),
  'payment-may-return': hasHappened('double_spend_undone'),
  'refund-stopped': hasHappened('refund_stopped'),
  'refund-resumed': hasHappened('refund_resumed'),
  'closed-as-loss': hasHappened('closed_as_loss'),
  expired: hasHappened('expired'),
  'quote-void': hasHappened('quote_void'),
  released: hasHappened('reservation_released'),
  cancelled: hasHappened('cancelled'),
  'partly-shipped': (f) => f.isSent,
  shipped: (f) => f.isSent,
  'tracking-corrected': hasHappened('tracking_corrected'),
  'shipment-undone': hasHappened('shipment_undone'),
  'address-changed': () => true,
};

const countUnits = ({ units }: NonNullable<Refund['lines']>): number =>
  units.reduce((sum, { quantity }) => sum + quantity, 0);

export const refundMailClaims: Readonly<Record<RefundMail, (refund: Refund, facts: Facts) => boolean>> = {
  made: (refund, f) => refund.state !== 'withdrawn' && !isStopped(f, refund),
  confirmed: (refund, f) =>
    refund.state === 'confirmed' && refund.vout !== null && f.order.id !== '' && refund.txid !== null,
  recorded: (refund) => refund.state === 'confirmed' && refund.vout === null && refund.txid !== null,
  undone: (refund) => refund.state !== 'confirmed',
};

/** Claims of all mail texts, including titles and previews. */
export const mailClaims: readonly Claim[] = [
  // Placed, requoted, changed.
  [/^Thank you for your order CM-\d+$/, isAlways],
  [/^Please send ([\d.]+) BTC by/, (f, { groups }) => isWaitingForMoney(f) && computeAsked(f) === parseSats(groups[0])],
  [/we received your order\.$|we created this order for you\.$|^This order was placed/, hasHappened('created')],
  [/^The price in bitcoin is fixed until /, isWaitingForMoney],
  [
    /^To see this order on our website, log in with this email address\.$|^If you have no password yet, choose “Lost password” on the login page\.$/,
    isAlways,
  ],
  [/Please send exactly this amount to (this address|the same address as before):$/, isWaitingForMoney],
  [
    /^If you pay from an exchange|^The payment page shows the same address|^If the two differ, don’t pay|^The page shows a QR code|^Anyone with the link can open it|^The attached PDF has the same texts|^Please keep them/,
    isAlways,
  ],
  [/^Your order CM-\d+ is no longer waiting for a payment\.$/, isRequestingNothing],
  [/^It is no longer waiting for a payment\.$|^Please don’t send anything for it\.$/, isRequestingNothing],
  [/^Please don’t pay this order$/, isRequestingNothing],
  [
    /^Your payment has changed$|^Open your order to see its (present )?status\.$|^The payment of your order CM-\d+ has changed\.$/,
    isAlways,
  ],
  [
    /^(?:We have received )?([\d.]+) BTC of ([\d.]+) BTC (received\.|for your order CM-\d+ so far\.)$/,
    (f, { groups }) => isReceived(f, groups) && f.due === parseSats(groups[1]),
  ],
  [/^Before you send anything, check the payment page/, isAlways],
  [
    /^Your order has a new price$|^We updated the price of your order|^It costs \$[\d.,]+, and the earlier amount is no longer valid\.$/,
    hasHappened('requoted'),
  ],
  [/^The ([\d.]+) BTC that you sent counts\.$/, (f, { groups }) => isReceived(f, groups)],
  // Unconfirmed.
  [/^We have seen your payment$/, (f) => f.received >= f.least],
  [/^([\d.]+) BTC is on its way\.$/, (f, { groups }) => isReceived(f, groups)],
  [
    /^([\d.]+) BTC for your order CM-\d+ is on its way\.$/,
    (f, { groups }) => isReceived(f, groups) && f.received >= f.least,
  ],
  [
    /^(The payment|It) is final after (one|\d+) confirmations?/,
    (f, { groups }) => f.required === (groups[1] === 'one' ? 1 : Number(groups[1])) && f.received >= f.least,
  ],
  [/^Its fee is low, so this may take long\.$/, (f) => f.received >= f.least],
  [/^You don’t need to do anything: we write to you when it is final\.$/, (f) => f.received >= f.least],
  [/^The full amount is on its way again$|^Please don’t pay again\.$/, (f) => f.received >= f.least || !f.isOpen],
  [
    /^We see ([\d.]+) BTC for your order CM-\d+ again, which is enough\.$/,
    (f, { groups }) => isReceived(f, groups) && f.received >= f.least,
  ],
  [/^If (you already did|both arrive), we refund the difference\.$/, isAlways],
  // Partial.
  [/^([\d.]+) BTC still missing$/, (f, { groups }) => f.isOpen && computeAsked(f) === parseSats(groups[0])],
  [/^Only part of the payment for your order CM-\d+ has arrived\.$/, (f) => f.received > 0n && f.received < f.least],
  [/^Often an exchange or a wallet deducted its fee\.$/, isAlways],
  [/^Please send the rest to the same address by/, isWaitingForMoney],
  [/^Part of your payment will not arrive$/, hasHappened('part_left')],
  [
    /^One of the payments for your order CM-\d+ was replaced by another transaction, or dropped/,
    (f) => f.outputs.some(({ isLive }) => !isLive),
  ],
  [/^If you did not replace it, check your wallet first/, isAlways],
  [/^Part of your payment has arrived$/, (f) => f.received > 0n && f.received < f.due],
  [
    /^Part of the payment for your order CM-\d+ has arrived, but the order has expired\.$/,
    (f) => f.received > 0n && f.received < f.due && f.order.payment_status === 'expired',
  ],
  [
    /^Please don’t send more for now\.$|^While the items are available, open your order to get a new quote, in which your payment counts/,
    (f) => f.order.payment_status === 'expired',
  ],
  [
    /^Part of the payment for your order CM-\d+ has arrived, but the order is (\w+)\.$/,
    (f, { groups }) => f.order.payment_status === groups[0],
  ],
  [/^Please don’t send more\.$/, (f) => !f.isOpen],
  [/^Open your order and enter a refund address, or write to us\.$/, (f) => f.received > 0n],
  [/^We watch this address permanently, so no payment to it is lost\.$/, isAlways],
  // Overpaid.
  [/^You sent ([\d.]+) BTC too much$/, (f, { groups }) => computeSurplus(f) === parseSats(groups[0])],
  [
    /^Enter a refund address\.$|^Such a small amount needs a native SegWit address\.$/,
    (f) => computeSurplus(f) >= DUST_LIMIT,
  ],
  [/^Your order is paid\.$/, isPaidByChain],
  [
    /^You sent more than the amount due for your order CM-\d+, and we refund the difference\.$/,
    (f) => f.received > f.due,
  ],
  [
    /^Open your order and enter a Bitcoin address of your own wallet, (not of an exchange|or write to us)\.$|^If you have already confirmed (one|such an address), you don’t/,
    isAlways,
  ],
  [/^You sent a little more than the amount due for your order CM-\d+\.$/, (f) => f.received > f.due],
  [/^The network does not relay such a small amount, so we can’t refund it unless more arrives\.$/, isAlways],
  // Late.
  [/^Your payment arrived after the (order|refund) was \w+$/, (f) => !f.order.is_open],
  [/^A payment for your order CM-\d+ arrived after (it|its refund) was \w+\.$/, (f) => !f.order.is_open],
  [/^In total we received ([\d.]+) BTC\.$/, (f, { groups }) => isReceived(f, groups)],
  [/^Your payment is safe(\.|: we refund it, or write to you about it\.)$/, isAlways],
  [/^Open your order and enter a refund address\.$/, (f) => f.order.payment_status !== 'refunded'],
  [/^Write to us where to send it, unless you have confirmed a refund address\.$/, isAlways],
  [/^Your payment arrived late$/, (f) => f.received >= f.least && f.receivedInTime < f.least],
  [/^The order was closed when we saw your payment$/, (f) => !f.isOpen && f.received >= f.least],
  [
    /^([\d.]+) BTC for your order CM-\d+ arrived, but its price and items are no longer reserved\.$/,
    (f, { groups }) => isReceived(f, groups) && !f.isOpen,
  ],
  [
    /^([\d.]+) BTC for your order CM-\d+ arrived, but the full amount did not arrive in time\.$/,
    (f, { groups }) => isReceived(f, groups) && f.receivedInTime < f.least && f.received >= f.least,
  ],
  [/^Your payment is safe: once it is confirmed, we accept it/, (f) => !isPaidByChain(f) || !f.wasPaid],
  [/^Otherwise we write to you, and complete your order or refund you\.$/, isAlways],
  [/^We are reviewing your late payment$/, (f) => f.deep >= f.least && !f.wasPaid],
  [
    /^([\d.]+) BTC for your order CM-\d+ arrived after its price had expired, and is now confirmed\.$/,
    (f, { groups }) => isReceived(f, groups) && f.deep >= f.least,
  ],
  [/^The bitcoin price has changed since then/, (f) => f.rate !== null],
  [
    /^At today’s price the order costs ([\d.]+) BTC more than you sent/,
    (f, { groups }) => f.rate !== null && parseSats(groups[0]) > 0n && isMissingNow(f, parseSats(groups[0])),
  ],
  [/^The order expired too long ago to keep its price, so we could not accept/, (f) => f.isTooLate],
  [/^Open your order to get a new price, in which everything you sent counts\.$/, (f) => f.isTooLate && f.isOnSale],
  [/^Or wait: we review it and write to you\.$/, isAlways],
  [/^The order can’t be completed at today’s prices\.$/, (f) => !f.isOnSale],
  [/^We have no bitcoin price right now\.$/, (f) => f.rate === null],
  [
    /^(Phone is sold out|An item is no longer available), so we could not accept the payment automatically\.$/,
    hasHappened('late_sold_out'),
  ],
  [
    /^We check that the price still fits and everything is in stock\.$|^We check your payment as soon as we do|^We review it and then complete your order|^Open your order to pay the difference|^Everything you sent counts\.$|^Or wait: if the price recovers/,
    (f) => f.deep >= f.least && !f.wasPaid,
  ],
  [/^Do you want a refund instead\?$/, isAlways],
  [/^Your payment is still unconfirmed$/, (f) => f.sumWithConfirmations(1) < f.least && f.received >= f.least],
  [/^The price and the items are no longer reserved\.$/, (f) => !f.isOpen],
  [
    /^You sent ([\d.]+) BTC for your order CM-\d+ in time, but the network has not confirmed it yet\.$/,
    (f, { groups }) => isReceived(f, groups) && f.sumWithConfirmations(1) < f.least,
  ],
  [/^Usually the fee is too low\.$|^To speed it up, raise the fee|^Please don’t send the amount again\.$/, isAlways],
  // Left the mempool.
  [/^A payment is no longer on its way$/, (f) => hasHappened('replaced', 'dropped', 'withdrawn')(f)],
  [
    /^A payment of [\d.]+ BTC for your order CM-\d+ is no longer on its way: it was replaced by another transaction, or the network dropped it\.$/,
    (f) => f.outputs.some(({ isLive }) => !isLive),
  ],
  [/^Your wallet has the amount again|^No action needed\.$/, isAlways],
  [/^The order is closed\.$/, isRequestingNothing],
  [
    /^Your payment was replaced$|^Another transaction replaced (it\.$|your payment)/,
    (f) => f.outputs.some(({ isLive }) => !isLive),
  ],
  [/^Please send the amount again by|^Raise the fee in your wallet, or send the amount again, by/, isWaitingForMoney],
  [/^If you raised the fee in your wallet/, isAlways],
  [/^The network dropped your payment($| of)/, (f) => f.outputs.some(({ isLive }) => !isLive) && !f.hasMoney],
  [/^Raise it in your wallet, or send it again\.$/, isAlways],
  // Reorganized, lost.
  [
    /^Your payment is being confirmed again$|^The Bitcoin network replaced the block that contained your payment/,
    (f) => f.wasPaid && !isPaidByChain(f) && !wasLost(f),
  ],
  [/^This is rare\.$|^Usually another block confirms the payment within the hour\.$/, (f) => !wasLost(f)],
  [/^We ship your order once the payment is confirmed, and write to you\.$/, (f) => !f.isSent],
  [/^Your parcel is on its way\.$/, (f) => f.order.fulfilment_status === 'shipped'],
  [
    /^Part of your order is on its way\.$|^We ship the rest once/,
    (f) => f.order.fulfilment_status === 'partly_shipped',
  ],
  [/^Your parcel was delivered\.$/, (f) => f.order.fulfilment_status === 'delivered'],
  [/^We write to you when the payment is confirmed\.$/, (f) => f.isSent],
  [/^You don’t need to do anything\.$|^Please don’t send it again\.$/, (f) => !wasLost(f) || f.openRefund !== null],
  [
    /^Your payment is confirmed again$|^The payment for your order CM-\d+ has all its confirmations again/,
    isPaidByChain,
  ],
  [/^Your receipt is still valid\.$/, isPaidByChain],
  [
    /^(Your payment|Part of your payment) will not return$|^(Your payment|Part of your payment) for order CM-\d+ will not arrive: another transaction spent/,
    wasLost,
  ],
  [/^Another transaction spent the same coins\.$/, (f) => f.goneForGood > 0n],
  [/^(Please send the rest|Please pay again) by/, isWaitingForMoney],
  [/^The ([\d.]+) BTC that arrived counts\.$/, (f, { groups }) => isReceived(f, groups)],
  [
    /^While the items are available, open your order and get a new price|^Please don’t pay at the old price\.$/,
    (f) => wasLost(f) && (f.isUnderWay || (f.isOnSale && !isRefundedInPart(f))),
  ],
  [/^Please write to us\.$/, isAlways],
  [/^Phone is no longer available, so this order can’t get a new price\.$/, (f) => !f.isOnSale],
  [/^Part of your payment was refunded, so this order can’t get a new price\.$/, isRefundedInPart],
  [/^Your order was sent\.$/, (f) => f.isSent],
  [
    /^Your payment may still arrive$|^The transaction that spent the coins of your payment/,
    (f) => !wasLost(f) && f.wasPaid && !isPaidByChain(f),
  ],
  [/^Please don’t pay again for now\.$|^We write to you when we know more\.$/, isAlways],
  [
    /^Your refund is on hold$|^The payment is no longer confirmed\.$|^A payment for your order CM-\d+ is no longer confirmed/,
    (f) => hasStopped(f),
  ],
  [/^If the payment is confirmed again, we continue the refund/, (f) => f.openRefund?.state === 'made'],
  [
    /^Your refund continues$|^The payment is confirmed again\.$|confirmed again, and the refund is no longer on hold\.$/,
    (f) => f.openRefund === null || f.deep >= f.sentBack,
  ],
  [
    /^Your order was closed as unpaid$|^Its payment did not stay confirmed\.$|^We sent your order CM-\d+, but its payment did not stay/,
    (f) => f.isSent && !isPaidByChain(f),
  ],
  [/^([\d.]+) BTC of it arrived\.$/, (f, { groups }) => isReceived(f, groups)],
  [/^We closed the order as unpaid\.$/, (f) => f.order.closed_as_loss_of === 'payment'],
  [/^To pay it, write to us in a ticket\.$|^If the payment is confirmed after all, the order is paid\.$/, isAlways],
  // Closed.
  [/^Your order has expired$|^Your order CM-\d+ has expired(\.|:)/, (f) => f.order.payment_status === 'expired'],
  [
    /^To buy the items, get a new quote\.$|^Do you still want it\?$|^Open your order and get a new quote/,
    (f) => f.order.payment_status === 'expired',
  ],
  [/^Only [\d.]+ BTC of [\d.]+ BTC arrived in time\.$/, (f) => f.order.payment_status === 'expired'],
  [
    /^Your payment is not lost: while the items are available, open your order/,
    (f) => f.order.payment_status === 'expired',
  ],
  [/^Please don’t send anything to its address (any more|for now)\.$/, (f) => !f.isOpen],
  [/^Did you already pay\?$|^Your payment is not lost\.$|^We watch the address/, isAlways],
  [
    /^Your items are no longer reserved$|^We ended the reservation of the items/,
    (f) => f.order.payment_status === 'expired' && hasHappened('reservation_released')(f),
  ],
  [/^Please don’t pay this order for now\.$/, (f) => !f.isOpen],
  [
    /^The amount is no longer valid$|^Get a new quote before you pay\.$|^The amount for your order CM-\d+ is no longer valid|^Please don’t send that amount\.$/,
    (f) => hasHappened('quote_void')(f) && !f.isOpen,
  ],
  [
    /^Your order is cancelled$|^Your order CM-\d+ is cancelled/,
    (f) => f.order.payment_status === 'cancelled' || f.isCancelled,
  ],
  [/^Please don’t pay it\.$/, (f) => f.isCancelled],
  [/^We received ([\d.]+) BTC\.$/, (f, { groups }) => isReceived(f, groups)],
  [/^Open your order and enter a refund address, and we send it back\.$/, (f) => f.received - f.sentBack >= DUST_LIMIT],
  // Paid.
  [
    /^Thank you\.$|^Your payment is confirmed$|^Your order CM-\d+ is paid(\.|, and we are preparing it\.)$|^This is your receipt\.$|^\$[\d,.]+ paid\.$/,
    isPaidByChain,
  ],
  [/^We are preparing your order\.$|we are preparing it\.$/, (f) => isPaidByChain(f) && !f.isSent],
  // Requested in the transaction that enqueues the mail.
  [/^You can download the invoice on the page of your order\.$/, hasHappened('paid')],
  [/^\$[\d,.]+ paid on|^Your receipt$|^Your order CM-\d+ was paid on/, hasHappened('paid')],
  [
    /^Its payment has changed since\.$/,
    (f) => !isPaidByChain(f) || f.order.payment_status !== 'paid' || f.order.refund_state !== null,
  ],
  [
    /^Your payment for order CM-\d+ arrived late, and we accepted it/,
    (f) => isPaidByChain(f) && hasHappened('late_accepted')(f),
  ],
  [
    /^You sent [\d.]+ BTC more than the amount due\.$|^We refund it, and explain how in another mail\.$/,
    (f) => f.received > f.due,
  ],
  [/^We accepted your payment$|^We accepted the [\d.]+ BTC that arrived/, hasHappened('settled')],
  [/^You don’t need to send more(\.|: the order is paid\.)$/, isPaidByChain],
  [
    /^Your order is on its way$|^We handed (it|your order CM-\d+) to the courier|^Use this reference to track/,
    (f) => f.isSent,
  ],
  [
    /^Part of your order is on its way$|^We handed (a parcel|a part of your order CM-\d+) to the courier/,
    hasHappened('partly_shipped'),
  ],
  [/^We write to you when we ship the rest\.$/, (f) => f.order.fulfilment_status === 'partly_shipped'],
  [
    /^The delivery address was changed$|^We changed the delivery address of your order|^Open your order to check it\.$|^Your order shows the present address\.$|^If it is wrong, or you did not ask for it, write to us now\.$/,
    hasHappened('address_changed'),
  ],
  [
    /^We corrected the tracking details of your parcel$|^The tracking details in our last mail about a parcel|^These are right:$|^This parcel contains \d × Phone\.$|^The parcel has no tracking reference\.$/,
    hasHappened('tracking_corrected'),
  ],
  [
    /^A parcel is not on its way yet$|^We recorded it by mistake\.$|^We wrote that we handed a parcel of your order|^That was a mistake: it is not on its way/,
    hasHappened('shipment_undone'),
  ],
  [/^We write to you when we ship it\.$/, (f) => f.order.fulfilment_status !== 'delivered'],
  [/^Changed your mind\?$|^You can withdraw within 14 days/, (f) => f.isSent && f.order.payment_status === 'paid'],
  [/^Tracking reference AB1$|^Your order shows the delivery address\.$|^If it is wrong, write to us now\.$/, isAlways],
  // Refunds. The condition of each kind is in refundMailClaims.
  [
    /^Hello ada, we (?:are refunding|refunded|wrote that we had refunded) (\d+) × Phone of order CM-\d+/,
    (f, { groups }) => f.refunds.some(({ lines }) => lines !== null && countUnits(lines) === Number(groups[0])),
  ],
  [
    /^Hello ada, we (are refunding|refunded|wrote)|^(We are refunding|We refunded) [\d.]+ BTC$|^To the address below\.$|^You don’t need to do anything: we write to you when it is confirmed\.$/,
    isAlways,
  ],
  [
    /^Your refund has arrived$|^[\d.]+ BTC arrived at the address below\.$|^With the transaction below\.$|^Has it not arrived\?$|^Write to us\.$/,
    isAlways,
  ],
  [
    /^Your refund is not complete yet$|^It was marked as sent by mistake\.$|^That was wrong: the refund is not complete yet\.$|^Your money is not lost\.$/,
    isAlways,
  ],
  [
    /^([\d.]+) BTC not claimed$|^Hello ada, we received [\d.]+ BTC( more than the amount due)? for your order/,
    (f) => f.unclaimed > 0n,
  ],
  [
    /^We have closed the case\.$|^You can still claim it\.$|^It is still yours\.$|^To get it, open your order/,
    (f) => f.unclaimed > 0n,
  ],
  [
    /^The amount is too small to send\.$|^The network does not relay such a small amount, so we can’t refund it\.$/,
    (f) => f.unclaimed > 0n,
  ],
];

/** Texts of a mail. Figures in tables are covered by the sentences above them. */
export const listTexts = ({ title, preview, blocks }: MailContents): readonly string[] => [
  title,
  preview,
  ...blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])),
];
