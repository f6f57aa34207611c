import { formatAfterDispatch, ELSEWHERE_DAYS, EUROPE_DAYS, UNITED_KINGDOM_DAYS } from '#src/shop/delivery-times.ts';

/** PAGE-01. */
export const DISPATCH_PROMISE = 'Orders are processed and shipped with in 1–2 business days';

/** Nearest first. */
export const DELIVERY_TIMES = [
  { area: 'London', time: 'today in 24 hours, once your payment is confirmed' },
  { area: 'Rest of the United Kingdom', time: formatAfterDispatch(UNITED_KINGDOM_DAYS) },
  { area: 'Europe', time: formatAfterDispatch(EUROPE_DAYS) },
  { area: 'Other continents', time: formatAfterDispatch(ELSEWHERE_DAYS) },
] as const;
