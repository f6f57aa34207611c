/** Truth conditions of the sentences on the order page. */
import type { PaymentState } from '#src/shop/payments/ledger/payment-state.ts';
import { always } from './claim.ts';
import type { Claim } from './claim.ts';
import { hasStopped, isPaidByChain, DUST_LIMIT, parseSats } from './facts.ts';
import type { Facts } from './facts.ts';

const status =
  (...some: readonly string[]) =>
  ({ order }: Facts): boolean =>
    some.includes(order.payment_status);
/** The order expects money, and no lost payment may come back to a paid order. */
const canBePaid = (f: Facts): boolean =>
  f.isOpen && f.order.refund_state === null && !f.wasPaid && f.received < f.least;
const surplusOf = (f: Facts): bigint => {
  const left = f.received - f.due - (f.order.returned_sats - f.order.written_off_sats);
  return left > 0n ? left : 0n;
};
/** Greatest number of confirmations at which outputs cover the amount due. */
function depthOf(f: Facts): number {
  let depth = 0;
  while (depth < 400 && f.withConfirmations(depth + 1) >= f.least) depth += 1;
  return depth;
}
const wasLost = (f: Facts): boolean => f.goneForGood > 0n && f.possible < f.least;

/** Claims of each payment state, for every text. */
export const stateClaims: Readonly<Record<PaymentState, (facts: Facts) => boolean>> = {
  awaiting: (f) => f.received < DUST_LIMIT || !f.hasMoney || f.isCancelled,
  seen: (f) => f.received >= f.least && !f.wasPaid && !f.isCancelled,
  confirming: (f) => f.received >= f.least && f.withConfirmations(1) > 0n && !f.isCancelled,
  underpaid: (f) => f.received > 0n && f.received < f.due,
  paid: isPaidByChain,
  overpaid: (f) => isPaidByChain(f) && f.deep > f.due,
  late: (f) => f.received >= f.least && (!f.wasPaid || f.isCancelled),
  expired: (f) => f.order.expired_at !== null,
  replaced: (f) => f.outputs.some(({ isLive }) => !isLive) && (!f.hasMoney || f.isCancelled),
  dropped: (f) => f.outputs.some(({ isLive }) => !isLive) && (!f.hasMoney || f.isCancelled),
  reorged_out: (f) => f.wasPaid && !isPaidByChain(f),
  refunding: (f) => f.isRefunding,
  refunded: (f) => f.refunds.some(({ covers, state }) => covers === 'whole' && state === 'confirmed'),
  written_off: (f) => f.events.includes('written_off'),
};

export const titleClaims: readonly Claim[] = [
  [/^Waiting for your payment$/, (f) => canBePaid(f) && !f.hasMoney],
  [/^Looking for your payment$/, (f) => canBePaid(f) && !f.hasMoney && f.order.payment_status === 'user_paid'],
  [/^Payment seen$/, (f) => stateClaims.seen(f)],
  [
    /^(\d+) of (\d+) confirmations?$/,
    (f, { groups }) => depthOf(f) === Number(groups[0]) && f.required === Number(groups[1]),
  ],
  [/^([\d.]+) BTC still missing$/, (f, { groups }) => f.isOpen && f.due - f.received === parseSats(groups[0])],
  [/^The time is over, and a part is missing$/, (f) => status('expired')(f) && f.received < f.due && f.hasMoney],
  [/^Thank you$/, (f) => isPaidByChain(f)],
  [/^On its way$/, (f) => isPaidByChain(f) && f.order.fulfilment_status === 'shipped'],
  [/^Delivered$/, (f) => isPaidByChain(f) && f.order.fulfilment_status === 'delivered'],
  [
    /^Your late payment waits for us$/,
    (f) => f.deep >= f.least && status('expired', 'pending', 'user_paid')(f) && !f.wasPaid,
  ],
  [/^Your payment arrived late$/, (f) => f.received >= f.least && f.receivedInTime < f.least && f.deep < f.least],
  [
    /^Your payment is being confirmed$/,
    (f) => f.received >= f.least && f.deep < f.least && f.withConfirmations(1) >= f.least,
  ],
  [/^Your payment is still unconfirmed$/, (f) => f.received >= f.least && f.withConfirmations(1) < f.least],
  [/^The time for this payment is over$/, (f) => status('expired')(f) && !f.hasMoney],
  [/^Your payment was replaced$/, (f) => f.isOpen && !f.hasMoney && f.outputs.some(({ isLive }) => !isLive)],
  [/^The network has dropped your payment$/, (f) => f.isOpen && !f.hasMoney && f.outputs.some(({ isLive }) => !isLive)],
  [/^Your payment lost its confirmations$/, (f) => f.wasPaid && f.received === 0n && !isPaidByChain(f)],
  [/^Your payment is being confirmed again$/, (f) => f.wasPaid && !isPaidByChain(f) && f.received > 0n && !wasLost(f)],
  [/^Your refund is on its way$/, (f) => f.isRefunding],
  [/^Your refund is on hold$/, (f) => hasStopped(f)],
  [/^Refunded$/, stateClaims.refunded],
  [/^Refund$/, (f) => f.refunds.some(({ state }) => state !== 'withdrawn')],
  [/^This order is closed$/, stateClaims.written_off],
  [/^This order was cancelled$/, (f) => f.isCancelled],
  [/^Closed: not paid$/, (f) => f.events.includes('closed_as_loss') && !isPaidByChain(f)],
  [/^Your payment will not return$/, (f) => wasLost(f) && f.wasPaid],
  [/^A part of your payment will not return$/, (f) => wasLost(f) && f.hasMoney && f.wasPaid],
  [/^Your last payment will not arrive$/, (f) => wasLost(f) && !f.hasMoney],
];

export const textClaims: readonly Claim[] = [
  [/^You marked it as sent\.$/, (f) => f.events.includes('user_paid')],
  [
    /^Wallets usually take|^Scan the code|^The payment page shows|^We detect your payment automatically/,
    (f) => canBePaid(f),
  ],
  [/^Your payment is on its way, and it is enough\.$/, (f) => f.received >= f.least && !f.isCancelled],
  [/^It is final after (\d+)/, (f, { groups }) => f.required === Number(groups[0]) && f.received >= f.least],
  [
    /^It is ([\d.]+) BTC more than is due, and that goes back to you\.$/,
    (f, { groups }) => surplusOf(f) === parseSats(groups[0]),
  ],
  [
    /^You may close this page\.$|^There is nothing left to do, and you may close this page\.$/,
    (f) => f.received >= f.least,
  ],
  [
    /^Your payment has arrived and is being confirmed\.$/,
    (f) => f.received >= f.least && f.withConfirmations(1) >= f.least && f.deep < f.least,
  ],
  [
    /^Its fee of [\d.]+ sat\/vB is low/,
    (f) => f.outputs.some(({ isLive, height, feePerKvb }) => isLive && height === null && (feePerKvb ?? 0n) < 5000n),
  ],
  [/^Raise it in your wallet \(/, always],
  [/^([\d.]+) BTC arrived, and counts\.$/, (f, { groups }) => f.received === parseSats(groups[0])],
  [
    /^Get a new price for the rest, or ask us to send it back: nothing is lost\.$/,
    (f) => status('expired')(f) && f.hasMoney,
  ],
  [/^([\d.]+) BTC of it is here\.$/, (f, { groups }) => f.received === parseSats(groups[0])],
  [/^Send what is missing to the same address before the time is over;/, (f) => canBePaid(f)],
  [/^Your payment is confirmed(\.|, and)/, (f) => isPaidByChain(f)],
  [/^There is nothing to pay(\.|, and)/, (f) => f.due === 0n],
  [/, and we are getting your order ready\.$/, (f) => !f.isSent && isPaidByChain(f)],
  [/, and your order is on its way to you\.$/, (f) => f.order.fulfilment_status === 'shipped'],
  [/, and your order has been delivered\.$/, (f) => f.order.fulfilment_status === 'delivered'],
  [/^([\d.]+) BTC that were too much went back to you\.$/, (f, { groups }) => f.sentBack >= parseSats(groups[0])],
  [
    /^It is ([\d.]+) BTC less than was due, and we accept that\.$/,
    (f, { groups }) => f.due - f.received === parseSats(groups[0]),
  ],
  [
    /^You sent ([\d.]+) BTC more than was due(: too little|;|: too)/,
    (f, { groups }) => surplusOf(f) === parseSats(groups[0]),
  ],
  [/it goes back once you have opened the link in our mail/, (f) => f.hasAddress],
  [/(it goes back|We send it back) to the address that we entered for you\.$/, (f) => f.hasAddress],
  [
    /(it goes back|We send it back) to the address that you have confirmed\.$/,
    (f) => f.hasAddress && f.isAddressUsable,
  ],
  [/[Ii]t is on its way back to you\.$/, (f) => f.openRefund !== null],
  [/(tell us below|sign in to tell us) where to send the surplus\.$/, (f) => surplusOf(f) >= DUST_LIMIT],
  [/^Name a native SegWit address, and (it goes back|we send it back)\.$/, (f) => f.hasAddress],
  [
    /^(You can still have it back\. )?(Name an address below|Sign in and name an address|Open the link in our mail)/,
    always,
  ],
  [/^You can still have it back\.$/, (f) => f.received - f.sentBack >= DUST_LIMIT],
  [/^You want it back instead\?$/, (f) => f.received - f.sentBack > 0n],
  [/^It is confirmed and counts, but the rate has moved\.$/, (f) => f.deep >= f.least && f.rate !== null],
  [/^At today’s price it covers the order: take that, and it is paid\.$/, (f) => f.received >= presentDue(f)],
  [
    /bitcoin costs less than when the price was made: at today’s price ([\d.]+) BTC are missing\.$/,
    (f, { groups }) => f.deep >= f.least && parseSats(groups[0]) > 0n && isMissingNow(f, parseSats(groups[0])),
  ],
  [/^Pay the difference, or wait: if the rate comes back/, (f) => status('expired')(f)],
  [
    /^It is confirmed and counts, but there is no bitcoin price right now\.$/,
    (f) => f.deep >= f.least && f.rate === null,
  ],
  [/^We check it as soon as there is one/, (f) => f.rate === null],
  [
    /^It is confirmed and counts, but something that you ordered is sold out\.$/,
    (f) => f.deep >= f.least && f.isSoldOut,
  ],
  [
    /^Once it is in stock again we accept the payment automatically; there is nothing to pay again\.$/,
    (f) => f.deep >= f.least,
  ],
  [/^It is confirmed and counts, but the promo code/, () => false],
  [/^It is confirmed\.$/, (f) => f.deep >= f.least],
  [/^We check that its price and everything in it still fit/, (f) => f.deep >= f.least && !f.wasPaid],
  [/^We first saw it after the time was over\.$/, (f) => f.receivedInTime < f.least],
  [/^Once it is confirmed we accept it if the price still fits/, (f) => f.deep < f.least && f.received >= f.least],
  [/^It holds price and stock no longer\.$/, (f) => !f.isOpen && f.withConfirmations(1) >= f.least],
  [
    /^No block has taken it yet, and it holds price and stock no longer\.$/,
    (f) => !f.isOpen && f.withConfirmations(1) < f.least,
  ],
  [/^Please don’t send anything at the old price\.$/, (f) => !f.isOpen || wasLost(f)],
  [/^Get a new price for the same order; should you have paid already, nothing is lost\.$/, status('expired')],
  [
    /^Another transaction took its place, so this one will not arrive\.$/,
    (f) => f.outputs.some(({ isLive }) => !isLive),
  ],
  [/^Please send the amount again\.$/, (f) => canBePaid(f)],
  [/^That happens when its fee is too low\.$/, always],
  [/^Raise the fee in your wallet, or send the amount again;/, (f) => canBePaid(f)],
  [/^A reorganization removed its block\.$/, (f) => f.wasPaid && !isPaidByChain(f)],
  [
    /^(It may be confirmed again|That is rare): please don’t send it again\.$/,
    (f, { groups }) => !wasLost(f) && (groups[0] !== 'It may be confirmed again' || f.mayReturn || f.isUnderWay),
  ],
  [/^This page shows when it is confirmed or permanently lost\.$/, (f) => !wasLost(f)],
  [/^We ship once it is confirmed\.$/, (f) => !f.isSent && !f.isRefunding],
  [/^We are sending back what you paid\.$/, (f) => f.isRefunding],
  [/^We write to you once it is sent\.$/, (f) => f.isRefunding],
  [/^What you paid was sent back to you\.$/, stateClaims.refunded],
  [/^([\d.]+) BTC arrived for it\.( It is too little|$)/, (f, { groups }) => f.received === parseSats(groups[0])],
  [/^Something arrived for it\.$/, (f) => f.events.includes('written_off')],
  [/^It is too little for the network to carry back\.$/, (f) => f.received - f.sentBack < DUST_LIMIT],
  [/^It is too little for the network to carry to your address\.$/, (f) => f.hasAddress],
  [
    /^([\d.]+) BTC arrived for it, too little to be sent back\.$/,
    (f, { groups }) => f.received === parseSats(groups[0]) && !f.hasMoney,
  ],
  [/^Please don’t pay it any more\.$/, (f) => f.isCancelled],
  [/^([\d.]+) BTC arrived for it anyway\.$/, (f, { groups }) => f.received === parseSats(groups[0]) && f.isCancelled],
  [/^Nothing is lost\.$/, (f) => f.received > 0n],
  [/^We send it back to/, (f) => f.hasAddress],
  [/^You still want the order\?$|^Do you want to pay it\?$|^Write to us\.$|^Or cancel the order\.$/, always],
  [/^Another transaction spent the same coins, and the network has confirmed it\.$/, (f) => f.goneForGood > 0n],
  [/^([\d.]+) BTC are here and count(\.|;)/, (f, { groups }) => f.received === parseSats(groups[0])],
  [/(Get|Sign in and get) a new price for the rest, or write to us if you want them back\.$/, (f) => wasLost(f)],
  [/^Your order was shipped already:/, (f) => f.isSent],
  [/^(Get|Sign in and get) a new price to pay again/, (f) => wasLost(f)],
  [/^A part of your payment will not arrive: another transaction spent its coins\.$/, (f) => f.goneForGood > 0n],
  [/^Please pay again: .* asks for the amount\.$/, (f) => canBePaid(f)],
  [/^Your payment is no longer confirmed, so there is nothing to refund\.$/, (f) => hasStopped(f)],
  [/^The refund continues if it is confirmed again\.$/, (f) => f.openRefund?.state === 'made'],
  [/^You don’t need to do anything\.$/, always],
  [/^A refund of this order was sent to you\.$/, (f) => f.sentBack > 0n],
  [
    /^The payment of this order did not stay in the network, and we have closed the order as unpaid\.$/,
    (f) => !isPaidByChain(f),
  ],
  [/^A mining reward has arrived too;/, (f) => f.outputs.some(({ isLive, isCoinbase }) => isLive && isCoinbase)],
];

/** The price of the whole order at the present rate, without credit. */
function presentDue(f: Facts): bigint {
  if (f.rate === null) return 0n;
  const raw = (f.order.total_after_cents * 100_000_000n + f.rate - 1n) / f.rate;
  return ((raw + 99n) / 100n) * 100n;
}

/** The price of an order at the present rate: exact without credit, else at most the whole. */
export function isMissingNow(f: Facts, missing: bigint): boolean {
  const exact = presentDue(f) - f.received;
  const isPlain = f.order.credited_sats === 0n && f.receivedInTime === 0n;
  return isPlain ? missing === exact : missing <= presentDue(f);
}

export { surplusOf, wasLost };
