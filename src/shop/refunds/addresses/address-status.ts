/** How long the buyer can object to an address that staff entered, before money is sent there. */
export const OBJECTION_PERIOD_MS = 3 * 24 * 3600 * 1000;

/** The address for refunds of an order. */
export interface RefundAddressDates {
  readonly confirmedAt: Date | null;
  /** When an address that staff entered begins to count; null for one that the buyer named. */
  readonly holdsFrom: Date | null;
}

/**
 * Whether money can be sent to an address. `unconfirmed`: the buyer has not followed the link yet. `waiting`: staff
 * entered it, and the buyer can still object.
 */
export type RefundAddressStatus = 'confirmed' | 'entered' | 'waiting' | 'unconfirmed';

export function getAddressStatus({ confirmedAt, holdsFrom }: RefundAddressDates, now: Date): RefundAddressStatus {
  if (confirmedAt !== null) return 'confirmed';
  if (holdsFrom === null) return 'unconfirmed';
  return now >= holdsFrom ? 'entered' : 'waiting';
}

/** Since when money can be sent to an address; null while it can't. */
export function findUsableSince(address: RefundAddressDates, now: Date): Date | null {
  switch (getAddressStatus(address, now)) {
    case 'confirmed':
      return address.confirmedAt;
    case 'entered':
      return address.holdsFrom;
    default:
      return null;
  }
}
