const OPEN_POLL_MS = 3_000;
/** A late payment has no hurry. */
const EXPIRED_POLL_MS = 15_000;

/** How often an order is worth a look. */
export function choosePollInterval(status: string): number | null {
  if (status === 'pending' || status === 'user_paid') return OPEN_POLL_MS;
  return status === 'expired' ? EXPIRED_POLL_MS : null;
}
