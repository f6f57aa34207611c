import {
  addSats,
  cents,
  divideUp,
  multiplySats,
  NO_CENTS,
  NO_SATS,
  PAYABLE_STEP_SATS,
  roundUpToPayable,
  sats,
  SATS_PER_BTC,
  convertCentsToSats,
  subtractSats,
} from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import { computeToleranceSats } from '#src/shop/payments/ledger/payment-tolerance.ts';
import type { PaymentTolerance } from '#src/shop/payments/ledger/payment-tolerance.ts';
import { getSnapshotDiscount } from '#src/shop/promotions/promotion-snapshot.ts';
import { convertDeduction } from '#src/shop/cart/price-charges.ts';
import type { StoredCharges } from '../stored-order.ts';
import type { PromotionSnapshot } from '#src/shop/promotions/promotion-snapshot.ts';
import { applyDiscount } from '#src/shop/promotions/apply-discount.ts';

/** The current quote of an order. */
export interface CurrentQuote extends Omit<StoredCharges, 'tax'> {
  readonly total_cents: Cents;
  readonly total_sats: Sats;
  readonly total_after_cents: Cents;
  readonly total_after_sats: Sats;
  readonly due_sats: Sats;
  readonly rate_cents_per_btc: CentsPerBtc;
  readonly expires_at: Date;
  readonly credited_sats: Sats;
  readonly unpaid_cents: Cents | null;
  readonly promo: PromotionSnapshot | null;
}

export interface LineToRequote {
  readonly position: number;
  readonly quantity: number;
  readonly price_cents: Cents;
  readonly price_sats: Sats;
  readonly is_free: boolean;
}

export interface RequoteTerms {
  readonly rate: CentsPerBtc;
  readonly now: Date;
  /** Payment window of the new quote. */
  readonly windowSeconds: number;
  readonly tolerance: PaymentTolerance;
}

/** What the items of an order cost now, at the rate of the requote. */
export interface PresentPrices {
  readonly total_cents: Cents;
  readonly total_sats: Sats;
  readonly total_after_cents: Cents;
  readonly total_after_sats: Sats;
  readonly shipping_cents: Cents;
  readonly shipping_sats: Sats;
  readonly added_tax_cents: Cents;
  readonly added_tax_sats: Sats;
  readonly deducted_tax_cents: Cents;
  readonly deducted_tax_sats: Sats;
}

/** Cents as an exact fraction. */
interface Share {
  readonly cents: bigint;
  readonly of: bigint;
}

/** Live outputs received by the end of a quote's window. */
export interface ReceivedInTime {
  /** Credited outputs that are still live. */
  readonly credited: Sats;
  /** Credited and later outputs. */
  readonly all: Sats;
}

interface Credit {
  readonly unpaid: Share;
  readonly credited: Sats;
}

/**
 * The unpaid share of the total and the sats that paid the rest. Each satoshi keeps the value of
 * the quote that it was sent for.
 * @param newTotal total of the requote
 */
function computeCredit(quote: CurrentQuote, received: ReceivedInTime, newTotal: Cents): Credit {
  const { due_sats: due, credited_sats: before, total_after_cents: total, rate_cents_per_btc: rate } = quote;
  const rest = quote.unpaid_cents ?? total;
  if (received.credited === before) {
    const credited = received.all < due ? received.all : due;
    const of = due === before ? 1n : due - before;
    const left = rest * (due - credited) + (newTotal - total) * of;
    if (left >= 0n) return { credited, unpaid: { cents: left, of } };
    // The new total is lower than the worth of the payments: the rest of them is a surplus.
    return coverTotal(credited, (-left * SATS_PER_BTC) / (of * rate));
  }
  // Credited outputs that left lose their value; their replacement counts at the quote's rate.
  const since = received.all - received.credited;
  const missing = due - before;
  const within = since < missing ? since : missing;
  const worth =
    ((total - rest) * received.credited) / before +
    (missing === 0n ? 0n : (rest * within) / missing) +
    ((since - within) * rate) / SATS_PER_BTC;
  if (worth < newTotal) return { credited: received.all, unpaid: { cents: newTotal - worth, of: 1n } };
  return coverTotal(received.all, ((worth - newTotal) * SATS_PER_BTC) / rate);
}

/** A credit that pays the whole total; `surplus` of the received sats is more than that. */
function coverTotal(received: Sats, surplus: bigint): Credit {
  const needed = received > surplus ? received - surplus : 0n;
  return { credited: sats(needed - (needed % PAYABLE_STEP_SATS)), unpaid: { cents: 0n, of: 1n } };
}

/**
 * The new amount due: the credit and the unpaid share at the rate, rounded up to a payable amount.
 */
function computeDue(credited: Sats, unpaid: Share, rate: CentsPerBtc): Sats {
  return roundUpToPayable(credited + divideUp(unpaid.cents * SATS_PER_BTC, unpaid.of * rate));
}

/**
 * Requotes an order at another rate for a new window. Timely payments keep their value; later ones
 * count satoshi by satoshi toward the new amount, so that paying late never gains from a moved rate.
 * @param received live sats first seen by the end of the present window.
 * @param present what the items cost now; null: dollar amounts stay, bitcoin amounts change.
 */
export function requoteOrder(
  quote: CurrentQuote,
  lines: readonly LineToRequote[],
  received: ReceivedInTime,
  { rate, now, tolerance, windowSeconds }: RequoteTerms,
  present: PresentPrices | null = null,
) {
  const isSameRate = rate === quote.rate_cents_per_btc;
  const priced = lines.map((line) => ({
    ...line,
    price_sats: isSameRate || line.is_free ? line.price_sats : convertCentsToSats(line.price_cents, rate),
  }));
  const sum = addSats(
    ...priced.filter((line) => !line.is_free).map((line) => multiplySats(line.price_sats, line.quantity)),
  );
  const totalSats = isSameRate ? quote.total_sats : sum;
  const charges = isSameRate ? getChargeSats(quote) : convertCharges(quote, rate);
  const totalAfterSats = isSameRate ? quote.total_after_sats : computeTotalAfter(totalSats, quote, charges);

  const newTotal = present?.total_after_cents ?? quote.total_after_cents;
  const { credited, unpaid } = computeCredit(quote, received, newTotal);
  const isSameTotal = newTotal === quote.total_after_cents;
  const isKept = isSameRate && isSameTotal && received.credited === quote.credited_sats;
  const rest = isKept ? quote.due_sats : computeDue(credited, unpaid, rate);
  const due = credited === NO_SATS ? (present?.total_after_sats ?? totalAfterSats) : rest;
  return {
    order: {
      total_sats: totalSats,
      total_after_sats: totalAfterSats,
      ...charges,
      ...present,
      due_sats: due,
      tolerance_sats: computeToleranceSats(tolerance, due),
      rate_cents_per_btc: rate,
      expires_at: new Date(now.getTime() + windowSeconds * 1000),
      credited_sats: credited,
      credited_until: credited === NO_SATS ? null : quote.expires_at,
      unpaid_cents: credited === NO_SATS ? null : cents(divideUp(unpaid.cents, unpaid.of)),
    },
    /** Lines that keep their dollar prices. */
    lines: present === null ? priced.map(({ position, price_sats }) => ({ position, price_sats })) : [],
  };
}

type ChargeSats = ReturnType<typeof getChargeSats>;

const getChargeSats = (quote: CurrentQuote) => ({
  shipping_sats: quote.shipping_sats ?? NO_SATS,
  added_tax_sats: quote.added_tax_sats ?? NO_SATS,
  deducted_tax_sats: quote.deducted_tax_sats ?? NO_SATS,
});

/** Shipping and tax at another rate, rounded as at checkout. */
const convertCharges = (quote: CurrentQuote, rate: CentsPerBtc): ChargeSats => ({
  shipping_sats: convertCentsToSats(quote.shipping_cents ?? NO_CENTS, rate),
  added_tax_sats: convertCentsToSats(quote.added_tax_cents ?? NO_CENTS, rate),
  deducted_tax_sats: convertDeduction(quote.deducted_tax_cents ?? NO_CENTS, rate),
});

/** The total in sats after the discount, with shipping and tax, computed as at checkout. */
function computeTotalAfter(
  totalSats: Sats,
  { total_cents: totalCents, promo }: CurrentQuote,
  charges: ChargeSats,
): Sats {
  const discount = promo && getSnapshotDiscount(promo);
  const goods = applyDiscount({ cents: totalCents, sats: totalSats }, discount).totalSats;
  return subtractSats(addSats(goods, charges.shipping_sats, charges.added_tax_sats), charges.deducted_tax_sats);
}

/** Why an order can't be requoted. */
export type RequoteProblem =
  | 'not-expired'
  | 'no-rate'
  | 'order-open'
  | 'sold-out'
  | 'promo'
  /** An item is not on sale any more. */
  | 'withdrawn'
  | 'not-delivered'
  | 'weight-unknown'
  | 'below-dust'
  /** The total changed, and the buyer has not accepted it. */
  | 'repriced';

/** A quote for the timeline, with the evidence of its rate. */
export const snapshotQuote = (
  quote: Omit<CurrentQuote, 'total_sats' | 'total_cents' | 'promo'> & {
    readonly rate_evidence: Readonly<Record<string, unknown>>;
  },
) => ({
  due_sats: String(quote.due_sats),
  total_after_cents: String(quote.total_after_cents),
  total_after_sats: String(quote.total_after_sats),
  credited_sats: String(quote.credited_sats),
  rate_cents_per_btc: String(quote.rate_cents_per_btc),
  rate_evidence: quote.rate_evidence,
  expires_at: quote.expires_at.toISOString(),
});
