import type { ReservationCap, ReservationTerms } from '#src/shop/inventory/reservation.ts';

/** Limits of quotes, and of stock reserved without a payment. */
export interface ReservationLimits {
  /**
   * Orders and requotes per account and day. Each new order takes an address that is watched
   * permanently.
   */
  readonly quotesPerDay: number;
  /** Orders and requotes of all accounts of a network per day. */
  readonly networkQuotesPerDay: number;
  readonly confirmed: ReservationCap;
  /** For an account without a confirmed email address. */
  readonly unconfirmed: ReservationCap;
  readonly network: ReservationCap;
  /** How long scarce items are reserved without a payment. */
  readonly shortSeconds: number;
}

/** Not used with RATE_LIMITS=off. */
export const RESERVATION_LIMITS: ReservationLimits = {
  quotesPerDay: 10,
  networkQuotesPerDay: 100,
  confirmed: { units: 30, variants: 12 },
  unconfirmed: { units: 5, variants: 3 },
  network: { units: 60, variants: 24 },
  shortSeconds: 900,
};

export interface CountedQuote {
  /** Seconds until the next quote is allowed; null if this one is within the limits. */
  readonly retryAfterSeconds: number | null;
  readonly isEmailConfirmed: boolean;
  readonly limits: ReservationLimits;
}

/** Reservation limits for a counted quote; null when limits are off. */
export const getReservationTerms = (quote: CountedQuote | null): ReservationTerms | null =>
  quote && { account: getAccountCap(quote), network: quote.limits.network };

const getAccountCap = ({ isEmailConfirmed, limits }: CountedQuote): ReservationCap =>
  isEmailConfirmed ? limits.confirmed : limits.unconfirmed;

/** What a buyer can do when a reservation exceeds a limit. */
export function describeReservationLimit(of: 'account' | 'network', quote: CountedQuote | null): string {
  if (of === 'network' || quote === null) {
    return 'Unpaid orders from your network reserve too many items already. Try again later';
  }
  const { units, variants } = getAccountCap(quote);
  const cap = `at most ${units} units of ${variants} items with limited stock`;
  return quote.isEmailConfirmed
    ? `One order can reserve ${cap}. Reduce the quantity`
    : `Until you confirm your email address, an order can reserve ${cap}. Confirm the address or reduce the quantity`;
}

/** Short and full end of a payment window; null if the short one is not shorter. */
export function computeShortWindow(
  now: Date,
  expiresAt: Date,
  { shortSeconds }: ReservationLimits,
): { readonly expires_at: Date; readonly full_expires_at: Date } | null {
  const until = new Date(now.getTime() + shortSeconds * 1000);
  return until < expiresAt ? { expires_at: until, full_expires_at: expiresAt } : null;
}

/**
 * Whether at least half of the amount due was received in time, so that the items stay reserved.
 */
export const isHalfReceived = (receivedSats: bigint, dueSats: bigint): boolean =>
  receivedSats > 0n && receivedSats * 2n >= dueSats;
