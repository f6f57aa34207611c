/** How long a delivery takes. The header, product pages, /free-shipping and the FAQ take their words from here. */

/** LAY-01: to the shop's own address, which the header shows until the visitor chooses a country. */
export const LONDON_PROMISE = 'Delivery today in 24 hours';

/** PAGE-01. */
export const DISPATCH_PROMISE = 'Orders are processed and shipped with in 1–2 business days';

const UNITED_KINGDOM = '1–2 business days after dispatch';
const EUROPE = '2–4 business days after dispatch';
const ELSEWHERE = '4–8 business days after dispatch';

/** Nearest first. */
export const DELIVERY_TIMES = [
  { area: 'London', time: 'today in 24 hours, once your payment is confirmed' },
  { area: 'Rest of the United Kingdom', time: UNITED_KINGDOM },
  { area: 'Europe', time: EUROPE },
  { area: 'Other continents', time: ELSEWHERE },
] as const;

interface Place {
  readonly region: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** What is promised for a chosen country; null: none was chosen, and the shop's own address stands. */
export function deliveryPromise(place: Place | null): string {
  if (place === null) return LONDON_PROMISE;
  if (place.country === 'GB') return `Delivery ${UNITED_KINGDOM}`;
  return `Delivery ${place.region === 'Europe' ? EUROPE : ELSEWHERE}`;
}
