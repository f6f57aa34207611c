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

/** Limits of orders that staff create, for a member of staff. Not used with RATE_LIMITS=off. */
export const STAFF_ORDER_LIMITS = {
  /** Orders and renewed prices per day. */
  quotesPerDay: 100,
  /** What one order may reserve. */
  order: { units: 200, variants: 50 },
  /** What all unpaid orders of a member of staff may reserve together. */
  total: { units: 500, variants: 100 },
} as const;

/** Whose limits an order or a requote counts against. */
export type QuoteHolder =
  | {
      readonly kind: 'buyer';
      readonly userId: string;
      /** IPv4 address or IPv6 /64 of the caller; null: not counted by network. */
      readonly network: string | null;
    }
  | { readonly kind: 'staff'; readonly userId: string };

const STAFF_PREFIX = 'staff:';

/** What a reservation stores as its network: reservations of one network share a cap. */
export const getReservationNetwork = (holder: QuoteHolder): string | null =>
  holder.kind === 'staff' ? `${STAFF_PREFIX}${holder.userId}` : holder.network;

/** Whether staff hold the reservation, by its stored network. */
export const isHeldByStaff = (network: string | null): boolean => network?.startsWith(STAFF_PREFIX) ?? false;

export interface CountedQuote {
  readonly holder: QuoteHolder['kind'];
  /** Seconds until the next quote is allowed; null if this one is within the limits. */
  readonly retryAfterSeconds: number | null;
  readonly isEmailConfirmed: boolean;
  readonly limits: ReservationLimits;
}

/** Reservation limits for a counted quote; null when limits are off. */
export const getReservationTerms = (quote: CountedQuote | null): ReservationTerms | null =>
  quote && {
    account: getAccountCap(quote),
    network: quote.holder === 'staff' ? STAFF_ORDER_LIMITS.total : quote.limits.network,
  };

function getAccountCap({ holder, isEmailConfirmed, limits }: CountedQuote): ReservationCap {
  if (holder === 'staff') return STAFF_ORDER_LIMITS.order;
  return isEmailConfirmed ? limits.confirmed : limits.unconfirmed;
}

/** What a buyer can do when a reservation exceeds a limit. */
export function describeReservationLimit(of: 'account' | 'network', quote: CountedQuote | null): string {
  if (of === 'network' && quote?.holder === 'staff') {
    return 'Your unpaid orders for customers reserve too many items already. Cancel one, or wait until one is paid';
  }
  if (of === 'network' || quote === null) {
    return 'Unpaid orders from your network reserve too many items already. Try again later';
  }
  const { units, variants } = getAccountCap(quote);
  const cap = `at most ${units} units of ${variants} items with limited stock`;
  return quote.isEmailConfirmed || quote.holder === 'staff'
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
