/** Truth conditions of the sentences on the order page. */
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import { isAlways } from './claim.ts';
import type { Claim } from './claim.ts';
import { hasStopped, isPaidByChain, isRefundedInPart, DUST_LIMIT, parseSats } from './facts.ts';
import type { Facts } from './facts.ts';

const hasStatus =
  (...some: readonly string[]) =>
  ({ order }: Facts): boolean =>
    some.includes(order.payment_status);
/** The order expects money, and no lost payment may come back to a paid order. */
const canBePaid = (f: Facts): boolean =>
  f.isOpen && f.order.refund_state === null && !f.wasPaid && f.received < f.least;
/** What the buyer is asked for: an amount below the dust limit can't be sent. */
export const computeAsked = (f: Facts): bigint => {
  const missing = f.due - f.received;
  return missing > 0n && missing < DUST_LIMIT ? DUST_LIMIT : missing;
};
const computeSurplus = (f: Facts): bigint => {
  const left = f.received - f.due - (f.order.returned_sats - f.order.written_off_sats);
  return left > 0n ? left : 0n;
};
/** Greatest number of confirmations at which outputs cover the amount due. */
function computeDepth(f: Facts): number {
  let depth = 0;
  while (depth < 400 && f.sumWithConfirmations(depth + 1) >= f.least) depth += 1;
  return depth;
}
const wasLost = (f: Facts): boolean => f.goneForGood > 0n && f.possible < f.least;

/** Claims of each payment state, for every text. */
export const stateClaims: Readonly<Record<PaymentState, (facts: Facts) => boolean>> = {
  awaiting: (f) => f.received < DUST_LIMIT || !f.hasMoney || f.isCancelled,
  seen: (f) => f.received >= f.least && !f.wasPaid && !f.isCancelled,
  confirming: (f) => f.received >= f.least && f.sumWithConfirmations(1) > 0n && !f.isCancelled,
  underpaid: (f) => f.received > 0n && f.received < f.due,
  paid: isPaidByChain,
  overpaid: (f) => isPaidByChain(f) && f.deep > f.due,
  late: (f) => f.received >= f.least && (!f.wasPaid || f.isCancelled),
  expired: (f) => f.order.expired_at !== null,
  replaced: (f) => f.outputs.some(({ isLive }) => !isLive) && (!f.hasMoney || f.isCancelled),
  dropped: (f) => f.outputs.some(({ isLive }) => !isLive) && (!f.hasMoney || f.isCancelled),
  reorged_out: (f) => f.wasPaid && !isPaidByChain(f),
  refunding: (f) => f.isRefunding,
  refunded: (f) => f.isRefunded,
  written_off: (f) => f.events.includes('written_off'),
};

export const titleClaims: readonly Claim[] = [
  [/^Waiting for your payment$/, (f) => canBePaid(f) && !f.hasMoney],
  [/^Looking for your payment$/, (f) => canBePaid(f) && !f.hasMoney && f.order.payment_status === 'user_paid'],
  [/^Payment seen$/, (f) => stateClaims.seen(f)],
  [
    /^(\d+) of (\d+) confirmations?$/,
    (f, { groups }) => computeDepth(f) === Number(groups[0]) && f.required === Number(groups[1]),
  ],
  [/^([\d.]+) BTC still missing$/, (f, { groups }) => f.isOpen && computeAsked(f) === parseSats(groups[0])],
  [/^Expired with a partial payment$/, (f) => hasStatus('expired')(f) && f.received < f.due && f.hasMoney],
  [/^Thank you$/, (f) => isPaidByChain(f)],
  [/^On its way$/, (f) => isPaidByChain(f) && f.order.fulfilment_status === 'shipped'],
  [/^Partly shipped$/, (f) => isPaidByChain(f) && f.order.fulfilment_status === 'partly_shipped'],
  [/^Delivered$/, (f) => isPaidByChain(f) && f.order.fulfilment_status === 'delivered'],
  [
    /^Your late payment is on hold$/,
    (f) => f.deep >= f.least && hasStatus('expired', 'pending', 'user_paid')(f) && !f.wasPaid,
  ],
  [/^Your payment arrived late$/, (f) => f.received >= f.least && f.receivedInTime < f.least && f.deep < f.least],
  [
    /^Your payment is being confirmed$/,
    (f) => f.received >= f.least && f.deep < f.least && f.sumWithConfirmations(1) >= f.least,
  ],
  [/^Your payment is still unconfirmed$/, (f) => f.received >= f.least && f.sumWithConfirmations(1) < f.least],
  [/^Your order has expired$/, (f) => hasStatus('expired')(f) && !f.hasMoney],
  [/^Your payment was replaced$/, (f) => f.isOpen && !f.hasMoney && f.outputs.some(({ isLive }) => !isLive)],
  [/^The network dropped your payment$/, (f) => f.isOpen && !f.hasMoney && f.outputs.some(({ isLive }) => !isLive)],
  [/^Your payment lost its confirmations$/, (f) => f.wasPaid && f.received === 0n && !isPaidByChain(f)],
  [/^Your payment is being confirmed again$/, (f) => f.wasPaid && !isPaidByChain(f) && f.received > 0n && !wasLost(f)],
  [/^Your refund is on its way$/, (f) => f.isRefunding],
  [/^Your refund is on hold$/, (f) => hasStopped(f)],
  [/^Refunded$/, stateClaims.refunded],
  [/^Refund sent$/, (f) => f.sentBack > 0n],
  [/^This order is closed$/, stateClaims.written_off],
  [/^This order was cancelled$/, (f) => f.isCancelled],
  // Staff closed the loss of the payment, or of a refund that was sent from it.
  [
    /^Closed as unpaid$/,
    (f) => (f.events.includes('closed_as_loss') || f.events.includes('refund_loss_closed')) && !isPaidByChain(f),
  ],
  [/^Your payment will not return$/, (f) => wasLost(f) && f.wasPaid],
  [/^Part of your payment will not return$/, (f) => wasLost(f) && f.hasMoney && f.wasPaid],
  [/^Your last payment will not arrive$/, (f) => wasLost(f) && !f.hasMoney],
];

export const textClaims: readonly Claim[] = [
  [/^You marked it as sent\.$/, (f) => f.events.includes('user_paid')],
  [
    /^Wallets usually broadcast|^Scan the QR code|^The payment page shows|^We detect your payment automatically/,
    (f) => canBePaid(f),
  ],
  [/^This page updates automatically\.$/, isAlways],
  [/^Your payment is on its way and covers the order\.$/, (f) => f.received >= f.least && !f.isCancelled],
  [/^It is final after (\d+)/, (f, { groups }) => f.required === Number(groups[0]) && f.received >= f.least],
  [
    /^You can close this page\.$|^You don’t need to do anything and can close this page\.$/,
    // A surplus is refunded only to an address that is usable.
    (f) => f.received >= f.least && (computeSurplus(f) < DUST_LIMIT || f.hasAddress),
  ],
  [
    /^Your payment is being confirmed\.$/,
    (f) => f.received >= f.least && f.sumWithConfirmations(1) >= f.least && f.deep < f.least,
  ],
  [
    /^Its fee of [\d.]+ sat\/vB is low/,
    (f) => f.outputs.some(({ isLive, height, feePerKvb }) => isLive && height === null && (feePerKvb ?? 0n) < 5000n),
  ],
  [/^To speed it up, raise the fee in your wallet \(/, isAlways],
  [/^([\d.]+) BTC arrived( and counts)?\.$/, (f, { groups }) => f.received === parseSats(groups[0])],
  [
    /^Get a new price for the rest, or write to us for a refund\.$/,
    (f) => ((hasStatus('expired')(f) && f.hasMoney) || wasLost(f)) && (f.isOnSale || f.isUnderWay),
  ],
  [/^Send the rest to the same address before the payment window ends\.$/, (f) => canBePaid(f)],
  [/^The QR code contains the missing amount\.$/, (f) => canBePaid(f)],
  [/^Your payment is confirmed(\.|, and)/, (f) => isPaidByChain(f)],
  [/^There is nothing to pay(\.|, and)/, (f) => f.due === 0n],
  [/, and we are preparing your order\.$/, (f) => !f.isSent && isPaidByChain(f)],
  [/, and your order is on its way to you\.$/, (f) => f.order.fulfilment_status === 'shipped'],
  [/, and part of your order is on its way to you\.$/, (f) => f.order.fulfilment_status === 'partly_shipped'],
  [/, and your order has been delivered\.$/, (f) => f.order.fulfilment_status === 'delivered'],
  [/^We refunded ([\d.]+) BTC that you overpaid\.$/, (f, { groups }) => f.sentBack >= parseSats(groups[0])],
  [
    /^Your payment was ([\d.]+) BTC less than the amount due, and we accepted it\.$/,
    (f, { groups }) => f.due - f.received === parseSats(groups[0]),
  ],
  [
    /^You sent ([\d.]+) BTC more than the amount due(\.|, which is too little to refund\.|, which is too little to refund to your address\.)$/,
    (f, { groups }) => computeSurplus(f) === parseSats(groups[0]),
  ],
  [/^Confirm your refund address with the link in our mail to get it back\.$/, (f) => f.hasAddress],
  [/^We refund it to the address that we entered for you\.$/, (f) => f.hasAddress],
  [/^We refund it to the address that you confirmed\.$/, (f) => f.hasAddress && f.isAddressUsable],
  [/^We are refunding it\.$/, (f) => f.openRefund !== null],
  [/more than the amount due\.$/, (f) => computeSurplus(f) >= DUST_LIMIT],
  [/more than the amount due, which is too little to refund\.$/, (f) => computeSurplus(f) < DUST_LIMIT],
  [/too little to refund to your address\.$|^Enter a native SegWit address to get it back\.$/, (f) => f.hasAddress],
  [/^(Enter a refund address below|Log in and enter a refund address) to get it back\.$/, isAlways],
  [/^You can still claim it\.$/, (f) => f.received - f.sentBack >= DUST_LIMIT],
  [/^Do you want a refund instead\?$/, (f) => f.received - f.sentBack > 0n],
  [/^It is confirmed and counts, but the bitcoin price has changed\.$/, (f) => f.deep >= f.least && f.rate !== null],
  [/^It covers the order at today’s price\.$/, (f) => f.received >= computePresentDue(f)],
  [/^Get a new price to complete the order\.$/, (f) => hasStatus('expired')(f) && f.isOnSale],
  [
    /^It is confirmed and counts, but the order expired too long ago to keep its price\.$/,
    (f) => f.deep >= f.least && f.isTooLate,
  ],
  [
    /^Get a new price to complete the order, or wait: we review it and write to you\.$/,
    (f) => hasStatus('expired')(f) && f.isOnSale && f.isTooLate,
  ],
  [
    /^It is confirmed and counts, but the order can’t be completed at today’s prices\.$/,
    (f) => f.deep >= f.least && !f.isOnSale,
  ],
  [/^We review it and write to you\.$/, (f) => f.deep >= f.least],
  [/^Phone is no longer available, so this order can’t get a new price\.$/, (f) => !f.isOnSale],
  [/^Write to us for a refund\.$/, (f) => f.hasMoney],
  [
    /^It is confirmed and counts, but at today’s price the order costs ([\d.]+) BTC more\.$/,
    (f, { groups }) => f.deep >= f.least && parseSats(groups[0]) > 0n && isMissingNow(f, parseSats(groups[0])),
  ],
  [
    /^Pay the difference, or wait: if the price recovers, we accept the payment automatically, otherwise we write to you\.$/,
    (f) => hasStatus('expired')(f) && !f.isTooLate && f.isOnSale,
  ],
  [
    /^It is confirmed and counts, but no bitcoin price is available right now\.$/,
    (f) => f.deep >= f.least && f.rate === null,
  ],
  [/^We check it as soon as one is available\.$/, (f) => f.rate === null],
  [/^It is confirmed and counts, but an item is sold out\.$/, (f) => f.deep >= f.least && f.isSoldOut],
  [/^Once it is in stock again, we accept the payment automatically\.$/, (f) => f.deep >= f.least && !f.isTooLate],
  [/^Please don’t pay again\.$/, (f) => f.deep >= f.least],
  [/^It is confirmed and counts, but your promo code/, () => false],
  [/^It is confirmed\.$/, (f) => f.deep >= f.least],
  [
    /^We check that the price still fits and everything is in stock, and then complete your order or refund you\.$/,
    (f) => f.deep >= f.least && !f.wasPaid,
  ],
  [/^We first saw it after the payment window ended\.$/, (f) => f.receivedInTime < f.least],
  [
    /^Your payment is safe: once it is confirmed, we accept it if the price still fits/,
    (f) => f.deep < f.least && f.received >= f.least,
  ],
  [/^Otherwise we write to you\.$/, (f) => f.deep < f.least],
  [
    /^The price and the items are no longer reserved\.$/,
    (f, { whole }) => !f.isOpen && f.sumWithConfirmations(1) >= f.least !== whole.includes('No block contains it yet.'),
  ],
  [/^No block contains it yet\.$/, (f) => f.sumWithConfirmations(1) < f.least],
  [/^Please don’t pay at the old price\.$/, (f) => !f.isOpen || wasLost(f)],
  [/^Get a new price for the same order\.$/, (f) => hasStatus('expired')(f) && f.isOnSale],
  [/^If you have already paid, your payment is safe\.$/, isAlways],
  [/^Another transaction replaced it, so it will not arrive\.$/, (f) => f.outputs.some(({ isLive }) => !isLive)],
  [/^Please send the amount again\.$/, (f) => canBePaid(f)],
  [/^Usually the fee is too low\.$/, isAlways],
  [
    /^Raise the fee in your wallet, or send the amount again\.$|^If both arrive, we refund the difference\.$/,
    canBePaid,
  ],
  [/^The Bitcoin network replaced the block that contained it\.$/, (f) => f.wasPaid && !isPaidByChain(f)],
  [
    /^(It may return|This is rare): please don’t send it again\.$/,
    (f, { groups }) => !wasLost(f) && (groups[0] !== 'It may return' || f.mayReturn || f.isUnderWay),
  ],
  [/^This page shows when it is confirmed again, or if it will not return\.$/, (f) => !wasLost(f)],
  [/^We ship once it is confirmed\.$/, (f) => !f.isSent && !f.isRefunding],
  [/^We are refunding your payment\.$/, (f) => f.isRefunding],
  [/^We write to you when it is complete\.$/, (f) => f.isRefunding],
  [/^We refunded your payment\.$/, stateClaims.refunded],
  [/^([\d.]+) BTC arrived for it\.$/, (f, { groups }) => f.received === parseSats(groups[0])],
  [/^A payment arrived for it\.$/, (f) => f.events.includes('written_off')],
  [/^This is too little to refund\.$/, (f) => f.received - f.sentBack < DUST_LIMIT],
  [
    /^([\d.]+) BTC arrived for it, which is too little to refund\.$/,
    (f, { groups }) => f.received === parseSats(groups[0]) && !f.hasMoney,
  ],
  [/^Please don’t pay it\.$/, (f) => f.isCancelled],
  [/^([\d.]+) BTC arrived for it anyway\.$/, (f, { groups }) => f.received === parseSats(groups[0]) && f.isCancelled],
  [/^Your payment is safe\.$/, (f) => f.received > 0n],
  [/^Do you still want the order\?$|^To pay it, write to us\.$|^Write to us\.$/, isAlways],
  [/^Another transaction spent the same coins and is confirmed\.$/, (f) => f.goneForGood > 0n],
  [/^The ([\d.]+) BTC that arrived counts\.$/, (f, { groups }) => f.received === parseSats(groups[0])],
  [
    /^Log in and get a new price for the rest, or write to us for a refund\.$/,
    (f) => wasLost(f) && (f.isUnderWay || (f.isOnSale && !isRefundedInPart(f))),
  ],
  [/^Part of your payment was refunded, so this order can’t get a new price\.$/, isRefundedInPart],
  [/^Your order was already shipped\.$/, (f) => f.isSent],
  [
    /^(Get|Log in and get) a new price to pay (again|for it)/,
    (f) => wasLost(f) && (f.isUnderWay || !isRefundedInPart(f)),
  ],
  [/^Part of your payment will not arrive: another transaction spent its coins\.$/, (f) => f.goneForGood > 0n],
  [/^Please pay again (with the QR code|on the payment page)/, (f) => canBePaid(f)],
  [/^Your payment is no longer confirmed\.$/, (f) => hasStopped(f)],
  [/^If it is confirmed again, we continue the refund\.$/, (f) => f.openRefund?.state === 'made'],
  [/^You don’t need to do anything\.$/, isAlways],
  [/^We sent you a refund for this order\.$/, (f) => f.sentBack > 0n],
  [/^Its payment did not stay confirmed, so we closed the order as unpaid\.$/, (f) => !isPaidByChain(f)],
  [
    /^A mining reward arrived too\.$|^It can be spent only after 100 blocks/,
    (f) => f.outputs.some(({ isLive, isCoinbase }) => isLive && isCoinbase),
  ],
];

/** The price of the whole order at the present price and rate, without credit. */
function computePresentDue(f: Facts): bigint {
  if (f.rate === null) return 0n;
  const raw = (f.presentCents * 100_000_000n + f.rate - 1n) / f.rate;
  return ((raw + 99n) / 100n) * 100n;
}

/** The price of an order at the present rate: exact without credit, else at most the whole. */
export function isMissingNow(f: Facts, missing: bigint): boolean {
  const exact = computePresentDue(f) - f.received;
  const isPlain = f.order.credited_sats === 0n && f.receivedInTime === 0n;
  return isPlain
    ? missing === (exact > 0n && exact < DUST_LIMIT ? DUST_LIMIT : exact)
    : missing <= computePresentDue(f);
}

export { computeSurplus, wasLost };
