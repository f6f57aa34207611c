/** Facts about the simulated order from its ledger and actions, independent of the shop's rules. */
import { computePaidCents } from '#src/shop/orders/paid-amount.ts';
import type { LateReason } from '#src/shop/orders/status/late-reason.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';
import { LATE_LIMIT_DAYS, UNITS } from './order-record.ts';
import type { Order, Refund } from './order-record.ts';
import type { OrderSimulation } from './order-simulation.ts';
import type { Row } from './ledger-rows.ts';

const MATURITY = 100;
/** Smaller amounts cannot be sent. */
export const DUST_LIMIT = 294n;

export interface Facts {
  readonly order: Order;
  readonly now: Date;
  readonly rate: bigint | null;
  readonly outputs: readonly Row[];
  readonly tip: number;
  readonly required: number;
  /** The amount due or accepted by staff, and the minimum that counts as full payment. */
  readonly due: bigint;
  readonly least: bigint;
  readonly isOpen: boolean;
  /** Sum of live outputs without immature coinbase outputs. */
  readonly received: bigint;
  /** Part of it with at least this many confirmations. */
  readonly sumWithConfirmations: (count: number) => bigint;
  readonly deep: bigint;
  readonly receivedInTime: bigint;
  /** Whether more than dust, or the amount due, is live. */
  readonly hasMoney: boolean;
  /** Whether more than dust is live but not final. */
  readonly isUnderWay: boolean;
  /** Sum of live outputs and of dropped ones without a final conflict. */
  readonly possible: bigint;
  readonly goneForGood: bigint;
  /** Whether an output left and may return. */
  readonly mayReturn: boolean;
  readonly wasPaid: boolean;
  readonly isCancelled: boolean;
  readonly isSent: boolean;
  readonly isSoldOut: boolean;
  readonly refunds: readonly Refund[];
  readonly openRefund: Refund | null;
  /** Refunded amount that is sent or confirmed, by chain or manual record. */
  readonly sentBack: bigint;
  /** As `sentBack`, but a double refund counts once. */
  readonly sentOnce: bigint;
  /** Whether a refund of the whole order is in progress. */
  readonly isRefunding: boolean;
  /** Whether a refund of the whole order, or of all its units, is confirmed. */
  readonly isRefunded: boolean;
  /** Units that refunds took. */
  readonly unitsRefunded: number;
  /** What a paid order keeps of the amount due: without the units that refunds took. */
  readonly kept: bigint;
  readonly unclaimed: bigint;
  readonly isAddressUsable: boolean;
  readonly hasAddress: boolean;
  readonly events: readonly OrderEventKind[];
  /** Its expiry is longer ago than late payments are accepted automatically. */
  readonly isTooLate: boolean;
  /** Whether its items can be ordered now, and their total in cents. */
  readonly isOnSale: boolean;
  readonly presentCents: bigint;
  readonly lateBecause?: LateReason | null;
}

const countConfirmations = ({ isLive, height }: Row, tip: number): number =>
  isLive && height !== null ? tip - height + 1 : 0;

const sum = (rows: readonly Row[]): bigint => rows.reduce((total, { amountSats }) => total + amountSats, 0n);

/** Counts a withdrawn refund and its successors once. Units have no successors. */
function sumOnce(sent: readonly Refund[]): bigint {
  const notWithdrawn = sent.filter(({ holdsUnits, withdrawnAt }) => withdrawnAt === null || holdsUnits);
  const total = notWithdrawn.reduce((sats, { debitSats }) => sats + debitSats, 0n);
  return sent.reduce((most, { debitSats }) => (debitSats > most ? debitSats : most), total);
}

const countUnits = (refunds: readonly Refund[]): number =>
  refunds
    .flatMap(({ holdsUnits, lines }) => (holdsUnits ? (lines?.units ?? []) : []))
    .reduce((total, { quantity }) => total + quantity, 0);

/** Dollars that refunds return, without double ones. */
const sumCounted = (refunds: readonly Refund[]): bigint =>
  refunds.reduce((total, { countedCents }) => total + (countedCents ?? 0n), 0n);

/** A refund of the whole order, or of units or dollars if all of them are refunded. */
const isOfWhole = (all: readonly Refund[], { covers, holdsUnits }: Refund, paidCents: bigint): boolean =>
  covers === 'whole' || (holdsUnits && (countUnits(all) === UNITS || sumCounted(all) >= paidCents));

export function collectFacts(shop: OrderSimulation): Facts {
  const { order, refunds, now } = shop;
  const outputs = shop.rows;
  const tip = shop.ledger.tip?.height ?? 0;
  const required = order.required_confirmations;
  const counted = outputs.filter((one) => one.isLive && (!one.isCoinbase || countConfirmations(one, tip) >= MATURITY));
  const sumWithConfirmations = (count: number): bigint =>
    sum(counted.filter((one) => countConfirmations(one, tip) >= count));
  const isFinal = ({ isLive, conflictHeight = null }: Row): boolean =>
    !isLive && conflictHeight !== null && tip - conflictHeight + 1 >= required;
  const absent = outputs.filter(({ isLive, isCoinbase }) => !isLive && !isCoinbase);
  // The amount accepted by staff counts until the order is cancelled.
  const settled = order.cancelled_at === null ? order.settled_sats : null;
  const due = settled ?? order.due_sats;
  const received = sum(counted);
  const live = outputs.filter(({ isLive }) => isLive);
  const hasMoney =
    counted.some(({ amountSats }) => amountSats >= DUST_LIMIT) || (counted.length > 0 && received >= order.due_sats);
  const sent = refunds.list.filter(({ state }) => state === 'sent' || state === 'confirmed');
  const held = refunds.list.filter(({ holdsUnits }) => holdsUnits);
  const { due_sats: dueSats, settled_sats: settledSats, total_after_cents: totalCents } = order;
  const paidCents = computePaidCents({ dueSats, settledSats, totalCents });
  return {
    order,
    now,
    rate: shop.rate,
    outputs,
    tip,
    required,
    due,
    least: settled ?? order.due_sats - order.tolerance_sats,
    isOpen: order.payment_status === 'pending' || order.payment_status === 'user_paid',
    received,
    sumWithConfirmations,
    deep: sumWithConfirmations(Math.max(1, required)),
    receivedInTime: sum(counted.filter(({ firstSeen }) => firstSeen <= order.expires_at)),
    hasMoney,
    isUnderWay: live.some(
      (one) => one.amountSats >= DUST_LIMIT && countConfirmations(one, tip) < (one.isCoinbase ? MATURITY : required),
    ),
    possible: sum(live) + sum(absent.filter((one) => !isFinal(one))),
    goneForGood: sum(absent.filter(isFinal)),
    mayReturn: absent.some((one) => !isFinal(one)),
    isTooLate: now.getTime() - (order.expired_at ?? order.expires_at).getTime() > LATE_LIMIT_DAYS * 86_400_000,
    isOnSale: shop.isOnSale || order.fulfilment_status !== 'unfulfilled',
    presentCents: order.fulfilment_status === 'unfulfilled' ? shop.priceCents : order.total_after_cents,
    wasPaid: order.paid_at !== null,
    isCancelled: order.cancelled_at !== null,
    isSent: order.fulfilment_status !== 'unfulfilled',
    isSoldOut: !shop.hasStock && (shop.stock === 0 || shop.stockAtSync === 0),
    refunds: refunds.list,
    openRefund: refunds.open,
    sentBack: sent.reduce((total, { debitSats }) => total + debitSats, 0n),
    sentOnce: sumOnce(sent),
    isRefunding: refunds.list.some(
      (one) => isOfWhole(refunds.list, one, paidCents) && (one.state === 'made' || one.state === 'sent'),
    ),
    isRefunded: refunds.list.some((one) => isOfWhole(refunds.list, one, paidCents) && one.state === 'confirmed'),
    unitsRefunded: countUnits(refunds.list),
    kept: subtractOrZero(
      due,
      held.reduce((total, { debitSats }) => total + debitSats, 0n),
    ),
    unclaimed: refunds.unclaimedSats,
    isAddressUsable: refunds.usableSince !== null,
    hasAddress: refunds.address !== null,
    events: shop.events.map(({ kind }) => kind),
  };
}

/** Whether a refund was sent, of units or of a surplus, so that the order can't be requoted. */
export const isRefundedInPart = ({ order }: Facts): boolean =>
  order.returned_sats > 0n || (order.line_refund_sats ?? 0n) > 0n;

/** Whether final outputs cover the amount due, as "paid" and "confirmed" claim. */
export const isPaidByChain = (facts: Facts): boolean => facts.deep >= facts.least;

/**
 * Whether a refund is created, not sent, and not covered by final outputs that exceed the price and
 * earlier refunds.
 */
export function isStopped(facts: Facts, refund: Refund): boolean {
  if (refund.state !== 'made') return false;
  const sent = facts.refunds.filter(
    (one) => one.withdrawnAt === null && (one.state === 'sent' || one.state === 'confirmed'),
  );
  // A withdrawn refund that was sent shares its money with its successors.
  const notWithdrawn = sent.reduce((total, { debitSats }) => total + debitSats, 0n);
  return facts.deep < notWithdrawn + refund.debitSats + computeReserved(facts, refund);
}

/** What a refund must leave: of the price, without the units that refunds took. */
function computeReserved({ isRefunding, kept, due, least }: Facts, { covers }: Refund): bigint {
  if (covers === 'whole' || isRefunding) return 0n;
  const reserved = covers === 'surplus' ? kept : kept - (due - least);
  return reserved > 0n ? reserved : 0n;
}

export const hasStopped = (facts: Facts): boolean => facts.refunds.some((refund) => isStopped(facts, refund));

/** Parses the amount of a sentence to sats. */
export function parseSats(text: string | undefined): bigint {
  const [whole = '0', part = ''] = (text ?? '0').replaceAll(',', '').split('.');
  return BigInt(whole + part.padEnd(8, '0').slice(0, 8));
}

/** Staff may accept less than the refunds of units took before. */
const subtractOrZero = (amount: bigint, taken: bigint): bigint => (amount > taken ? amount - taken : 0n);
