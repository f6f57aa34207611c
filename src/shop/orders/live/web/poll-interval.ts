const OPEN_POLL_MS = 3_000;
/** Late payments are polled less often. */
const EXPIRED_POLL_MS = 15_000;

/** Poll interval of an order in ms; null: none. */
export function choosePollInterval(status: string): number | null {
  if (status === 'pending' || status === 'user_paid') return OPEN_POLL_MS;
  return status === 'expired' ? EXPIRED_POLL_MS : null;
}
