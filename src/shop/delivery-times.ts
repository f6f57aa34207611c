/** Delivery times, for the header, product pages and `delivery-table.ts`. */

/** LAY-01: shown until the visitor chooses a country. */
export const LONDON_PROMISE = 'Delivery today in 24 hours';

/**
 * Delivery time outside London.
 * @param days a range, such as '2–4'
 */
export const formatAfterDispatch = (days: string): string => `${days} business days after dispatch`;

export const UNITED_KINGDOM_DAYS = '1–2';
export const EUROPE_DAYS = '2–4';
export const ELSEWHERE_DAYS = '4–8';

interface Place {
  readonly region: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** Delivery time for a chosen country; null: none chosen. */
export function getDeliveryPromise(place: Place | null): string {
  if (place === null) return LONDON_PROMISE;
  const abroad = place.region === 'Europe' ? EUROPE_DAYS : ELSEWHERE_DAYS;
  return `Delivery ${formatAfterDispatch(place.country === 'GB' ? UNITED_KINGDOM_DAYS : abroad)}`;
}
