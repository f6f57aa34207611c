/** What a refund returns: the dollars paid at the rate of the refund, or the satoshis that paid them. */
import { cents, centsPerBtc, divideNearest, NO_SATS, sats, SATS_PER_BTC, subtractSats } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { RefundMethod } from '#src/shop/shop-settings/refund-method.ts';

/** A rate, and when it was found. */
interface RefundRate {
  readonly centsPerBtc: CentsPerBtc;
  readonly at: Date;
  readonly evidence: Readonly<Record<string, unknown>>;
}

export interface ReturnTerms {
  /** Of the shop. */
  readonly method: RefundMethod;
  /** Null: no fresh rate. */
  readonly rate: RefundRate | null;
}

/** What a refund takes off an order. */
export interface RefundBasis {
  /** Off the received amount. */
  readonly debitSats: Sats;
  /** The part of it that never paid for the order, which is returned in kind. */
  readonly surplusSats: Sats;
  /** Dollars of a sale; null: of no sale. */
  readonly valueCents: Cents | null;
  /** Whether the order is paid. Payments of other orders are returned in kind. */
  readonly isPaid: boolean;
}

export interface RefundReturn {
  readonly method: RefundMethod;
  /** Before a fee that the buyer pays. */
  readonly fullSats: Sats;
  /** What is returned for the dollars; null: of no sale. */
  readonly value: { readonly cents: Cents; readonly sats: Sats } | null;
  /** Null in kind. */
  readonly rate: RefundRate | null;
}

/** Satoshis for an amount in dollars, rounded to the nearest. */
export const convertToSats = (amount: Cents, rate: CentsPerBtc): Sats =>
  sats(divideNearest(amount * SATS_PER_BTC, rate));

/** Dollars that satoshis are worth, rounded to the nearest cent. */
export const convertToCents = (amount: Sats, rate: CentsPerBtc): Cents =>
  cents(divideNearest(amount * rate, SATS_PER_BTC));

/** Whether a refund returns dollars at the present rate. */
const isByValue = ({ isPaid, valueCents }: RefundBasis, { method }: ReturnTerms): boolean =>
  method === 'value' && isPaid && valueCents !== null && valueCents > 0n;

/** What a refund returns; null if that needs a rate and there is none. */
export function computeReturn(basis: RefundBasis, terms: ReturnTerms): RefundReturn | null {
  const { debitSats, surplusSats, valueCents } = basis;
  const paidSats = subtractSats(debitSats, surplusSats);
  if (!isByValue(basis, terms)) {
    const value = valueCents === null ? null : { cents: valueCents, sats: paidSats };
    return { method: 'kind', fullSats: debitSats, value, rate: null };
  }
  const { rate } = terms;
  if (rate === null || valueCents === null) return null;
  const valueSats = convertToSats(valueCents, rate.centsPerBtc);
  const fullSats = sats(valueSats + surplusSats);
  return { method: 'value', fullSats, value: { cents: valueCents, sats: valueSats }, rate };
}

/** Satoshis that staff sent without the shop, with a fee that was taken off them. */
export interface SentElsewhere {
  readonly sats: Sats;
  readonly at: Date;
  /** Staff name the dollars themselves, so that they may have been sent at any rate. */
  readonly isNamed: boolean;
}

/** By how many percent the rate of a refund that was sent elsewhere may differ from the present one. */
const MAX_RATE_DIFFERENCE = 10n;
/** By how many percent satoshis may differ from the dollars that staff name for them, in kind. */
const MAX_DIFFERENCE_IN_KIND = 1n;

const isNear = (a: bigint, b: bigint, percent: bigint): boolean => (a > b ? a - b : b - a) * 100n <= b * percent;

type SentProblem = 'no-rate' | 'less-than-all' | 'too-much';

/**
 * What a refund returned that was sent elsewhere. Satoshis that are not worth its dollars are refused: they were a refund
 * of another amount.
 */
export function computeSentReturn(
  basis: RefundBasis,
  terms: ReturnTerms,
  sent: SentElsewhere,
): { readonly debitSats: Sats; readonly returns: RefundReturn } | SentProblem {
  const { debitSats, surplusSats, valueCents } = basis;
  const valueSats = subtractSats(sent.sats, surplusSats);
  if (!isByValue(basis, terms) || valueCents === null) {
    const isExact = sent.sats === debitSats;
    const isSame = isExact || (sent.isNamed && isNear(sent.sats, debitSats, MAX_DIFFERENCE_IN_KIND));
    if (!isSame) return sent.sats < debitSats ? 'less-than-all' : 'too-much';
    const value = valueCents === null ? null : { cents: valueCents, sats: valueSats };
    return { debitSats: sent.sats, returns: { method: 'kind', fullSats: sent.sats, value, rate: null } };
  }
  if (valueSats === NO_SATS) return 'less-than-all';
  if (!sent.isNamed) {
    if (terms.rate === null) return 'no-rate';
    const expected = convertToSats(valueCents, terms.rate.centsPerBtc);
    if (!isNear(valueSats, expected, MAX_RATE_DIFFERENCE)) return valueSats < expected ? 'less-than-all' : 'too-much';
  }
  const implied = divideNearest(valueCents * SATS_PER_BTC, valueSats);
  const rate = { centsPerBtc: centsPerBtc(implied > 0n ? implied : 1n), at: sent.at, evidence: { rule: 'as sent' } };
  const value = { cents: valueCents, sats: valueSats };
  return { debitSats, returns: { method: 'value', fullSats: sent.sats, value, rate } };
}
