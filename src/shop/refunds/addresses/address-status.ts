/** Objection period of the buyer for an address that staff entered. */
export const OBJECTION_PERIOD_MS = 3 * 24 * 3600 * 1000;

/** The refund address of an order. */
export interface RefundAddressDates {
  readonly confirmedAt: Date | null;
  /** When the objection period ends; null if the buyer entered the address. */
  readonly holdsFrom: Date | null;
}

/**
 * Whether an address can be used. `unconfirmed`: the buyer has not opened the link yet. `waiting`:
 * staff entered it, and the buyer can still object.
 */
export type RefundAddressStatus = 'confirmed' | 'entered' | 'waiting' | 'unconfirmed';

export function getAddressStatus({ confirmedAt, holdsFrom }: RefundAddressDates, now: Date): RefundAddressStatus {
  if (confirmedAt !== null) return 'confirmed';
  if (holdsFrom === null) return 'unconfirmed';
  return now >= holdsFrom ? 'entered' : 'waiting';
}

/** Since when an address can be used; null if it can't. */
export function findUsableSince(address: RefundAddressDates, now: Date): Date | null {
  const status = getAddressStatus(address, now);
  switch (status) {
    case 'confirmed':
      return address.confirmedAt;
    case 'entered':
      return address.holdsFrom;
    case 'unconfirmed':
    case 'waiting':
      return null;
    default:
      return status satisfies never;
  }
}
