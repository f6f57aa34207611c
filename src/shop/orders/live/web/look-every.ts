const OPEN_LOOK_MS = 3_000;
/** A late payment has no hurry. */
const EXPIRED_LOOK_MS = 15_000;

/** How often an order is worth a look. */
export function lookEvery(status: string): number | null {
  if (status === 'pending' || status === 'user_paid') return OPEN_LOOK_MS;
  return status === 'expired' ? EXPIRED_LOOK_MS : null;
}
