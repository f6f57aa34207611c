/** Delivery details with which an order that staff create begins. */
import { createFirstDraft, listOffered } from '#src/shop/orders/checkout/web/billing-draft.ts';
import type { DeliveryCountries, Draft } from '#src/shop/orders/checkout/web/billing-draft.ts';
import type { Billing } from '#src/shop/orders/contract.ts';
import { findRegion } from '#src/shop/regions.ts';

/** A region alone is no address: it is left when staff empty the country. */
const ADDRESS = ['country', 'streetAddress', 'houseNumber', 'city', 'postcode'] as const;

export interface StartingDelivery {
  /** What the fields show until staff change them. */
  readonly start: Draft;
  /** Fields that staff changed. */
  readonly typed: Partial<Draft>;
  /** Whether the address of the last order is among them. */
  readonly hasLastAddress: boolean;
}

/** The shop's country with its region; null if it is not set, or not delivered to. */
function findPlace(country: string, delivered: DeliveryCountries) {
  const region = findRegion(country);
  if (region === undefined || !listOffered(region, delivered).some(({ code }) => code === country)) return null;
  return { region, country };
}

/**
 * Begins with the customer's last details, else with the country of the shop. What staff typed stays; if that
 * is a part of an address, the last address is left out, since one parcel can't go to two.
 */
export function startDelivery(
  typed: Partial<Draft>,
  last: Billing | null,
  { home, delivered }: { readonly home: string; readonly delivered: DeliveryCountries },
): StartingDelivery {
  const texts = Object.fromEntries(Object.entries(typed).filter(([, text]) => text !== ''));
  const place = findPlace(home, delivered);
  if (last === null) return { start: createFirstDraft(null, place), typed: texts, hasLastAddress: false };
  if (ADDRESS.every((name) => texts[name] === undefined)) {
    const { region: _, ...others } = texts;
    return { start: createFirstDraft(last, null), typed: others, hasLastAddress: true };
  }
  const { firstName, lastName, phone = '' } = last;
  return {
    start: { ...createFirstDraft(null, place), firstName, lastName, phone },
    typed: texts,
    hasLastAddress: false,
  };
}
