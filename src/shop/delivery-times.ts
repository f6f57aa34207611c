/** Delivery times of the merchant's areas, for the header, product pages and the page about delivery. */

export const DELIVERY_UNITS = ['hours', 'days', 'business-days'] as const;

export interface DeliveryRange {
  readonly from: number;
  readonly to: number;
  readonly unit: (typeof DELIVERY_UNITS)[number];
}

const UNIT_NAMES: Readonly<Record<DeliveryRange['unit'], string>> = {
  hours: 'hour',
  days: 'day',
  'business-days': 'business day',
};

/** `1–2 business days`, `24 hours`. */
export function formatRange({ from, to, unit }: DeliveryRange): string {
  const count = from === to ? String(to) : `${from}–${to}`;
  return `${count} ${UNIT_NAMES[unit]}${to === 1 ? '' : 's'}`;
}

export const formatAfterDispatch = (range: DeliveryRange): string => `${formatRange(range)} after dispatch`;

/** What is promised for some countries or regions. */
export interface DeliveryPromise {
  /** Names of regions and ISO 3166-1 alpha-2 codes. */
  readonly places: readonly string[];
  readonly text: string;
  /** From the payment to the arrival, one after the other; absent while the time until dispatch is not known. */
  readonly times?: readonly DeliveryRange[];
}

interface DeliveryArea {
  readonly regions: readonly string[];
  readonly countries: readonly string[];
  readonly range: DeliveryRange | null;
}

/** The promises of areas with places and a time, in their order: the first one of a place applies. */
export const listPromises = (areas: readonly DeliveryArea[], dispatch: DeliveryRange | null): DeliveryPromise[] =>
  areas.flatMap(({ regions, countries, range }) =>
    range === null || regions.length + countries.length === 0
      ? []
      : [
          {
            places: [...countries, ...regions],
            text: `Delivery ${formatAfterDispatch(range)}`,
            ...(dispatch !== null && { times: [dispatch, range] }),
          },
        ],
  );
