import type { ReservationCap, ReservationTerms } from '#src/shop/inventory/reservation.ts';

/** How often an order may be quoted, and how much stock may be reserved without a payment. */
export interface ReservationLimits {
  /** New orders and requotes of an account in a day. Each new order takes an address that is watched for ever. */
  readonly quotesPerDay: number;
  /** Of all accounts of a network in a day. */
  readonly networkQuotesPerDay: number;
  readonly confirmed: ReservationCap;
  /** Of an account whose mail address is not confirmed. */
  readonly unconfirmed: ReservationCap;
  readonly network: ReservationCap;
  /** How long scarce items are reserved without a payment. */
  readonly shortSeconds: number;
}

/** Without limits they are off: RATE_LIMITS=off. */
export const RESERVATION_LIMITS: ReservationLimits = {
  quotesPerDay: 10,
  networkQuotesPerDay: 100,
  confirmed: { units: 30, products: 12 },
  unconfirmed: { units: 5, products: 3 },
  network: { units: 60, products: 24 },
  shortSeconds: 900,
};

export interface CountedQuote {
  /** Seconds until another quote is given; null when this one is within the limits. */
  readonly retryAfterSeconds: number | null;
  readonly isEmailConfirmed: boolean;
  readonly limits: ReservationLimits;
}

/** The caps of a quote that was counted; null when limits are off. */
export const getReservationTerms = (quote: CountedQuote | null): ReservationTerms | null =>
  quote && { account: getAccountCap(quote), network: quote.limits.network };

const getAccountCap = ({ isEmailConfirmed, limits }: CountedQuote): ReservationCap =>
  isEmailConfirmed ? limits.confirmed : limits.unconfirmed;

/** What a buyer can do when a reservation would exceed a cap. */
export function describeReservationLimit(of: 'account' | 'network', quote: CountedQuote | null): string {
  if (of === 'network' || quote === null) {
    return 'Unpaid orders from your network reserve too many items already. Try again later';
  }
  const { units, products } = getAccountCap(quote);
  const cap = `at most ${units} units of ${products} products with limited stock`;
  return quote.isEmailConfirmed
    ? `One order can reserve ${cap}. Reduce the quantity`
    : `Until you confirm your email address, an order can reserve ${cap}. Confirm the address or reduce the quantity`;
}

/** When the window of a quote ends for now, and at the latest; null when the short time is no shorter. */
export function computeShortWindow(
  now: Date,
  expiresAt: Date,
  { shortSeconds }: ReservationLimits,
): { readonly expires_at: Date; readonly full_expires_at: Date } | null {
  const until = new Date(now.getTime() + shortSeconds * 1000);
  return until < expiresAt ? { expires_at: until, full_expires_at: expiresAt } : null;
}

/** Whether so much was received in time that the items stay reserved: at least half of the amount due. */
export const isHalfReceived = (receivedSats: bigint, dueSats: bigint): boolean =>
  receivedSats > 0n && receivedSats * 2n >= dueSats;
