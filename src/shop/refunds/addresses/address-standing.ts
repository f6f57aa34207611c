/** How long the buyer can object to an address that staff entered, before money is sent there. */
export const OBJECTION_MS = 3 * 24 * 3600 * 1000;

/** The address for refunds of an order. */
export interface StandingAddress {
  readonly confirmedAt: Date | null;
  /** When an address that staff entered begins to count; null for one that the buyer named. */
  readonly holdsFrom: Date | null;
}

/**
 * Whether money can be sent to an address. `unconfirmed`: the buyer has not followed the link yet. `waiting`: staff
 * entered it, and the buyer can still object.
 */
export type AddressStanding = 'confirmed' | 'entered' | 'waiting' | 'unconfirmed';

export function standingOf({ confirmedAt, holdsFrom }: StandingAddress, now: Date): AddressStanding {
  if (confirmedAt !== null) return 'confirmed';
  if (holdsFrom === null) return 'unconfirmed';
  return now >= holdsFrom ? 'entered' : 'waiting';
}

/** Since when money can be sent to an address; null while it can't. */
export function usableSince(address: StandingAddress, now: Date): Date | null {
  switch (standingOf(address, now)) {
    case 'confirmed':
      return address.confirmedAt;
    case 'entered':
      return address.holdsFrom;
    default:
      return null;
  }
}
