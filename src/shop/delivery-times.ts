/** How long a delivery takes: what the header and product pages say, and `delivery-table.ts` in full. */

/** LAY-01: to the shop's own address, which the header shows until the visitor chooses a country. */
export const LONDON_PROMISE = 'Delivery today in 24 hours';

/** Outside London. @param days a range, as in '2–4' */
export const formatAfterDispatch = (days: string): string => `${days} business days after dispatch`;

export const UNITED_KINGDOM_DAYS = '1–2';
export const EUROPE_DAYS = '2–4';
export const ELSEWHERE_DAYS = '4–8';

interface Place {
  readonly region: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** What is promised for a chosen country; null: none was chosen, and the shop's own address stands. */
export function getDeliveryPromise(place: Place | null): string {
  if (place === null) return LONDON_PROMISE;
  const abroad = place.region === 'Europe' ? EUROPE_DAYS : ELSEWHERE_DAYS;
  return `Delivery ${formatAfterDispatch(place.country === 'GB' ? UNITED_KINGDOM_DAYS : abroad)}`;
}
